"""Which issues a game may open with or add, and where its cards run short (R37, R38).

Issues of other prices may stand beside the first. When the first of a price has none left, another
may follow: `sale_order.add_second` decides it (R38), and these are the issues it would let follow. That
cards run short is told before the sale stops (R37, R38).
"""

from __future__ import annotations

from dataclasses import dataclass
from statistics import mean

from django.db.models import F, Q, QuerySet, Sum

from bingo.rules import patterns, policies, sale_order, stock
from bingo.rules.refusal import Refusal
from bingo.rules.sale_order import Run, add_second
from bingo.rules.session_state import GameState, Phase, SessionState
from bingo.rules.stock import BoxPlace, IssueState
from draws.cards import stock_queries
from draws.cards.stock_queries import Counted, issue_state
from draws.games.queries import HallState
from draws.models import Game, Issue, Sale
from halls.models import Authorisation, Hall, Session


def to_open(hall: Hall) -> QuerySet[Counted, Counted]:
    """Return the issues that may be sold from, single and double, those already begun first (R37)."""
    shelf = stock_queries.issues(hall).filter(place=BoxPlace.SHELF)
    found = stock_queries.with_cards_left(shelf).prefetch_related("retirements")
    return found.order_by("-last_sold", "identification")


def to_open_by(granted: Authorisation) -> QuerySet[Counted, Counted]:
    """Return those of them that the hall may play by an authorisation (R3, R15, R17)."""
    found = to_open(granted.hall).filter(series__format__in=granted.formats, face__in=granted.faces)
    return found if granted.double_cards else found.filter(double=False)


def to_open_in(session: Session, state: SessionState) -> QuerySet[Counted, Counted]:
    """Return those of them whose kind and price an open session may be played with (R3, R15, R17)."""
    found, terms = to_open(session.hall), state.terms
    if not session.authorisation.double_cards:
        found = found.filter(double=False)
    if "formats" in terms:
        found = found.filter(series__format__in=terms["formats"])
    return found.filter(face__in=terms["faces"]) if "faces" in terms else found


def issues_of_other_prices(game: Game, state: SessionState) -> QuerySet[Counted, Counted]:
    """Return the issues of other prices that may be put on sale with a game's, before it is announced.

    None where the authorisation has no several prices. They are of its format, single or double
    like it, and of another matrix than any on sale, so that no two equal cards are in the game.
    """
    found = to_open_in(game.session, state)
    known = state.game
    if known is None or known.phase != Phase.PREPARED or not state.terms.get("several_prices"):
        return found.none()
    first = game.issue
    found = found.filter(
        _like_those_on_sale(known),
        series__format=first.series.format,
        double=first.double,
    )
    for run in known.runs:
        found = found.exclude(Q(series__letter=run.letter) & Q(series__size=run.size))
    return found.exclude(face__in=known.prices)


def _like_those_on_sale(game: GameState) -> Q:
    """Return what issues must be to stand in a game: of numbers or symbols, of no other figure (R76, R80)."""
    drawn = patterns.drawings(game.pattern) if game.pattern else ()
    return Q(symbols=game.symbols, figure__in=["", *drawn])


LOOKED_AT = 50  # issues of one series and price that are not sold to the end


@dataclass(frozen=True, slots=True)
class Second:
    """An issue that may follow: `cards` of it, from `first` to `last`, could be sold in the game."""

    issue: Issue
    first: int
    last: int
    cards: int


@dataclass(frozen=True, slots=True)
class Seconds:
    """The issues that may follow; `why_not` tells why none ever could, `unfit` why some may not."""

    ready: tuple[Second, ...] = ()
    why_not: Refusal | None = None
    unfit: tuple[tuple[Issue, Refusal], ...] = ()


def seconds(hall: Hall, game: GameState, face: int) -> Seconds:
    """Return what may follow at a price of the game, in minor units: fresh, in stock, up to s - 1.

    The issue with the lowest identification number comes first.
    """
    runs = game.runs_at(face)
    try:
        _follow(runs, face)
    except Refusal as refusal:
        return Seconds(why_not=refusal)
    ready: list[Second] = []
    unfit: list[tuple[Issue, Refusal]] = []
    for issue in _alike(hall, game, runs[0].issue, face):
        try:
            ready.append(_second(runs, issue))
        except Refusal as refusal:
            unfit.append((issue, refusal))
    return Seconds(tuple(ready), None, tuple(unfit))


def _alike(hall: Hall, game: GameState, first: int, face: int) -> list[Counted]:
    """Return the hall's other issues like the first, the unused ones ahead."""
    on_sale = [run.issue for run in game.runs]
    like = Issue.objects.filter(pk=first).values("series", "double")[:1].get()
    alike = Issue.objects.filter(
        _like_those_on_sale(game),
        ~Q(place=BoxPlace.SENT),
        hall=hall,
        face=face,
        last_sold__lt=F("series__size"),
        **like,
    ).exclude(pk__in=on_sale)
    counted = stock_queries.counted(alike.select_related("series").prefetch_related("retirements"))
    return list(counted.order_by("last_sold", "identification")[:LOOKED_AT])


def _second(runs: tuple[Run, ...], issue: Counted) -> Second:
    """Return what an issue would add. Raises Refusal: what keeps it from following."""
    known = IssueState(
        letter=issue.series.letter,
        identification=issue.identification,
        size=issue.series.size,
        last_sold=issue.last_sold,
        place=BoxPlace(issue.place),
        retired=tuple(sorted((one.first, one.last) for one in issue.retirements.all())),
        double=issue.double,
        symbols=issue.symbols,
    )
    stock.may_open(known)
    run = _follow(runs, issue.face, issue.pk, known)
    return Second(issue, run.next, run.limit, run.left)


def _follow(
    runs: tuple[Run, ...], face: int, issue: int = 0, known: IssueState | None = None
) -> Run:
    """Return the run that an issue would be, without one a fresh issue yet to come. Raises Refusal."""
    first = runs[0]
    known = known or IssueState(
        first.letter, identification="", size=first.size, symbols=first.symbols
    )
    return add_second(
        runs,
        issue=issue,
        letter=known.letter,
        identification=known.identification,
        size=known.size,
        last_sold=known.last_sold,
        retired=known.passed_over,
        symbols=known.symbols,
        face=face,
        first_face=face,
    )[-1]


ON_SALE = (Phase.PREPARED, Phase.SELLING)


@dataclass(frozen=True, slots=True)
class Spare:
    """An issue in stock and how many cards it has left."""

    issue: Issue
    left: int


@dataclass(frozen=True, slots=True)
class Short:
    """Cards of a price that run short, in minor units as a player pays it; `runs` are its issues on sale.

    `left` may still be sold in this game, `in_hand` are with floor sellers. With `seconds` that is
    too few already. Without, the next game will want for cards: about `rest` will be left for it,
    where games of this session usually sell `usual`; `spare` is what the next could begin with.
    """

    price: int
    runs: tuple[Run, ...]
    left: int
    in_hand: int
    rest: int
    usual: int | None
    seconds: Seconds | None = None
    spare: Spare | None = None

    @property
    def first(self) -> int:
        """The number of the first card that the game has of it."""
        return self.runs[0].first


def short(now: HallState) -> tuple[Short, ...]:
    """Return the prices of the open game whose cards run short, by the policy of the session.

    They do when fewer than its `low_stock` are left to this game, or will be left to the next at
    the session's usual pace, or fewer than a game usually sells.
    """
    if now.session is None or now.state is None or now.game_state is None or not now.state.playing:
        return ()
    usual = _usual(now.session)
    least = policies.of(now.state.terms).low_stock
    found = (
        _of_price(now, now.game_state, face, usual.get(face), least)
        for face in now.game_state.prices
    )
    return tuple(one for one in found if one is not None)


def _usual(session: Session) -> dict[int, int]:
    """Return how many cards of each price a finished game of the session sold, on average."""
    finished = Sale.objects.filter(
        game__session=session, game__phase=Phase.COMPLETE, game__void=""
    ).order_by()
    cards = Sum(F("last") - F("first") + 1)
    by_game = finished.values_list("issue__face", "game").annotate(cards=cards)
    sold: dict[int, list[int]] = {}
    for face, _game, count in by_game:
        sold.setdefault(face, []).append(count)
    return {face: round(mean(counts)) for face, counts in sold.items()}


def _of_price(
    now: HallState, game: GameState, face: int, usual: int | None, least: int
) -> Short | None:
    """Return how a price stands, None while it has cards enough."""
    runs = game.runs_at(face)
    on_sale = game.phase in ON_SALE
    left = sum(run.left for run in runs) if on_sale else 0
    in_hand = sale_order.count_range((block.first, block.last) for run in runs for block in run.out)
    coming = max(0, (usual or 0) - sum(run.sold for run in runs) - in_hand) if on_sale else 0
    rest = max(0, sum(_left(run) for run in runs) - coming)
    low = on_sale and (left == 0 or left < least)
    if not low and rest >= max(least, usual or 0):
        return None
    price = game.costs(face)
    if low:
        follows = seconds(now.hall, game, face)
        return Short(price, runs, left, in_hand, rest, usual, seconds=follows)
    return Short(price, runs, left, in_hand, rest, usual, spare=_spare(now.hall, game, face))


def _spare(hall: Hall, game: GameState, face: int) -> Spare | None:
    """Return the issue in stock at a price that has the longest way to its end, if any."""
    stack = F("series__size") - F("last_sold")
    others = Issue.objects.filter(
        hall=hall, place=BoxPlace.SHELF, face=face, series__format=game.format,
        series__size__gt=F("last_sold"),
    ).exclude(pk__in=[run.issue for run in game.runs])  # fmt: skip
    issue = others.select_related("series").order_by(stack.desc(), "pk").first()
    return Spare(issue, issue_state(issue).left) if issue else None


def _left(run: Run) -> int:
    """Count what is left of an issue for any game, beyond the limit of a second one too."""
    fresh = sale_order.without(run.next, run.size, run.retired)
    return sale_order.count_range(run.back) + sale_order.count_range(fresh)
