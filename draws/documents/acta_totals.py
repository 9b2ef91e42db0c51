"""The games of a session one a row, and what they come to."""

from collections.abc import Callable

from django.utils.translation import gettext as _
from reportlab.platypus import Table

from bingo.pdf import kit
from bingo.writing import Writing
from draws.documents.acta_values import GameValues

FIGURES: tuple[Callable[[GameValues], int], ...] = (
    lambda game: game.gross,
    lambda game: game.paid_line,
    lambda game: game.paid_bingo,
    lambda game: game.jackpot_accrual,
    lambda game: game.jackpot_awarded,
    lambda game: game.tax_withheld,
    lambda game: game.refunded,
)


def summary(games: tuple[GameValues, ...], writing: Writing) -> Table:
    """One row a game and the sums last; a void game is named so beside its number."""
    names = (
        _("Ended"),
        _("Cards"),
        _("Collected"),
        _("Line paid"),
        _("Bingo paid"),
        _("Jackpot accrual"),
        _("Jackpot awarded"),
        _("Tax"),
        _("Refunded"),
    )
    rows: list[list[object]] = [
        [
            kit.labelled(_("Game")),
            *(kit.labelled(name, style=kit.LABEL_RIGHT) for name in names),
        ]
    ]
    rows += [_row(game, writing) for game in games]
    rows.append(
        [
            _("Total"),
            "",
            writing.whole(sum(game.cards_sold for game in games)),
            *(writing.amount(sum(map(figure, games))) for figure in FIGURES),
        ]
    )
    fixed = [48, 40, 36]
    widths = [*fixed, *[(kit.WIDTH - sum(fixed)) / len(FIGURES)] * len(FIGURES)]
    return kit.ledger(rows, widths, right=tuple(range(1, len(widths))), total=True, size=7.6)


def _row(game: GameValues, writing: Writing) -> list[object]:
    name = str(game.number)
    if game.voided is not None:
        name = _("%(number)s void") % {"number": game.number}
    return [
        name,
        writing.hour(game.ended_at) if game.ended_at else "\N{EN DASH}",
        writing.whole(game.cards_sold),
        *(writing.amount(figure(game)) for figure in FIGURES),
    ]
