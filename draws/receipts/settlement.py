"""The settlement of a shift as a PDF: what a cashier hands over, with lines to sign (R39, R44).

It says what should be in a drawer, line by line, and beside it what was counted; it lists games,
cash moved, and unpaid prizes. Amounts are minor units, hours the hall's own.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from django.utils import translation
from django.utils.translation import gettext as _
from reportlab.platypus import Flowable, KeepTogether, Spacer, TableStyle

from bingo import money_and_dates
from bingo.money_and_dates import Writing
from bingo.pdf import kit
from bingo.pdf import pages as pdf_pages
from bingo.pdf.pages import OfHall
from bingo.pdf.tagging import TaggedTable
from draws.prizes import labels as prizes_labels
from draws.prizes.labels import Carried
from halls import training


@dataclass(frozen=True, slots=True)
class SettledGame:
    """What a game brought into the drawer and took out; prizes as the players received them.

    `carried` is what the smallest coin left over of the game's prizes, where it left anything.
    """

    game: int
    cards: int
    sales: int
    prizes: int
    refunds: int
    carried: Carried | None = None


@dataclass(frozen=True, slots=True)
class SettledMovement:
    """Cash brought (positive) or taken, by whom; `witness` is the second person's name or empty."""

    at: datetime
    amount: int
    reason: str
    by: str
    witness: str


@dataclass(frozen=True, slots=True)
class UnpaidPrize:
    """A winning card that nobody has paid yet when the shift ends (R44)."""

    game: int
    issue: str
    card: int
    amount: int


@dataclass(frozen=True, slots=True)
class TakenPrize(UnpaidPrize):
    """A winning card that an earlier shift handed on; `paid`: this shift has paid it (R44)."""

    shift: int
    by: str
    paid: bool


@dataclass(frozen=True, slots=True)
class AsidePart:
    """Cards whose prize or price was set aside while the shift was open; `what` names which (R44, R60).

    Of `amount`, `paid` and `expired` are no longer owed when the shift is closed.
    """

    game: int
    what: str
    issue: str
    cards: str
    amount: int
    reason: str
    paid: int = 0
    expired: int = 0

    @property
    def owed(self) -> int:
        """What the players may still fetch."""
        return self.amount - self.paid - self.expired


@dataclass(frozen=True, slots=True)
class Settlement(OfHall):
    """A shift from its float to its count.

    `unclaimed_paid` is what the drawer paid of what was set aside before; it is among the
    `movements`. `difference` is counted less expected; `witness` the second person at the count or empty;
    `entry` and `digest` are those of the journal entry that closed the shift.
    """

    session: int
    shift: int
    till: str
    cashier: str
    opened_at: datetime
    closed_at: datetime
    closed_by: str
    opening_float: int
    games: tuple[SettledGame, ...]
    movements: tuple[SettledMovement, ...]
    expected: int
    counted: int
    difference: int
    comment: str
    witness: str
    unpaid: tuple[UnpaidPrize, ...]
    entry: int
    digest: str
    taken: tuple[TakenPrize, ...] = ()
    aside: tuple[AsidePart, ...] = ()
    unclaimed_paid: int = 0


GAP = 24
HALF = (kit.WIDTH - GAP) / 2


def account(values: Settlement) -> list[tuple[str, int]]:
    """Return the lines that add up to what should be in the drawer, with their signs."""
    amounts = [moved.amount for moved in values.movements]
    later = [(_("Unclaimed money paid"), -values.unclaimed_paid)] if values.unclaimed_paid else []
    taken = sum(amount for amount in amounts if amount < 0) + values.unclaimed_paid
    return [
        (_("Float"), values.opening_float),
        (_("Sales"), sum(game.sales for game in values.games)),
        (_("Prizes paid"), -sum(game.prizes for game in values.games)),
        (_("Refunds"), -sum(game.refunds for game in values.games)),
        (_("Cash brought"), sum(amount for amount in amounts if amount > 0)),
        (_("Cash taken"), taken),
        *later,
    ]


def drawer(values: Settlement, writing: Writing) -> TaggedTable:
    """Add the shift up, and compare its count with what the journal expects."""
    lines = account(values)
    due = sum(amount for _name, amount in lines)
    added = [(name, _written(amount, writing)) for name, amount in lines]
    counted = [
        (_("Expected by the journal"), _written(values.expected, writing)),
        (_("Counted"), _written(values.counted, writing)),
        (_("Difference"), writing.signed(values.difference)),
    ]
    left = _column(_("Cash account"), [*added, (_("Sum"), _written(due, writing))])
    return TaggedTable(
        [[left, "", _column(_("Cash count"), counted)]],
        colWidths=[HALF, GAP, HALF],
        style=TableStyle([*kit.BARE, ("RIGHTPADDING", (0, 0), (-1, -1), 0)]),
    )


def _column(title: str, lines: list[tuple[str, str]]) -> TaggedTable:
    rows: list[list[object]] = [
        [kit.labelled(title), kit.labelled(_("Amount"), style=kit.LABEL_RIGHT)]
    ]
    rows += [[name, amount] for name, amount in lines]
    return kit.ledger(rows, [HALF * 0.6, HALF * 0.4], right=(1,), total=True, size=9)


def _written(amount: int, writing: Writing) -> str:
    return writing.signed(amount) if amount < 0 else writing.amount(amount)


def games_table(values: Settlement, writing: Writing) -> Flowable:
    """One row a game and the sums last: what each left in the drawer stands at the right."""
    figures = [_figures(game) for game in values.games]
    totals = [sum(column) for column in zip(*figures, strict=True)]
    return _table(
        (
            _("Game"), _("Cards"), _("Sales"), _("Prizes paid"), _("Refunds"), _("Into the drawer"),
        ),
        [
            [str(game.game), *_money_row(line, writing)]
            for game, line in zip(values.games, figures, strict=True)
        ],
        (0.14, 0.12, 0.185, 0.185, 0.185, 0.185),
        figures=5,
        total=[_("Total"), *_money_row(totals, writing)] if totals else [],
        none=_("No game moved any cash."),
    )  # fmt: skip


def movements(values: Settlement, writing: Writing) -> Flowable:
    """One row a movement and the sums last."""
    amounts = [moved.amount for moved in values.movements]
    at = max(0.1, kit.hour_width(writing) / kit.WIDTH)
    brought, taken = (sum(max(0, sign * amount) for amount in amounts) for sign in (1, -1))
    heads = (_("At"), _("Reason"), _("By"), _("Second person"), _("Cash brought"), _("Cash taken"))
    return _table(
        heads,
        [_movement(moved, writing) for moved in values.movements],
        (at, 0.37 - at, 0.18, 0.18, 0.135, 0.135),
        figures=2,
        total=[_("Total"), "", "", "", writing.amount(brought), writing.amount(taken)],
        none=_("No cash was brought or taken."),
    )


def unpaid(values: Settlement, writing: Writing) -> Flowable:
    """One row a winning card and the sum last (R44)."""
    return _table(
        (_("Game"), _("Issue"), _("Card"), _("Amount")),
        [[*_card(prize), writing.amount(prize.amount)] for prize in values.unpaid],
        (0.14, 0.4, 0.2, 0.26),
        figures=1,
        total=[_("Total"), "", "", writing.amount(sum(prize.amount for prize in values.unpaid))],
        none=_("No prize was left unpaid."),
    )


def taken_prizes_table(values: Settlement, writing: Writing) -> Flowable:
    """One row a winning card that an earlier shift left, and whether this one has paid it (R44)."""
    return _table(
        (_("Game"), _("Issue"), _("Card"), _("Handed on by"), _("Paid here"), _("Amount")),
        [_taken_prize(prize, writing) for prize in values.taken],
        (0.1, 0.17, 0.1, 0.3, 0.13, 0.2),
        figures=1,
    )


def _table(
    heads: Sequence[str],
    rows: list[list[object]],
    shares: Sequence[float],
    *,
    figures: int,
    total: list[object] | None = None,
    none: str = "",
) -> Flowable:
    """Return a table whose last columns are `figures`, and whose last row is the total if any.

    `shares` are the columns' parts of the width; `none` says that there is no row.
    """
    if not rows:
        return kit.paragraph(none)
    right = range(len(heads) - figures, len(heads))
    head: list[object] = [
        kit.labelled(name, style=kit.LABEL_RIGHT if place in right else kit.LABEL)
        for place, name in enumerate(heads)
    ]
    return kit.ledger(
        [head, *rows, *([total] if total else [])],
        [kit.WIDTH * share for share in shares],
        right=tuple(right),
        total=total is not None,
    )


def _figures(game: SettledGame) -> list[int]:
    left = game.sales - game.prizes - game.refunds
    return [game.cards, game.sales, game.prizes, game.refunds, left]


def _money_row(figures: list[int], writing: Writing) -> list[object]:
    cards, *amounts = figures
    return [writing.whole(cards), *(_written(amount, writing) for amount in amounts)]


def _movement(moved: SettledMovement, writing: Writing) -> list[object]:
    return [
        writing.hour(moved.at),
        *(kit.paragraph(text, kit.CELL) for text in (moved.reason, moved.by, moved.witness)),
        writing.amount(moved.amount) if moved.amount > 0 else "",
        writing.amount(-moved.amount) if moved.amount < 0 else "",
    ]


def _card(prize: UnpaidPrize) -> list[object]:
    return [str(prize.game), kit.paragraph(prize.issue, kit.CELL), str(prize.card)]


def _taken_prize(prize: TakenPrize, writing: Writing) -> list[object]:
    handing = _("%(by)s, shift %(shift)s") % {"by": prize.by, "shift": prize.shift}
    return [
        *_card(prize),
        kit.paragraph(handing, kit.CELL),
        _("yes") if prize.paid else _("no"),
        writing.amount(prize.amount),
    ]


def settlement(values: Settlement) -> bytes:
    """Return a PDF on A4 in the hall's language; the same values give the same bytes."""
    evening = values.opened_at.date()
    at = money_and_dates.instants_of(values)
    writing = money_and_dates.writing_of(values.language, values.currency, at, evening=evening)
    with translation.override(values.language):
        marks = training.marks([values.language], training=values.training)
        sheet = pdf_pages.sheet_of(
            values, _title(values), day=values.opened_at, at=values.closed_at, marks=marks
        )
        # Unlike an acta, a settlement carries no data: its shift is in the acta's.
        return pdf_pages.compose(_story(values, writing), sheet, start=pdf_pages.no_data)


def _story(values: Settlement, writing: Writing) -> list[Flowable]:
    return [
        *_opening(values, writing),
        *_section(1, _("Games"), games_table(values, writing)),
        *_carried(values, writing),
        *_section(2, _("Cash brought and taken"), movements(values, writing)),
        *_section(3, _("Drawer"), drawer(values, writing), room=190),
        *_remarks(values),
        *_section(4, _("Prizes left to pay"), unpaid(values, writing)),
        *_taken(values, writing),
        *_aside(values, writing),
        # A sheet that holds nothing but signatures could be put under any other settlement.
        # The spacer makes ReportLab count the space above the heading too.
        KeepTogether([Spacer(0, 1), *_journal(values), *_signatures(values)]),
    ]


def _title(values: Settlement) -> str:
    return _("Settlement of till %(till)s") % {"till": values.till}


def _opening(values: Settlement, writing: Writing) -> list[Flowable]:
    names = {"session": values.session, "shift": values.shift}
    facts = (
        (_("Cashier"), values.cashier),
        (_("Shift opened"), writing.instant(values.opened_at)),
        (_("Time zone"), money_and_dates.offsets_of(money_and_dates.instants_of(values), writing)),
        (_("Closed by"), values.closed_by),
        (_("Shift closed"), writing.instant(values.closed_at)),
        (_("Second person at the count"), values.witness or "\N{EN DASH}"),
    )
    told = _("Shift %(shift)s of session %(session)s") % names
    return [
        *pdf_pages.opening(values, _title(values), told, facts, (0.3, 0.4, 0.3)),
        *pdf_pages.amounts_note(values),
    ]


def _taken(values: Settlement, writing: Writing) -> list[Flowable]:
    """Return what earlier shifts handed on, where they did."""
    if not values.taken:
        return []
    return _below(_("Taken over unpaid from earlier shifts"), taken_prizes_table(values, writing))


def _aside(values: Settlement, writing: Writing) -> list[Flowable]:
    """Name what of the hall's cash is owed to players: it is no surplus (R44, R60)."""
    if not values.aside:
        return []
    told = [_aside_line(one, writing) for one in values.aside]
    if owed := sum(one.owed for one in values.aside):
        whole = _("Together %(amount)s stay with the cash of the hall and are owed to the players.")
        told.append(whole % {"amount": writing.amount(owed)})
    lines = [kit.paragraph(line, kit.SMALL) for line in told]
    return _below(_("Set aside while this shift was open"), *lines)


def _aside_line(one: AsidePart, writing: Writing) -> str:
    gone = ((_("Paid"), one.paid), (_("Period over"), one.expired))
    return " · ".join(
        [
            _("Game %(number)s") % {"number": one.game}, one.what, one.issue, one.cards,
            writing.amount(one.amount), one.reason,
            *(f"{name}: {writing.amount(amount)}" for name, amount in gone if amount),
        ]
    )  # fmt: skip


def _carried(values: Settlement, writing: Writing) -> list[Flowable]:
    """Say of each game what the smallest coin left over of its prizes, where it did (R6)."""
    told = [
        f"{_('Game %(number)s') % {'number': game.game}}: {sentence}"
        for game in values.games
        if game.carried
        for sentence in prizes_labels.describe_carry(game.carried, writing.amount)
    ]
    return [Spacer(0, 4), *(kit.paragraph(line, kit.SMALL) for line in told)] if told else []


def _remarks(values: Settlement) -> list[Flowable]:
    if not values.comment:
        return []
    return _below(_("Comment on the count"), kit.paragraph(values.comment))


def _below(label: str, *body: Flowable) -> list[Flowable]:
    return [Spacer(0, 8), kit.labelled(label), Spacer(0, 2), *body]


def _journal(values: Settlement) -> list[Flowable]:
    told = _(
        "The count of this shift is entry %(number)s of the hall's journal. Its digest covers all "
        "entries before it, so that none can change without changing this one."
    ) % {"number": values.entry}
    entry = pdf_pages.journal_entry(values.entry, values.digest, told)
    return [*_numbered(5, _("Journal")), *entry]


def _signatures(values: Settlement) -> list[Flowable]:
    lines = kit.signatures(f"{_('Cashier')} · {values.cashier}", _("Hall manager"))
    return [*_numbered(6, _("Signatures"), room=0), lines]


def _section(number: int, title: str, body: Flowable, *, room: float = 100) -> list[Flowable]:
    return [*_numbered(number, title, room=room), body]


def _numbered(number: int, title: str, *, room: float = 100) -> list[Flowable]:
    return kit.heading(f"{number}\N{EN SPACE}{title}", room=room)
