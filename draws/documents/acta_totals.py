"""The games of a session one a row, and what they come to."""

from collections.abc import Callable

from django.utils.translation import gettext as _
from reportlab.platypus import CondPageBreak, Flowable, Spacer

from bingo.pdf import kit
from bingo.pdf.tagging import Table
from bingo.writing import Writing
from draws.documents import acta_hours
from draws.documents.acta_values import GameValues, cards_sold
from draws.documents.acta_words import NONE
from draws.documents.beside import along as _along
from draws.documents.beside import both as _both

MOST = 320  # points of a summary that is not parted

Figure = tuple[str, Callable[[GameValues], int]]


def summary(games: tuple[GameValues, ...], writing: Writing) -> list[Flowable]:
    """One row a game and the sums last, parted only where there are many; double cards count once."""
    table = _table(games, writing)
    height = table.wrap(kit.WIDTH, kit.PAGE[1])[1]
    story: list[Flowable] = [CondPageBreak(min(height, MOST)), table]
    if any(game.half == 2 for game in games):
        told = _along("Double cards are counted once, with the first of their two games.")
        story += [Spacer(0, 3), kit.paragraph(told, kit.NOTE)]
    return story


def _table(games: tuple[GameValues, ...], writing: Writing) -> Table:
    """A void game is named so beside its number."""
    figures = _figures(games)
    names = (_both("Ended"), _both("Cards"), *(name for name, _of in figures))
    rows: list[list[object]] = [
        [
            kit.labelled(_both("Game")),
            *(kit.labelled(name, style=kit.LABEL_RIGHT) for name in names),
        ]
    ]
    rows += [_row(game, figures, writing) for game in games]
    rows.append(
        [
            _both("Total"),
            "",
            writing.whole(cards_sold(games)),
            *(writing.amount(sum(map(of, games))) for _name, of in figures),
        ]
    )
    fixed = [48, max(40, acta_hours.width(writing)), 36]
    widths = [*fixed, *[(kit.WIDTH - sum(fixed)) / len(figures)] * len(figures)]
    return kit.ledger(rows, widths, right=tuple(range(1, len(widths))), total=True, size=7.6)


def _figures(games: tuple[GameValues, ...]) -> list[Figure]:
    """Give the columns of money; additional prizes have one only where some game had any."""
    others: list[Figure] = [
        (_both("Others paid"), lambda game: sum(extra.paid for extra in game.extras))
    ]
    return [
        (_both("Collected"), lambda game: game.gross),
        (_both("Line paid"), lambda game: game.paid_line),
        (_both("Bingo paid"), lambda game: game.paid_bingo),
        *(others if any(game.extras for game in games) else []),
        (_both("Jackpot accrual"), lambda game: game.jackpot_accrual),
        (_both("Jackpot awarded"), lambda game: game.jackpot_awarded),
        (_both("Tax"), lambda game: game.tax_withheld),
        (_both("Refunded"), lambda game: game.refunded),
    ]


def _row(game: GameValues, figures: list[Figure], writing: Writing) -> list[object]:
    name = str(game.number)
    if game.voided is not None:
        name = _("%(number)s void") % {"number": game.number}
    return [
        name,
        writing.hour(game.ended_at) if game.ended_at else NONE,
        NONE if game.half == 2 else writing.whole(game.cards_sold),
        *(writing.amount(of(game)) for _name, of in figures),
    ]
