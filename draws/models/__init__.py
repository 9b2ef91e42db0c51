"""The rows of the game."""

from draws.models.acta import Acta, Rectification, RectifiedActa, SealFault
from draws.models.camera import Camera
from draws.models.complaint import Complaint
from draws.models.custody import (
    CardCollection,
    CarriedCard,
    Case,
    Departure,
    SetAside,
    UsedDestruction,
)
from draws.models.enrolment import Certificate, Enrolment, Purpose, ShownBall
from draws.models.export import Export, ExportState
from draws.models.game import Ball, ClaimCheck, Game
from draws.models.issue import Issue, Recount, Retirement, Transfer
from draws.models.print_job import PrintJob, PrintState
from draws.models.prize import Payment, Prize
from draws.models.reading import Reading, Standing
from draws.models.sale import Refund, Sale, Taking
from draws.models.series import Card, Pattern, Series, Source
from draws.models.shown_card import ShownCard
from draws.models.unclaimed import UnclaimedItem, UnclaimedSettlement

__all__ = [
    "Acta",
    "Ball",
    "Camera",
    "Card",
    "CardCollection",
    "CarriedCard",
    "Case",
    "Certificate",
    "ClaimCheck",
    "Complaint",
    "Departure",
    "Enrolment",
    "Export",
    "ExportState",
    "Game",
    "Issue",
    "Pattern",
    "Payment",
    "PrintJob",
    "PrintState",
    "Prize",
    "Purpose",
    "Reading",
    "Recount",
    "Rectification",
    "RectifiedActa",
    "Refund",
    "Retirement",
    "Sale",
    "SealFault",
    "Series",
    "SetAside",
    "ShownBall",
    "ShownCard",
    "Source",
    "Standing",
    "Taking",
    "Transfer",
    "UnclaimedItem",
    "UnclaimedSettlement",
    "UsedDestruction",
]
