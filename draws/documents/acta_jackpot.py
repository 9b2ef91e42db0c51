"""The money of the jackpot in the acta, level by level, and each movement but the accruals (R9-R13)."""

from __future__ import annotations

from collections.abc import Sequence

from reportlab.platypus import Flowable

from bingo.pdf import kit
from bingo.pdf.tagging import Table
from bingo.rules import trust
from bingo.writing import Writing
from draws.documents import acta_hours
from draws.documents.acta_session_values import LevelValues, MovementValues
from draws.documents.acta_words import NONE
from draws.documents.beside import along as _along
from draws.documents.beside import both as _both


def section(levels: Sequence[LevelValues], writing: Writing) -> list[Flowable]:
    """One row a level from what it held to what it holds, then what moved it besides games."""
    if not levels:
        return [kit.paragraph(_along("No jackpot was played for, and none was moved."), kit.SMALL)]
    story: list[Flowable] = [_levels(levels, writing), *_limits(levels)]
    moved = [(one, each) for one in levels for each in one.movements if each.kind != trust.ACCRUED]
    if moved:
        moved.sort(key=lambda pair: pair[1].at.timestamp())
        story += kit.flowing(_movements(moved, writing), space=8)
    return story


def _limits(levels: Sequence[LevelValues]) -> list[Flowable]:
    """Say within how many balls each level is won, as it was announced for the session (R9)."""
    told = [
        (one.name, " · ".join(f"{each.kind}: {each.balls}" for each in one.limits))
        for one in levels
        if one.limits
    ]
    words = _along("won within these balls")
    return [kit.paragraph(f"{name}, {words}: {limits}", kit.SMALL) for name, limits in told]


def _levels(levels: Sequence[LevelValues], writing: Writing) -> Table:
    names = (
        _both("Held before"), _both("Put in"), _both("Accrued"), _both("Taken back"), _both("Awarded"),
        _both("Base restored"), _both("Other movements"), _both("Held after"),
    )  # fmt: skip
    # Sessions older than limits by kind of bingo have one for all.
    old = any(one.within is not None for one in levels)
    rows: list[list[object]] = [
        [
            kit.labelled(_both("Level")),
            *([kit.labelled(_both("Balls"))] if old else []),
            *(kit.labelled(name, style=kit.LABEL_RIGHT) for name in names),
        ],
        *(
            [
                kit.paragraph(one.name, kit.CELL),
                *([NONE if one.within is None else str(one.within)] if old else []),
                *(_written(amount, writing) for amount in _amounts(one)),
            ]
            for one in levels
        ),
    ]
    head = [70, 30] if old else [70]
    figure = (kit.WIDTH - sum(head)) / len(names)
    widths = [*head, *[figure] * len(names)]
    return kit.ledger(rows, widths, right=tuple(range(len(head), len(widths))), size=7.6)


def _amounts(one: LevelValues) -> tuple[int, ...]:
    return (
        one.opened, one.funded, one.accrued, -one.reversed, -one.awarded, one.restored, one.other,
        one.closed,
    )  # fmt: skip


def _written(amount: int, writing: Writing) -> str:
    return writing.signed(amount) if amount < 0 else writing.amount(amount)


def _movements(moved: Sequence[tuple[LevelValues, MovementValues]], writing: Writing) -> Table:
    rows: list[list[object]] = [
        [
            _both("At"),
            _both("Game"),
            _both("Level"),
            _both("What moved it"),
            _both("Amount"),
            _both("Held then"),
        ],
        *(
            [
                writing.hour(each.at),
                NONE if each.game is None else each.game,
                kit.paragraph(level.name, kit.CELL),
                kit.paragraph(" · ".join(filter(None, (each.what, each.reference))), kit.CELL),
                writing.signed(each.amount),
                writing.amount(each.balance),
            ]
            for level, each in moved
        ),
    ]
    fixed = [acta_hours.width(writing), 40, 95]
    widths = [*fixed, kit.WIDTH - sum(fixed) - 140, 70, 70]
    return kit.ledger(rows, widths, right=(4, 5))
