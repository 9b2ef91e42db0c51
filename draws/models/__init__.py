"""The models of the app `draws`."""

from draws.models.cameras import (
    Camera,
    Certificate,
    Enrolment,
    Purpose,
    Reading,
    ShownBall,
    Standing,
)
from draws.models.cards import (
    Card,
    Issue,
    Pattern,
    PrintJob,
    PrintState,
    Recount,
    Retirement,
    Series,
    Source,
    Transfer,
)
from draws.models.custody import (
    CardCollection,
    CarriedCard,
    Case,
    Complaint,
    Departure,
    SetAside,
    UnclaimedItem,
    UnclaimedSettlement,
    UsedDestruction,
)
from draws.models.game import Ball, ClaimCheck, Game, Payment, Prize, ShownCard
from draws.models.record import Acta, Export, ExportState, Rectification, RectifiedActa, SealFault
from draws.models.sale import Refund, Sale, Taking

__all__ = [
    "Acta", "Ball", "Camera", "Card", "CardCollection", "CarriedCard", "Case", "Certificate",
    "ClaimCheck", "Complaint", "Departure", "Enrolment", "Export", "ExportState", "Game", "Issue",
    "Pattern", "Payment", "PrintJob", "PrintState", "Prize", "Purpose", "Reading", "Recount",
    "Rectification", "RectifiedActa", "Refund", "Retirement", "Sale", "SealFault", "Series",
    "SetAside", "ShownBall", "ShownCard", "Source", "Standing", "Taking", "Transfer",
    "UnclaimedItem", "UnclaimedSettlement", "UsedDestruction",
]  # fmt: skip
