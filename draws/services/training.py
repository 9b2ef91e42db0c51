"""Makes a hall's training hall, through the same services as any hall's manager would."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime
from typing import Any

from django.db import transaction

from bingo.rules import distributions, formats, jackpots, rulebooks
from bingo.rules import policies as policy_rules
from bingo.rules.authorisations import is_likely
from bingo.rules.jackpots import Jackpot, Limit
from bingo.rules.steps.drawing import RNG
from bingo.rules.stock import Place
from draws.documents import training_words
from draws.documents.cards import palette
from draws.models import Issue, Series
from draws.services import series, stock
from halls.models import Authorisation, Hall, Person, Policy, Till
from halls.queries import policies
from halls.services import authorisations, journal, sessions, training, trust
from halls.services.policies import set_policy

LETTER, SIZE = "T", 180  # cards of the series: of every format there are so many
COLOUR = "pink"
FACE = 200_00  # minor units, where nothing is authorised yet
LINE, BINGO = 1000, 5000  # basis points, where neither rule book nor regulator says any
LIMIT, BASE = 40, 50_000_00
REFERENCE = "TRAINING"
# What a hall has decided and its people must be used to. Its printers and cameras are real; an
# interval between balls would only make a lesson wait.
COPIED = (
    "difference_limit", "blind_count", "four_eyes", "receipts", "low_stock", "patience",
    "picture_days", "payment_limit", "cash_step",
)  # fmt: skip


def enter(person: Person, *, at: datetime) -> Person:
    """Give the account by which somebody practises; the first of a hall finds its training hall made.

    Raises Refusal: training_is_apart, not_allowed for whoever is no staff.
    """
    own = person.hall
    hall = training.begin(
        own,
        name=training_words.name(own),
        licence=training_words.mark(own.language),
        partner=training_words.partner(own),
        at=at,
    )
    account = training.practise(person, hall=hall)
    if not Series.objects.filter(hall=hall).exists():
        furnish(hall, like=own, at=at)
    return account


@transaction.atomic
def furnish(hall: Hall, *, like: Hall, at: datetime) -> None:
    """Give a training hall what a session needs, once: policy, authorisation, jackpot, series, till."""
    hall = journal.lock(hall.pk)
    if Series.objects.filter(hall=hall).exists():
        return
    by = training.partner(hall)
    Till.objects.create(hall=hall, name=training_words.till(hall, 1))
    granted = _authorise(hall, sessions.granted(like, at), by=by, at=at)
    _decide(hall, policies.history(like).first(), by=by, at=at)
    if granted.jackpot_base:
        trust.fund(hall=hall, amount=granted.jackpot_base, reference=REFERENCE, by=by, at=at)
    series.publish(
        hall=hall,
        format=_format(granted),
        letter=LETTER,
        size=SIZE,
        # Cards of a seed are nobody's to play for money: no hall takes them in (matrix_seeded).
        seed=f"{REFERENCE} {hall.code}",
        by=by,
        at=at,
    )
    receive(hall, by=by, at=at)


def receive(hall: Hall, *, by: Person, at: datetime) -> Issue:
    """Put another box of training cards on the shelf."""
    granted = sessions.in_force(hall, at)
    number = 1 + hall.issues.count()
    return stock.receive(
        hall=hall,
        series=Series.objects.filter(hall=hall).earliest("pk"),
        identification=f"{LETTER}{number:03}",
        face=granted.faces[0],
        face_colour=COLOUR,
        back_colour=palette.back_of(LETTER),
        counted=SIZE,
        by=by,
        at=at,
    )


def shelf(hall: Hall) -> Issue | None:
    """Give the box that is on the shelf."""
    found = Issue.objects.filter(hall=hall, place=Place.SHELF).select_related("series")
    return found.order_by("pk").last()


def _format(granted: Authorisation) -> int:
    return 90 if 90 in granted.formats else granted.formats[0]


def _authorise(
    hall: Hall, like: Authorisation | None, *, by: Person, at: datetime
) -> Authorisation:
    """Grant what the real hall is granted, but for links, from today on and for good."""
    terms = _ours(hall) if like is None else _theirs(like)
    return authorisations.record(
        hall=hall,
        reference=REFERENCE,
        valid_from=sessions.local_day(hall, at),
        sizes={LETTER: SIZE},
        by=by,
        at=at,
        **terms,
    )


def _ours(hall: Hall) -> dict[str, Any]:
    book = rulebooks.get(hall.rulebook)
    shares, rate = book.shares, book.jackpot_rate or 0
    return {
        "formats": [max(book.column_counts)],
        "faces": [FACE],
        "line_share": shares.line if shares else LINE,
        "bingo_share": shares.bingo if shares else BINGO,
        "jackpot_rate": rate,
        "jackpot_terms": {"limits": [{"format": max(book.column_counts), "balls": LIMIT}]}
        if rate
        else {},
        "jackpot_base": BASE if rate else 0,
    }


def _theirs(like: Authorisation) -> dict[str, Any]:
    # A jackpot of several halls is played for with real money: here the hall has one of its own.
    first, *others = _levels(like) or (None,)
    return {
        "formats": like.formats,
        "faces": like.faces,
        "line_share": like.line_share,
        "bingo_share": like.bingo_share,
        "jackpot_rate": first["rate"] if first else 0,
        "jackpot_base": first["base"] if first else 0,
        "tax_rate": like.tax_rate,
        "tax_threshold": like.tax_threshold,
        "player_limit": like.player_limit,
        "capacity": like.capacity,
        "identity_asked": like.identity_asked,
        "several_prices": like.several_prices,
        "languages": like.languages,
        "distributions": [distributions.load(one) for one in like.distributions],
        "jackpot_terms": {
            name: one for name, one in (first or {}).items() if name not in ("rate", "base")
        },
        "jackpot_levels": others,
    }


def _levels(like: Authorisation) -> list[dict[str, Any]]:
    """Return the levels of a hall's jackpot with what of their limits one person may grant.

    An old level's one limit is that of each format that it fits. A kind of bingo that two persons
    had to confirm is played without a jackpot here, where nobody else is (R9).
    """
    levels = [
        replace(one, limit=0, limits=one.limits or _each(one, like), link="")
        for level, one in enumerate(sessions.levels_of(like))
        if level == 0 or not one.link
    ]
    likely = {(one.format, one.cells) for level in levels for one in level.limits if is_likely(one)}
    kept = [
        replace(
            level,
            limits=tuple(one for one in level.limits if (one.format, one.cells) not in likely),
        )
        for level in levels
    ]
    return [jackpots.granted(_falling(one)) for one in kept if one.limits]


def _each(level: Jackpot, like: Authorisation) -> tuple[Limit, ...]:
    most = level.schedule.most if level.schedule else 0
    return tuple(
        Limit(one, level.limit, most if most < one else 0)
        for one in like.formats
        if formats.get(one).per_card <= level.limit < one
    )


def _falling(level: Jackpot) -> Jackpot:
    """Return a level whose schedule raises each limit to its own most, or none without any."""
    if level.schedule is None or not any(one.most for one in level.limits):
        return replace(level, schedule=None)
    return replace(level, schedule=replace(level.schedule, most=0))


def _decide(hall: Hall, like: Policy | None, *, by: Person, at: datetime) -> None:
    decided = policies.in_force(like.hall) if like else policy_rules.DEFAULT
    copied = {name: getattr(decided, name) for name in COPIED}
    set_policy(hall=hall, source=RNG, by=by, at=at, **copied)
