"""A canvas for many like pages: drawn once as forms, then filled by raw strings."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import BinaryIO

from reportlab.pdfbase import pdfmetrics
from reportlab.pdfbase.pdfdoc import PDFResourceDictionary
from reportlab.pdfgen.canvas import Canvas

from bingo.pdf import kit
from draws.documents.cards.box import Box
from draws.documents.cards.leaf import Leaf
from draws.documents.cards.values import Printed

CAPITALS = 0.65  # height of Source Sans' capitals and figures, of its size
RESOURCES = "Press.Resources"


class Press(Canvas):  # type: ignore[misc]  # ReportLab carries no types
    """Forms are drawn as on any canvas; `page` then takes operators as text.

    All pages share one dictionary of resources: a page of its own would cost as much as the cards.
    """

    def __init__(self, out: BinaryIO, *, size: tuple[float, float], values: Printed) -> None:
        """`size` of every page is in points."""
        super().__init__(
            out,
            pagesize=size,
            pageCompression=1,
            invariant=1,
            initialFontName=kit.REGULAR,
            lang=values.language,
        )
        self.setTitle(f"{values.letter} {values.identification} · {values.hall}")
        self.setAuthor(values.hall)
        self.setSubject(values.rulebook)
        self.setCreator("")
        self.setViewerPreference("PrintScaling", "None")
        self.size = size
        self._forms: dict[str, str] = {}
        self.pages = 0
        self._shared = PDFResourceDictionary()
        self._shared.basicFonts()
        self._shared.basicProcs()
        self._shared_reference = self._doc.Reference(self._shared, RESOURCES)

    def form(self, name: str, size: tuple[float, float], draw: Callable[["Press"], None]) -> str:
        """Draw a form once, and give the operator that shows it."""
        if name not in self._forms:
            self.beginForm(name, 0, 0, *size)
            draw(self)
            self.endForm()
            self._forms[name] = f"/{self._doc.getXObjectName(name)} Do"
        return self._forms[name]

    def show(self, name: str, x: float = 0, y: float = 0) -> None:
        """Show a form within another, its lower left corner at a point."""
        self.saveState()
        self.translate(x, y)
        self.doForm(name)
        self.restoreState()

    @contextmanager
    def turned(self, box: Box, *, upright: bool) -> Iterator[Box]:
        """Give the box to write in: itself, or where `upright` one that is read upwards."""
        self.saveState()
        if upright:
            self.translate(box.right, box.y)
            self.rotate(90)
            box = Box(0, 0, box.height, box.width)
        yield box
        self.restoreState()

    def raw(self, operators: str) -> None:
        """Add operators to the form that is being drawn."""
        self._code.append(operators)

    def font(self, name: str, size: float) -> str:
        """Give the operator that sets a font whose ASCII stands for itself."""
        font = pdfmetrics.getFont(name)
        font.splitString("0", self._doc)
        return f"{font.getSubsetInternalName(0, self._doc)} {size:.2f} Tf"

    def page(self, operators: str) -> None:
        """Add a page that shows what the operators say."""
        self._doc.addPage(Leaf(operators, self.size, self._shared_reference))
        self.pages += 1

    def finish(self) -> int:
        """Write the file; give the number of pages."""
        self._shared.XObject = self._doc.xobjDict(self._forms)
        self._doc.SaveToFile(self._filename, self)
        return self.pages

    def write(self, box: Box, text: str, font: str, size: float, *, align: float = 0) -> None:
        """Write a line within a box, capitals centred in its height, smaller where it must be.

        `align` is 0 at the left, 0.5 in the middle, 1 at the right.
        """
        size = min(size, box.height / CAPITALS)
        wide = pdfmetrics.stringWidth(text, font, size)
        if wide > box.width:
            size, wide = size * box.width / wide, box.width
        self.setFont(font, size)
        x = box.x + (box.width - wide) * align
        self.drawString(x, box.y + (box.height - CAPITALS * size) / 2, text)
