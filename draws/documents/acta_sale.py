"""A game's sale in the acta: issues and ranges, what was written off, sellers, refunds (R61 b to e)."""

from __future__ import annotations

from django.utils.translation import gettext as _
from reportlab.lib.styles import ParagraphStyle
from reportlab.platypus import Flowable, Spacer, TableStyle

from bingo.pdf import kit
from bingo.pdf.tagging import Table
from bingo.writing import Writing
from draws.documents import acta_hours
from draws.documents.acta_values import GameValues
from draws.documents.acta_words import NONE, letter, numbers, rule
from draws.documents.beside import both as _both


def halves(game: GameValues) -> list[Flowable]:
    """Say which of its two games this one of double cards is (R15); nothing of single cards."""
    if not game.half:
        return []
    return [Spacer(0, 4), indented(_told(game), kit.SMALL), Spacer(0, 2)]


def _told(game: GameValues) -> str:
    number = {"number": game.other_half}
    if game.half == 2:
        return _(
            "Double cards, second game: the cards were sold and paid for in game %(number)s."
        ) % (number)
    if game.voided is not None:
        return _("Double cards, first game: void, so that both halves were refunded.")
    return (
        _(
            "Double cards, first game of two: each card was paid for both. The amounts are those of "
            "this half; the other half was played in game %(number)s."
        )
        % number
    )


def issues(game: GameValues, article: str, width: float, writing: Writing) -> Table:
    """List the runs sold; with a column of prices where there are several."""
    priced = len({issue.face for issue in game.issues}) > 1
    head: list[object] = [
        kit.labelled(_both("Series"), letter(article, "b")),
        _both("Identification no."),
        _both("From card"),
        _both("To card"),
        _both("Cards"),
    ]
    rows: list[list[object]] = [head + ([_price_head(article)] if priced else [])]
    for issue in game.issues:
        row: list[object] = [
            issue.letter, issue.identification, issue.first, issue.last, issue.cards,
        ]  # fmt: skip
        rows.append(row + ([writing.amount(issue.face or 0)] if priced else []))
    if not game.issues:
        rows.append([NONE] * 5)
    figures = [42, 42, 38, 60] if priced else [50, 50, 50]
    widths = [62 if not priced else 52, width - (62 if not priced else 52) - sum(figures), *figures]
    return kit.ledger(rows, widths, right=tuple(range(2, len(widths))))


def _price_head(article: str) -> Flowable:
    return kit.labelled(_both("Price"), letter(article, "c"), style=kit.LABEL_RIGHT)


def details(game: GameValues, article: str, writing: Writing) -> list[Flowable]:
    """What was written off, who sold, cards handed on, what was given back, each if there is any."""
    tables = [
        _written_off(game), _sellers(game, writing), _transfers(game, article, writing),
        _refunds(game, writing),
    ]  # fmt: skip
    return [part for table in tables if table for part in kit.flowing(inset(table))]


def _written_off(game: GameValues) -> Table | None:
    gone = [(issue, part) for issue in game.issues for part in issue.missing]
    if not gone:
        return None
    rows: list[list[object]] = [
        [_both("Written off, never sold"), _both("Cards"), _both("Reason"), _both("Second person")],
        *(
            [
                f"{issue.letter} {issue.identification}",
                numbers(part.first, part.last),
                kit.paragraph(part.reason, kit.CELL),
                kit.paragraph(part.witness or NONE, kit.CELL),
            ]
            for issue, part in gone
        ),
    ]
    return kit.ledger(rows, [130, 70, kit.WIDTH - 4 - 130 - 70 - 120, 120])


def _sellers(game: GameValues, writing: Writing) -> Table | None:
    if not game.sellers:
        return None
    rows: list[list[object]] = [
        [
            _both("Sold by"),
            _both("Till"),
            _both("Cards"),
            _both("Amount of this half") if _halved(game) else _both("Amount"),
        ],
        *(
            [
                kit.paragraph(sold.seller or _("Cashier"), kit.CELL),
                kit.paragraph(sold.till, kit.CELL),
                writing.whole(sold.cards),
                writing.amount(sold.amount),
            ]
            for sold in game.sellers
        ),
    ]
    return kit.ledger(rows, [200, kit.WIDTH - 4 - 200 - 55 - 85, 55, 85], right=(2, 3))


def _halved(game: GameValues) -> bool:
    """Tell whether amounts are of one half; a void first game is given back with both (R15)."""
    return game.half == 1 and game.voided is None


def _transfers(game: GameValues, article: str, writing: Writing) -> Table | None:
    if not game.transfers:
        return None
    rows: list[list[object]] = [
        [
            kit.labelled(_both("Cards of players who left"), rule(article, "R56")),
            _both("Cards"),
            _both("From player"),
            _both("To player"),
            _both("At"),
            _both("By"),
        ],
        *(
            [
                kit.paragraph(one.issue, kit.CELL),
                numbers(one.first, one.last),
                kit.paragraph(one.player, kit.CELL),
                kit.paragraph(one.to, kit.CELL),
                writing.hour(one.at),
                kit.paragraph(one.by, kit.CELL),
            ]
            for one in game.transfers
        ),
    ]
    hours = acta_hours.width(writing)
    fixed = [110, 55, 75, 75, hours]
    return kit.ledger(rows, [*fixed, kit.WIDTH - 4 - sum(fixed)])


def _refunds(game: GameValues, writing: Writing) -> Table | None:
    if not game.refunds:
        return None
    rows: list[list[object]] = [
        [_both("Refunded at till"), _both("Cards"), _both("Amount")],
        *(
            [
                kit.paragraph(given.till or _both("Set aside"), kit.CELL),
                writing.whole(given.cards),
                writing.amount(given.amount),
            ]
            for given in game.refunds
        ),
    ]
    return kit.ledger(rows, [kit.WIDTH - 4 - 55 - 85, 55, 85], right=(1, 2))


def indented(text: str, style: ParagraphStyle = kit.LABEL) -> Table:
    """A line of small print as far in as the tables of a game."""
    return Table(
        [[kit.paragraph(text, style)]],
        colWidths=[kit.WIDTH],
        style=TableStyle(
            [
                kit.BASE,
                ("LEFTPADDING", (0, 0), (-1, -1), 6),
                ("TOPPADDING", (0, 0), (-1, -1), 0),
                ("BOTTOMPADDING", (0, 0), (-1, -1), 0),
            ]
        ),
    )


def inset(table: Table) -> Table:
    """A table of a game, at the right edge."""
    table.hAlign = "RIGHT"
    return table
