"""The models of the app `halls`."""

from halls.models.admission import Admission, Exclusion, LiftedExclusion, Visit
from halls.models.equipment import BallSet, Breakdown, CheckTick, Device, EquipmentCheck
from halls.models.hall import Authorisation, Hall, JoinedDesk, Look, Person, Session
from halls.models.jackpots import Link, LinkMember, LinkMovement
from halls.models.journal import (
    Checkpoint,
    CheckpointPlace,
    Cosignature,
    JournalEntry,
    RefusalTally,
)
from halls.models.policy import Policy, Removal, Retention
from halls.models.sign_in import Factor, Pin, ProviderLink, RecoveryCode, SignIn, TillBrowser
from halls.models.tills_and_screens import (
    CashMovement,
    Shift,
    Slip,
    Till,
    WallPicture,
    WallRole,
    WallScreen,
)
from halls.permissions import Role

__all__ = [
    "Admission",
    "Authorisation",
    "BallSet",
    "Breakdown",
    "CashMovement",
    "CheckTick",
    "Checkpoint",
    "CheckpointPlace",
    "Cosignature",
    "Device",
    "EquipmentCheck",
    "Exclusion",
    "Factor",
    "Hall",
    "JoinedDesk",
    "JournalEntry",
    "LiftedExclusion",
    "Link",
    "LinkMember",
    "LinkMovement",
    "Look",
    "Person",
    "Pin",
    "Policy",
    "ProviderLink",
    "RecoveryCode",
    "RefusalTally",
    "Removal",
    "Retention",
    "Role",
    "Session",
    "Shift",
    "SignIn",
    "Slip",
    "Till",
    "TillBrowser",
    "Visit",
    "WallPicture",
    "WallRole",
    "WallScreen",
]
