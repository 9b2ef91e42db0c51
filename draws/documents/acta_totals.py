"""The games of a session one a row, and what they come to."""

from collections.abc import Callable

from django.utils.translation import gettext as _
from reportlab.platypus import Table

from bingo.pdf import kit
from bingo.writing import Writing
from draws.documents.acta_values import GameValues
from draws.documents.beside import both as _both

Figure = tuple[str, Callable[[GameValues], int]]


def summary(games: tuple[GameValues, ...], writing: Writing) -> Table:
    """One row a game and the sums last; a void game is named so beside its number."""
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
            writing.whole(sum(game.cards_sold for game in games)),
            *(writing.amount(sum(map(of, games))) for _name, of in figures),
        ]
    )
    fixed = [48, 40, 36]
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
        writing.hour(game.ended_at) if game.ended_at else "\N{EN DASH}",
        writing.whole(game.cards_sold),
        *(writing.amount(of(game)) for _name, of in figures),
    ]
