"""The acta of a rectification as a PDF: what was wrong, why, who says so, which acta it corrects."""

from __future__ import annotations

from django.utils.translation import gettext as _
from reportlab.pdfgen.canvas import Canvas
from reportlab.platypus import Flowable, KeepTogether, Spacer, TableStyle

from bingo.pdf import attachment, kit, pages
from bingo.pdf.digest import Digest
from bingo.pdf.tagging import Table
from bingo.writing import Writing
from draws.documents import training_words
from draws.documents.rectification_values import RectificationValues, data

BARE = (kit.BASE, ("LEFTPADDING", (0, 0), (-1, -1), 0), ("VALIGN", (0, 0), (-1, -1), "TOP"))


def draw(values: RectificationValues) -> bytes:
    """Give the PDF in the language that is active, carrying its values as acta.json; not yet sealed.

    The same values in the same language give the same bytes.
    """
    writing = Writing(values.language, values.currency)
    named = title(values)
    sheet = pages.Sheet(
        title=f"{named} · {values.hall}",
        author=values.hall,
        subject=values.rulebook,
        language=values.language,
        head=f"{values.hall} · {named} · {writing.day(values.at)}",
        foot=f"{values.licence} · {values.rulebook}",
        at=values.at,
        marks=training_words.marks([values.language], training=values.training),
    )
    content = attachment.canonical(data(values))
    described = _("The data of this acta")

    def start(canvas: Canvas) -> None:
        attachment.embed(canvas, content, description=described, at=values.at)

    return pages.compose(_story(values, writing), sheet, start=start)


def title(values: RectificationValues) -> str:
    """Give its name: which rectification, of which session's acta."""
    return _("Rectification %(number)s of the acta of session %(session)s") % {
        "number": values.number,
        "session": values.session,
    }


def name(session: int, number: int) -> str:
    """Name an acta by its session, and its number where it rectifies another."""
    return f"{session}/{number}" if number else str(session)


def _story(values: RectificationValues, writing: Writing) -> list[Flowable]:
    return [
        *_opening(values),
        *_facts(values, writing),
        *kit.heading(_("The acta that is rectified")),
        *_rectified(values, writing),
        *kit.heading(_("Reason")),
        *_text(values.reason),
        *kit.heading(_("What is rectified")),
        *_text(values.what),
        # Signatures on a sheet of their own could be put under any other acta.
        KeepTogether([Spacer(0, 1), *_journal(values), *_signatures(values, writing)]),
    ]


def _opening(values: RectificationValues) -> list[Flowable]:
    right = [kit.paragraph(line, kit.SMALL_RIGHT) for line in (values.licence, values.rulebook)]
    masthead = Table(
        [[kit.paragraph(values.hall, kit.VALUE), right]],
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
    told = _("The acta named here stays as it was sealed. It is to be read together with this one.")
    return [
        masthead,
        Spacer(0, 14),
        kit.paragraph(title(values), kit.TITLE),
        Spacer(0, 4),
        kit.paragraph(told),
        Spacer(0, 10),
    ]


def _facts(values: RectificationValues, writing: Writing) -> list[Flowable]:
    facts = (
        (_("Session opened"), writing.instant(values.opened_at)),
        (_("Rectified"), writing.instant(values.at)),
        (_("Time zone"), writing.offset(values.at)),
        (_("Hall manager"), values.by),
        (_("Second person"), values.witness),
        ("", ""),
    )
    cells = [[kit.labelled(label), kit.paragraph(text, kit.VALUE)] for label, text in facts]
    return [
        Table(
            [cells[:3], cells[3:]],
            colWidths=[kit.WIDTH * share for share in (0.4, 0.35, 0.25)],
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
    ]


def _rectified(values: RectificationValues, writing: Writing) -> list[Flowable]:
    told = _("Acta %(number)s, sealed on %(instant)s.") % {
        "number": name(values.session, values.rectifies),
        "instant": writing.instant(values.rectifies_sealed_at),
    }
    return [
        kit.paragraph(told),
        Spacer(0, 5),
        kit.labelled(_("SHA-256 of its file")),
        Spacer(0, 2),
        Digest(values.rectifies_digest),
    ]


def _text(text: str) -> list[Flowable]:
    """Set each line of a text as a paragraph, so that a long one goes on over the page."""
    return [kit.paragraph(line) for line in text.splitlines() if line.strip()]


def _journal(values: RectificationValues) -> list[Flowable]:
    told = _(
        "This is entry %(number)s of the hall's journal. Its digest covers all entries before it, "
        "so that none can change without changing this one."
    ) % {"number": values.journal_last}
    return [
        *kit.heading(_("Journal")),
        kit.paragraph(told, kit.SMALL),
        Spacer(0, 5),
        kit.labelled(_("Digest (SHA-256) of entry %(number)s") % {"number": values.journal_last}),
        Spacer(0, 2),
        Digest(values.journal_head),
    ]


def _signatures(values: RectificationValues, writing: Writing) -> list[Flowable]:
    width = (kit.WIDTH - 40) / 3
    signers = (
        f"{_('Hall manager')} · {values.by}",
        f"{_('Second person')} · {values.witness}",
        _("Inspection"),
    )
    first, second, third = (kit.paragraph(text, kit.SMALL) for text in signers)
    lines = Table(
        [["", "", "", "", ""], [first, "", second, "", third]],
        colWidths=[width, 20, width, 20, width],
        rowHeights=[46, None],
        style=TableStyle(
            [*BARE, *(("LINEABOVE", (n, 1), (n, 1), 0.7, kit.INK) for n in (0, 2, 4))]
        ),
    )
    made = _("Made on %(instant)s.") % {"instant": writing.instant(values.made_at)}
    return [*kit.heading(_("Signatures"), room=0), kit.paragraph(made, kit.SMALL), lines]
