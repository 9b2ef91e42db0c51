"""The cash of a session: each till from its float to its count."""

from __future__ import annotations

from collections.abc import Sequence

from django.utils.translation import ngettext
from reportlab.platypus import Flowable, TableStyle

from bingo.pdf import kit
from bingo.pdf.tagging import Table
from bingo.writing import Writing
from draws.documents import acta_hours
from draws.documents.acta_values import CashValues, TillValues
from draws.documents.acta_words import NONE
from draws.documents.beside import both as _both


def section(tills: tuple[TillValues, ...], writing: Writing) -> list[Flowable]:
    """The tills, then cash brought or taken and what explains a count, each if there is any."""
    story: list[Flowable] = [_table(tills, writing)]
    moved = [(till, each) for till in tills for each in till.movements]
    if moved:
        story += kit.flowing(_movements(moved, writing), space=8)
    told = [till for till in tills if till.comment or till.unpaid or till.witness]
    if told:
        story += kit.flowing(_counts(told, writing), space=8)
    return story


def _movements(moved: Sequence[tuple[TillValues, CashValues]], writing: Writing) -> Table:
    rows: list[list[object]] = [
        [
            _both("At"),
            _both("Till"),
            _both("Cash brought or taken"),
            _both("By"),
            _both("Second person"),
            _both("Amount"),
        ],
        *(
            [
                writing.hour(each.at),
                kit.paragraph(till.name, kit.CELL),
                kit.paragraph(each.reason, kit.CELL),
                kit.paragraph(each.by, kit.CELL),
                kit.paragraph(each.witness or NONE, kit.CELL),
                writing.signed(each.amount),
            ]
            for till, each in moved
        ),
    ]
    hours = acta_hours.width(writing)
    widths = [hours, 60, kit.WIDTH - hours - 60 - 180 - 70, 90, 90, 70]
    return kit.ledger(rows, widths, right=(5,))


def _counts(tills: Sequence[TillValues], writing: Writing) -> Table:
    rows: list[list[object]] = [
        [
            _both("Counted at"),
            _both("Till"),
            _both("Said at the count"),
            _both("By"),
            _both("Second person"),
        ],
        *(
            [
                writing.hour(till.closed_at) if till.closed_at else NONE,
                kit.paragraph(till.name, kit.CELL),
                kit.paragraph(_said(till), kit.CELL),
                kit.paragraph(till.closed_by or NONE, kit.CELL),
                kit.paragraph(till.witness or NONE, kit.CELL),
            ]
            for till in tills
        ),
    ]
    hours = acta_hours.width(writing)
    return kit.ledger(rows, [hours, 60, kit.WIDTH - hours - 60 - 180, 90, 90])


def _said(till: TillValues) -> str:
    n = till.unpaid
    left = ngettext("%(n)s winning card unpaid", "%(n)s winning cards unpaid", n) % {"n": n}
    return " · ".join(filter(None, (till.comment, left if n else ""))) or NONE


def _table(tills: tuple[TillValues, ...], writing: Writing) -> Table:
    """One row a till and the sums last; a difference is printed heavy and with its sign."""
    later = any(till.unclaimed_paid for till in tills)
    names = (
        _both("Float"),
        _both("Sales"),
        _both("Prizes"),
        _both("Refunds"),
        *([_both("Unclaimed money paid")] if later else []),
        _both("Moved"),
        _both("Expected"),
        _both("Counted"),
        _both("Difference"),
    )
    rows: list[list[object]] = [
        [
            kit.labelled(_both("Till")),
            kit.labelled(_both("Cashier")),
            *(kit.labelled(name, style=kit.LABEL_RIGHT) for name in names),
        ],
        *(_row(till, writing, later=later) for till in tills),
    ]
    amounts = [_amounts(till, later=later) for till in tills]
    sums = [sum(column) for column in zip(*amounts, strict=True)] or [0] * 7
    difference = sum(till.difference for till in tills)
    rows.append(
        [
            _both("Total"),
            "",
            *(writing.amount(amount) for amount in sums),
            writing.signed(difference),
        ]
    )
    leading = (36, 58) if later else (46, 82)
    figure = (kit.WIDTH - sum(leading)) / len(names)
    made = kit.ledger(
        rows,
        [*leading, *[figure] * len(names)],
        right=tuple(range(2, 2 + len(names))),
        total=True,
        size=7.6,
    )
    made.setStyle(
        TableStyle(
            [
                ("FONT", (-1, row), (-1, row), kit.BOLD, 7.6, 9.8)
                for row, till in enumerate(tills, start=1)
                if till.difference
            ]
        )
    )
    return made


def _row(till: TillValues, writing: Writing, *, later: bool) -> list[object]:
    return [
        kit.paragraph(till.name, kit.CELL),
        kit.paragraph(till.cashier, kit.CELL),
        *(writing.amount(amount) for amount in _amounts(till, later=later)),
        writing.signed(till.difference),
    ]


def _amounts(till: TillValues, *, later: bool) -> tuple[int, ...]:
    return (
        till.opening_float,
        till.sales,
        till.prizes,
        till.refunds,
        *((till.unclaimed_paid,) if later else ()),
        till.moved,
        till.expected,
        till.counted,
    )
