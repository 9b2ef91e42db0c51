"""Models of cards after their game, of complaints and of unclaimed money.

Cards are destroyed, held by a case, set aside, gone from the shelf (R51, R52). What lies on the
shelf needs no rows of its own: winning cards that were paid, used ones set aside, less those that
have left. Complaints are open until somebody decides them (R61 j). Unclaimed money is what the hall
owes, and what became of it (R44, R50, R57, R60).

`migrations/sql/0002_unclaimed.sql` adds a trigger: what settles an item lies within its cards, at
its price.
"""

from django.db import models
from django.db.models import F, Q

from bingo.rules.complaints import DECISIONS, LONGEST
from bingo.rules.custody import DESTROYED, GONE_MISSING, HANDED_OVER, LONGEST_REFERENCE
from bingo.rules.steps.claiming import LONGEST_PLACE
from bingo.rules.texts import LONGEST_REASON
from bingo.rules.unclaimed import DESTINATIONS, PRIZE, REFUND
from draws.models.cards import Issue, OfCards, card_once
from draws.models.game import Game
from halls.models import Hall, JournalEntry, Session, Shift
from halls.models.constraints import check, unique


class UsedDestruction(models.Model):
    """The used cards of a game destroyed after it; `missing` were not handed in (R51)."""

    append_only = True

    game = models.OneToOneField(Game, models.PROTECT, related_name="used_destruction")
    cards = models.PositiveIntegerField()
    missing = models.PositiveIntegerField()
    at = models.DateTimeField()
    entry = models.OneToOneField(JournalEntry, models.PROTECT, related_name="+")

    def __str__(self) -> str:
        return f"{self.game}: {self.cards}"


class CarriedCard(models.Model):
    """A called card that a floor assistant brought to the table; `call` is the call's entry (BOE III)."""

    append_only = True

    game = models.ForeignKey(Game, models.PROTECT, related_name="carried_cards")
    call = models.PositiveIntegerField()
    issue = models.ForeignKey(Issue, models.PROTECT, related_name="+")
    card = models.PositiveIntegerField()
    place = models.CharField(max_length=LONGEST_PLACE, blank=True)
    at = models.DateTimeField()
    entry = models.OneToOneField(JournalEntry, models.PROTECT, related_name="+")

    class Meta:
        constraints = [
            unique("card_carried_once_a_call", "game", "call", "issue", "card"),
            check("carried_card_positive", Q(card__gt=0)),
        ]

    def __str__(self) -> str:
        return f"{self.game}: {self.card}"


class CardCollection(models.Model):
    """How many used cards of a game somebody has collected in all; the newest of theirs counts (R51)."""

    append_only = True

    game = models.ForeignKey(Game, models.PROTECT, related_name="collections")
    cards = models.PositiveIntegerField()
    at = models.DateTimeField()
    entry = models.OneToOneField(JournalEntry, models.PROTECT, related_name="+")

    def __str__(self) -> str:
        return f"{self.game}: {self.cards}"


class Case(models.Model):
    """A case about a game, which holds its cards while it is open; numbered in the hall (R52)."""

    changes = ("closed_at", "outcome")

    hall = models.ForeignKey(Hall, models.PROTECT, related_name="cases")
    number = models.PositiveIntegerField()
    game = models.ForeignKey(Game, models.PROTECT, related_name="cases")
    reference = models.CharField(max_length=LONGEST_REFERENCE)
    reason = models.CharField(max_length=LONGEST_REASON)
    opened_at = models.DateTimeField()
    closed_at = models.DateTimeField(null=True)
    outcome = models.CharField(max_length=LONGEST_REASON, blank=True)
    entry = models.OneToOneField(JournalEntry, models.PROTECT, related_name="+")

    class Meta:
        constraints = [
            unique("case_number_once_a_hall", "hall", "number"),
            check("case_number_positive", Q(number__gt=0)),
            check(
                "case_closed_with_outcome",
                Q(closed_at__isnull=True, outcome="") | Q(closed_at__isnull=False) & ~Q(outcome=""),
            ),
        ]

    def __str__(self) -> str:
        return f"{self.number} {self.reference}"


class SetAside(models.Model):
    """A used card that a case keeps from being destroyed, for it may prove something (R51)."""

    append_only = True

    case = models.ForeignKey(Case, models.PROTECT, related_name="set_aside")
    game = models.ForeignKey(Game, models.PROTECT, related_name="set_aside")
    issue = models.ForeignKey(Issue, models.PROTECT, related_name="+")
    card = models.PositiveIntegerField()

    class Meta:
        constraints = [unique("card_set_aside_once_r51", "issue", "card")]

    def __str__(self) -> str:
        return f"{self.card}"


class Departure(models.Model):
    """A card that has left the shelf, destroyed, handed to the regulator or lost, once (R51, R52)."""

    append_only = True

    issue = models.ForeignKey(Issue, models.PROTECT, related_name="+")
    card = models.PositiveIntegerField()
    how = models.CharField(max_length=12)
    at = models.DateTimeField()
    entry = models.ForeignKey(JournalEntry, models.PROTECT, related_name="departures")

    class Meta:
        constraints = [
            unique("card_leaves_shelf_once_r52", "issue", "card"),
            check("departure_known", Q(how__in=[DESTROYED, HANDED_OVER, GONE_MISSING])),
        ]

    def __str__(self) -> str:
        return f"{self.card} {self.how}"


class Complaint(models.Model):
    """A complaint, numbered in its session, with the game, ball, card and picture it is about.

    `ball` is the place among the game's balls as they stood when it was opened: a ball recalled
    later leaves its complaint as it was. `decided_by` is the entry that decided it.
    """

    changes = ("decision", "reason", "decided_at", "decided_by")

    session = models.ForeignKey(Session, models.PROTECT, related_name="complaints")
    number = models.PositiveIntegerField()
    text = models.CharField(max_length=LONGEST)
    game = models.ForeignKey(Game, models.PROTECT, null=True, related_name="complaints")
    ball = models.PositiveSmallIntegerField(null=True)
    issue = models.ForeignKey(Issue, models.PROTECT, null=True, related_name="+")
    card = models.PositiveIntegerField(null=True)
    picture = models.CharField(max_length=64, blank=True)
    opened_at = models.DateTimeField()
    entry = models.OneToOneField(JournalEntry, models.PROTECT, related_name="+")
    decision = models.CharField(max_length=10, blank=True)
    reason = models.CharField(max_length=LONGEST, blank=True)
    decided_at = models.DateTimeField(null=True)
    decided_by = models.OneToOneField(JournalEntry, models.PROTECT, null=True, related_name="+")

    class Meta:
        constraints = [
            unique("complaint_number_once_a_session", "session", "number"),
            check("complaint_number_positive", Q(number__gt=0)),
            check(
                "complaint_card_of_an_issue",
                Q(issue__isnull=True, card__isnull=True)
                | Q(issue__isnull=False, card__isnull=False, game__isnull=False),
            ),
            check(
                "complaint_ball_of_a_game",
                Q(ball__isnull=True, picture="") | Q(ball__gt=0, game__isnull=False),
            ),
            check(
                "complaint_decided_with_reason",
                Q(decided_at__isnull=True, decided_by__isnull=True, decision="", reason="")
                | Q(decided_at__isnull=False, decided_by__isnull=False, decision__in=DECISIONS)
                & ~Q(reason=""),
            ),
        ]

    def __str__(self) -> str:
        return f"{self.session.number}/{self.number}"


PAID, EXPIRED = "paid", "expired"


class UnclaimedItem(OfCards):
    """What was set aside of an issue in a game: cards first..last, `price` minor units each.

    `until` is the last day on which it is paid, null for ever; `to` where it goes then.
    """

    append_only = True

    game = models.ForeignKey(Game, models.PROTECT, related_name="unclaimed")
    owed = models.CharField(max_length=6)
    issue = models.ForeignKey(Issue, models.PROTECT, related_name="unclaimed")
    price = models.PositiveBigIntegerField()
    reason = models.CharField(max_length=10)
    note = models.CharField(max_length=LONGEST_REASON, blank=True)
    until = models.DateField(null=True)
    to = models.CharField(max_length=10, blank=True)
    at = models.DateTimeField()
    entry = models.ForeignKey(JournalEntry, models.PROTECT, related_name="unclaimed")

    class Meta:
        constraints = [
            check("unclaimed_known", Q(owed__in=[PRIZE, REFUND])),
            check(
                "unclaimed_not_empty",
                Q(owed=REFUND, last__gte=F("first")) | Q(owed=PRIZE, last=F("first")),
            ),
            check("unclaimed_price_positive", Q(price__gt=0)),
            check(
                "unclaimed_period_with_destination",
                Q(until__isnull=True, to="") | Q(until__isnull=False, to__in=DESTINATIONS),
            ),
            card_once("card_set_aside_once_r60", "game", "issue", "owed"),
        ]

    def __str__(self) -> str:
        return f"{self.owed} {self.first}-{self.last}"


class UnclaimedSettlement(OfCards):
    """Cards of an item paid later out of a till, or past their period; `amount` in minor units."""

    append_only = True

    item = models.ForeignKey(UnclaimedItem, models.PROTECT, related_name="settlements")
    how = models.CharField(max_length=7)
    amount = models.PositiveBigIntegerField()
    shift = models.ForeignKey(Shift, models.PROTECT, null=True, related_name="unclaimed_paid")
    complaint = models.ForeignKey(Complaint, models.PROTECT, null=True, related_name="+")
    at = models.DateTimeField()
    entry = models.ForeignKey(JournalEntry, models.PROTECT, related_name="unclaimed_settled")

    class Meta:
        constraints = [
            check("unclaimed_settlement_not_empty", Q(last__gte=F("first"))),
            check("unclaimed_settlement_positive", Q(amount__gt=0)),
            check(
                "unclaimed_paid_out_of_a_till",
                Q(how=PAID, shift__isnull=False)
                | Q(how=EXPIRED, shift__isnull=True, complaint__isnull=True),
            ),
            unique("unclaimed_paid_once_an_entry", "entry", condition=Q(how=PAID)),
            card_once("unclaimed_paid_once_r50", "item"),
        ]

    def __str__(self) -> str:
        return f"{self.how} {self.first}-{self.last} {self.amount}"
