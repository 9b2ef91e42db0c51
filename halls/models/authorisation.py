"""What the regulator has granted a hall (R3, R7, R9, R15, R17, R19, R35, R54)."""

from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.db.models import F, Q

from halls.models.hall import Hall


def only_ninety() -> list[int]:
    """Give the formats of an authorisation that names none: the game of 90 numbers."""
    return [90]


class Authorisation(models.Model):
    """What the regulator grants a hall from a day on: cards, prices, shares, jackpot, tax.

    `formats` are the kinds of card, `faces` their prices in minor units (R17), `sizes` the series
    a letter may have besides those of the rule book (R19), `double_cards` whether cards for two
    games may be issued (R15), `capacity` how many people may be inside, `identity_asked`
    whether each shows a document even where the rule book asks none (BOE III), `player_limit` the
    most cards that a player may buy in a game (R35),
    `several_prices` whether one game may have issues of several on sale, `languages` those besides
    the rule book's that announcements may be repeated in (R54), `distributions` how prizes are
    divided in kinds of game with a distribution of their own (R67, R73, R84), `jackpot_terms` and
    `jackpot_levels` what a jackpot has beyond rate and base, its limits by kind of card among it
    (R9-R12), `unclaimed_terms` for how many `days` money that nobody fetched is owed and what it
    goes `to` then (R44), `exempt` the equipment that the hall may do without (R2). `jackpot_limit`
    is the one number of balls of authorisations older than limits by kind of card, else 0. `entry` is the
    journal's; only rows older than the journal of authorisations have none.
    """

    append_only = True

    hall = models.ForeignKey(Hall, models.PROTECT, related_name="authorisations")
    reference = models.CharField(max_length=100)
    valid_from = models.DateField()
    valid_until = models.DateField(null=True)
    formats = ArrayField(models.PositiveSmallIntegerField(), default=only_ninety)
    sizes = models.JSONField(default=dict)
    double_cards = models.BooleanField(default=False)
    faces = ArrayField(models.PositiveIntegerField())
    line_share = models.PositiveIntegerField()
    bingo_share = models.PositiveIntegerField()
    jackpot_rate = models.PositiveIntegerField(default=0)
    jackpot_limit = models.PositiveIntegerField(default=0)
    jackpot_base = models.PositiveBigIntegerField(default=0)
    tax_rate = models.PositiveIntegerField(default=0)
    tax_threshold = models.PositiveBigIntegerField(default=0)
    player_limit = models.PositiveIntegerField(null=True)
    several_prices = models.BooleanField(default=False)
    languages = ArrayField(models.CharField(max_length=5), default=list)
    distributions = models.JSONField(default=list)
    jackpot_terms = models.JSONField(default=dict)
    jackpot_levels = models.JSONField(default=list)
    unclaimed_terms = models.JSONField(default=dict)
    capacity = models.PositiveIntegerField(null=True)
    identity_asked = models.BooleanField(default=False)
    exempt = ArrayField(models.CharField(max_length=20), default=list)
    entry = models.OneToOneField("halls.JournalEntry", models.PROTECT, null=True, related_name="+")

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["hall", "reference", "valid_from"], name="authorisation_once_a_day"
            ),
            models.CheckConstraint(
                condition=Q(formats__len__gt=0, formats__len__isnull=False),
                name="authorisation_names_a_format",
            ),
            models.CheckConstraint(
                condition=Q(valid_until__isnull=True) | Q(valid_until__gte=F("valid_from")),
                name="authorisation_ends_after_it_begins",
            ),
            models.CheckConstraint(
                condition=Q(line_share__lte=10_000 - F("bingo_share")),
                name="authorisation_shares_within_sales",
            ),
            models.CheckConstraint(
                condition=Q(jackpot_rate=0)
                | Q(jackpot_limit__gt=0)
                | Q(jackpot_limit=0, jackpot_terms__has_key="limits"),
                name="authorisation_jackpot_has_limit_r9",
            ),
            models.CheckConstraint(
                condition=Q(player_limit__isnull=True) | Q(player_limit__gt=0),
                name="authorisation_player_limit_r35",
            ),
            models.CheckConstraint(
                condition=Q(capacity__isnull=True) | Q(capacity__gt=0),
                name="authorisation_capacity_positive",
            ),
        ]

    def __str__(self) -> str:
        return self.reference
