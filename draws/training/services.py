"""Make a hall's training hall, and deal a game to practise with, through the real services.

Whatever must be there before the lesson begins is made. `sides` tells beforehand a card on which a
claim is right, and one on which it is wrong.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass, replace
from datetime import datetime
from inspect import signature
from typing import Any

from django.db import transaction

from bingo.rules import authorisations as authorisation_rules
from bingo.rules import (
    formats,
    jackpots,
    patterns,
    prize_distributions,
    rulebooks,
    session_end_and_totals,
    session_state,
    till_cash_and_shifts,
    unclaimed,
)
from bingo.rules import policies as policy_rules
from bingo.rules.authorisations import is_likely
from bingo.rules.cards import Card as Rows
from bingo.rules.jackpots import Jackpot, Limit
from bingo.rules.patterns import Combination
from bingo.rules.refusal import Refusal
from bingo.rules.steps.drawing import RNG
from bingo.rules.stock import BoxPlace
from draws.balls import draw
from draws.cards import colours, series, stock
from draws.games import queries as games_queries
from draws.games import services as games_services
from draws.games.progress import require_known
from draws.models import Card, Game, Issue, Series
from draws.sales import services as sales_services
from halls import authorisations, sessions, tills, training
from halls import jackpots as halls_jackpots
from halls.journal import head
from halls.journal.queries import open_session
from halls.models import Authorisation, Hall, Person, Session, Shift, Till
from halls.policy import queries as policy_queries
from halls.policy.services import set_policy

LETTER, SIZE = "T", 180  # cards of the series: of every format there are so many
COLOUR = "pink"
FACE = 200_00  # minor units, where nothing is authorised yet
LINE, BINGO = 1000, 5000  # basis points, where neither rule book nor regulator says any
LIMIT, BASE = 40, 50_000_00
REFERENCE = "TRAINING"
# What is granted to training alone, or there in a way of its own; all other terms are the hall's.
OWN_TERMS = frozenset(
    ["rulebook", "reference", "valid_from", "valid_until", "sizes", "witness",
     "jackpot_rate", "jackpot_limit", "jackpot_base", "jackpot_terms", "jackpot_levels"]
)  # fmt: skip
TERMS = tuple(
    name for name in signature(authorisation_rules.record).parameters if name not in OWN_TERMS
)
# What a hall has decided and its people must be used to.
COPIED = tuple(name for name in policy_rules.NAMES if name not in policy_rules.NOT_FOR_TRAINING)


@transaction.atomic
def enter(person: Person, *, at: datetime) -> Person:
    """Return the account by which somebody practises; the first of a hall finds its training hall made.

    Raises Refusal: training_is_apart, not_allowed for whoever is no staff, or what is refused of the
    hall's terms; nothing is left of a hall that cannot be made.
    """
    own = person.hall
    hall = training.begin(
        own,
        name=training.training_name(own),
        licence=training.mark_training(own.language),
        partner=training.training_partner(own),
        at=at,
    )
    account = training.practise(person, hall=hall)
    if not Series.objects.filter(hall=hall).exists():
        furnish(hall, like=own, at=at)
    return account


@transaction.atomic
def begin_anew(*, by: Person, at: datetime) -> Person:
    """Leave a training hall, and return the account in one made anew; the old one stays if none can be.

    Raises Refusal: not_in_training, and what `leave` and `enter` refuse.
    """
    if by.practises is None:
        raise Refusal("not_in_training")
    training.leave(by.hall, by=by, at=at)
    return enter(by.practises, at=at)


@transaction.atomic
def furnish(hall: Hall, *, like: Hall, at: datetime) -> None:
    """Give a training hall what a session needs, once: policy, authorisation, jackpot, series, till."""
    hall = head.lock(hall.pk)
    if Series.objects.filter(hall=hall).exists():
        return
    by = training.partner(hall)
    Till.objects.create(hall=hall, name=training.till(hall, 1))
    granted = _authorise(hall, authorisations.granted(like, at), by=by, at=at)
    for level, one in enumerate(authorisations.levels_of(granted)):
        if one.base:
            halls_jackpots.fund_jackpot(
                hall=hall, level=level, amount=one.base, reference=REFERENCE, by=by, at=at
            )
    series.publish(
        hall=hall,
        format=_format(granted),
        letter=LETTER,
        size=SIZE,
        by=by,
        at=at,
    )
    receive(hall, by=by, at=at)
    # Last: where the hall wants two, nobody stands for what is made here.
    _decide(hall, granted, like=like, by=by, at=at)


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
        back_colour=colours.back_of(LETTER),
        counted=SIZE,
        by=by,
        at=at,
    )


def shelf(hall: Hall) -> Issue | None:
    """Return the box that is on the shelf."""
    found = Issue.objects.filter(hall=hall, place=BoxPlace.SHELF).select_related("series")
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
        valid_from=hall.day(at),
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
    first, *others = _levels(like) or ({},)
    # What the whole jackpot would get, where there is none here.
    lost = like.unclaimed_terms.get("to") == unclaimed.JACKPOT and not first
    return {
        **{name: getattr(like, name) for name in TERMS},
        "distributions": [prize_distributions.load(one) for one in like.distributions],
        "unclaimed_terms": {} if lost else like.unclaimed_terms,
        "jackpot_rate": first.get("rate", 0),
        "jackpot_base": first.get("base", 0),
        "jackpot_terms": {name: one for name, one in first.items() if name not in ("rate", "base")},
        "jackpot_levels": others,
    }


def _levels(like: Authorisation) -> list[dict[str, Any]]:
    """Return the levels of a hall's jackpot with what of their limits one person may grant.

    An old level's one limit is that of each format that it fits. A kind of bingo that two persons
    had to confirm is played without a jackpot here, where nobody else is (R9).
    """
    levels = [
        replace(one, limit=0, limits=one.limits or _each(one, like), link="")
        for one in authorisations.levels_of(like)
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
        if formats.get_format(one).per_card <= level.limit < one
    )


def _falling(level: Jackpot) -> Jackpot:
    """Return a level whose schedule raises each limit to its own most, or none without any."""
    if level.schedule is None or not any(one.most for one in level.limits):
        return replace(level, schedule=None)
    return replace(level, schedule=replace(level.schedule, most=0))


def _decide(hall: Hall, granted: Authorisation, *, like: Hall, by: Person, at: datetime) -> None:
    """Let hold in a training hall what the real one has decided, or was opened with.

    But for a coin that could make a prize nothing here: prizes are paid to the last unit then.
    """
    decided = policy_queries.in_force(like, at)
    copied = {name: getattr(decided, name) for name in COPIED}
    try:
        authorisations.require_fits(granted, decided.cash_step)
    except Refusal:
        del copied["cash_step"]
    set_policy(hall=hall, source=RNG, by=by, at=at, **copied)


@dataclass(frozen=True, slots=True)
class Sides:
    """The first card sold that has the combination, and the first that has not; None where none is."""

    combination: str
    right: int | None
    wrong: int | None


def combination(game: Game) -> Combination:
    """Return what the lesson plays for: what may be called first, the line where one is won.

    Raises Refusal: stale_page when the game is not the open one.
    """
    states = Session.objects.values_list("state", flat=True)
    state = session_state.load(states.get(pk=game.session_id))
    return require_known(game, state).won[0]


def sides(game: Game) -> Sides:
    """Return them as the balls stand. Raises Refusal: stale_page when the game is not the open one."""
    wanted, balls = combination(game), frozenset(game.balls.values_list("number", flat=True))
    told = [(number, _has(rows, wanted, balls)) for number, rows in _sold(game)]
    return Sides(
        wanted.name,
        next((number for number, has in told if has), None),
        next((number for number, has in told if not has), None),
    )


def _has(rows: Rows, wanted: Combination, balls: Collection[int]) -> bool:
    return any(way <= set(balls) for way in patterns.combination_ways(wanted, rows))


def _sold(game: Game) -> Iterator[tuple[int, Rows]]:
    for sale in games_queries.sold_in(game).select_related("issue"):
        found = Card.objects.filter(
            series=sale.issue.series_id, number__gte=sale.first, number__lte=sale.last
        )
        for card in found.order_by("number"):
            yield card.number, tuple(tuple(row) for row in card.rows)


SALE, DRAW, CLAIM = "sale", "draw", "claim"
LESSONS = (SALE, DRAW, CLAIM)
FLOAT = 20_000_00  # minor units
CARDS = 12  # sold beforehand


def deal(*, lesson: str, by: Person, at: datetime) -> Game:
    """Return a game at the beginning of a lesson: cards are on sale, the draw begins, or a card is claimed.

    Whoever learns has a till open; what others would have done is done by the training partner.
    No game is left behind whose cards could not be sold; each step after the sale is a command of
    its own. Raises Refusal: not_in_training, unknown_lesson, training_game_open, or what the
    commands refuse.
    """
    hall = by.hall
    training.require_training(hall)
    if lesson not in LESSONS:
        raise Refusal("unknown_lesson")
    partner = training.partner(hall)
    session = _goes_on(hall, partner, at=at) or sessions.open_session(
        hall=hall, checked=True, ends_at=at + session_end_and_totals.LONGEST, by=partner, at=at
    )
    _lengthen(session, by=partner, at=at)
    shift = _shift(session, by=by, at=at)
    game = _sold_beforehand(session, shift, partner, by=by, at=at)
    if lesson == SALE:
        return game
    games_services.close_sale(game=game, by=partner, at=at)
    # Whoever announces a draw calls it.
    games_services.announce_draw(game=game, by=by if lesson == DRAW else partner, at=at)
    if lesson == CLAIM:
        _claimed(game, partner, at=at)
    return game


def _lengthen(session: Session, *, by: Person, at: datetime) -> None:
    """Move the end of a session of lessons away: nobody learns against its last ten minutes (R53)."""
    known = session_state.load(session.state).ending
    due = session_end_and_totals.due_at(known)
    if due is not None and due <= at and not known.last_game:
        reason = training.lesson_goes_on(session.hall)
        sessions.plan_session_end(
            session=session,
            ends_at=at + session_end_and_totals.LONGEST,
            reason=reason,
            by=by,
            at=at,
        )


@transaction.atomic
def _goes_on(hall: Hall, partner: Person, *, at: datetime) -> Session | None:
    """Return the open session; None without one, and where its last game is over: it is closed (R53).

    Its drawers are counted as they should be. Raises Refusal: training_game_open where somebody
    plays, or what closing refuses.
    """
    session = open_session(hall)
    if session is None:
        return None
    state = session_state.load(session.state)
    if state.playing or state.half_due:
        raise Refusal("training_game_open")
    if not session_end_and_totals.is_over(state):
        return session
    for shift in Shift.objects.filter(session=session, closed_at__isnull=True):
        counted = till_cash_and_shifts.find(state.shifts, shift.till.name).cash
        tills.close_shift(
            shift=shift, counted=counted, comment="", witness=partner, by=shift.cashier, at=at
        )
    sessions.close_session(session=session, by=partner, at=at)
    return None


@transaction.atomic
def _sold_beforehand(
    session: Session, shift: Shift, partner: Person, *, by: Person, at: datetime
) -> Game:
    game = _opened(session, partner, at=at)
    games_services.announce_sale(game=game, by=partner, at=at)
    limit = session.authorisation.player_limit
    for place, quantity in enumerate(bought(limit), start=1):
        # A place names its player where they are limited.
        player = None if limit is None else str(place)
        sales_services.sell(game=game, shift=shift, quantity=quantity, player=player, by=by, at=at)
    return game


def bought(limit: int | None) -> list[int]:
    """Return how many cards each player buys beforehand, of at most `limit` (R35)."""
    most = min(limit or CARDS, CARDS)
    return [min(most, CARDS - sold) for sold in range(0, CARDS, most)]


def _opened(session: Session, partner: Person, *, at: datetime) -> Game:
    issue = shelf(session.hall)
    if issue is None or issue.series.size - issue.last_sold < 2 * CARDS:
        issue = receive(session.hall, by=partner, at=at)
    return games_services.open_game(session=session, issue=issue, by=partner, at=at)


def _shift(session: Session, *, by: Person, at: datetime) -> Shift:
    """Return the shift of whoever learns, at a till that nobody has."""
    found = Shift.objects.filter(session=session, cashier=by, closed_at__isnull=True)
    mine = found.select_related("till", "session__hall").first()
    if mine is not None:
        return mine
    return tills.open_shift(
        session=session, till=_free(session.hall, session), float=FLOAT, by=by, at=at
    )


def _free(hall: Hall, session: Session) -> Till:
    taken = Shift.objects.filter(session=session, closed_at__isnull=True).values("till")
    free = hall.tills.filter(in_use=True).exclude(pk__in=taken).order_by("pk").first()
    if free is not None:
        return free
    name = training.till(hall, 1 + hall.tills.count())
    return Till.objects.create(hall=hall, name=name)


def _claimed(game: Game, partner: Person, *, at: datetime) -> None:
    """Draw until one of the cards sold has it, and let the caller stop for the claim."""
    for _ball in formats.get_format(game.issue.series.format).numbers:
        draw.draw_ball(game=game, by=partner, at=at)
        told = sides(game)
        if told.right is not None:
            draw.call_claim(game=game, combination=told.combination, by=partner, at=at)
            return
