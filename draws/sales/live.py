"""Read a session's sale live: by till, by seller, by game, and how long the cards last.

The hall manager's page reads it again every few seconds: the rows are added up in the database, by
as many queries for one sale as for ten thousand.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from django.db.models import DateTimeField, F, Func, Q, QuerySet, Sum, Value

from bingo.rules.session_state import GameState, Phase, SessionState
from draws.games import queries as games_queries
from draws.models import Game, Sale
from draws.sales.queries import STEP, Pace, SalesCurve, curve, pace, total
from halls.models import Person, Session, Shift

SESSION_BARS = 60
CARDS = Sum(F("last") - F("first") + 1)


@dataclass(frozen=True, slots=True)
class TillSale:
    """A shift: cards of the game and of the session, what they brought, what the drawer should hold.

    Amounts in minor units.
    """

    shift: Shift
    game_cards: int
    cards: int
    amount: int
    cash: int
    curve: SalesCurve


@dataclass(frozen=True, slots=True)
class SellerCards:
    """Cards first..last of an issue that a seller has in hand."""

    issue: str
    first: int
    last: int


@dataclass(frozen=True, slots=True)
class SellerSale:
    """A floor seller: cards in hand, cash due for them if all are sold, cards sold so far."""

    name: str
    held: tuple[SellerCards, ...]
    in_hand: int
    due: int
    game_cards: int
    cards: int
    curve: SalesCurve


@dataclass(frozen=True, slots=True)
class GameSale:
    """A game and its issues; `prizes` are in minor units by name, and grow while cards are sold; none once it is void.

    `first_half` is the number of the game in which its double cards were sold (R15).
    """

    game: Game
    issues: tuple[str, ...]
    first_half: int | None
    prizes: Mapping[str, int]
    curve: SalesCurve


@dataclass(frozen=True, slots=True)
class SaleLive:
    """A session's sale; `cards` and `amount` are of all its games, `in_hand` with the sellers."""

    tills: tuple[TillSale, ...]
    sellers: tuple[SellerSale, ...]
    games: tuple[GameSale, ...]
    cards: int
    amount: int
    in_hand: int
    curve: SalesCurve
    pace: Pace | None

    @property
    def open_tills(self) -> tuple[TillSale, ...]:
        """The tills at which somebody sits."""
        return tuple(till for till in self.tills if till.shift.closed_at is None)

    @property
    def cash(self) -> int:
        """What the drawers of the open tills should hold, in minor units."""
        return sum(till.cash for till in self.open_tills)

    @property
    def game_cards(self) -> int:
        """The cards sold of the last game."""
        return sum(till.game_cards for till in self.tills)


@dataclass(frozen=True, slots=True)
class SaleShare:
    """What one till sold of one game, itself or by one seller."""

    game: int
    shift: int
    seller: int | None
    cards: int
    amount: int


@dataclass(frozen=True, slots=True)
class SalesRead:
    """What the database tells of a session's sales; moments are counted from its opening."""

    parts: tuple[SaleShare, ...]
    by_game: dict[int, dict[int, int]]
    by_shift: dict[int, dict[int, int]]
    by_seller: dict[int, dict[int, int]]
    playing: int | None


def sale_live(session: Session, state: SessionState, *, at: datetime) -> SaleLive:
    """Return a session's sale as it stands `at` this moment; curves of tills are of the last game."""
    games = list(
        session.games.select_related("issue__series", "first_half")
        .prefetch_related("further__series")
        .annotate(collected=games_queries.collected_of())
        .order_by("-number")
    )
    sold_in = next((game for game in games if game.first_half_id is None), None)
    read = _read(session, sold_in)
    present = (int((at - session.opened_at).total_seconds()) // STEP,)
    selling = state.game is not None and state.game.phase == Phase.SELLING
    sold = read.by_game.get(read.playing or 0, {})
    within = (*sold, *present) if selling and sold else tuple(sold)
    sellers = _sellers(session, state, read, within)
    return SaleLive(
        tills=_tills(session, state, read, within),
        sellers=sellers,
        games=_games(games, state.game, read),
        cards=sum(part.cards for part in read.parts),
        amount=sum(part.amount for part in read.parts),
        in_hand=sum(seller.in_hand for seller in sellers),
        curve=curve(total(read.by_game.values()), bars=SESSION_BARS),
        pace=pace(state.game, sold, since=session.opened_at, at=at) if state.game else None,
    )


def _read(session: Session, sold_in: Game | None) -> SalesRead:
    sales = Sale.objects.filter(game__session=session).order_by()
    parts = sales.values_list("game", "shift", "seller").annotate(cards=CARDS, money=Sum("amount"))
    by_game: dict[int, dict[int, int]] = defaultdict(dict)
    for game, moment, cards in _moments(sales, session, "game"):
        by_game[game][moment] = cards
    by_shift: dict[int, dict[int, int]] = defaultdict(dict)
    by_seller: dict[int, dict[int, int]] = defaultdict(dict)
    if sold_in is not None:
        present = Sale.objects.filter(game=sold_in).order_by()
        for shift, seller, moment, cards in _moments(present, session, "shift", "seller"):
            by_shift[shift] = total([by_shift[shift], {moment: cards}])
            if seller is not None:
                by_seller[seller] = total([by_seller[seller], {moment: cards}])
    told = tuple(SaleShare(*part) for part in parts)
    return SalesRead(told, by_game, by_shift, by_seller, sold_in.pk if sold_in else None)


def _moments(sales: QuerySet[Sale], session: Session, *by: str) -> Iterable[Sequence[Any]]:
    """Return the cards sold by some columns and by moment."""
    origin = session.opened_at
    binned = Func(
        Value(timedelta(seconds=STEP)), F("at"), Value(origin),
        function="date_bin", output_field=DateTimeField(),
    )  # fmt: skip
    found = sales.annotate(moment=binned).values_list(*by, "moment").annotate(cards=CARDS)
    for *keys, moment, cards in found:
        yield *keys, int((moment - origin).total_seconds()) // STEP, cards


def _tills(
    session: Session, state: SessionState, read: SalesRead, within: tuple[int, ...]
) -> tuple[TillSale, ...]:
    shifts = Shift.objects.filter(session=session).select_related("till", "cashier")
    drawers = {drawer.shift: drawer.cash for drawer in state.shifts}
    return tuple(
        TillSale(
            shift=shift,
            game_cards=_cards(read, shift=shift.pk, game=read.playing),
            cards=_cards(read, shift=shift.pk),
            amount=sum(part.amount for part in read.parts if part.shift == shift.pk),
            cash=drawers.get(shift.number, 0),
            curve=curve(read.by_shift.get(shift.pk, {}), within=within),
        )
        for shift in shifts.order_by("number")
    )


def _cards(read: SalesRead, **named: int | None) -> int:
    return sum(
        part.cards
        for part in read.parts
        if all(getattr(part, name) == value for name, value in named.items())
    )


def _sellers(
    session: Session, state: SessionState, read: SalesRead, within: tuple[int, ...]
) -> tuple[SellerSale, ...]:
    known = state.game
    usernames = {block.seller for run in known.runs for block in run.out} if known else set()
    sold = {part.seller for part in read.parts if part.seller is not None}
    if not usernames and not sold:
        return ()
    people = Person.objects.filter(Q(pk__in=sold) | Q(username__in=usernames), hall=session.hall_id)
    return tuple(_seller(person, known, read, within) for person in people.order_by("name", "pk"))


def _seller(
    person: Person, known: GameState | None, read: SalesRead, within: tuple[int, ...]
) -> SellerSale:
    held = [
        (run, block)
        for run in (known.runs if known else ())
        for block in run.out
        if block.seller == person.username
    ]
    prices = {run.issue: known.price(run) * known.paid_for for run, _block in held if known}
    return SellerSale(
        name=person.name,
        held=tuple(
            SellerCards(f"{run.letter} {run.identification}", block.first, block.last)
            for run, block in held
        ),
        in_hand=sum(block.last - block.first + 1 for _run, block in held),
        due=sum((block.last - block.first + 1) * prices[run.issue] for run, block in held),
        game_cards=_cards(read, seller=person.pk, game=read.playing),
        cards=_cards(read, seller=person.pk),
        curve=curve(read.by_seller.get(person.pk, {}), within=within),
    )


def _games(games: Sequence[Game], known: GameState | None, read: SalesRead) -> tuple[GameSale, ...]:
    worth = games_queries.amounts_of(games)
    if known is not None:
        worth[known.number] = known.played_for
    return tuple(
        GameSale(
            game=game,
            issues=tuple(str(issue) for issue in (game.issue, *game.further.all())),
            first_half=game.first_half.number if game.first_half else None,
            prizes=worth.get(game.number, {}),
            curve=curve(read.by_game.get(game.pk, {})),
        )
        for game in games
    )
