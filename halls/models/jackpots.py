"""Models of linked jackpots: what a link holds, who takes part, every movement."""

from django.db import models
from django.db.models import F, Q
from django.db.models.functions import Coalesce

from bingo.rules.linked_jackpots import KINDS
from halls.models.constraints import check, unique
from halls.models.hall import Hall
from halls.models.journal import JournalEntry


class Link(models.Model):
    """A linked jackpot; what it holds is on this row, locked by whoever books the next movement.

    `limits` within which it is won, as `journal_json_and_chain.dump` gives them; one begun before
    there were any has one `limit` in balls. `base` and `balance` in minor units. Who holds a hall's
    row too has locked that one first. Once `ended_at`, nothing is added to it any more.
    """

    changes = ("balance", "head_number", "ended_at")

    code = models.SlugField(max_length=40, unique=True)
    name = models.CharField(max_length=60)
    currency = models.CharField(max_length=3)
    rulebook = models.CharField(max_length=50)
    limit = models.PositiveSmallIntegerField(null=True)
    limits = models.JSONField(default=list)
    base = models.BigIntegerField()
    balance = models.BigIntegerField(default=0)
    head_number = models.BigIntegerField(default=0)
    ended_at = models.DateTimeField(null=True)

    class Meta:
        constraints = [
            check("link_balance_not_negative", Q(balance__gte=0)),
            check("link_base_not_negative", Q(base__gte=0)),
            check("link_head_not_negative", Q(head_number__gte=0)),
            check("link_ended_holds_nothing", Q(ended_at__isnull=True) | Q(balance=0)),
            check("link_has_limits_r9", Q(limit__isnull=False) ^ ~Q(limits=[])),
        ]

    def __str__(self) -> str:
        return self.name


class LinkMember(models.Model):
    """A hall that takes part in a link since `entry`.

    `waiting` is what its game in hand has added, in minor units, as long as it can be voided.
    """

    changes = ("waiting",)

    link = models.ForeignKey(Link, models.PROTECT, related_name="members")
    hall = models.ForeignKey(Hall, models.PROTECT, related_name="links")
    waiting = models.BigIntegerField(default=0)
    reference = models.CharField(max_length=200)
    entry = models.OneToOneField(JournalEntry, models.PROTECT, related_name="+")

    class Meta:
        constraints = [
            unique("hall_once_in_a_link", "link", "hall"),
            check("link_waiting_not_negative", Q(waiting__gte=0)),
        ]

    def __str__(self) -> str:
        return f"{self.link}: {self.hall}"


class LinkMovement(models.Model):
    """What an entry of a hall moved in a link: in, or out where below 0; `balance` after it.

    `previous` and `before` are number and balance of the movement before.
    `migrations/sql/0002_linked_jackpots.sql` adds the foreign key (link, previous, before) →
    (link, number, balance).
    """

    append_only = True

    link = models.ForeignKey(Link, models.PROTECT, related_name="movements")
    number = models.BigIntegerField()
    previous = models.BigIntegerField(null=True)
    hall = models.ForeignKey(Hall, models.PROTECT, related_name="link_movements")
    entry = models.ForeignKey(JournalEntry, models.PROTECT, related_name="link_movements")
    kind = models.CharField(max_length=12)
    amount = models.BigIntegerField()
    before = models.BigIntegerField()
    balance = models.BigIntegerField()

    class Meta:
        ordering = ["link", "number"]
        constraints = [
            unique("link_movement_number_once", "link", "number"),
            unique("link_movement_once_an_entry", "entry", "kind"),
            unique("link_movement_follows_on", "link", "number", "balance"),
            check("link_movement_without_gap", Q(number=Coalesce(F("previous"), 0) + 1)),
            check("link_movement_adds_up", Q(balance=F("before") + F("amount"))),
            check("link_begins_with_nothing", Q(previous__isnull=False) | Q(before=0)),
            check("link_movement_leaves_no_debt", Q(balance__gte=0)),
            check("link_movement_kind_known", Q(kind__in=KINDS)),
        ]

    def __str__(self) -> str:
        return f"{self.link} {self.number}"
