"""Models of ball sets and equipment, their checks and breakdowns (R20-R26, R32, R61 l)."""

from __future__ import annotations

from datetime import date

from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.db.models import F, Q

from bingo.rules.equipment import APPROVED, DEVICES, BallSetState, SetPlace, Wear, is_approved, wear
from bingo.rules.formats import FORMATS
from halls.models.constraints import check, unique
from halls.models.hall import Hall, Person
from halls.models.journal import JournalEntry

# An approval has its authority and day together with its number, and ends no earlier than it began.
WHOLE = Q(authority="", approved_on__isnull=True, approved_until__isnull=True) | (
    ~Q(authority="")
    & ~Q(approval="")
    & Q(approved_on__isnull=False)
    & (Q(approved_until__isnull=True) | Q(approved_until__gte=F("approved_on")))
)


class Made(models.Model):
    """What a maker makes after a model, and the approval of that model (R4, R20)."""

    maker = models.CharField(max_length=60, blank=True)
    approval = models.CharField(max_length=60, blank=True)
    authority = models.CharField(max_length=60, blank=True)
    approved_on = models.DateField(null=True)
    approved_until = models.DateField(null=True)

    class Meta:
        abstract = True

    def is_approved(self, day: date) -> bool:
        """Return whether its model is approved on a day (R4, R20)."""
        return is_approved(
            approval=self.approval,
            authority=self.authority,
            approved_on=self.approved_on,
            approved_until=self.approved_until,
            day=day,
        )


class Device(Made):
    """A piece of equipment by the name the hall calls it: an extractor, a camera, a board (R2)."""

    changes = ("approval", "authority", "approved_on", "approved_until", "retired_at")

    hall = models.ForeignKey(Hall, models.PROTECT, related_name="devices")
    name = models.CharField(max_length=60)
    kind = models.CharField(max_length=20)
    registered_at = models.DateTimeField()
    retired_at = models.DateTimeField(null=True)

    class Meta:
        constraints = [
            check("device_approval_whole_r4", WHOLE),
            unique("device_name_once_a_hall", "hall", "name"),
            check("device_kind_known", Q(kind__in=list(DEVICES))),
        ]

    def __str__(self) -> str:
        return self.name

    def is_approved(self, day: date) -> bool:
        """Return whether its model is approved on a day, or needs no approval (R4)."""
        return self.kind not in APPROVED or super().is_approved(day)


class BallSet(Made):
    """A set of numbered balls, by its serial (R22); `games` it has served, before and here (R25).

    `marks` are the numbers printed with an underline, `zeros` whether 1 to 9 stand as 01 to 09,
    `fit` what its last inspection found, `extractor` where it is in use.
    """

    changes = (
        "approval", "authority", "approved_on", "approved_until", "standing", "fit", "games", "extractor",
    )  # fmt: skip

    hall = models.ForeignKey(Hall, models.PROTECT, related_name="ball_sets")
    serial = models.CharField(max_length=40)
    format = models.PositiveSmallIntegerField()
    model = models.CharField(max_length=60, blank=True)
    marks = ArrayField(models.PositiveSmallIntegerField(), default=list)
    zeros = models.BooleanField(default=False)
    standing = models.CharField(max_length=10, default=SetPlace.KEPT.value)
    fit = models.BooleanField(default=True)
    games = models.PositiveIntegerField(default=0)
    extractor = models.ForeignKey(Device, models.PROTECT, null=True, related_name="ball_sets")
    registered_at = models.DateTimeField()

    class Meta:
        constraints = [
            unique("ball_set_serial_once_a_hall_r22", "hall", "serial"),
            unique(
                "one_ball_set_in_use_a_format", "hall", "format", condition=Q(standing="in_use")
            ),
            check("ball_set_standing_known", Q(standing__in=[one.value for one in SetPlace])),
            check("ball_set_format_known", Q(format__in=list(FORMATS))),
            check(
                "ball_set_in_an_extractor_is_in_use",
                Q(extractor__isnull=True) | Q(standing="in_use"),
            ),
            check("ball_set_approval_whole_r20", WHOLE),
        ]

    def __str__(self) -> str:
        return self.serial

    @property
    def as_state(self) -> BallSetState:
        """What the rules know of it."""
        return BallSetState(self.serial, self.format, SetPlace(self.standing), self.fit, self.games)

    @property
    def wear(self) -> Wear:
        """How far its life is over, where it is in use now (R25)."""
        kind = self.extractor.kind if self.extractor else None
        return wear(self.games, rulebook=self.hall.rulebook, extractor=kind)


class EquipmentCheck(models.Model):
    """A check of all equipment before a session, item by item (R32); `passed`: nothing failed."""

    append_only = True

    hall = models.ForeignKey(Hall, models.PROTECT, related_name="equipment_checks")
    items = models.JSONField()
    passed = models.BooleanField()
    at = models.DateTimeField()
    entry = models.OneToOneField(JournalEntry, models.PROTECT, related_name="+")

    def __str__(self) -> str:
        return f"{self.hall}, {self.entry.number}"


class CheckTick(models.Model):
    """An item of a check that is going on; it goes when that is journalled, or a session closes.

    `ok` is None for what the hall does not have.
    """

    changes = ("ok", "note", "at", "by")
    deletable = True

    hall = models.ForeignKey(Hall, models.PROTECT, related_name="check_ticks")
    kind = models.CharField(max_length=20)
    name = models.CharField(max_length=60, blank=True)
    ok = models.BooleanField(null=True)
    note = models.CharField(max_length=500, blank=True)
    at = models.DateTimeField()
    by = models.ForeignKey(Person, models.PROTECT, related_name="+")

    class Meta:
        constraints = [unique("check_item_ticked_once", "hall", "kind", "name")]

    def __str__(self) -> str:
        return f"{self.kind} {self.name}"


class Breakdown(models.Model):
    """A piece of equipment that fails, from when to when, and what helped (R61 l)."""

    changes = ("ended_at", "remedy")

    device = models.ForeignKey(Device, models.PROTECT, related_name="breakdowns")
    reason = models.CharField(max_length=500)
    opened_at = models.DateTimeField()
    ended_at = models.DateTimeField(null=True)
    remedy = models.CharField(max_length=500, blank=True)
    entry = models.OneToOneField(JournalEntry, models.PROTECT, related_name="+")

    class Meta:
        constraints = [
            unique("one_open_breakdown_a_device", "device", condition=Q(ended_at__isnull=True)),
            check(
                "breakdown_ended_with_remedy",
                Q(ended_at__isnull=True, remedy="") | Q(ended_at__isnull=False) & ~Q(remedy=""),
            ),
        ]

    def __str__(self) -> str:
        return f"{self.device}: {self.reason}"
