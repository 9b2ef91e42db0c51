"""The press: a canvas for many like pages, drawn once as forms, then filled by raw strings.

A page of a PDF is written in its shortest form: ReportLab's own takes as long to write as six
cards. `Ink` holds the colours of a sheet, or the black of till paper; paper that has no greys gets
fillings of pure black lines and dots. `Job` is what one print is made with: the press, what its
cards say, where and in which ink.
"""

import colorsys
import zlib
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from typing import BinaryIO, Literal

from reportlab.lib.units import mm
from reportlab.pdfbase import pdfmetrics
from reportlab.pdfbase.pdfdoc import (
    PDFDocument,
    PDFObject,
    PDFObjectReference,
    PDFResourceDictionary,
)
from reportlab.pdfgen.canvas import Canvas

from bingo.pdf import kit
from bingo.rules.formats import Format
from draws.cards.colours import Colour
from draws.cards.printing.codes import Box, Places
from draws.cards.printing.values import CodeName, Printed

# Of a page's time, zlib's usual level would take more than all the rest; level 1 makes files a
# sixth larger.
LEVEL = 1


class Content(PDFObject):  # type: ignore[misc]  # ReportLab carries no types
    """What a page shows, compressed."""

    def __init__(self, operators: str) -> None:
        self._packed = zlib.compress(operators.encode("ascii"), LEVEL)

    def format(self, document: PDFDocument) -> bytes:
        """Write the object, as ReportLab asks for it."""
        head = b"<< /Filter /FlateDecode /Length %d >>\n" % len(self._packed)
        return head + b"stream\n" + self._packed + b"\nendstream\n"


class Leaf(PDFObject):  # type: ignore[misc]  # as above
    """A page of `size` points whose resources are those of the reference given."""

    def __init__(
        self, operators: str, size: tuple[float, float], resources: PDFObjectReference
    ) -> None:
        self._content = Content(operators)
        self._size = size
        self._resources = resources

    def format(self, document: PDFDocument) -> bytes:
        """Write the object, as ReportLab asks for it."""
        return (
            b"<< /Type /Page /Parent %s /MediaBox [0 0 %.3f %.3f] /Resources %s /Contents %s >>"
            % (
                document.Reference(document.Pages).format(document),
                *self._size,
                self._resources.format(document),
                document.Reference(self._content).format(document),
            )
        )


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
        """Draw a form once, and return the operator that shows it."""
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
        """Return the box to write in: itself, or where `upright` one that is read upwards."""
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
        """Return the operator that sets a font whose ASCII stands for itself."""
        font = pdfmetrics.getFont(name)
        font.splitString("0", self._doc)
        return f"{font.getSubsetInternalName(0, self._doc)} {size:.2f} Tf"

    def page(self, operators: str) -> None:
        """Add a page that shows what the operators say."""
        self._doc.addPage(Leaf(operators, self.size, self._shared_reference))
        self.pages += 1

    def finish(self) -> int:
        """Write the file; return the number of pages."""
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


# L* of the four columns of a card of 80: apart in grey, black figures at least 12:1 on each.
TONES = (97, 92, 86, 80)
TURNS = (-40, -14, 14, 40)  # degrees of hue from the face's colour
SOFT = 0.5  # at the most, of a colour's saturation: more would outshine the face

HUES = (52, 130, 205, 335)  # yellow, green, blue, pink, on faces that have no hue
VIVID = 0.9


@dataclass(frozen=True, slots=True)
class Ink:
    """Paper under figures, blank cells, letters and lines, each #rrggbb; till paper has no greys."""

    tint: str
    shade: str
    strong: str
    black_only: bool = False


BLACK = Ink("#ffffff", "#ffffff", "#000000", black_only=True)


def ink_of(colour: Colour) -> Ink:
    """Return the inks of a coloured face."""
    return Ink(colour.tint, colour.shade, colour.strong)


def tones(ink: Ink) -> tuple[str, ...]:
    """Return a colour for each of four columns (R64), neighbours of the face's own (R18).

    White and grey have no neighbours: there they are four hues.
    """
    hue, _light, saturation = colorsys.rgb_to_hls(*ink_parts(ink.tint))
    if not saturation:
        return tuple(
            _of_lightness(hue / 360, VIVID, lightness)
            for hue, lightness in zip(HUES, TONES, strict=True)
        )
    return tuple(
        _of_lightness((hue + turn / 360) % 1, min(saturation, SOFT), lightness)
        for turn, lightness in zip(TURNS, TONES, strict=True)
    )


def lighter(colour: str, share: float) -> str:
    """Return a colour with `share` of it replaced by white."""
    return _written(*(part + (1 - part) * share for part in ink_parts(colour)))


def ink_parts(colour: str) -> tuple[float, float, float]:
    """Return red, green, blue of #rrggbb, each 0 to 1."""
    red, green, blue = (int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5))
    return red, green, blue


def luminance(colour: str) -> float:
    """WCAG 2.2's relative luminance, 0 to 1."""
    red, green, blue = (
        part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4
        for part in ink_parts(colour)
    )
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def lightness(colour: str) -> float:
    """CIE L*, 0 to 100: equal steps look equal."""
    root: float = luminance(colour) ** (1 / 3)
    return 116 * root - 16


def _of_lightness(hue: float, saturation: float, wanted: float) -> str:
    low, high = 0.0, 1.0
    for _ in range(20):
        middle = (low + high) / 2
        found = lightness(_written(*colorsys.hls_to_rgb(hue, middle, saturation)))
        low, high = (middle, high) if found < wanted else (low, middle)
    return _written(*colorsys.hls_to_rgb(hue, high, saturation))


def _written(red: float, green: float, blue: float) -> str:
    return "#" + "".join(f"{round(part * 255):02x}" for part in (red, green, blue))


@dataclass(frozen=True, slots=True)
class Job:
    """`symbols` are the operators that show each, empty where numbers are printed."""

    press: Press
    values: Printed
    format: Format
    places: Places
    code: CodeName
    ink: Ink
    symbols: Mapping[int, str]

    @property
    def halves(self) -> int:
        """How many faces a card has (R15)."""
        return 2 if self.values.double else 1


LINE = 0.25 * mm  # two dots of a till printer
APART = {"dots": 1.5 * mm, "level": 1.5 * mm, "slanted": 1.75 * mm, "crossed": 1.75 * mm}

Texture = Literal["dots", "level", "slanted", "crossed"]


def texture(press: Press, box: Box, kind: Texture) -> None:
    """Fill a box."""
    press.saveState()
    path = press.beginPath()
    path.rect(box.x, box.y, box.width, box.height)
    press.clipPath(path, stroke=0, fill=0)
    press.setStrokeGray(0)
    press.setFillGray(0)
    press.setLineWidth(LINE)
    {"dots": _dots, "level": _level, "slanted": _slanted, "crossed": _crossed}[kind](press, box)
    press.restoreState()


def _dots(press: Press, box: Box) -> None:
    apart = APART["dots"]
    for row in range(int(box.height / apart) + 1):
        for column in range(int(box.width / apart) + 1):
            x = box.x + (column + 0.5 * (row % 2)) * apart
            press.rect(x, box.y + row * apart, 1.5 * LINE, 1.5 * LINE, stroke=0, fill=1)


def _level(press: Press, box: Box) -> None:
    for row in range(1, int(box.height / APART["level"]) + 1):
        y = box.y + row * APART["level"]
        press.line(box.x, y, box.right, y)


def _slanted(press: Press, box: Box) -> None:
    apart = APART["slanted"] * 2**0.5
    for step in range(int((box.width + box.height) / apart) + 1):
        x = box.x - box.height + step * apart
        press.line(x, box.y, x + box.height, box.top)


def _crossed(press: Press, box: Box) -> None:
    _slanted(press, box)
    apart = APART["crossed"] * 2**0.5
    for step in range(int((box.width + box.height) / apart) + 1):
        x = box.x - box.height + step * apart
        press.line(x, box.top, x + box.height, box.y)
