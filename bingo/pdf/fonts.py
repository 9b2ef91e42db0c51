"""A typeface as PDF/A asks for it: embedded, and every sign of it readable as Unicode."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import Any

from reportlab.pdfbase import pdfdoc
from reportlab.pdfbase.ttfonts import TTFont

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
            shown = "".join(map(self._shown, shown))
        pieces: list[tuple[int, bytes]] = super().splitString(shown, doc, encoding)
        return pieces

    def addObjects(self, doc: pdfdoc.PDFDocument) -> None:  # noqa: N802  # ReportLab's name
        """Put the subsets used into the document, each with the map of its own codes."""
        subsets = self.state[doc].subsets
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

    def _shown(self, sign: str) -> str:
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
