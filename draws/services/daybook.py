"""The day book: what a group of sales leaves in rows, written in one statement."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from django.db import connection

from bingo.rules import shifts
from bingo.rules.state import GameState
from draws.models import Game, Sale, Taking
from halls.models import CashMovement, JournalEntry, Shift
from halls.services import head
from halls.services.head import Statement

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
Sold = tuple[JournalEntry, list[Sale]]  # an entry and the sales that follow from it


def page(
    taken: Iterable[Taking],
    sold: Sequence[Sold],
    cash: Sequence[Row],
    known: Iterable[tuple[Game, GameState]],
) -> Statement:
    """Give what writes rows not saved yet, and how far games and their issues have come."""
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
    """Give the cash that a sale just decided brings into a drawer."""
    amount = shifts.cash_of(entry.kind, entry.data)
    moved = {"shift_id": shift.pk, "kind": CashMovement.Kind.SALE.value, "amount": amount}
    return moved | _place(entry)


def keyed(sold: Sequence[Sold], returned: Iterable[Sequence[Any]]) -> None:
    """Give the sales that `page` has written the keys that the statement returned."""
    keys = {(issue, first): pk for issue, first, pk in returned}
    for entry, sales in sold:
        for sale in sales:
            sale.pk, sale.entry_id = keys[sale.issue_id, sale.first], entry.pk
            sale._state.adding, sale._state.db = False, connection.alias


def _place(entry: JournalEntry) -> Row:
    return {"hall": entry.hall_id, "place": entry.number}
