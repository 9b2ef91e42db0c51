"""Lay out pages: running head and foot, page n of m, and what goes on from the page before.

Also what all A4 records of a hall share: letterhead, opening, digests, and their journal entry.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from io import BytesIO
from typing import Any

from django.utils.translation import gettext as _
from reportlab.lib.units import mm
from reportlab.pdfgen.canvas import Canvas
from reportlab.platypus import BaseDocTemplate, Flowable, Frame, PageTemplate, Spacer, TableStyle

from bingo.money_and_dates import Writing
from bingo.pdf import kit, pdfa, tagging
from bingo.pdf.tagging import TaggedTable

SMALL = 7.2  # points of the running lines
GAP = 12  # between what stands at their left and at their right
# Marks across a sheet: points at the most, share of its width, degrees; what is under them is read.
MARK, MARK_WIDTH, MARK_ANGLE, MARK_INK = 46, 0.86, 20, 0.16


@dataclass(frozen=True, slots=True)
class Sheet(pdfa.Metadata):
    """What every sheet says of the document, and what programs read of it.

    `marks` are set large across each, one below the other, over all that stands on it. `at` is in
    the hall's zone.
    """

    head: str
    foot: str
    marks: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class OfHall:
    """What every document of a hall says: whose it is, by which law, in which language and money.

    `rulebook` is the title of its rule book; a document of `training` is worth nothing.
    """

    hall: str
    licence: str
    rulebook: str
    language: str
    currency: str
    training: bool = field(default=False, kw_only=True)


def sheet_of(
    values: OfHall, title: str, *, day: datetime, at: datetime, marks: tuple[str, ...]
) -> Sheet:
    """Return the sheet of a document of a hall; `day` is what it is about, `at` as in a sheet."""
    day_written = Writing(values.language, values.currency).day(day)
    return Sheet(
        title=f"{title} · {values.hall}",
        author=values.hall,
        subject=values.rulebook,
        language=values.language,
        head=f"{values.hall} · {title} · {day_written}",
        foot=f"{values.licence} · {values.rulebook}",
        at=at,
        marks=marks,
    )


def no_data(_canvas: Canvas) -> None:
    """Begin a document that carries no data: what it says is in the journal, with its digest."""


def compose(story: list[Flowable], sheet: Sheet, *, start: Callable[[Canvas], None]) -> bytes:
    """Set `story` on A4 sheets as a tagged PDF/A-3u; the same story gives the same bytes.

    `start` is called once with the canvas before anything is drawn.
    """

    class Numbered(_Numbered):
        shown = sheet

    out = BytesIO()
    document = BaseDocTemplate(
        out,
        pagesize=kit.PAGE,
        leftMargin=kit.MARGIN,
        rightMargin=kit.MARGIN,
        initialFontName=kit.REGULAR,
        invariant=1,
        pageCompression=1,
    )
    frame = Frame(
        kit.MARGIN,
        19 * mm,
        kit.WIDTH,
        kit.PAGE[1] - 19 * mm - 19 * mm,
        leftPadding=0,
        rightPadding=0,
        topPadding=0,
        bottomPadding=0,
    )
    template = PageTemplate("sheet", [frame])
    document.addPageTemplates([template])
    document.beforeDocument = lambda: start(document.canv)
    document.build(story, canvasmaker=Numbered)
    return pdfa.finish(document.canv._doc, out.getvalue())


class Running(Flowable):  # type: ignore[misc]  # ReportLab carries no types
    """From here on `matter` goes on; a sheet on which it still does names it at its head."""

    def __init__(self, matter: str) -> None:
        super().__init__()
        self.matter = matter
        self.width = self.height = 0

    def draw(self) -> None:
        """Tell the canvas."""
        self.canv.running = self.matter


class _Numbered(Canvas):  # type: ignore[misc]  # ReportLab carries no types
    """A canvas that holds its sheets back until their number is known."""

    shown: Sheet

    def __init__(self, *arguments: Any, **options: Any) -> None:
        super().__init__(*arguments, **options)
        self.running = ""
        self.structure = tagging.Structure()
        self._held: list[dict[str, Any]] = []

    def showPage(self) -> None:  # noqa: N802  # ReportLab's name
        self._held.append(dict(self.__dict__))
        self._startPage()

    def save(self) -> None:
        goes_on = ""
        for number, state in enumerate(self._held, start=1):
            self.__dict__.update(state)
            with tagging.artifact(self, tagging.PAGINATION):
                self._furnish(number, len(self._held), goes_on)
            if self.shown.marks:
                with tagging.artifact(self, tagging.WATERMARK):
                    self._mark(self.shown.marks)
            goes_on = str(state["running"])
            super().showPage()
        self.structure.write(self._doc)
        pdfa.describe(self, self.shown)
        super().save()

    def _furnish(self, number: int, count: int, goes_on: str) -> None:
        left, right = kit.MARGIN, kit.PAGE[0] - kit.MARGIN
        top, foot = kit.PAGE[1] - 12.5 * mm, 11 * mm
        self.setFillColor(kit.QUIET)
        self.setStrokeColor(kit.RULE)
        self.setLineWidth(0.4)
        self.setFont(kit.REGULAR, SMALL)
        if number > 1:
            goes_on = _("%(matter)s, continued") % {"matter": goes_on} if goes_on else ""
            self._beside(left, right, top, self.shown.head, goes_on)
            self.line(left, top - 5, right, top - 5)
        self.line(left, foot + 10, right, foot + 10)
        page = _("Page %(number)s of %(count)s") % {"number": number, "count": count}
        room = self.stringWidth(page, kit.SEMIBOLD, 7.6)
        self._beside(left, right - room - GAP, foot, self.shown.foot, "")
        self.setFillColor(kit.INK)
        self.setFont(kit.SEMIBOLD, 7.6)
        self.drawRightString(right, foot, page)

    def _mark(self, marks: tuple[str, ...]) -> None:
        """Set the marks across the sheet, three times over, so that none of its parts is without."""
        width, height = kit.PAGE
        for place in range(3):
            self.saveState()
            self.setFillColor(kit.INK, alpha=MARK_INK)
            self.translate(width / 2, height * (2 * place + 1) / 6)
            self.rotate(MARK_ANGLE)
            for line, text in enumerate(marks):
                wide = self.stringWidth(text, kit.BOLD, 1)
                size = min(MARK, MARK_WIDTH * width / wide)
                self.setFont(kit.BOLD, size)
                self.drawCentredString(0, ((len(marks) - 1) / 2 - line) * MARK, text)
            self.restoreState()

    def _beside(self, left: float, right: float, y: float, text: str, other: str) -> None:
        """Set a text at the left, cut short where the other one at the right begins."""
        taken = self.stringWidth(other, kit.REGULAR, SMALL)
        room = right - left - (taken + GAP if other else 0)
        shown = text
        while self.stringWidth(shown, kit.REGULAR, SMALL) > room:
            text = text[:-1]
            shown = text.rstrip() + "\N{HORIZONTAL ELLIPSIS}"
        self.drawString(left, y, shown)
        self.drawRightString(right, y, other)


LETTERHEAD = (
    *kit.BARE,
    ("RIGHTPADDING", (0, 0), (-1, -1), 0),
    ("LINEBELOW", (0, -1), (-1, -1), 1.1, kit.INK),
    ("BOTTOMPADDING", (0, -1), (-1, -1), 6),
)


def letterhead(values: OfHall) -> TaggedTable:
    """Return the hall at the left, its licence and law at the right."""
    right = f"{values.licence}\n{values.rulebook}".split("\n")
    cells = [
        kit.paragraph(values.hall, kit.VALUE),
        [kit.paragraph(line, kit.SMALL_RIGHT) for line in right],
    ]
    widths = [kit.WIDTH * 0.5, kit.WIDTH * 0.5]
    return TaggedTable([cells], colWidths=widths, style=TableStyle(list(LETTERHEAD)))


def opening(
    values: OfHall,
    title: str,
    told: str,
    facts: Sequence[tuple[str, str]],
    shares: Sequence[float],
) -> list[Flowable]:
    """Return letterhead, title, a sentence, and the facts in columns of these shares of the width."""
    return [
        letterhead(values),
        Spacer(0, 14),
        kit.paragraph(title, kit.TITLE),
        Spacer(0, 4),
        kit.paragraph(told),
        Spacer(0, 10),
        kit.facts(facts, shares),
    ]


def amounts_note(values: OfHall) -> list[Flowable]:
    """Say what the amounts are of."""
    told = _("Amounts in %(currency)s.") % {"currency": values.currency}
    return [Spacer(0, 6), kit.paragraph(told, kit.LABEL)]


def digest(name: str, of: str) -> list[Flowable]:
    """Return a digest below its name."""
    return [Spacer(0, 5), kit.labelled(name), Spacer(0, 2), kit.Digest(of)]


def journal_entry(number: int, of: str, told: str = "") -> list[Flowable]:
    """Name the journal's entry that a record is of, with its digest; `told` says so otherwise."""
    usual = _(
        "This is entry %(number)s of the hall's journal. Its digest covers all entries before it, "
        "so that none can change without changing this one."
    ) % {"number": number}
    named = _("Digest (SHA-256) of entry %(number)s") % {"number": number}
    return [kit.paragraph(told or usual, kit.SMALL), *digest(named, of)]
