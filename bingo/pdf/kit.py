"""Building blocks of every document: typeface, paragraph and table styles, digests, QR codes.

The typeface is Source Sans Pro, as its package carries it; as PDF/A asks, it is embedded, and every
sign of it readable as Unicode. Inks read in grey too. A digest is set at a fixed pitch in groups of
eight, so that two people can compare it aloud. A QR code has the margin that readers need.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import cache, lru_cache
from importlib.resources import files
from threading import Lock
from typing import Any

import segno
from reportlab import rl_config
from reportlab.lib.colors import HexColor
from reportlab.lib.enums import TA_RIGHT
from reportlab.lib.pagesizes import A4
from reportlab.lib.styles import ParagraphStyle
from reportlab.lib.units import mm
from reportlab.pdfbase import pdfdoc, pdfmetrics
from reportlab.pdfbase.ttfonts import TTFont
from reportlab.platypus import CondPageBreak, Flowable, Spacer, TableStyle, cleanBlockQuotedText
from reportlab.platypus.paraparser import ParaFrag

from bingo.money_and_dates import Writing
from bingo.pdf.tagging import Element, Paragraph, TaggedTable, marked


def typeface_path(cut: str) -> str:
    """The TrueType file of a cut: Regular, It, Semibold or Bold."""
    return str(files("font_source_sans_pro") / "files" / f"SourceSansPro-{cut}.ttf")


MOST = 100  # lines in one block of a character map (Adobe Technical Note 5014, 3.1)
MISSING = "?"
WORDS = 20_000  # whose width is remembered


class EmbeddedFont(TTFont):  # type: ignore[misc]  # ReportLab carries no types
    """A TrueType font that shows a question mark for what it has no sign for.

    ReportLab itself would set the sign "not defined", which says nothing to whoever reads the text
    out (ISO 19005-3, 6.2.11.8), and map codes that it does not use to U+0000 (6.2.11.7.2).
    """

    def __init__(self, name: str, filename: str) -> None:
        super().__init__(name, filename)
        # An evening's documents say the same words over and over.
        self._units = lru_cache(maxsize=WORDS)(self._counted)
        self._cutting = Lock()

    def stringWidth(self, text: str | bytes, size: float, encoding: str = "utf8") -> float:  # noqa: N802  # ReportLab's name
        """Return the width of a text in points."""
        shown = text.decode(encoding) if isinstance(text, bytes) else text
        return 0.001 * size * self._units(shown)

    def splitString(  # noqa: N802  # ReportLab's name
        self, text: str | bytes, doc: pdfdoc.PDFDocument, encoding: str = "utf-8"
    ) -> list[tuple[int, bytes]]:
        """Return the text in pieces, each of one subset of the font."""
        shown = text.decode(encoding) if isinstance(text, bytes) else text
        if not (shown.isascii() and shown.isprintable()):
            shown = "".join(map(self._drawable, shown))
        pieces: list[tuple[int, bytes]] = super().splitString(shown, doc, encoding)
        return pieces

    def addObjects(self, doc: pdfdoc.PDFDocument) -> None:  # noqa: N802  # ReportLab's name
        """Put the subsets used into the document, each with the map of its own codes."""
        subsets = self.state[doc].subsets
        with self._cutting:  # ReportLab reads the one font file of all threads by seeking in it
            super().addObjects(doc)
        fonts = doc.idToObject["BasicFonts"].dict
        for place, subset in enumerate(subsets):
            font: Any = fonts[self._internal(doc, place)]
            stream = doc.idToObject[font.ToUnicode.name]
            stream.content = _character_map(font.BaseFont, subset)

    def _internal(self, doc: pdfdoc.PDFDocument, place: int) -> str:
        return f"{doc.fontMapping[self.fontName][1:]}+{place}"

    def _counted(self, text: str) -> float:
        width, other = self.face.charWidths.get, self.face.defaultWidth
        units: float = sum(width(ord(sign), other) for sign in text)
        return units

    def _drawable(self, sign: str) -> str:
        if ord(sign) in self.face.charToGlyph:
            return sign
        return " " if sign.isspace() else MISSING


def _character_map(name: str, subset: Sequence[int]) -> str:
    """Return the CMap from the codes of a subset to Unicode (ISO 32000-1, 9.10.3)."""
    lines = [f"<{code:02X}> <{sign:04X}>" for code, sign in enumerate(subset) if sign]
    return "\n".join(
        [
            "/CIDInit /ProcSet findresource begin",
            "12 dict begin",
            "begincmap",
            f"/CIDSystemInfo << /Registry ({name}) /Ordering ({name}) /Supplement 0 >> def",
            f"/CMapName /{name} def",
            "/CMapType 2 def",
            "1 begincodespacerange",
            "<00> <FF>",
            "endcodespacerange",
            *_blocks(lines),
            "endcmap",
            "CMapName currentdict /CMap defineresource pop",
            "end",
            "end",
        ]
    )


def _blocks(lines: Sequence[str]) -> Iterator[str]:
    for start in range(0, len(lines), MOST):
        block = lines[start : start + MOST]
        yield "\n".join([f"{len(block)} beginbfchar", *block, "endbfchar"])


REGULAR, ITALIC, SEMIBOLD, BOLD = "Sans", "Sans-Italic", "Sans-Semibold", "Sans-Bold"
CUTS = {REGULAR: "Regular", ITALIC: "It", SEMIBOLD: "Semibold", BOLD: "Bold"}

INK = HexColor("#16202a")
QUIET = HexColor("#5c6670")  # 5.9:1 on white: small print must survive a photocopier
RULE = HexColor("#b9c0c7")
WASH = HexColor("#eef1f3")
PAPER = HexColor("#ffffff")

PAGE = A4
MARGIN = 18 * mm
WIDTH = PAGE[0] - 2 * MARGIN
HOUR, DATED, DISTANT = 48.0, 22.0, 30.0  # points: of an hour, and more for its date, its offset

# Pages are bytes: written in letters they would be longer by a quarter, and slow to make.
rl_config.useA85 = 0

# ReportLab keeps fonts for the whole process; registering a name again changes nothing.
for _name, _cut in CUTS.items():
    pdfmetrics.registerFont(EmbeddedFont(_name, typeface_path(_cut)))
pdfmetrics.registerFontFamily(
    REGULAR, normal=REGULAR, bold=SEMIBOLD, italic=ITALIC, boldItalic=SEMIBOLD
)

TEXT = ParagraphStyle("text", fontName=REGULAR, fontSize=9, leading=12, textColor=INK)
SMALL = ParagraphStyle("small", TEXT, fontSize=8, leading=10.5)
SMALL_RIGHT = ParagraphStyle("small-right", SMALL, alignment=TA_RIGHT)
LABEL = ParagraphStyle("label", TEXT, fontSize=6.8, leading=8.2, textColor=QUIET)
NOTE = ParagraphStyle("note", LABEL, spaceAfter=4)
LABEL_RIGHT = ParagraphStyle("label-right", LABEL, alignment=TA_RIGHT)
VALUE = ParagraphStyle("value", TEXT, fontName=SEMIBOLD, fontSize=9.5, leading=11.5)
TITLE = ParagraphStyle("title", TEXT, fontName=BOLD, fontSize=22, leading=25)
SECTION = ParagraphStyle(
    "section", TEXT, fontName=BOLD, fontSize=12.5, leading=15, spaceBefore=15, spaceAfter=5
)
SUBSECTION = ParagraphStyle(
    "subsection", TEXT, fontName=SEMIBOLD, fontSize=9.5, leading=12, spaceBefore=8, spaceAfter=2
)
CELL = ParagraphStyle("cell", SMALL, leading=9.8)

# First in every table's style: ReportLab's own cells would name a font that is not embedded.
BASE = ("FONT", (0, 0), (-1, -1), REGULAR, 8, 9.8)
BARE = (BASE, ("LEFTPADDING", (0, 0), (-1, -1), 0), ("VALIGN", (0, 0), (-1, -1), "TOP"))
RULED = (
    *BARE,
    ("TOPPADDING", (0, 0), (-1, -1), 2.5),
    ("BOTTOMPADDING", (0, 0), (-1, -1), 3.5),
    ("LINEBELOW", (0, 0), (-1, -1), 0.3, RULE),
    ("LINEABOVE", (0, 0), (-1, 0), 0.3, RULE),
)


def escaped(text: str) -> str:
    """Text that a paragraph prints as it is, whatever signs it holds."""
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


def paragraph(text: str, style: ParagraphStyle = TEXT) -> Flowable:
    """Plain text as a paragraph."""
    if not text.strip() or set(text) & {"<", "&"}:
        return Paragraph(escaped(text), style)
    # Text without a sign of markup is read as ReportLab would, without its parser of markup.
    return Paragraph(text, style, frags=[_fragment(style).clone(text=cleanBlockQuotedText(text))])


@cache
def _fragment(style: ParagraphStyle) -> ParaFrag:
    fragment: ParaFrag = Paragraph("x", style).frags[0]
    return fragment


def labelled(text: str, reference: str = "", style: ParagraphStyle = LABEL) -> Flowable:
    """A label in small grey print, with the letter of the law it answers to in smaller print.

    Lines after the first, the label in other languages, are set below it in italics.
    """
    mark = f' <font size="5.4">{escaped(reference)}</font>' if reference else ""
    first, *others = escaped(text).split("\n")
    beside = "".join(f"<br/><i>{other}</i>" for other in others)
    return Paragraph(first + mark + beside, style)


def sides(text: str, style: ParagraphStyle = SMALL) -> list[Flowable]:
    """A sentence whose lines after the first say it in other languages, a paragraph each."""
    first, *others = escaped(text).split("\n")
    return [Paragraph(first, style), *(Paragraph(f"<i>{one}</i>", style) for one in others)]


def heading(
    text: str, reference: str = "", style: ParagraphStyle = SECTION, *, room: float = 100
) -> list[Flowable]:
    """A heading, on the next page unless `room` points are left for it and what it heads."""
    mark = (
        f'  <font name="{REGULAR}" size="7" color="{_hex(QUIET)}">{escaped(reference)}</font>'
        if reference
        else ""
    )
    return [CondPageBreak(room), Paragraph(escaped(text) + mark, style)]


def headed(
    text: str, reference: str, body: Paragraph | TaggedTable, style: ParagraphStyle = SUBSECTION
) -> list[Flowable]:
    """A heading and what it heads, never parted: a table's head and first row come with it."""
    height = body.wrap(WIDTH, PAGE[1])[1]
    if isinstance(body, TaggedTable):
        height = sum(body._rowHeights[:2])
    room = style.spaceBefore + style.leading + style.spaceAfter + min(height, PAGE[1] / 2)
    return [*heading(text, reference, style, room=room), body]


def facts(told: Iterable[tuple[str, str]], shares: Sequence[float]) -> TaggedTable:
    """Facts under their names between hairlines, as many in a row as there are shares of its width."""
    cells = [[labelled(name), paragraph(text, VALUE)] for name, text in told]
    rows = [cells[at : at + len(shares)] for at in range(0, len(cells), len(shares))]
    widths = [WIDTH * share for share in shares]
    return TaggedTable(rows, colWidths=widths, style=TableStyle(list(RULED)))


def hour_width(writing: Writing) -> float:
    """Return the points that a column of hours takes."""
    return HOUR + DATED * (writing.evening is not None) + DISTANT * writing.offsets


def signatures(*signers: str, gap: float = 30) -> TaggedTable:
    """Lines to sign on, `gap` points apart, and under each who signs."""
    width = (WIDTH - gap * (len(signers) - 1)) / len(signers)
    named = [cell for one in signers for cell in (paragraph(one, SMALL), "")][:-1]
    lines = [("LINEABOVE", (n, 1), (n, 1), 0.7, INK) for n in range(0, len(named), 2)]
    return TaggedTable(
        [[""] * len(named), named],
        colWidths=[width, *[gap, width] * (len(signers) - 1)],
        rowHeights=[46, None],
        style=TableStyle([*BARE, *lines]),
    )


def flowing(table: TaggedTable, *, space: float = 5) -> list[Flowable]:
    """A table that may break: its head and first row are never parted, nor the space before it."""
    height = table.wrap(WIDTH, PAGE[1])[1]
    first = sum(table._rowHeights[:2])
    room = space + (height if len(table._rowHeights) <= 2 else first)
    return [CondPageBreak(min(room, PAGE[1] / 2)), Spacer(0, space), table]


def ledger(
    rows: list[list[object]],
    widths: list[float],
    *,
    right: tuple[int, ...] = (),
    total: bool = False,
    size: float = 8,
) -> TaggedTable:
    """A table ruled by hairlines whose first row is repeated on every page.

    `right` names the columns of figures; with `total` the last row is a sum and stays with
    the row above it. Titles of several lines, one a language, are broken where they are too long.
    """
    if any(isinstance(cell, str) and "\n" in cell for cell in rows[0]):
        rows = [[_titled(cell, place in right) for place, cell in enumerate(rows[0])], *rows[1:]]
    commands: list[tuple[object, ...]] = [
        ("FONT", (0, 0), (-1, -1), REGULAR, size, 9.8),
        ("FONT", (0, 0), (-1, 0), REGULAR, 6.8, 8.2),
        ("TEXTCOLOR", (0, 0), (-1, -1), INK),
        ("TEXTCOLOR", (0, 0), (-1, 0), QUIET),
        ("VALIGN", (0, 0), (-1, -1), "TOP"),
        ("VALIGN", (0, 0), (-1, 0), "BOTTOM"),
        ("LEFTPADDING", (0, 0), (-1, -1), 2),
        ("RIGHTPADDING", (0, 0), (-1, -1), 2),
        ("TOPPADDING", (0, 0), (-1, -1), 1.8),
        ("BOTTOMPADDING", (0, 0), (-1, -1), 2.2),
        ("LINEBELOW", (0, 0), (-1, 0), 0.6, INK),
        ("LINEBELOW", (0, 1), (-1, -1), 0.3, RULE),
        *(("ALIGN", (column, 0), (column, -1), "RIGHT") for column in right),
    ]
    if total:
        commands += [
            ("FONT", (0, -1), (-1, -1), SEMIBOLD, size, 9.8),
            ("LINEABOVE", (0, -1), (-1, -1), 0.6, INK),
            ("LINEBELOW", (0, -1), (-1, -1), 0.6, INK),
            ("NOSPLIT", (0, -2), (-1, -1)),
        ]
    return TaggedTable(
        rows,
        colWidths=widths,
        repeatRows=1,
        hAlign="LEFT",
        style=TableStyle(commands),
        splitInRow=int(_is_tall(rows, widths)),
    )


def _titled(cell: object, to_the_right: bool) -> object:
    style = LABEL_RIGHT if to_the_right else LABEL
    return labelled(cell, style=style) if isinstance(cell, str) else cell


def _is_tall(rows: list[list[object]], widths: list[float]) -> bool:
    # Only what could fill a page is broken within a row; a short note is kept whole.
    return any(
        isinstance(cell, Paragraph) and cell.wrap(width, PAGE[1])[1] > PAGE[1] / 3
        for row in rows
        for cell, width in zip(row, widths, strict=True)
    )


def _hex(colour: HexColor) -> str:
    return "#" + str(colour.hexval())[2:]


GROUP = 8
PITCH, GAP, SIZE, HEIGHT = 6.2, 7.0, 9.2, 15.0


class Digest(Flowable):  # type: ignore[misc]  # ReportLab carries no types
    """Hexadecimal signs each in a cell of its own width."""

    def __init__(self, digest: str) -> None:
        super().__init__()
        if not digest.isalnum():
            raise ValueError(digest)
        self.digest = digest
        self.width = WIDTH
        self.height = HEIGHT

    def draw(self) -> None:
        """Set the digest where the page has come to."""
        with marked(self.canv, Element("P")):
            # The text meant (ISO 32000-1, 14.9.4): copied from the page, it is the digest unspaced.
            self.canv._code.append(f"/Span <</ActualText ({self.digest})>> BDC")
            self.canv.setFont(SEMIBOLD, SIZE)
            self.canv.setFillColor(INK)
            for place, sign in enumerate(self.digest):
                x = (place + 0.5) * PITCH + place // GROUP * GAP
                self.canv.drawCentredString(x, 4, sign)
            self.canv._code.append("EMC")


class QrCode(Flowable):  # type: ignore[misc]  # ReportLab carries no types
    """A QR code of text, `side` points wide and high with its margin."""

    def __init__(self, text: str, side: float) -> None:
        super().__init__()
        made = segno.make(text, error="l", micro=False, boost_error=False)
        self.rows = [bytes(row) for row in made.matrix_iter(border=4)]
        self.width = self.height = side

    def draw(self) -> None:
        """Set the code where the page has come to."""
        square = self.width / len(self.rows)
        self.canv.setFillColor(INK)
        for place, row in enumerate(self.rows, start=1):
            for first, last in _dark(row):
                left, bottom = first * square, self.height - place * square
                self.canv.rect(left, bottom, (last - first) * square, square, stroke=0, fill=1)


def _dark(row: bytes) -> Iterator[tuple[int, int]]:
    """Return each run of dark squares in a row, from and up to."""
    begin: int | None = None
    for place, square in enumerate([*row, 0]):
        if square and begin is None:
            begin = place
        elif not square and begin is not None:
            yield begin, place
            begin = None
