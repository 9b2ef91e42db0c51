"""A game's sale in the acta (R61 b-e), and the unclaimed and jackpot money (R44, R60, R9-R13).

The sale has issues and ranges, what was written off, sellers, refunds. The jackpot is told level by
level, and each movement but the accruals.
"""

from __future__ import annotations

from collections.abc import Sequence

from django.utils.translation import gettext as _
from reportlab.platypus import Flowable, Spacer

from bingo.money_and_dates import Writing, number_range
from bingo.pdf import kit
from bingo.pdf.tagging import TaggedTable
from bingo.rules import jackpot_account
from draws.prizes import labels as prizes_labels
from draws.record.acta import labels
from draws.record.acta.labels import NONE, along, both, letter, rule
from draws.record.acta.session_values import AsideValues, LevelValues, MovementValues, SettledValues
from draws.record.acta.tables import (
    Column,
    figures,
    game_numbers,
    hours,
    indented,
    inset,
    ledger,
    right_label,
)
from draws.record.acta.values import (
    ActaValues,
    GameValues,
    IssueValues,
    RefundValues,
    TransferValues,
    WrittenOffValues,
)


def halves(game: GameValues) -> list[Flowable]:
    """Say which of its two games this one of double cards is (R15); nothing of single cards."""
    if not game.half:
        return []
    return [Spacer(0, 4), indented(_double_cards_text(game), kit.SMALL), Spacer(0, 2)]


def _double_cards_text(game: GameValues) -> str:
    number = {"number": game.other_half}
    if game.half == 2:
        told = _("Double cards, second game: the cards were sold and paid for in game %(number)s.")
        return told % number
    if game.voided is not None:
        return along("Double cards, first game: void, so that both halves were refunded.")
    told = _(
        "Double cards, first game of two: each card was paid for both. The amounts are those of "
        "this half; the other half was played in game %(number)s."
    )
    return told % number


def issues(game: GameValues, article: str, width: float, writing: Writing) -> TaggedTable:
    """List the runs sold; with a column of prices where there are several."""
    sold: list[tuple[object, ...]] = [
        (one.letter, one.identification, one.first, one.last, one.cards) for one in game.issues
    ]
    letters, numbers, first, last, cards = zip(*(sold or [(NONE,) * 5]), strict=True)
    priced = len({issue.face for issue in game.issues}) > 1
    faces = [writing.amount(issue.face or 0) for issue in game.issues]
    series = kit.labelled(both("Series"), letter(article, "b"))
    price = kit.labelled(both("Price"), letter(article, "c"), style=kit.LABEL_RIGHT)
    return ledger(
        Column(series, letters, 52 if priced else 62, text=False),
        Column(both("Identification no."), numbers, text=False),
        figures(both("From card"), first, 42 if priced else 50),
        figures(both("To card"), last, 42 if priced else 50),
        figures(both("Cards"), cards, 38 if priced else 50),
        *([figures(price, faces, 60)] if priced else []),
        width=width,
    )


def details(game: GameValues, article: str, writing: Writing) -> list[Flowable]:
    """What was written off, who sold, cards handed on, what was given back, each if there is any."""
    gone = [(issue, part) for issue in game.issues for part in issue.missing]
    tables = [
        _written_off(gone) if gone else None,
        _sellers(game, writing) if game.sellers else None,
        _transfers(game.transfers, article, writing) if game.transfers else None,
        _refunds(game.refunds, writing) if game.refunds else None,
    ]
    return [part for table in tables if table for part in kit.flowing(table)]


def _written_off(gone: Sequence[tuple[IssueValues, WrittenOffValues]]) -> TaggedTable:
    named = [f"{issue.letter} {issue.identification}" for issue, _part in gone]
    cards = [number_range(part.first, part.last) for _issue, part in gone]
    return inset(
        Column(both("Written off, never sold"), named, 130, text=False),
        Column(both("Cards"), cards, 70, text=False),
        Column(both("Reason"), [part.reason for _issue, part in gone]),
        Column(both("Second person"), [part.witness or NONE for _issue, part in gone], 120),
    )


def _sellers(game: GameValues, writing: Writing) -> TaggedTable:
    amount = both("Amount of this half") if _halved(game) else both("Amount")
    return inset(
        Column(both("Sold by"), [sold.seller or _("Cashier") for sold in game.sellers], 200),
        Column(both("Till"), [sold.till for sold in game.sellers]),
        figures(both("Cards"), [writing.whole(sold.cards) for sold in game.sellers], 55),
        figures(amount, [writing.amount(sold.amount) for sold in game.sellers], 85),
    )


def _halved(game: GameValues) -> bool:
    """Return whether amounts are of one half; a void first game is given back with both (R15)."""
    return game.half == 1 and game.voided is None


def _transfers(transfers: Sequence[TransferValues], article: str, writing: Writing) -> TaggedTable:
    left = kit.labelled(both("Cards of players who left"), rule(article, "R56"))
    cards = [number_range(one.first, one.last) for one in transfers]
    return inset(
        Column(left, [one.issue for one in transfers], 110),
        Column(both("Cards"), cards, 55, text=False),
        Column(both("From player"), [one.player for one in transfers], 75),
        Column(both("To player"), [one.to for one in transfers], 75),
        hours(writing, [one.at for one in transfers]),
        Column(both("By"), [one.by for one in transfers]),
    )


def _refunds(refunds: Sequence[RefundValues], writing: Writing) -> TaggedTable:
    return inset(
        Column(both("Refunded at till"), [one.till or both("Set aside") for one in refunds]),
        figures(both("Cards"), [writing.whole(one.cards) for one in refunds], 55),
        figures(both("Amount"), [writing.amount(one.amount) for one in refunds], 85),
    )


def unclaimed_section(values: ActaValues, writing: Writing) -> list[Flowable]:
    """As it stood when the session was closed; nothing where nothing was ever owed."""
    account = values.unclaimed
    if account is None:
        return []
    owed = _("The hall owes players %(amount)s that nobody has fetched.")
    told: list[Flowable] = []
    if account.set_aside:
        mark = rule(values.article, "R44, R50, R60")
        told += labels.heading_part("set_aside", mark, _aside(account.set_aside, writing))
    if account.settled:
        mark = rule(values.article, "R44")
        told += labels.heading_part("unclaimed", mark, _settled(account.settled, writing))
    return [*told, kit.paragraph(owed % {"amount": writing.amount(account.owed)}, kit.SMALL)]


def _aside(aside: Sequence[AsideValues], writing: Writing) -> TaggedTable:
    named = game_numbers([one.game for one in aside], 34)
    reasons = Column(both("Reason"), [_reason(one, writing) for one in aside])
    return _unclaimed(aside, named, reasons, writing)


def _reason(one: AsideValues, writing: Writing) -> str:
    until = _("until %(day)s") % {"day": writing.day(one.until)} if one.until else ""
    return " · ".join(filter(None, [one.reason, until]))


def _settled(settled: Sequence[SettledValues], writing: Writing) -> TaggedTable:
    named = [f"{one.session}/{one.game}" for one in settled]
    hows = Column(both("How"), list(map(_how, settled)))
    return _unclaimed(settled, Column(both("Of"), named, 34, text=False), hows, writing)


def _unclaimed(
    rows: Sequence[AsideValues | SettledValues], named: Column, why: Column, writing: Writing
) -> TaggedTable:
    return ledger(
        hours(writing, [one.at for one in rows]),
        named,
        Column(both("Cards"), list(map(_cards, rows)), 96),
        why,
        Column(both("By"), list(map(_people, rows)), 120),
        figures(both("Amount"), [writing.amount(one.amount) for one in rows], 70),
    )


def _cards(one: AsideValues | SettledValues) -> str:
    what = prizes_labels.what(one.owed)
    return f"{what} · {one.issue}: {number_range(one.first, one.last)}"


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
        return [kit.paragraph(along("No jackpot was played for, and none was moved."), kit.SMALL)]
    story: list[Flowable] = [_levels(levels, writing), *_linked(levels), *_limits(levels)]
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


def _linked(levels: Sequence[LevelValues]) -> list[Flowable]:
    """Say which levels no single hall holds (R10)."""
    words = along("Jackpot of several halls")
    named = [f"{words}: {one.name} \N{MIDDLE DOT} {one.link}" for one in levels if one.link]
    return [kit.paragraph(one, kit.SMALL) for one in named]


def _limits(levels: Sequence[LevelValues]) -> list[Flowable]:
    """Say within how many balls each level is won, as it was announced for the session (R9)."""
    told = [
        (one.name, " · ".join(f"{each.kind}: {each.balls}" for each in one.limits))
        for one in levels
        if one.limits
    ]
    words = along("won within these balls")
    return [kit.paragraph(f"{name}, {words}: {limits}", kit.SMALL) for name, limits in told]


def _levels(levels: Sequence[LevelValues], writing: Writing) -> TaggedTable:
    # Sessions older than limits by kind of bingo have one for all.
    old = any(one.within is not None for one in levels)
    within = [NONE if one.within is None else str(one.within) for one in levels]
    amounts: list[tuple[str, list[int | None]]] = [
        (both("Held before"), [None if one.link else one.opened for one in levels]),
        (both("Put in"), [one.funded for one in levels]),
        (both("Accrued"), [one.accrued for one in levels]),
        (both("Taken back"), [-one.reversed for one in levels]),
        (both("Awarded"), [-one.awarded for one in levels]),
        (both("Base restored"), [one.restored for one in levels]),
        (both("Other movements"), [one.other for one in levels]),
        (both("Held after"), [None if one.link else one.closed for one in levels]),
    ]
    return ledger(
        Column(kit.labelled(both("Level")), [one.name for one in levels], 70),
        *([Column(kit.labelled(both("Balls")), within, 30, text=False)] if old else []),
        *(
            figures(
                right_label(name), [_written(each, writing) for each in column], 1 / len(amounts)
            )
            for name, column in amounts
        ),
        size=7.6,
    )


def _written(amount: int | None, writing: Writing) -> str:
    if amount is None:
        return NONE
    return writing.signed(amount) if amount < 0 else writing.amount(amount)


def _movements(
    moved: Sequence[tuple[LevelValues, MovementValues]], writing: Writing
) -> TaggedTable:
    what = [" · ".join(filter(None, (each.what, each.reference))) for _level, each in moved]
    return ledger(
        hours(writing, [each.at for _level, each in moved]),
        game_numbers([each.game for _level, each in moved]),
        Column(both("Level"), [level.name for level, _each in moved], 95),
        Column(both("What moved it"), what),
        figures(both("Amount"), [writing.signed(each.amount) for _level, each in moved], 70),
        figures(both("Held then"), [writing.amount(each.balance) for _level, each in moved], 70),
    )
