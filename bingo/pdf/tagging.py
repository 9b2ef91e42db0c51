"""Tagged PDF: headings, paragraphs, tables and figures named as such, in the order they are read.

ISO 32000-1, 14.6 to 14.8. What is drawn stands in marked content: either an artifact (a line, a
background, what a page repeats) or a numbered piece of one structure element. The elements form
the tree that a screen reader, or a program that looks for a table, follows. Documents use
`Paragraph` and `Table` of this module for ReportLab's own; on a canvas without a structure both
draw as ReportLab's do.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager
from typing import Any

from reportlab import platypus
from reportlab.pdfbase import pdfdoc
from reportlab.pdfgen.canvas import Canvas
from reportlab.platypus import Flowable

# The styles of `bingo.pdf.kit` whose paragraphs are headings.
HEADINGS = {"title": "H1", "section": "H2", "subsection": "H3"}
PAGINATION = "/Artifact <</Type /Pagination>> BDC"
WATERMARK = "/Artifact <</Type /Pagination /Subtype /Watermark>> BDC"
LAYOUT = "/Artifact <</Type /Layout>> BDC"


class Element:
    """A structure element: its role, what it holds, and what a program says in its place."""

    __slots__ = ("alternate", "attributes", "kids", "parent", "role", "spoken")

    def __init__(self, role: str, *, alternate: str = "", spoken: str = "") -> None:
        self.role = role
        self.parent: Element | None = None
        self.kids: list[Element | tuple[int, int]] = []  # or a page, from 1, and its piece
        self.attributes = ""
        self.alternate = alternate
        self.spoken = spoken


class Structure:
    """The tree of one document while it is drawn, and the pieces of each of its pages."""

    def __init__(self) -> None:
        self.root = Element("Document")
        self._open = [self.root]
        self._depth = 0
        self._pieces: dict[int, list[Element]] = {}

    def open(self, element: Element) -> None:
        """Let what is drawn from here on belong to `element`, until it is closed."""
        if not self._depth:
            self.attach(element)
        self._open.append(element)

    def close(self) -> None:
        """Close the element opened last."""
        self._open.pop()

    def begin(self, canvas: Canvas, element: Element) -> None:
        """Begin a piece of `element`; within another piece or an artifact it is part of that."""
        self._depth += 1
        if self._depth > 1:
            return
        self.attach(element)
        page = canvas.getPageNumber()
        pieces = self._pieces.setdefault(page, [])
        element.kids.append((page, len(pieces)))
        canvas._code.append(f"/{element.role} <</MCID {len(pieces)}>> BDC")
        pieces.append(element)

    def begin_artifact(self, canvas: Canvas, kind: str = LAYOUT) -> None:
        """Begin what is no part of the matter."""
        self._depth += 1
        if self._depth == 1:
            canvas._code.append(kind)

    def end(self, canvas: Canvas) -> None:
        """End the piece or artifact begun last."""
        self._depth -= 1
        if not self._depth:
            canvas._code.append("EMC")

    def write(self, document: pdfdoc.PDFDocument) -> None:
        """Put the tree into the document, whose pages are complete."""
        pages = document.Pages.pages
        for place, page in enumerate(pages):
            add_entries(page, StructParents=place, Tabs=pdfdoc.PDFName("S"))
        elements = list(_within(self.root))
        top = _Literal()
        document.Reference(top, "structure")
        literals = [_Literal() for _ in elements]
        for place, literal in enumerate(literals):
            document.Reference(literal, f"structure-{place}")
        numbers = document.idToObjectNumberAndVersion
        number_of = {
            id(element): numbers[f"structure-{place}"][0] for place, element in enumerate(elements)
        }
        sheets = [numbers[page.__InternalName__][0] for page in pages]
        over = numbers["structure"][0]
        for element, literal in zip(elements, literals, strict=True):
            parent = number_of[id(element.parent)] if element.parent else over
            literal.text = _dictionary(element, parent, number_of, sheets)
        tree = " ".join(
            f"{place} [{' '.join(f'{number_of[id(one)]} 0 R' for one in self._pieces.get(place + 1, []))}]"
            for place in range(len(pages))
        )
        top.text = (
            f"<</Type/StructTreeRoot/K[{number_of[id(self.root)]} 0 R]"
            f"/ParentTree<</Nums[{tree}]>>/ParentTreeNextKey {len(pages)}>>"
        )
        catalogue = document.Catalog
        catalogue.StructTreeRoot = top
        catalogue.MarkInfo = pdfdoc.PDFDictionary({"Marked": pdfdoc.PDFtrue})

    def attach(self, element: Element) -> None:
        """Put an element that belongs nowhere yet at the end of the one that is open."""
        if element.parent is None and element is not self.root:
            element.parent = self._open[-1]
            element.parent.kids.append(element)


class _Literal(pdfdoc.PDFObject):  # type: ignore[misc]  # ReportLab carries no types
    """An object written by us: thousands of ReportLab's dictionaries take seconds."""

    __RefOnly__ = 1
    text = ""

    def format(self, _document: pdfdoc.PDFDocument) -> bytes:
        return self.text.encode("ascii")


def add_entries(holder: pdfdoc.PDFCatalog, **entries: object) -> None:
    """Add entries that ReportLab's catalogue or page does not know by itself."""
    holder.__NoDefault__ = [*holder.__NoDefault__, *entries]
    for name, value in entries.items():
        setattr(holder, name, value)


def structure_of(canvas: Canvas) -> Structure | None:
    """Return the structure of the document that a canvas draws, if it has one."""
    return getattr(canvas, "structure", None)


@contextmanager
def _between(
    canvas: Canvas, begin: Callable[[Structure], None], end: Callable[[Structure], None]
) -> Iterator[None]:
    """Begin and end something in the structure of the document that a canvas draws, if it has one."""
    structure = structure_of(canvas)
    if structure is not None:
        begin(structure)
    yield
    if structure is not None:
        end(structure)


def marked(canvas: Canvas, element: Element) -> AbstractContextManager[None]:
    """Mark what is drawn within as a piece of `element`."""
    return _between(canvas, lambda one: one.begin(canvas, element), lambda one: one.end(canvas))


def opened(canvas: Canvas, element: Element) -> AbstractContextManager[None]:
    """Let the elements drawn within belong to `element`."""
    return _between(canvas, lambda one: one.open(element), Structure.close)


def artifact(canvas: Canvas, kind: str = LAYOUT) -> AbstractContextManager[None]:
    """Mark what is drawn within as no part of the matter."""
    return _between(
        canvas, lambda one: one.begin_artifact(canvas, kind), lambda one: one.end(canvas)
    )


class Paragraph(platypus.Paragraph):  # type: ignore[misc]  # ReportLab carries no types
    """A paragraph, or the heading that its style makes it; its parts on two pages are one."""

    element: Element | None = None

    def split(self, width: float, height: float) -> list[Flowable]:
        """Return the part that fits and the rest."""
        parts: list[Flowable] = super().split(width, height)
        for part in parts:
            part.element = self._named()
        return parts

    def draw(self) -> None:
        """Set the paragraph where the page has come to."""
        with marked(self.canv, self._named()):
            super().draw()

    def _named(self) -> Element:
        if self.element is None:
            self.element = Element(HEADINGS.get(self.style.name, "P"))
        return self.element


class TaggedTable(platypus.Table):  # type: ignore[misc]  # ReportLab carries no types
    """A table where it has rows of titles, else a frame for what its cells hold.

    The rows of titles are those repeated on every page, of which all but the first are artifacts;
    `titled` names others, from 0. `roles` gives a cell of a frame, by column and row, another role
    than that of a paragraph.
    """

    def __init__(self, *arguments: Any, **options: Any) -> None:
        options["renderCB"] = _follow
        super().__init__(*arguments, **options)
        repeated = self.repeatRows
        self.titled: Collection[int] = range(repeated) if isinstance(repeated, int) else repeated
        self.roles: Mapping[tuple[int, int], str] = {}
        # The parts of a table that was split share its elements, by the row it had at first.
        self.elements: dict[object, Element] = {}
        self.rows: list[int | None] = list(range(self._nrows))
        self._ends: list[Callable[[], None]] = []

    def split(self, width: float, height: float) -> list[Flowable]:
        """Return the part that fits and the rest, whose repeated rows say nothing new."""
        parts: list[TaggedTable] = super().split(width, height)
        for part in parts:
            if part is not self:
                part.titled, part.roles, part.elements = self.titled, self.roles, self.elements
        if len(parts) == 2:
            first, rest = parts
            first.rows = self.rows[: first._nrows]
            again = rest.repeatRows
            left = rest._nrows - again
            rest.rows = [*[None] * again, *self.rows[len(self.rows) - left :]]
        return parts

    def begin_row(self, structure: Structure, place: int) -> None:
        """Begin a row: one that repeats titles is an artifact."""
        row = self.rows[place]
        if row is None:
            structure.begin_artifact(self.canv)
            self._ends.append(lambda: structure.end(self.canv))
        elif self.titled:
            structure.open(self._element(row, "TR"))
            self._ends.append(structure.close)
        else:
            self._ends.append(_nothing)

    def begin_cell(self, structure: Structure, place: int, column: int, value: object) -> None:
        """Begin a cell: of a frame what it holds, else the element that holds it."""
        row = self.rows[place]
        content = value[0] if isinstance(value, (list, tuple)) and len(value) == 1 else value
        end: Callable[[], None] = _nothing
        if row is None:
            pass
        elif not isinstance(content, (str, int, float, type(None))):
            role = self._role(row, column)
            if role and isinstance(content, Paragraph):
                content.element = self._cell(structure, row, column, place, role)
            elif role:
                structure.open(self._cell(structure, row, column, place, role))
                end = structure.close
        elif content is None or content == "":
            if self.titled:
                self._cell(structure, row, column, place, self._role(row, column))
            structure.begin_artifact(self.canv)
            end = self._end_piece
        else:
            role = self._role(row, column) or "P"
            structure.begin(self.canv, self._cell(structure, row, column, place, role))
            end = self._end_piece
        self._ends.append(end)

    def end(self) -> None:
        """End the row or cell begun last."""
        self._ends.pop()()

    def whole(self) -> Element:
        """Return the element of the table itself."""
        return self._element("table", "Table")

    def _end_piece(self) -> None:
        structure = structure_of(self.canv)
        if structure is not None:
            structure.end(self.canv)

    def _role(self, row: int, column: int) -> str:
        if self.titled:
            return "TH" if row in self.titled else "TD"
        return self.roles.get((column, row), "")

    def _element(self, key: object, role: str) -> Element:
        if key not in self.elements:
            self.elements[key] = Element(role)
        return self.elements[key]

    def _cell(self, structure: Structure, row: int, column: int, place: int, role: str) -> Element:
        cell = self._element((row, column), role)
        if self.titled and cell.parent is None:
            cell.attributes = self._attributes(role, column, place)
            structure.attach(cell)
        return cell

    def _attributes(self, role: str, column: int, place: int) -> str:
        entries = "/Scope/Column" if role == "TH" else ""
        spans = self._spanRanges.get((column, place)) if self._spanCmds else None
        if spans is not None:
            across, down = spans[2] - spans[0] + 1, spans[3] - spans[1] + 1
            entries += f"/ColSpan {across}" * (across > 1) + f"/RowSpan {down}" * (down > 1)
        return f"/A<</O/Table{entries}>>" if entries else ""


def _nothing() -> None:
    """Serve where there is nothing to end."""


def _follow(table: TaggedTable, event: str, *details: Any) -> None:
    """Follow ReportLab while it draws a table: its grounds and lines are artifacts."""
    structure = structure_of(table.canv)
    if structure is None:
        return
    if event == "startCell":
        place, column, value, *_where = details
        table.begin_cell(structure, place, column, value)
    elif event == "startRow":
        table.begin_row(structure, details[0])
    elif event in ("endCell", "endRow"):
        table.end()
    elif event in ("startBG", "startLines"):
        structure.begin_artifact(table.canv)
    elif event in ("endBG", "endLines"):
        structure.end(table.canv)
    else:
        _follow_whole(table, structure, event)


def _follow_whole(table: TaggedTable, structure: Structure, event: str) -> None:
    if table.titled and event == "startTable":
        structure.open(table.whole())
    elif table.titled:
        structure.close()


class RuleLine(platypus.HRFlowable):  # type: ignore[misc]  # ReportLab carries no types
    """A line across, which says nothing."""

    def draw(self) -> None:
        """Draw it where the page has come to."""
        with artifact(self.canv):
            super().draw()


class TaggedFigure(Flowable):  # type: ignore[misc]  # ReportLab carries no types
    """A drawing or picture as one figure, with words that say what it shows."""

    def __init__(self, drawing: Flowable, alternate: str) -> None:
        super().__init__()
        self.drawing = drawing
        self.element = Element("Figure", alternate=alternate)
        self.hAlign = drawing.hAlign

    def wrap(self, width: float, height: float) -> tuple[float, float]:
        """Return what the drawing takes."""
        self.width, self.height = self.drawing.wrap(width, height)
        return self.width, self.height

    def draw(self) -> None:
        """Set the drawing where the page has come to."""
        left, bottom = self.canv.absolutePosition(0, 0)
        corners = (left, bottom, left + self.width, bottom + self.height)
        box = " ".join(f"{corner:.2f}" for corner in corners)
        self.element.attributes = f"/A<</O/Layout/BBox[{box}]>>"
        with marked(self.canv, self.element):
            self.drawing.drawOn(self.canv, 0, 0)


def _within(element: Element) -> Iterator[Element]:
    yield element
    for kid in element.kids:
        if isinstance(kid, Element):
            yield from _within(kid)


def _dictionary(
    element: Element, parent: int, number_of: Mapping[int, int], sheets: Sequence[int]
) -> str:
    first = next((kid[0] for kid in element.kids if not isinstance(kid, Element)), 0)
    kids = []
    for kid in element.kids:
        if isinstance(kid, Element):
            kids.append(f"{number_of[id(kid)]} 0 R")
        elif kid[0] == first:
            kids.append(str(kid[1]))
        else:
            kids.append(f"<</Type/MCR/Pg {sheets[kid[0] - 1]} 0 R/MCID {kid[1]}>>")
    page = f"/Pg {sheets[first - 1]} 0 R" if first else ""
    alternate = f"/Alt{_text(element.alternate)}" if element.alternate else ""
    spoken = f"/ActualText{_text(element.spoken)}" if element.spoken else ""
    return (
        f"<</Type/StructElem/S/{element.role}/P {parent} 0 R{page}/K[{' '.join(kids)}]"
        f"{element.attributes}{alternate}{spoken}>>"
    )


def _text(text: str) -> str:
    return f"<FEFF{text.encode('utf-16-be').hex().upper()}>"
