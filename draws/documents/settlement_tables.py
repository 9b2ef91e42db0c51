"""The lists of a settlement: games, cash brought and taken, prizes nobody has paid yet."""

from __future__ import annotations

from django.utils.translation import gettext as _
from reportlab.platypus import Flowable

from bingo.pdf import kit
from bingo.writing import Writing
from draws.documents.settlement_values import (
    SettledGame,
    SettledMovement,
    Settlement,
    TakenPrize,
    UnpaidPrize,
)


def games(values: Settlement, writing: Writing) -> Flowable:
    """One row a game and the sums last: what each left in the drawer stands at the right."""
    if not values.games:
        return kit.paragraph(_("No game moved any cash."))
    figures = [_figures(game) for game in values.games]
    totals = [sum(column) for column in zip(*figures, strict=True)]
    rows: list[list[object]] = [
        _head(
            (_("Game"),),
            (_("Cards"), _("Sales"), _("Prizes paid"), _("Refunds"), _("Into the drawer")),
        ),
        *(
            [str(game.game), *_money_row(line, writing)]
            for game, line in zip(values.games, figures, strict=True)
        ),
        [_("Total"), *_money_row(totals, writing)],
    ]
    widths = [kit.WIDTH * share for share in (0.14, 0.12, 0.185, 0.185, 0.185, 0.185)]
    return kit.ledger(rows, widths, right=(1, 2, 3, 4, 5), total=True)


def movements(values: Settlement, writing: Writing) -> Flowable:
    """One row a movement and the sums last."""
    if not values.movements:
        return kit.paragraph(_("No cash was brought or taken."))
    amounts = [moved.amount for moved in values.movements]
    rows: list[list[object]] = [
        _head(
            (_("At"), _("Reason"), _("By"), _("Second person")),
            (_("Cash brought"), _("Cash taken")),
        ),
        *(_movement(moved, writing) for moved in values.movements),
        [
            _("Total"), "", "", "",
            writing.amount(sum(amount for amount in amounts if amount > 0)),
            writing.amount(-sum(amount for amount in amounts if amount < 0)),
        ],
    ]  # fmt: skip
    widths = [kit.WIDTH * share for share in (0.1, 0.27, 0.18, 0.18, 0.135, 0.135)]
    return kit.ledger(rows, widths, right=(4, 5), total=True)


def unpaid(values: Settlement, writing: Writing) -> Flowable:
    """One row a winning card and the sum last (R44)."""
    if not values.unpaid:
        return kit.paragraph(_("No prize was left unpaid."))
    rows: list[list[object]] = [
        _head((_("Game"), _("Issue"), _("Card")), (_("Amount"),)),
        *(_prize(prize, writing) for prize in values.unpaid),
        [_("Total"), "", "", writing.amount(sum(prize.amount for prize in values.unpaid))],
    ]
    widths = [kit.WIDTH * share for share in (0.14, 0.4, 0.2, 0.26)]
    return kit.ledger(rows, widths, right=(3,), total=True)


def taken(values: Settlement, writing: Writing) -> Flowable:
    """One row a winning card that an earlier shift left, and whether this one has paid it (R44)."""
    rows: list[list[object]] = [
        _head(
            (_("Game"), _("Issue"), _("Card"), _("Handed on by"), _("Paid here")), (_("Amount"),)
        ),
        *(
            [
                *_prize(prize, writing)[:3],
                kit.paragraph(_handing(prize), kit.CELL),
                _("yes") if prize.paid else _("no"),
                writing.amount(prize.amount),
            ]
            for prize in values.taken
        ),
    ]
    widths = [kit.WIDTH * share for share in (0.1, 0.17, 0.1, 0.3, 0.13, 0.2)]
    return kit.ledger(rows, widths, right=(5,))


def _handing(prize: TakenPrize) -> str:
    return _("%(by)s, shift %(shift)s") % {"by": prize.by, "shift": prize.shift}


def _head(texts: tuple[str, ...], figures: tuple[str, ...]) -> list[object]:
    return [
        *map(kit.labelled, texts),
        *(kit.labelled(name, style=kit.LABEL_RIGHT) for name in figures),
    ]


def _figures(game: SettledGame) -> list[int]:
    left = game.sales - game.prizes - game.refunds
    return [game.cards, game.sales, game.prizes, game.refunds, left]


def _money_row(figures: list[int], writing: Writing) -> list[object]:
    cards, sales, prizes, refunds, left = figures
    return [
        writing.whole(cards),
        *map(writing.amount, (sales, prizes, refunds)),
        writing.signed(left) if left < 0 else writing.amount(left),
    ]


def _movement(moved: SettledMovement, writing: Writing) -> list[object]:
    return [
        writing.hour(moved.at),
        *(kit.paragraph(text, kit.CELL) for text in (moved.reason, moved.by, moved.witness)),
        writing.amount(moved.amount) if moved.amount > 0 else "",
        writing.amount(-moved.amount) if moved.amount < 0 else "",
    ]


def _prize(prize: UnpaidPrize | TakenPrize, writing: Writing) -> list[object]:
    return [
        str(prize.game),
        kit.paragraph(prize.issue, kit.CELL),
        str(prize.card),
        writing.amount(prize.amount),
    ]
