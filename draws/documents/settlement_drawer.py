"""What should be in a drawer, line by line, and beside it what was counted."""

from __future__ import annotations

from django.utils.translation import gettext as _
from reportlab.platypus import TableStyle

from bingo.pdf import kit
from bingo.pdf.tagging import Table
from bingo.writing import Writing
from draws.documents.settlement_values import Settlement

GAP = 24
HALF = (kit.WIDTH - GAP) / 2


def account(values: Settlement) -> list[tuple[str, int]]:
    """Give the lines that add up to what should be in the drawer, with their signs."""
    amounts = [moved.amount for moved in values.movements]
    later = [(_("Unclaimed money paid"), -values.unclaimed_paid)] if values.unclaimed_paid else []
    taken = sum(amount for amount in amounts if amount < 0) + values.unclaimed_paid
    return [
        (_("Float"), values.opening_float),
        (_("Sales"), sum(game.sales for game in values.games)),
        (_("Prizes paid"), -sum(game.prizes for game in values.games)),
        (_("Refunds"), -sum(game.refunds for game in values.games)),
        (_("Cash brought"), sum(amount for amount in amounts if amount > 0)),
        (_("Cash taken"), taken),
        *later,
    ]


def drawer(values: Settlement, writing: Writing) -> Table:
    """Add the shift up, and compare its count with what the journal expects."""
    lines = account(values)
    due = sum(amount for _name, amount in lines)
    added = [(name, _written(amount, writing)) for name, amount in lines]
    counted = [
        (_("Expected by the journal"), _written(values.expected, writing)),
        (_("Counted"), _written(values.counted, writing)),
        (_("Difference"), writing.signed(values.difference)),
    ]
    left = _column(_("Cash account"), [*added, (_("Sum"), _written(due, writing))])
    return Table(
        [[left, "", _column(_("Cash count"), counted)]],
        colWidths=[HALF, GAP, HALF],
        style=TableStyle(
            [
                kit.BASE,
                ("VALIGN", (0, 0), (-1, -1), "TOP"),
                ("LEFTPADDING", (0, 0), (-1, -1), 0),
                ("RIGHTPADDING", (0, 0), (-1, -1), 0),
            ]
        ),
    )


def _column(title: str, lines: list[tuple[str, str]]) -> Table:
    rows: list[list[object]] = [
        [kit.labelled(title), kit.labelled(_("Amount"), style=kit.LABEL_RIGHT)]
    ]
    rows += [[name, amount] for name, amount in lines]
    return kit.ledger(rows, [HALF * 0.6, HALF * 0.4], right=(1,), total=True, size=9)


def _written(amount: int, writing: Writing) -> str:
    return writing.signed(amount) if amount < 0 else writing.amount(amount)
