"""The rows of the house."""

from halls.models.admission import Admission, Visit
from halls.models.authorisation import Authorisation
from halls.models.checkpoint import Checkpoint, CheckpointPlace
from halls.models.equipment import BallSet, Breakdown, CheckTick, Device, EquipmentCheck
from halls.models.exclusion import Exclusion, LiftedExclusion
from halls.models.hall import Hall
from halls.models.joined_desk import JoinedDesk
from halls.models.journal import JournalEntry
from halls.models.link import Link, LinkMember, LinkMovement
from halls.models.look import Look
from halls.models.person import Person
from halls.models.policy import Policy
from halls.models.retention import Removal, Retention
from halls.models.screen import WallRole, WallScreen
from halls.models.session import Session
from halls.models.till import CashMovement, Shift, Slip, Till
from halls.models.wall_picture import WallPicture
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
    "Device",
    "EquipmentCheck",
    "Exclusion",
    "Hall",
    "JoinedDesk",
    "JournalEntry",
    "LiftedExclusion",
    "Link",
    "LinkMember",
    "LinkMovement",
    "Look",
    "Person",
    "Policy",
    "Removal",
    "Retention",
    "Role",
    "Session",
    "Shift",
    "Slip",
    "Till",
    "Visit",
    "WallPicture",
    "WallRole",
    "WallScreen",
]
