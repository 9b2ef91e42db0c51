"""Sell cards in strict numeric order, for cash, and write the sales of a group (R34-R41).

What a group of sales leaves in rows is written in one statement. The stack of an issue is the rows
of every card that left it, in order, with who has it (R36). A cashier's open shift and the game
under way are read in one turn.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, TypeVar
from uuid import UUID

from django.db import connection, models, transaction
from django.db.models import Max

from bingo.rules import sale_order, session_state, till_cash_and_shifts
from bingo.rules.refusal import Refusal
from bingo.rules.sale_order import Range, Run, Stretch
from bingo.rules.session_state import GameState, SessionState
from bingo.rules.steps import selling
from draws.models import Game, Issue, Sale, Taking
from draws.sales.batching import LATER, Batcher, Later
from halls.journal import head
from halls.journal.head import (
    Recorded,
    SessionJournal,
    Statement,
    open_book,
    open_free,
    write_books,
)
from halls.models import CashMovement, JournalEntry, Person, Role, Session, Shift, Till

# Each row costs PostgreSQL its constraints and nothing else: no statement of its own, no turn.
# Entries are written with these rows, and found by their place in the hall's journal.
WRITE = """
WITH taken AS (
    INSERT INTO draws_taking (issue_id, game_id, first, last, previous, seller_id, passed)
    SELECT issue_id, game_id, first, last, previous, NULL, passed
      FROM json_to_recordset(%s) AS n (
           issue_id bigint, game_id bigint, first integer, last integer, previous integer,
           passed boolean)
), cash AS (
    INSERT INTO halls_cashmovement (shift_id, kind, amount, entry_id)
    SELECT shift_id, kind, amount,
           (SELECT e.id FROM halls_journalentry e WHERE e.hall_id = hall AND e.number = place)
      FROM json_to_recordset(%s) AS n (
           shift_id bigint, kind text, amount bigint, hall bigint, place bigint)
), games AS (
    UPDATE draws_game g SET cards = n.cards, gross = n.gross
      FROM json_to_recordset(%s) AS n (id bigint, cards integer, gross bigint) WHERE g.id = n.id
), issues AS (
    UPDATE draws_issue i SET last_sold = n.last_sold
      FROM json_to_recordset(%s) AS n (id bigint, last_sold integer) WHERE i.id = n.id
)
INSERT INTO draws_sale
       (game_id, issue_id, first, last, amount, shift_id, seller_id, player, at, entry_id)
SELECT game_id, issue_id, first, last, amount, shift_id, seller_id, player, at,
       (SELECT e.id FROM halls_journalentry e WHERE e.hall_id = hall AND e.number = place)
  FROM json_to_recordset(%s) AS n (
       game_id bigint, issue_id bigint, first integer, last integer, amount bigint,
       shift_id bigint, seller_id bigint, player text, at timestamptz, hall bigint, place bigint)
RETURNING issue_id, first, id
"""
OF_TAKING = ("issue_id", "game_id", "first", "last", "previous", "passed")
OF_SALE = (
    "game_id", "issue_id", "first", "last", "amount", "shift_id", "seller_id", "player", "at",
)  # fmt: skip

Row = dict[str, Any]
SaleRows = tuple[JournalEntry, list[Sale]]  # an entry and the sales that follow from it


def insert_sales(
    taken: Iterable[Taking],
    sold: Sequence[SaleRows],
    cash: Sequence[Row],
    known: Iterable[tuple[Game, GameState]],
) -> Statement:
    """Return what writes rows not saved yet, and how far games and their issues have come."""
    issues = {sale.issue_id for _entry, sales in sold for sale in sales}
    games = list(known)
    runs = [run for _game, state in games for run in state.runs if run.issue in issues]
    values: tuple[list[Row], ...] = (
        [{name: getattr(one, name) for name in OF_TAKING} for one in taken],
        list(cash),
        [{"id": game.pk, "cards": state.cards, "gross": state.gross} for game, state in games],
        [{"id": run.issue, "last_sold": run.top} for run in runs],
        [
            {name: getattr(sale, name) for name in OF_SALE} | _place(entry)
            for entry, sales in sold
            for sale in sales
        ],
    )
    return Statement(WRITE, [head.as_json(rows) for rows in values])


def cash(shift: Shift, entry: JournalEntry) -> Row:
    """Return the cash that a sale just decided brings into a drawer."""
    amount = till_cash_and_shifts.cash_of(entry.kind, entry.data)
    moved = {"shift_id": shift.pk, "kind": CashMovement.Kind.SALE.value, "amount": amount}
    return moved | _place(entry)


def keyed(sold: Sequence[SaleRows], returned: Iterable[Sequence[Any]]) -> None:
    """Give the sales that `page` has written the keys that the statement returned."""
    keys = {(issue, first): pk for issue, first, pk in returned}
    for entry, made in sold:
        for sale in made:
            sale.pk, sale.entry_id = keys[sale.issue_id, sale.first], entry.pk
            sale._state.adding, sale._state.db = False, connection.alias


def _place(entry: JournalEntry) -> Row:
    return {"hall": entry.hall_id, "place": entry.number}


def take_card_allocation(run: Run, part: Range, *, game: Game) -> list[Taking]:
    """Return the rows, not saved yet, of cards that come fresh from the stack of `run` as it was.

    Cards passed over on the way are rows as well. What sellers had brought back is parted at once
    and gives no row.
    """
    if part.first < run.next:
        part_from_those_out(part.issue, (part.first, part.last), game=game)
        return []
    before = _last_row(run)
    new = []
    if part.first > before + 1:
        new.append(_taking(part.issue, before + 1, part.first - 1, game=game, passed=True))
    new.append(_taking(part.issue, part.first, part.last, game=game))
    return new


def between(before: Taking, after: Taking) -> list[Taking]:
    """Return the row `after` and, ahead of it, that of the cards passed over since `before`."""
    gap = _taking(after.issue_id, before.last + 1, after.first - 1, game=after.game, passed=True)
    return [gap, after] if gap.first <= gap.last else [after]


def _last_row(run: Run) -> int:
    """Return the last card that has a row, 0 without one."""
    if run.last is not None:
        return run.last
    last = Taking.objects.filter(issue=run.issue).aggregate(last=Max("last"))["last"]
    return int(last or 0)


def part_from_those_out(
    issue: int, cards: Stretch, *, game: Game, seller: Person | None = None, passed: bool = False
) -> None:
    """Give cards that left the stack before, unsold, a row of their own."""
    first, last = cards
    touched = Taking.objects.filter(issue=issue, first__lte=last, last__gte=first)
    rows = list(touched.order_by("first").select_related("seller"))
    touched.delete()
    new = [_taking(issue, first, last, game=game, seller=seller, passed=passed)]
    for row in rows:
        for begun, ended in sale_order.without(row.first, row.last, ((first, last),)):
            new.append(
                _taking(issue, begun, ended, game=game, seller=row.seller, passed=row.passed)
            )
    Taking.objects.bulk_create(new)


def _taking(
    issue: int,
    first: int,
    last: int,
    *,
    game: Game,
    seller: Person | None = None,
    passed: bool = False,
) -> Taking:
    return Taking(
        issue_id=issue, game=game, first=first, last=last, previous=first - 1 or None,
        seller=seller, passed=passed,
    )  # fmt: skip


# Written out: it stands before every sale, and put together by the ORM it costs more than that.
SEAT = """
SELECT f.id, f.number, t.id, t.name, s.id, s.number, g.id, g.number, g.phase, g.face,
       i.id, i.series_id, i.identification, i.double
  FROM halls_shift f
  JOIN halls_till t ON t.id = f.till_id
  JOIN halls_session s ON s.id = f.session_id
  JOIN draws_game g ON g.session_id = s.id
  JOIN draws_issue i ON i.id = g.issue_id
 WHERE f.cashier_id = %s AND f.closed_at IS NULL
   AND s.hall_id = %s AND s.closed_at IS NULL
   AND g.phase <> 'complete'
"""

Model = TypeVar("Model", bound=models.Model)


def seat(person: Person) -> tuple[Shift, Game] | None:
    """Return a cashier's open shift and the game under way, None when one of them is missing.

    The rows have what a sale needs of them; the rest is read when it is asked for.
    """
    with connection.cursor() as cursor:
        cursor.execute(SEAT, [person.pk, person.hall_id])
        found = cursor.fetchone()
    if found is None:
        return None
    shift, number, till, name, session, evening, game, place, phase, face, *box = found
    hall = person.hall_id
    known = _row(Session, id=session, number=evening, hall_id=hall)
    known.hall = person.hall
    mine = _row(
        Shift, id=shift, number=number, till_id=till, session_id=session, cashier_id=person.pk
    )
    mine.till, mine.session, mine.cashier = (
        _row(Till, id=till, name=name, hall_id=hall),
        known,
        person,
    )
    under_way = _row(
        Game, id=game, number=place, phase=phase, face=face, session_id=session, issue_id=box[0]
    )
    under_way.session = known
    names = ("id", "series_id", "identification", "double")
    under_way.issue = _row(Issue, hall_id=hall, **dict(zip(names, box, strict=True)))
    return mine, under_way


def _row(model: type[Model], **values: Any) -> Model:
    """Return a row with some of its columns."""
    names = [field.attname for field in model._meta.concrete_fields if field.attname in values]
    return model.from_db(connection.alias, names, [values[name] for name in names])


@dataclass(frozen=True, slots=True, eq=False)
class SaleRequest:
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
class SaleResult:
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
    order = SaleRequest(game, shift, quantity, first, seller, face, player or None, by, at, key)
    return ring_up(order=order, given=given).rows


def ring_up(*, order: SaleRequest, given: int | None) -> SaleResult:
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
    price = order.face or order.game.face
    selling.require_cash(order.quantity * price * (2 if order.game.issue.double else 1), given)
    return COUNTER.serve(order.game.session_id, order)


def sold_by(entry: JournalEntry) -> SaleResult:
    """Return what an earlier order came to, by its entry, and the session as it stands now."""
    state = session_state.load(entry.session.state) if entry.session else None
    if entry.kind != "cards_sold" or state is None:
        raise Refusal("not_a_sale", number=entry.number)
    return SaleResult(entry, _rows_of(entry), state, repeated=True)


def require_seller(seller: Person, *, hall: int) -> None:
    """Refuse whoever is no floor seller of the hall: unknown_seller."""
    if not (seller.is_active and seller.hall_id == hall and Role.SELLER in seller.roles):
        raise Refusal("unknown_seller")


@transaction.atomic
def sell_together(orders: Sequence[SaleRequest]) -> list[SaleResult | Refusal | Later]:
    """Sell to all who came at the same moment, in their order; return what each one's came to.

    Where the orders are of several halls, those of one that is held elsewhere are left for later.
    """
    books = _opened(orders)
    outcomes = [_decided(books.get(order.game.session_id), order) for order in orders]
    rows = _write(orders, outcomes, books)
    return [
        _sold(outcome, rows) if isinstance(outcome, Recorded) else outcome for outcome in outcomes
    ]


COUNTER: Batcher[SaleRequest, SaleResult] = Batcher(sell_together)


def _opened(orders: Sequence[SaleRequest]) -> Mapping[int, SessionJournal]:
    """Open the books of the orders' sessions, by the session's key."""
    keys = [order.key for order in orders]
    sessions = {order.game.session_id: order.game.session for order in orders}
    if len(sessions) == 1:
        return {pk: open_book(session, keys) for pk, session in sessions.items()}
    return {book.session.pk: book for book in open_free(sessions.values(), keys)}


def _decided(book: SessionJournal | None, order: SaleRequest) -> Recorded | Refusal | Later:
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
    orders: Sequence[SaleRequest],
    outcomes: Sequence[Recorded | Refusal | Later],
    books: Mapping[int, SessionJournal],
) -> Mapping[int, list[Sale]]:
    """Write what was decided, and the rows of what was sold; return the sales by their entry's key."""
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
    page = insert_sales(
        [row for order, one in done for row in takings(one, game=order.game)],
        sold,
        [cash(order.shift, one.entry) for order, one in done],
        _newest(done).items(),
    )
    (returned,) = write_books(books.values(), page)
    keyed(sold, returned)
    return {entry.pk: rows for entry, rows in sold}


def _newest(done: Sequence[tuple[SaleRequest, Recorded]]) -> Mapping[Game, GameState]:
    """Let each game in hand show what has come of it; return the last of each and its state."""
    newest: dict[Game, GameState] = {}
    for order, one in done:
        if one.state.game:
            order.game.cards, order.game.gross = one.state.game.cards, one.state.game.gross
            newest[order.game] = one.state.game
    return newest


def takings(done: Recorded, *, game: Game) -> list[Taking]:
    """Return the rows of the cards that a fact takes off the stack, in order."""
    before = done.before.game
    runs = {run.issue: run for run in before.runs} if before else {}
    new: list[Taking] = []
    for part in done.entry.data["ranges"]:
        run = runs[part["issue"]]
        fresh = [one for one in new if one.issue_id == run.issue]
        rows = take_card_allocation(run, Range(**part), game=game)
        # The second stretch of one sale follows its first, with the retired cards between.
        if fresh and rows and rows[0].first <= fresh[-1].last:
            rows = between(fresh[-1], rows[-1])
        new += rows
    return new


def sale_rows(
    entry: JournalEntry, *, game: Game, shift: Shift, seller: Person | None
) -> list[Sale]:
    """Return the rows, not saved yet, of the stretches that an entry sold, each to one player."""
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
        for player, part in sale_order.shared_out(
            [Range(**told) for told in data["ranges"]], data.get("players", ())
        )
    ]


def _sold(done: Recorded, written: Mapping[int, list[Sale]]) -> SaleResult:
    rows = written.get(done.entry.pk)
    if rows is None:
        rows = _rows_of(done.entry)
    return SaleResult(done.entry, rows, done.state, done.repeated)


def _rows_of(entry: JournalEntry) -> list[Sale]:
    return list(entry.sales.select_related("issue__series").order_by("pk"))
