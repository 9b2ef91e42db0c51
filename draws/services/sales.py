"""Selling the next cards, in strict numeric order, for cash (R34-R41)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from django.db import transaction

from bingo.rules import holdings
from bingo.rules import session as rules
from bingo.rules.refusal import Refusal
from bingo.rules.sales import Range
from bingo.rules.session import SessionState
from bingo.rules.state import GameState
from draws.models import Game, Sale, Taking
from draws.services import daybook, games, stack
from draws.services.counter import LATER, Counter, Later
from halls.models import JournalEntry, Person, Role, Shift
from halls.services.book import Book, Recorded, open_book, open_free, write


@dataclass(frozen=True, slots=True, eq=False)
class Order:
    """Cards somebody wants to buy at a till; as the arguments of `sell`."""

    game: Game
    shift: Shift
    quantity: int
    first: int | None
    seller: Person | None
    face: int | None
    player: str | None
    by: Person
    at: datetime
    key: UUID | None


@dataclass(frozen=True, slots=True, eq=False)
class Sold:
    """What an order came to: its entry and rows, and the session as it stood after it.

    `repeated`: its key had been used before, and nothing was sold now.
    """

    entry: JournalEntry
    rows: list[Sale]
    state: SessionState
    repeated: bool


def sell(
    *,
    game: Game,
    shift: Shift,
    quantity: int,
    first: int | None = None,
    seller: Person | None = None,
    given: int | None = None,
    face: int | None = None,
    player: str | None = None,
    by: Person,
    at: datetime,
    key: UUID | None = None,
) -> list[Sale]:
    """Sell the next `quantity` cards at a till, one row an issue and stretch.

    `first` is the number its page showed; `given` the cash the player handed over, in minor units,
    when the cashier typed it (R39); `face` the price where several are on sale; `player` who buys
    where players are named (R35). Raises what `ring_up` refuses.
    """
    order = Order(game, shift, quantity, first, seller, face, player or None, by, at, key)
    return ring_up(order=order, given=given).rows


def ring_up(*, order: Order, given: int | None) -> Sold:
    """Carry out an order, and tell how the sale stands after it.

    Orders that come at the same moment are written in one transaction, and none is told before it
    is durable. `given`: see `sell`. Raises Refusal: not_allowed, not_your_shift, unknown_seller,
    cash_too_little, out_of_order, only_left, sold_out, quantity_not_positive, player_needed, over_player_limit,
    price_missing, price_not_on_sale, stale_page, wrong_phase, shift_not_open, key_reused.
    """
    if order.shift.cashier_id != order.by.pk:
        raise Refusal("not_your_shift")
    if order.seller:
        require_seller(order.seller, hall=order.game.session.hall_id)
    _require_enough(order, given)
    return COUNTER.serve(order.game.session_id, order)


def sold_by(entry: JournalEntry) -> Sold:
    """Give what an earlier order came to, by its entry, and the session as it stands now."""
    state = rules.load(entry.session.state) if entry.session else None
    if entry.kind != "cards_sold" or state is None:
        raise Refusal("not_a_sale", number=entry.number)
    return Sold(entry, _rows_of(entry), state, repeated=True)


def require_seller(seller: Person, *, hall: int) -> None:
    """Refuse whoever is no floor seller of the hall: unknown_seller."""
    if not (seller.is_active and seller.hall_id == hall and Role.SELLER in seller.roles):
        raise Refusal("unknown_seller")


def _require_enough(order: Order, given: int | None) -> None:
    price = order.face or order.game.face
    due = order.quantity * price * (2 if order.game.issue.double else 1)
    if given is not None and given < due:
        raise Refusal("cash_too_little", due=due - given)


@transaction.atomic
def sell_together(orders: Sequence[Order]) -> list[Sold | Refusal | Later]:
    """Sell to all who came at the same moment, in their order; give what each one's came to.

    Where the orders are of several halls, those of one that is held elsewhere are left for later.
    """
    books = _opened(orders)
    outcomes = [_decided(books.get(order.game.session_id), order) for order in orders]
    rows = _write(orders, outcomes, books)
    return [
        _sold(outcome, rows) if isinstance(outcome, Recorded) else outcome for outcome in outcomes
    ]


COUNTER: Counter[Order, Sold] = Counter(sell_together)


def _opened(orders: Sequence[Order]) -> Mapping[int, Book]:
    """Open the books of the orders' sessions, by the session's key."""
    keys = [order.key for order in orders]
    sessions = {order.game.session_id: order.game.session for order in orders}
    if len(sessions) == 1:
        return {pk: open_book(session, keys) for pk, session in sessions.items()}
    return {book.session.pk: book for book in open_free(sessions.values(), keys)}


def _decided(book: Book | None, order: Order) -> Recorded | Refusal | Later:
    if book is None:
        return LATER
    optional = {"face": order.face, "player": order.player}
    try:
        return book.record(
            "cards_sold", by=order.by, at=order.at, key=order.key, drawer=order.shift,
            game=order.game.number, quantity=order.quantity, first=order.first,
            till=order.shift.till.name, seller=order.seller.username if order.seller else None,
            **optional,
        )  # fmt: skip
    except Refusal as refusal:
        return refusal


def _write(
    orders: Sequence[Order],
    outcomes: Sequence[Recorded | Refusal | Later],
    books: Mapping[int, Book],
) -> Mapping[int, list[Sale]]:
    """Write what was decided, and the rows of what was sold; give the sales by their entry's key."""
    done = [
        (order, outcome)
        for order, outcome in zip(orders, outcomes, strict=True)
        if isinstance(outcome, Recorded) and not outcome.repeated
    ]
    if not done:
        return {}
    sold = [
        (one.entry, sale_rows(one.entry, game=order.game, shift=order.shift, seller=order.seller))
        for order, one in done
    ]
    page = daybook.page(
        [row for order, one in done for row in takings(one, game=order.game)],
        sold,
        [daybook.cash(order.shift, one.entry) for order, one in done],
        _newest(done).items(),
    )
    (returned,) = write(books.values(), page)
    daybook.keyed(sold, returned)
    return {entry.pk: rows for entry, rows in sold}


def _newest(done: Sequence[tuple[Order, Recorded]]) -> Mapping[Game, GameState]:
    """Let each game in hand show what has come of it; give the last of each and its state."""
    newest: dict[Game, GameState] = {}
    for order, one in done:
        if one.state.game:
            games.follow(order.game, one.state.game)
            newest[order.game] = one.state.game
    return newest


def takings(done: Recorded, *, game: Game) -> list[Taking]:
    """Give the rows of the cards that a fact takes off the stack, in order."""
    before = done.before.game
    runs = {run.issue: run for run in before.runs} if before else {}
    new: list[Taking] = []
    for part in done.entry.data["ranges"]:
        run = runs[part["issue"]]
        fresh = [one for one in new if one.issue_id == run.issue]
        rows = stack.take(run, Range(**part), game=game)
        # The second stretch of one sale follows its first, with the retired cards between.
        if fresh and rows and rows[0].first <= fresh[-1].last:
            rows = stack.between(fresh[-1], rows[-1])
        new += rows
    return new


def sale_rows(
    entry: JournalEntry, *, game: Game, shift: Shift, seller: Person | None
) -> list[Sale]:
    """Give the rows, not saved yet, of the stretches that an entry sold, each to one player."""
    data = entry.data
    price = data["amount"] // data["quantity"] if data["quantity"] else 0
    return [
        # By their keys: a row that holds rows costs twice as much, and nobody asks it for them.
        Sale(
            game_id=game.pk,
            issue_id=part.issue,
            first=part.first,
            last=part.last,
            amount=(part.last - part.first + 1) * price,
            shift_id=shift.pk,
            seller_id=seller.pk if seller else None,
            player=data.get("player") or player,
            at=entry.at,
            entry_id=entry.pk,
        )
        for player, part in holdings.shared_out(
            [Range(**told) for told in data["ranges"]], data.get("players", ())
        )
    ]


def _sold(done: Recorded, written: Mapping[int, list[Sale]]) -> Sold:
    rows = written.get(done.entry.pk)
    if rows is None:
        rows = _rows_of(done.entry)
    return Sold(done.entry, rows, done.state, done.repeated)


def _rows_of(entry: JournalEntry) -> list[Sale]:
    return list(entry.sales.select_related("issue__series").order_by("pk"))
