"""The cash of a session: each till from its float to its count."""

from django.utils.translation import gettext as _
from reportlab.platypus import Table, TableStyle

from bingo.pdf import kit
from bingo.writing import Writing
from draws.documents.acta_values import TillValues


def table(tills: tuple[TillValues, ...], writing: Writing) -> Table:
    """One row a till and the sums last; a difference is printed heavy and with its sign."""
    names = (
        _("Float"),
        _("Sales"),
        _("Prizes"),
        _("Refunds"),
        _("Moved"),
        _("Expected"),
        _("Counted"),
        _("Difference"),
    )
    rows: list[list[object]] = [
        [
            kit.labelled(_("Till")),
            kit.labelled(_("Cashier")),
            *(kit.labelled(name, style=kit.LABEL_RIGHT) for name in names),
        ],
        *(_row(till, writing) for till in tills),
    ]
    sums = [sum(column) for column in zip(*map(_amounts, tills), strict=True)] or [0] * 7
    difference = sum(till.difference for till in tills)
    rows.append(
        [_("Total"), "", *(writing.amount(amount) for amount in sums), writing.signed(difference)]
    )
    figure = (kit.WIDTH - 128) / len(names)
    made = kit.ledger(
        rows,
        [46, 82, *[figure] * len(names)],
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


def _row(till: TillValues, writing: Writing) -> list[object]:
    return [
        kit.paragraph(till.name, kit.CELL),
        kit.paragraph(till.cashier, kit.CELL),
        *(writing.amount(amount) for amount in _amounts(till)),
        writing.signed(till.difference),
    ]


def _amounts(till: TillValues) -> tuple[int, ...]:
    return (
        till.opening_float,
        till.sales,
        till.prizes,
        till.refunds,
        till.moved,
        till.expected,
        till.counted,
    )
