"""A game's sale in the acta: issues and ranges, what was written off, sellers, refunds (R61 b to e).

Money that nobody fetched, in the acta: set aside, paid later, and what the hall owes (R44, R60).

The money of the jackpot in the acta, level by level, and each movement but the accruals (R9-R13).
"""

from __future__ import annotations

from collections.abc import Sequence

from django.utils.translation import gettext as _
from reportlab.lib.styles import ParagraphStyle
from reportlab.platypus import Flowable, Paragraph, Spacer, Table, TableStyle

from bingo.pdf import kit
from bingo.pdf.tagging import TaggedTable as tagging_Table
from bingo.rules import jackpot_account
from bingo.writing import Writing
from draws.prizes import words as prizes_words
from draws.record.acta import labels
from draws.record.acta.labels import NONE, acta_numbers, letter, rule
from draws.record.acta.labels import along as _along
from draws.record.acta.labels import both as _both
from draws.record.acta.session_values import (
    AsideValues,
    LevelValues,
    MovementValues,
    SettledValues,
    UnclaimedValues,
)
from draws.record.acta.values import ActaValues, GameValues


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


def issues(game: GameValues, article: str, width: float, writing: Writing) -> tagging_Table:
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


def _written_off(game: GameValues) -> tagging_Table | None:
    gone = [(issue, part) for issue in game.issues for part in issue.missing]
    if not gone:
        return None
    rows: list[list[object]] = [
        [_both("Written off, never sold"), _both("Cards"), _both("Reason"), _both("Second person")],
        *(
            [
                f"{issue.letter} {issue.identification}",
                acta_numbers(part.first, part.last),
                kit.paragraph(part.reason, kit.CELL),
                kit.paragraph(part.witness or NONE, kit.CELL),
            ]
            for issue, part in gone
        ),
    ]
    return kit.ledger(rows, [130, 70, kit.WIDTH - 4 - 130 - 70 - 120, 120])


def _sellers(game: GameValues, writing: Writing) -> tagging_Table | None:
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
    """Return whether amounts are of one half; a void first game is given back with both (R15)."""
    return game.half == 1 and game.voided is None


def _transfers(game: GameValues, article: str, writing: Writing) -> tagging_Table | None:
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
                acta_numbers(one.first, one.last),
                kit.paragraph(one.player, kit.CELL),
                kit.paragraph(one.to, kit.CELL),
                writing.hour(one.at),
                kit.paragraph(one.by, kit.CELL),
            ]
            for one in game.transfers
        ),
    ]
    hours = labels.hour_width(writing)
    fixed = [110, 55, 75, 75, hours]
    return kit.ledger(rows, [*fixed, kit.WIDTH - 4 - sum(fixed)])


def _refunds(game: GameValues, writing: Writing) -> tagging_Table | None:
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


def indented(text: str, style: ParagraphStyle = kit.LABEL) -> tagging_Table:
    """A line of small print as far in as the tables of a game."""
    return tagging_Table(
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


def inset(table: tagging_Table) -> tagging_Table:
    """A table of a game, at the right edge."""
    table.hAlign = "RIGHT"
    return table


def unclaimed_section(values: ActaValues, writing: Writing) -> list[Flowable]:
    """As it stood when the session was closed; nothing where nothing was ever owed."""
    account = values.unclaimed
    if account is None:
        return []
    tongues, article = values.languages, values.article
    owed = _("The hall owes players %(amount)s that nobody has fetched.")
    told: list[Flowable] = []
    if account.set_aside:
        body = _aside(account, writing)
        told += labels.heading_part("set_aside", rule(article, "R44, R50, R60"), tongues, body)
    if account.settled:
        body = _settled(account, writing)
        told += labels.heading_part("unclaimed", rule(article, "R44"), tongues, body)
    return [*told, kit.paragraph(owed % {"amount": writing.amount(account.owed)}, kit.SMALL)]


def _aside(account: UnclaimedValues, writing: Writing) -> Paragraph | Table:
    rows: list[list[object]] = [
        [_both("At"), _both("Game"), _both("Cards"), _both("Reason"), _both("By"), _both("Amount")],
        *([*_row_of(one, writing)] for one in account.set_aside),
    ]
    return kit.ledger(rows, [44, 34, 96, kit.WIDTH - 364, 120, 70], right=(5,))


def _row_of(one: AsideValues, writing: Writing) -> list[object]:
    until = _("until %(day)s") % {"day": writing.day(one.until)} if one.until else ""
    return [
        writing.hour(one.at),
        one.game,
        kit.paragraph(_cards(one), kit.CELL),
        kit.paragraph(" · ".join(filter(None, [one.reason, until])), kit.CELL),
        kit.paragraph(_people(one), kit.CELL),
        writing.amount(one.amount),
    ]


def _settled(account: UnclaimedValues, writing: Writing) -> Paragraph | Table:
    rows: list[list[object]] = [
        [_both("At"), _both("Of"), _both("Cards"), _both("How"), _both("By"), _both("Amount")],
        *(
            [
                writing.hour(one.at),
                f"{one.session}/{one.game}",
                kit.paragraph(_cards(one), kit.CELL),
                kit.paragraph(_how(one), kit.CELL),
                kit.paragraph(_people(one), kit.CELL),
                writing.amount(one.amount),
            ]
            for one in account.settled
        ),
    ]
    return kit.ledger(rows, [44, 34, 96, kit.WIDTH - 364, 120, 70], right=(5,))


def _cards(one: AsideValues | SettledValues) -> str:
    what = prizes_words.what(one.owed)
    return f"{what} · {one.issue}: {prizes_words.unclaimed_cards(one.first, one.last)}"


def _how(one: SettledValues) -> str:
    if not one.till:
        return _("Period over")
    how = _("complaint %(number)s") % {"number": one.complaint} if one.complaint else ""
    return " · ".join(filter(None, [_("Paid"), one.till, how]))


def _people(one: AsideValues | SettledValues) -> str:
    return ", ".join(filter(None, [one.by, one.witness])) or NONE


def jackpot_section(levels: Sequence[LevelValues], writing: Writing) -> list[Flowable]:
    """One row a level from what it held to what it holds, then what moved it besides games."""
    if not levels:
        return [kit.paragraph(_along("No jackpot was played for, and none was moved."), kit.SMALL)]
    story: list[Flowable] = [_levels(levels, writing), *_limits(levels)]
    moved = [
        (one, each)
        for one in levels
        for each in one.movements
        if each.kind != jackpot_account.ACCRUED
    ]
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


def _levels(levels: Sequence[LevelValues], writing: Writing) -> tagging_Table:
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


def _movements(
    moved: Sequence[tuple[LevelValues, MovementValues]], writing: Writing
) -> tagging_Table:
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
    fixed = [labels.hour_width(writing), 40, 95]
    widths = [*fixed, kit.WIDTH - sum(fixed) - 140, 70, 70]
    return kit.ledger(rows, widths, right=(4, 5))
