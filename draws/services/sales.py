"""Selling the next cards, in strict numeric order, for cash (R34-R41)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from django.db import transaction

from bingo.rules.refusal import Refusal
from bingo.rules.sales import Range
from bingo.rules.state import GameState
from draws.models import Game, Sale, Taking
from draws.services import counter, games, stack
from halls.models import CashMovement, JournalEntry, Person, Role, Shift
from halls.services import tills
from halls.services.book import Book, Recorded


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
    where players are named (R35). Sales that come at the same moment are written in one
    transaction, and none is told before it is durable. Raises Refusal: not_allowed,
    not_your_shift, unknown_seller, cash_too_little, out_of_order, only_left, sold_out,
    quantity_not_positive, over_player_limit, price_missing, price_not_on_sale, wrong_phase,
    shift_not_open.
    """
    if shift.cashier_id != by.pk:
        raise Refusal("not_your_shift")
    if seller:
        require_seller(seller, hall=game.session.hall_id)
    order = Order(game, shift, quantity, first, seller, face, player or None, by, at, key)
    _require_enough(order, given)
    return counter.serve(game.session_id, order, sell_together)


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
def sell_together(orders: Sequence[Order]) -> list[list[Sale] | Refusal]:
    """Sell to all who came at the same moment, in their order; give each one's rows or refusal."""
    book = Book(orders[0].game.session, [order.key for order in orders])
    outcomes = [_decided(book, order) for order in orders]
    book.write()
    sold = _write(orders, outcomes, state=book.state.game)
    return [
        outcome if isinstance(outcome, Refusal) else _rows(outcome, sold) for outcome in outcomes
    ]


def _decided(book: Book, order: Order) -> Recorded | Refusal:
    optional = {"face": order.face, "player": order.player}
    try:
        return book.record(
            "cards_sold", by=order.by, at=order.at, key=order.key, drawer=order.shift,
            quantity=order.quantity, first=order.first, till=order.shift.till.name,
            seller=order.seller.username if order.seller else None, **optional,
        )  # fmt: skip
    except Refusal as refusal:
        return refusal


def _write(
    orders: Sequence[Order],
    outcomes: Sequence[Recorded | Refusal],
    *,
    state: GameState | None,
) -> list[Sale]:
    """Write the rows of what was sold: cards taken, sales, cash, and how far the game has come."""
    taken: list[Taking] = []
    sold: list[Sale] = []
    cash: list[CashMovement] = []
    for order, done in zip(orders, outcomes, strict=True):
        if isinstance(done, Refusal) or done.repeated:
            continue
        game = games.require_known(order.game, done.state)
        taken += takings(done, game=order.game)
        sold += sale_rows(done.entry, game=order.game, shift=order.shift, seller=order.seller)
        cash.append(tills.game_moved(order.shift, "cards_sold", done.entry))
        games.follow(order.game, game)
    if state is None or not sold:
        return sold
    Taking.objects.bulk_create(taken)
    Sale.objects.bulk_create(sold)
    CashMovement.objects.bulk_create(cash)
    stack.move_on({sale.issue_id for sale in sold}, state)
    games.keep(orders[0].game, state)
    return sold


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
    """Give the rows, not saved yet, of the stretches that an entry sold."""
    data = entry.data
    price = data["amount"] // data["quantity"] if data["quantity"] else 0
    return [
        Sale(
            game=game,
            issue_id=part["issue"],
            first=part["first"],
            last=part["last"],
            amount=(part["last"] - part["first"] + 1) * price,
            shift=shift,
            seller=seller,
            player=data.get("player") or "",
            at=entry.at,
            entry=entry,
        )
        for part in data["ranges"]
    ]


def _rows(done: Recorded, sold: Sequence[Sale]) -> list[Sale]:
    if done.repeated and done.entry.sales.exists():
        return list(done.entry.sales.order_by("pk"))
    return [sale for sale in sold if sale.entry_id == done.entry.pk]
