"""Models of the hall: hall, authorisation, person, session; and what an inspector has looked at.

An authorisation is what the regulator has granted (R3, R7, R9, R15, R17, R19, R35, R54). A person
logs in and has roles (BOE III). A session goes from opening to sealed acta (R58). `JoinedDesk`
joins one inspector's accounts in several halls, so that one evening's work is one login. `Look`
stands beside the journal, which holds what the hall has done.
"""

from datetime import date, datetime, time, timedelta
from typing import Any, ClassVar
from zoneinfo import ZoneInfo

from django.contrib.auth.models import AbstractBaseUser, BaseUserManager
from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.db.models import F, Q
from django.utils.functional import cached_property

from bingo.money_and_dates import ESCUDO, SIGN
from bingo.rules import rulebooks
from halls.models.constraints import check, unique
from halls.permissions import Role


class Hall(models.Model):
    """A hall; its journal's head is on this row, locked by whoever writes the next entry.

    What its jackpot holds is there too, `level_balances` of the levels beyond the first, in minor
    units. A training hall names the hall that it `trains`, for good: only there is anything of it
    real. It is left for another one at `trained_until`. `second_factor` is whether its managers and
    inspectors need one, until `factor_waived_from` where that is set (docs/signing-in.md).
    """

    changes = (
        "jackpot_balance", "level_balances", "head_number", "head_digest", "head_at", "trained_until",
        "second_factor", "factor_waived_from",
    )  # fmt: skip

    code = models.SlugField(unique=True)
    name = models.CharField(max_length=200)
    licence = models.CharField(max_length=100)
    language = models.CharField(max_length=5)
    currency = models.CharField(max_length=3)
    time_zone = models.CharField(max_length=50)
    rulebook = models.CharField(max_length=50)
    jackpot_balance = models.BigIntegerField(default=0)
    level_balances = ArrayField(models.PositiveBigIntegerField(), default=list)
    head_number = models.BigIntegerField(default=0)
    head_digest = models.CharField(max_length=64, default="0" * 64)
    head_at = models.DateTimeField(null=True)
    trains = models.ForeignKey("self", models.PROTECT, null=True, related_name="+")
    trained_until = models.DateTimeField(null=True)
    second_factor = models.BooleanField(default=True)
    factor_waived_from = models.DateTimeField(null=True)

    class Meta:
        constraints = [
            check("hall_head_not_negative", Q(head_number__gte=0)),
            check("hall_jackpot_not_negative", Q(jackpot_balance__gte=0)),
            check("hall_trains_another", Q(trains__isnull=True) | ~Q(trains=F("pk"))),
            check(
                "hall_only_training_is_left",
                Q(trained_until__isnull=True) | Q(trains__isnull=False),
            ),
            unique("hall_has_one_training_hall", "trains", condition=Q(trained_until__isnull=True)),
        ]

    def __str__(self) -> str:
        return self.name

    def day(self, at: datetime) -> date:
        """Return the hall's own day at a moment."""
        return at.astimezone(ZoneInfo(self.time_zone)).date()

    def begins(self, day: date) -> datetime:
        """Return the moment at which a day begins in the hall."""
        return datetime.combine(day, time(), tzinfo=ZoneInfo(self.time_zone))

    def ends(self, day: date) -> datetime:
        """Return the moment at which a day is over in the hall; the calendar's last as it begins."""
        return self.begins(day if day == date.max else day + timedelta(days=1))

    @cached_property
    def written_currency(self) -> str:
        """The currency as pages, boards and receipts write it: ESCUDO where the hall has chosen its sign."""
        # A training hall writes as the hall that it trains.
        chosen = self.trains_id or self.pk
        if self.currency != ESCUDO.removesuffix(SIGN) or chosen is None:
            return self.currency
        newest = Hall.objects.filter(pk=chosen).order_by("-policies__pk")
        sign = newest.values_list("policies__escudo_sign", flat=True).first()
        return ESCUDO if sign else self.currency

    def asks_for_factors(self, at: datetime) -> bool:
        """Return whether managers and inspectors need a second factor at a moment."""
        waived = self.factor_waived_from is not None and at >= self.factor_waived_from
        return self.second_factor and not waived

    @property
    def is_training(self) -> bool:
        """Whether nothing here is real."""
        return self.trains_id is not None

    @property
    def letterhead(self) -> dict[str, Any]:
        """What every document of the hall says of it, as `bingo.pdf.pages.OfHall` has it."""
        return {
            "hall": self.name,
            "licence": self.licence,
            "rulebook": rulebooks.get(self.rulebook).title,
            "language": self.language,
            "currency": self.currency,
            "training": self.is_training,
        }


def only_ninety() -> list[int]:
    """Return the formats of an authorisation that names none: the game of 90 numbers."""
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
    goes `to` then (R44), `exempt` the equipment that the hall may do without (R2). The tax is
    `tax_rate` basis points of what a prize, or, `tax_on_sales`, a game's sales have above
    `tax_threshold` minor units (R61 g). `jackpot_limit` is the one number of balls of authorisations older than limits by kind of card, else 0. `entry` is the
    journal's.
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
    tax_on_sales = models.BooleanField(default=False, db_default=False)
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
            unique("authorisation_once_a_day", "hall", "reference", "valid_from"),
            check(
                "authorisation_names_a_format", Q(formats__len__gt=0, formats__len__isnull=False)
            ),
            check(
                "authorisation_ends_after_it_begins",
                Q(valid_until__isnull=True) | Q(valid_until__gte=F("valid_from")),
            ),
            check(
                "authorisation_shares_within_sales", Q(line_share__lte=10_000 - F("bingo_share"))
            ),
            check(
                "authorisation_jackpot_has_limit_r9",
                Q(jackpot_rate=0)
                | Q(jackpot_limit__gt=0)
                | Q(jackpot_limit=0, jackpot_terms__has_key="limits"),
            ),
            check(
                "authorisation_player_limit_r35",
                Q(player_limit__isnull=True) | Q(player_limit__gt=0),
            ),
            check("authorisation_capacity_positive", Q(capacity__isnull=True) | Q(capacity__gt=0)),
            check("authorisation_has_an_entry", Q(entry__isnull=False)),
        ]

    def __str__(self) -> str:
        return self.reference

    @property
    def whole_jackpot_rate(self) -> int:
        """Return what all levels of the jackpot take together, in basis points (R10)."""
        others: list[int] = [one["rate"] for one in self.jackpot_levels]
        return self.jackpot_rate + sum(others)


class People(BaseUserManager["Person"]):
    """Makes people with a hashed password."""

    def enrol(
        self,
        *,
        hall: Hall,
        username: str,
        name: str,
        roles: list[str],
        language: str,
        password: str,
    ) -> "Person":
        """Add a person to a hall."""
        person = self.model(hall=hall, username=username, name=name, roles=roles, language=language)
        person.set_password(password)
        person.save(using=self._db)
        return person


class Person(AbstractBaseUser):
    """Somebody known to a hall; inactive people can no longer log in but stay in its records.

    In a training hall, whoever `practises`: this account is theirs there, and nobody logs in as it.
    """

    # Roles, names and who may log in: `apply_staff_change` (halls/migrations/sql/0008_rights.sql).
    changes = ("password", "password_given", "last_login")

    hall = models.ForeignKey(Hall, models.PROTECT, related_name="people")
    username = models.CharField(max_length=150, unique=True)
    name = models.CharField(max_length=200)
    roles = ArrayField(models.CharField(max_length=20, choices=Role.choices))
    language = models.CharField(max_length=5)
    is_active = models.BooleanField(default=True)
    practises = models.ForeignKey("self", models.PROTECT, null=True, related_name="trainees")
    # Somebody else knows the password: until its owner has changed it, it opens that page alone.
    password_given = models.BooleanField(default=False)
    # Others made or changed this account: until then it stands for no command beside another.
    witness_from = models.DateTimeField(null=True)

    objects = People()

    USERNAME_FIELD = "username"
    REQUIRED_FIELDS: ClassVar[list[str]] = []

    class Meta:
        constraints = [
            check("person_roles_known", Q(roles__contained_by=Role.values)),
            unique("person_practises_once_in_a_hall", "hall", "practises"),
        ]

    def __str__(self) -> str:
        return self.name


class JoinedDesk(models.Model):
    """From an account of a hall to another hall's, of the same inspector; there is one each way.

    Both were proven by their passwords. `proof` and `other_proof` are what Django holds a login by:
    they end with the password, so whoever sets another for one account has not the other hall too.
    """

    changes = ("hall", "proof", "other_proof", "joined_at")
    deletable = True

    hall = models.ForeignKey(Hall, models.CASCADE, related_name="+")
    person = models.ForeignKey(Person, models.CASCADE, related_name="desks")
    other = models.ForeignKey(Person, models.CASCADE, related_name="+")
    proof = models.CharField(max_length=64)
    other_proof = models.CharField(max_length=64)
    joined_at = models.DateTimeField()

    class Meta:
        constraints = [
            unique("desk_joined_once", "person", "other"),
            check("desk_of_another_account", ~Q(person=F("other"))),
        ]

    def __str__(self) -> str:
        return f"{self.person} – {self.other}"


class Look(models.Model):
    """One page, file or search asked for: by whom, when, what and from where; it never changes.

    `route` is the address's name, `path` the address with what it asked, `source` the network
    address that it came from; `before` is the digest of the hall's look before it.
    """

    append_only = True

    hall = models.ForeignKey(Hall, models.PROTECT, related_name="+", db_index=False)
    person = models.ForeignKey(Person, models.PROTECT, related_name="+", db_index=False)
    at = models.DateTimeField()
    method = models.CharField(max_length=10)
    route = models.CharField(max_length=50)
    path = models.CharField(max_length=1000)
    source = models.CharField(max_length=45, blank=True)
    before = models.CharField(max_length=64)

    class Meta:
        indexes = [
            models.Index(fields=["hall", "id"], name="look_of_a_hall"),
            models.Index(fields=["person", "route", "at"], name="look_of_a_person"),
        ]

    def __str__(self) -> str:
        return f"{self.person}: {self.path}"


class Session(models.Model):
    """One session; `state` is what its journal replays to, without the game."""

    changes = ("closed_at", "closed_by", "state")

    hall = models.ForeignKey(Hall, models.PROTECT, related_name="sessions")
    number = models.PositiveIntegerField()
    authorisation = models.ForeignKey(Authorisation, models.PROTECT, related_name="sessions")
    opened_at = models.DateTimeField()
    opened_by = models.ForeignKey(Person, models.PROTECT, related_name="+")
    closed_at = models.DateTimeField(null=True)
    closed_by = models.ForeignKey(Person, models.PROTECT, null=True, related_name="+")
    state = models.JSONField()

    class Meta:
        constraints = [
            unique("session_number_once", "hall", "number"),
            unique("one_open_session_a_hall", "hall", condition=Q(closed_at__isnull=True)),
            check(
                "session_closed_at_with_by",
                Q(closed_at__isnull=True, closed_by__isnull=True)
                | Q(closed_at__isnull=False, closed_by__isnull=False),
            ),
        ]
        indexes = [models.Index(fields=["hall", "opened_at"], name="session_of_a_day")]

    def __str__(self) -> str:
        return f"{self.hall} {self.number}"
