"""The record of cards destroyed or handed over as a PDF: every card, with lines to sign (R51, R52)."""

from __future__ import annotations

from django.utils import translation
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from reportlab.pdfgen.canvas import Canvas
from reportlab.platypus import Flowable, KeepTogether, Spacer, TableStyle

from bingo.pdf import kit, pages
from bingo.pdf.digest import Digest
from bingo.pdf.tagging import Table
from bingo.writing import Writing
from draws.documents import training_words
from draws.documents.custody_record_values import CustodyRecord, RecordedCard

NONE = "\N{EN DASH}"
BARE = (kit.BASE, ("LEFTPADDING", (0, 0), (-1, -1), 0), ("VALIGN", (0, 0), (-1, -1), "TOP"))


def custody_record(values: CustodyRecord) -> bytes:
    """Give a PDF on A4 in the hall's language; the same values give the same bytes."""
    writing = Writing(values.language, values.currency)
    with translation.override(values.language):
        title = _title(values)
        sheet = pages.Sheet(
            title=f"{title} · {values.hall}",
            author=values.hall,
            subject=values.rulebook,
            language=values.language,
            head=f"{values.hall} · {title} · {writing.day(values.at)}",
            foot=f"{values.licence} · {values.rulebook}",
            at=values.at,
            marks=training_words.marks([values.language], training=values.training),
        )
        return pages.compose(_story(values, writing), sheet, start=_nothing)


def _nothing(_canvas: Canvas) -> None:
    """Unlike an acta, a record carries no data: its entry is in the journal."""


def _title(values: CustodyRecord) -> str:
    return _("Record of evidence handed over") if values.to else _("Record of cards destroyed")


def _story(values: CustodyRecord, writing: Writing) -> list[Flowable]:
    return [
        *_opening(values, writing),
        *kit.heading(_("Cards")),
        _cards(values, writing),
        # Signatures on a sheet of their own could be put under any other record.
        KeepTogether([Spacer(0, 1), *_journal(values), *_signatures(values)]),
    ]


def _opening(values: CustodyRecord, writing: Writing) -> list[Flowable]:
    return [
        _masthead(values),
        Spacer(0, 14),
        kit.paragraph(_title(values), kit.TITLE),
        Spacer(0, 4),
        kit.paragraph(_declared(values)),
        Spacer(0, 10),
        _facts(values, writing),
        Spacer(0, 6),
        kit.paragraph(_("Amounts in %(currency)s.") % {"currency": values.currency}, kit.LABEL),
    ]


def _masthead(values: CustodyRecord) -> Table:
    right = f"{values.licence}\n{values.rulebook}".split("\n")
    return Table(
        [
            [
                kit.paragraph(values.hall, kit.VALUE),
                [kit.paragraph(line, kit.SMALL_RIGHT) for line in right],
            ]
        ],
        colWidths=[kit.WIDTH * 0.5, kit.WIDTH * 0.5],
        style=TableStyle(
            [
                *BARE,
                ("RIGHTPADDING", (0, 0), (-1, -1), 0),
                ("LINEBELOW", (0, -1), (-1, -1), 1.1, kit.INK),
                ("BOTTOMPADDING", (0, -1), (-1, -1), 6),
            ]
        ),
    )


def _declared(values: CustodyRecord) -> str:
    if values.to:
        return _(
            "The cards listed here may prove an offence: they are handed over with the acta of "
            "session %(session)s (R51)."
        ) % {"session": values.acta_session}
    if values.days is None:
        return _("The cards listed here were destroyed before the two persons who sign.")
    return ngettext(
        "Winning cards are kept for %(days)s day after the day they were paid (R52). The cards "
        "listed here, which no case holds, were destroyed before the two persons who sign.",
        "Winning cards are kept for %(days)s days after the day they were paid (R52). The cards "
        "listed here, which no case holds, were destroyed before the two persons who sign.",
        values.days,
    ) % {"days": values.days}


def _facts(values: CustodyRecord, writing: Writing) -> Table:
    n = len(values.cards)
    facts = [
        (_("Handed over") if values.to else _("Destroyed"), writing.instant(values.at)),
        (_("Time zone"), writing.offset(values.at)),
        (_("How many"), ngettext("%(n)s card", "%(n)s cards", n) % {"n": n}),
        (_("By"), values.by),
    ]
    if values.to:
        facts += [
            (_("To"), values.to),
            (_("Case"), f"{values.case} · {values.reference}"),
        ]
    else:
        facts += [(_("Second person"), values.witness), ("", "")]
    cells = [[kit.labelled(name), kit.paragraph(text, kit.VALUE)] for name, text in facts]
    return Table(
        [cells[:3], cells[3:]],
        colWidths=[kit.WIDTH * share for share in (0.4, 0.3, 0.3)],
        style=TableStyle(
            [
                *BARE,
                ("TOPPADDING", (0, 0), (-1, -1), 2.5),
                ("BOTTOMPADDING", (0, 0), (-1, -1), 3.5),
                ("LINEBELOW", (0, 0), (-1, -1), 0.3, kit.RULE),
                ("LINEABOVE", (0, 0), (-1, 0), 0.3, kit.RULE),
            ]
        ),
    )


def _cards(values: CustodyRecord, writing: Writing) -> Table:
    """One row a card, numbered, and the sum of what they won last."""
    texts = (_("Day of the game"), _("Session"), _("Game"), _("Issue"), _("Card"), _("Paid on"))
    rows: list[list[object]] = [
        [
            kit.labelled("#", style=kit.LABEL_RIGHT),
            *map(kit.labelled, texts),
            kit.labelled(_("Amount"), style=kit.LABEL_RIGHT),
        ],
        *(_row(place, one, writing) for place, one in enumerate(values.cards, start=1)),
        [
            "", _("Total"), "", "", "", "", "",
            writing.amount(sum(one.amount or 0 for one in values.cards)),
        ],
    ]  # fmt: skip
    widths = [kit.WIDTH * share for share in (0.06, 0.18, 0.1, 0.08, 0.18, 0.1, 0.17, 0.13)]
    return kit.ledger(rows, widths, right=(0, 7), total=True)


def _row(place: int, one: RecordedCard, writing: Writing) -> list[object]:
    return [
        str(place),
        writing.day(one.day),
        str(one.session),
        str(one.game),
        kit.paragraph(one.issue, kit.CELL),
        str(one.card),
        writing.day(one.paid) if one.paid else kit.paragraph(_("used card"), kit.CELL),
        NONE if one.amount is None else writing.amount(one.amount),
    ]


def _journal(values: CustodyRecord) -> list[Flowable]:
    told = _(
        "This is entry %(number)s of the hall's journal. Its digest covers all entries before it, "
        "so that none can change without changing this one."
    ) % {"number": values.entry}
    digests = [
        (_("Digest (SHA-256) of entry %(number)s") % {"number": values.entry}, values.digest)
    ]
    if values.acta:
        acta = _("Digest (SHA-256) of the acta of session %(session)s")
        digests.append((acta % {"session": values.acta_session}, values.acta))
    shown: list[Flowable] = [*kit.heading(_("Journal")), kit.paragraph(told, kit.SMALL)]
    for name, digest in digests:
        shown += [Spacer(0, 5), kit.labelled(name), Spacer(0, 2), Digest(digest)]
    return shown


def _signatures(values: CustodyRecord) -> list[Flowable]:
    width = (kit.WIDTH - 30) / 2
    other = (_("Received by"), values.to) if values.to else (_("Second person"), values.witness)
    signers = ((_("Hall manager"), values.by), other)
    left, right = (kit.paragraph(f"{role} · {name}", kit.SMALL) for role, name in signers)
    lines = Table(
        [["", "", ""], [left, "", right]],
        colWidths=[width, 30, width],
        rowHeights=[46, None],
        style=TableStyle([*BARE, *(("LINEABOVE", (n, 1), (n, 1), 0.7, kit.INK) for n in (0, 2))]),
    )
    return [*kit.heading(_("Signatures"), room=0), lines]
