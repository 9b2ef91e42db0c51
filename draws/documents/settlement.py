"""The settlement of a shift as a PDF: what a cashier hands over, with lines to sign (R39, R44)."""

from __future__ import annotations

from django.utils import translation
from django.utils.translation import gettext as _
from reportlab.pdfgen.canvas import Canvas
from reportlab.platypus import Flowable, KeepTogether, Spacer, TableStyle

from bingo.pdf import kit, pages
from bingo.pdf.digest import Digest
from bingo.pdf.tagging import Table
from bingo.writing import Writing
from draws.documents import carried_words, settlement_drawer, settlement_tables, training_words
from draws.documents.settlement_values import Settlement


def settlement(values: Settlement) -> bytes:
    """Give a PDF on A4 in the hall's language; the same values give the same bytes."""
    writing = Writing(values.language, values.currency)
    with translation.override(values.language):
        title = _title(values)
        sheet = pages.Sheet(
            title=f"{title} · {values.hall}",
            author=values.hall,
            subject=values.rulebook,
            language=values.language,
            head=f"{values.hall} · {title} · {writing.day(values.opened_at)}",
            foot=f"{values.licence} · {values.rulebook}",
            at=values.closed_at,
            marks=training_words.marks([values.language], training=values.training),
        )
        return pages.compose(_story(values, writing), sheet, start=_nothing)


def _nothing(_canvas: Canvas) -> None:
    """Unlike an acta, a settlement carries no data: its shift is in the acta's."""


def _story(values: Settlement, writing: Writing) -> list[Flowable]:
    return [
        *_opening(values, writing),
        *_section(1, _("Games"), settlement_tables.games(values, writing)),
        *_carried(values, writing),
        *_section(2, _("Cash brought and taken"), settlement_tables.movements(values, writing)),
        *_section(3, _("Drawer"), settlement_drawer.drawer(values, writing), room=190),
        *_remarks(values),
        *_section(4, _("Prizes left to pay"), settlement_tables.unpaid(values, writing)),
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
        (_("Time zone"), writing.offset(values.opened_at)),
        (_("Closed by"), values.closed_by),
        (_("Shift closed"), writing.instant(values.closed_at)),
        (_("Second person at the count"), values.witness or "\N{EN DASH}"),
    )
    cells = [[kit.labelled(name), kit.paragraph(text, kit.VALUE)] for name, text in facts]
    return [
        _masthead(values),
        Spacer(0, 14),
        kit.paragraph(_title(values), kit.TITLE),
        Spacer(0, 3),
        kit.paragraph(_("Shift %(shift)s of session %(session)s") % names),
        Spacer(0, 10),
        Table(
            [cells[:3], cells[3:]],
            colWidths=[kit.WIDTH * share for share in (0.3, 0.4, 0.3)],
            style=TableStyle(
                [
                    kit.BASE,
                    ("LEFTPADDING", (0, 0), (-1, -1), 0),
                    ("TOPPADDING", (0, 0), (-1, -1), 2.5),
                    ("BOTTOMPADDING", (0, 0), (-1, -1), 3.5),
                    ("LINEBELOW", (0, 0), (-1, -1), 0.3, kit.RULE),
                    ("LINEABOVE", (0, 0), (-1, 0), 0.3, kit.RULE),
                    ("VALIGN", (0, 0), (-1, -1), "TOP"),
                ]
            ),
        ),
        Spacer(0, 6),
        kit.paragraph(_("Amounts in %(currency)s.") % {"currency": values.currency}, kit.LABEL),
    ]


def _masthead(values: Settlement) -> Table:
    return Table(
        [
            [kit.paragraph(values.hall, kit.VALUE), _right(values.licence)],
            ["", _right(values.rulebook)],
        ],
        colWidths=[kit.WIDTH * 0.5, kit.WIDTH * 0.5],
        style=TableStyle(
            [
                kit.BASE,
                ("LEFTPADDING", (0, 0), (-1, -1), 0),
                ("RIGHTPADDING", (0, 0), (-1, -1), 0),
                ("TOPPADDING", (0, 0), (-1, -1), 0),
                ("BOTTOMPADDING", (0, 0), (-1, -1), 1),
                ("VALIGN", (0, 0), (-1, -1), "TOP"),
                ("SPAN", (0, 0), (0, 1)),
                ("LINEBELOW", (0, -1), (-1, -1), 1.1, kit.INK),
                ("BOTTOMPADDING", (0, -1), (-1, -1), 6),
            ]
        ),
    )


def _taken(values: Settlement, writing: Writing) -> list[Flowable]:
    """Give what earlier shifts handed on, where they did."""
    if not values.taken:
        return []
    return [
        Spacer(0, 8),
        kit.labelled(_("Taken over unpaid from earlier shifts")),
        Spacer(0, 2),
        settlement_tables.taken(values, writing),
    ]


def _aside(values: Settlement, writing: Writing) -> list[Flowable]:
    """Name what of the hall's cash is owed to players: it is no surplus (R44, R60)."""
    if not values.aside:
        return []
    told = [
        f"{_('Game %(number)s') % {'number': one.game}} · {one.what} · {one.issue} · {one.cards} · "
        f"{writing.amount(one.amount)} · {one.reason}"
        for one in values.aside
    ]
    amount = writing.amount(sum(one.amount for one in values.aside))
    whole = _("Together %(amount)s stay with the cash of the hall and are owed to the players.")
    return [
        Spacer(0, 8),
        kit.labelled(_("Set aside while this shift was open")),
        Spacer(0, 2),
        *(kit.paragraph(line, kit.SMALL) for line in [*told, whole % {"amount": amount}]),
    ]


def _carried(values: Settlement, writing: Writing) -> list[Flowable]:
    """Say of each game what the smallest coin left over of its prizes, where it did (R6)."""
    told = [
        f"{_('Game %(number)s') % {'number': game.game}}: {sentence}"
        for game in values.games
        if game.carried
        for sentence in carried_words.told(game.carried, writing.amount)
    ]
    return [Spacer(0, 4), *(kit.paragraph(line, kit.SMALL) for line in told)] if told else []


def _remarks(values: Settlement) -> list[Flowable]:
    if not values.comment:
        return []
    return [
        Spacer(0, 8),
        kit.labelled(_("Comment on the count")),
        Spacer(0, 2),
        kit.paragraph(values.comment),
    ]


def _journal(values: Settlement) -> list[Flowable]:
    told = _(
        "The count of this shift is entry %(number)s of the hall's journal. Its digest covers all "
        "entries before it, so that none can change without changing this one."
    ) % {"number": values.entry}
    return [
        *_numbered(5, _("Journal")),
        kit.paragraph(told, kit.SMALL),
        Spacer(0, 5),
        kit.labelled(_("Digest (SHA-256) of entry %(number)s") % {"number": values.entry}),
        Spacer(0, 2),
        Digest(values.digest),
    ]


def _signatures(values: Settlement) -> list[Flowable]:
    width = (kit.WIDTH - 30) / 2
    cashier = f"{_('Cashier')} · {values.cashier}"
    lines = Table(
        [["", "", ""], [_cut(cashier), "", _cut(_("Hall manager"))]],
        colWidths=[width, 30, width],
        rowHeights=[46, None],
        style=TableStyle(
            [
                kit.BASE,
                ("LEFTPADDING", (0, 0), (-1, -1), 0),
                *(("LINEABOVE", (n, 1), (n, 1), 0.7, kit.INK) for n in (0, 2)),
            ]
        ),
    )
    return [*_numbered(6, _("Signatures"), room=0), lines]


def _section(number: int, title: str, body: Flowable, *, room: float = 100) -> list[Flowable]:
    return [*_numbered(number, title, room=room), body]


def _numbered(number: int, title: str, *, room: float = 100) -> list[Flowable]:
    return kit.heading(f"{number}\N{EN SPACE}{title}", room=room)


def _cut(text: str) -> Flowable:
    return kit.paragraph(text, kit.SMALL)


def _right(text: str) -> Flowable:
    return kit.paragraph(text, kit.SMALL_RIGHT)
