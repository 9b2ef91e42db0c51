"""Models of tills with their shifts and movements of cash, and of the wall's screens and pictures.

A screen has a name and the part it plays. Pictures are shown between two games. Screens and pictures
are no facts of any game.
"""

from datetime import timedelta

from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from halls.models.constraints import check, unique
from halls.models.hall import Hall, Person, Session
from halls.models.journal import JournalEntry

GONE = timedelta(seconds=25)  # silent for so long, a screen is not connected


class WallRole(models.TextChoices):
    """What a wall board shows of the one state that all are sent."""

    EVERYTHING = "everything", _("Everything")
    NUMBERS = "numbers", _("Numbers called")
    LAST = "last", _("Last ball")
    PRIZES = "prizes", _("Price, cards and prizes")
    CHECK = "check", _("Card being checked")
    CAMERA = "camera", _("The extractor, live")


class WallScreen(models.Model):
    """One television: `code` is what it shows until the manager gives it a name.

    `token` is the SHA-256 of what its browser keeps; it opens nothing but the board. It has been
    connected since `connected_at` if it was seen a moment ago, and shows its name large until
    `pointed_until`.
    """

    changes = ("connected_at", "seen_at", "name", "role", "pointed_until")
    deletable = True

    hall = models.ForeignKey(Hall, models.PROTECT, related_name="wall_screens")
    token = models.CharField(max_length=64, unique=True)
    code = models.CharField(max_length=4)
    name = models.CharField(max_length=40, blank=True)
    role = models.CharField(max_length=10, choices=WallRole, default=WallRole.EVERYTHING)
    connected_at = models.DateTimeField()
    seen_at = models.DateTimeField()
    pointed_until = models.DateTimeField(null=True)

    class Meta:
        constraints = [
            unique("wall_screen_code_once", "hall", "code"),
            check("wall_screen_role_known", models.Q(role__in=WallRole.values)),
            check(
                "wall_screen_seen_since_connected", models.Q(seen_at__gte=models.F("connected_at"))
            ),
        ]

    def __str__(self) -> str:
        return self.name or self.code


class WallPicture(models.Model):
    """A JPEG that every screen of the wall shows in its turn; `digest` is its SHA-256 in hex."""

    changes = ()
    deletable = True

    hall = models.ForeignKey(Hall, models.PROTECT, related_name="wall_pictures")
    name = models.CharField(max_length=80)
    digest = models.CharField(max_length=64)
    jpeg = models.BinaryField()
    added_at = models.DateTimeField()

    class Meta:
        constraints = [
            unique("wall_picture_once", "hall", "digest"),
        ]

    def __str__(self) -> str:
        return self.name


class Till(models.Model):
    """A drawer with a name; one that is no longer `in_use` stays in the record."""

    changes = ("in_use",)

    hall = models.ForeignKey(Hall, models.PROTECT, related_name="tills")
    name = models.CharField(max_length=50)
    in_use = models.BooleanField(default=True)

    class Meta:
        constraints = [unique("till_name_once_a_hall", "hall", "name")]

    def __str__(self) -> str:
        return self.name


class Shift(models.Model):
    """One cashier at one till, from float to count; amounts in minor units."""

    changes = ("closed_at", "counted", "comment")

    till = models.ForeignKey(Till, models.PROTECT, related_name="shifts")
    session = models.ForeignKey(Session, models.PROTECT, related_name="shifts")
    number = models.PositiveIntegerField()
    cashier = models.ForeignKey(Person, models.PROTECT, related_name="shifts")
    opened_at = models.DateTimeField()
    closed_at = models.DateTimeField(null=True)
    counted = models.BigIntegerField(null=True)
    comment = models.CharField(max_length=500, blank=True)

    class Meta:
        constraints = [
            unique("shift_number_once", "session", "number"),
            unique("one_open_shift_a_till", "till", condition=Q(closed_at__isnull=True)),
            unique("one_open_shift_a_cashier", "cashier", condition=Q(closed_at__isnull=True)),
            check(
                "shift_closed_at_with_count",
                Q(closed_at__isnull=True, counted__isnull=True)
                | Q(closed_at__isnull=False, counted__isnull=False, counted__gte=0),
            ),
        ]

    def __str__(self) -> str:
        return f"{self.till}, {self.cashier}"


class CashMovement(models.Model):
    """Cash into (positive) or out of a drawer, in minor units; never changed."""

    class Kind(models.TextChoices):
        """Why cash moved."""

        FLOAT = "float"
        SALE = "sale"
        PRIZE = "prize"
        REFUND = "refund"
        TAKEN_BACK = "taken_back"
        UNCLAIMED = "unclaimed"
        MOVED = "moved"

    append_only = True

    shift = models.ForeignKey(Shift, models.PROTECT, related_name="movements")
    kind = models.CharField(max_length=10, choices=Kind.choices)
    amount = models.BigIntegerField()
    entry = models.OneToOneField(JournalEntry, models.PROTECT, related_name="cash")

    class Meta:
        constraints = [
            check(
                "cash_sign_follows_kind",
                Q(kind__in=["float", "sale"], amount__gte=0)
                | Q(kind__in=["prize", "refund", "taken_back"], amount__lte=0)
                | Q(kind="unclaimed", amount__lt=0)
                | Q(kind="moved"),
            )
        ]
        indexes = [models.Index(fields=["amount", "id"], name="cash_of_an_amount")]

    def __str__(self) -> str:
        return f"{self.kind} {self.amount}"


class Slip(models.Model):
    """The receipt of a payment that was given or sent to a printer: every later one is a copy."""

    append_only = True

    entry = models.OneToOneField(JournalEntry, models.PROTECT, related_name="slip")
    at = models.DateTimeField()

    def __str__(self) -> str:
        return f"{self.entry.number}"
