"""PDF/A-3u (ISO 19005-3): metadata, dates, output intent and attached data of documents.

The colour space is sRGB, as an ICC profile computed from its standard. Data for programs to read
are attached as canonical JSON, and read back from a PDF. Fonts are embedded by `bingo.pdf.kit`; the
structure is that of `bingo.pdf.tagging`.
"""

from __future__ import annotations

import json
import struct
from dataclasses import dataclass
from datetime import datetime
from functools import cache
from html import escape
from io import BytesIO
from itertools import pairwise
from typing import Any

from pyhanko.pdf_utils.reader import PdfFileReader
from reportlab.pdfbase import pdfdoc
from reportlab.pdfgen.canvas import Canvas

from bingo.pdf.tagging import add_entries

VERSION = (1, 7)  # of PDF: ISO 32000-1, on which PDF/A-3 rests
PART, CONFORMANCE = 3, "U"  # every sign can be read as Unicode (6.2.11.7)
TOOL = "Bingo hall"
ATTACHMENT_NAME, SCHEMA = "acta.json", "acta.schema.json"
LIMIT = 16 * 1024 * 1024  # bytes of a file looked into; an acta of 60 games is under 2 MB
ENDED = b"endstream\nendobj\n"


@dataclass(frozen=True, slots=True)
class Metadata:
    """What programs read of a document; `at` is the aware time that it was created and changed."""

    title: str
    author: str
    subject: str
    language: str
    at: datetime


class _Info(pdfdoc.PDFInfo):  # type: ignore[misc]  # ReportLab carries no types
    """The information dictionary, saying just what the metadata stream does."""

    def __init__(self, metadata: Metadata) -> None:
        super().__init__()
        self.title, self.author, self.subject = map(
            legible, (metadata.title, metadata.author, metadata.subject)
        )
        self.date = date(metadata.at)

    def format(self, document: pdfdoc.PDFDocument) -> bytes:
        words = {
            "Title": self.title,
            "Author": self.author,
            "Subject": self.subject,
            "Creator": TOOL,
            "Producer": self.producer,
            "CreationDate": self.date,
            "ModDate": self.date,
        }
        entries = {name: pdfdoc.PDFString(text) for name, text in words.items() if text}
        return bytes(pdfdoc.PDFDictionary(entries).format(document))


def describe(canvas: Canvas, metadata: Metadata) -> None:
    """Make the document of a canvas PDF/A-3u; called once, before it is saved."""
    document = canvas._doc  # ReportLab offers no public way to its catalogue.
    document._pdfVersion = VERSION
    document.info = _Info(metadata)
    catalogue = document.Catalog
    catalogue.Lang = pdfdoc.PDFString(metadata.language)
    catalogue.Metadata = _Plain(_packet(metadata, document.info.producer))
    described = {"N": 3, "Alternate": pdfdoc.PDFName("DeviceRGB")}
    profile = pdfdoc.PDFStream(
        pdfdoc.PDFDictionary(described), srgb(), filters=[pdfdoc.PDFZCompress]
    )
    intent = pdfdoc.PDFDictionary(
        {
            "Type": pdfdoc.PDFName("OutputIntent"),
            "S": pdfdoc.PDFName("GTS_PDFA1"),
            "OutputConditionIdentifier": pdfdoc.PDFString(COLOUR_NAME),
            "Info": pdfdoc.PDFString(COLOUR_NAME),
            "DestOutputProfile": document.Reference(profile, "output-profile"),
        }
    )
    shown = pdfdoc.PDFDictionary({"DisplayDocTitle": pdfdoc.PDFtrue})
    catalogue.ViewerPreferences = shown
    add_entries(catalogue, OutputIntents=pdfdoc.PDFArray([intent]))


def date(at: datetime) -> str:
    """Return an aware time as PDF writes it, with its offset (ISO 32000-1, 7.9.4)."""
    offset = f"{at:%z}"
    return f"D:{at:%Y%m%d%H%M%S}{offset[:3]}'{offset[3:5]}'"


def legible(text: str) -> str:
    """Return a text without the signs that XML has no way to write."""
    return "".join(sign for sign in text if sign.isprintable() or (sign.isspace() and sign >= " "))


class _Plain(pdfdoc.PDFObject):  # type: ignore[misc]  # ReportLab carries no types
    """A stream without a filter, so that a program that knows no PDF can read it (6.6.2.1)."""

    __RefOnly__ = 1

    def __init__(self, content: bytes) -> None:
        self.content = content

    def format(self, _document: pdfdoc.PDFDocument) -> bytes:
        head = f"<</Type/Metadata/Subtype/XML/Length {len(self.content)}>>"
        return head.encode() + b"\nstream\n" + self.content + b"endstream\n"


def finish(document: pdfdoc.PDFDocument, pdf: bytes) -> bytes:
    """Return what ReportLab wrote of a document with an end of line before each `endstream`.

    ISO 19005-3, 6.1.7.1; the table of cross references follows what was moved. After data that end
    in a carriage return a line feed alone would be read as one line end with it, and the data as a
    byte shorter than told.
    """
    offsets = [
        document.idToOffset[document.numberToId[n + 1]] for n in range(len(document.numberToId))
    ]
    begin = pdf.rindex(b"xref\n", 0, pdf.rindex(b"startxref"))
    trailer = pdf[pdf.index(b"trailer", begin) : pdf.rindex(b"startxref")]
    pieces = [pdf[: offsets[0]]]
    written, places = offsets[0], []
    for start, end in pairwise([*offsets, begin]):
        piece = pdf[start:end]
        if piece.endswith(ENDED):
            data = piece.removesuffix(ENDED)
            piece = data + (b"\r\n" if data.endswith(b"\r") else b"\n") + ENDED
        places.append(written)
        written += len(piece)
        pieces.append(piece)
    table = "".join(f"{place:010} 00000 n \n" for place in places)
    head = f"xref\n0 {len(places) + 1}\n0000000000 65535 f \n"
    pieces += [head.encode(), table.encode(), trailer, f"startxref\n{written}\n%%EOF\n".encode()]
    return b"".join(pieces)


def _packet(metadata: Metadata, producer: str) -> bytes:
    """Return the metadata as XMP (ISO 16684-1): no word of it other than in the dictionary."""
    at = metadata.at.isoformat(timespec="seconds")
    title, author, subject = (
        escape(legible(text)) for text in (metadata.title, metadata.author, metadata.subject)
    )
    described = f"<dc:description>{_in_words(subject)}</dc:description>\n" if subject else ""
    return f"""<?xpacket begin="\ufeff" id="W5M0MpCehiHzreSzNTczkc9d"?>
<x:xmpmeta xmlns:x="adobe:ns:meta/">
<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">
<rdf:Description rdf:about="" xmlns:pdfaid="http://www.aiim.org/pdfa/ns/id/">
<pdfaid:part>{PART}</pdfaid:part>
<pdfaid:conformance>{CONFORMANCE}</pdfaid:conformance>
</rdf:Description>
<rdf:Description rdf:about="" xmlns:dc="http://purl.org/dc/elements/1.1/">
<dc:format>application/pdf</dc:format>
<dc:title>{_in_words(title)}</dc:title>
<dc:creator><rdf:Seq><rdf:li>{author}</rdf:li></rdf:Seq></dc:creator>
{described}<dc:language><rdf:Bag><rdf:li>{escape(metadata.language)}</rdf:li></rdf:Bag></dc:language>
</rdf:Description>
<rdf:Description rdf:about="" xmlns:xmp="http://ns.adobe.com/xap/1.0/">
<xmp:CreatorTool>{TOOL}</xmp:CreatorTool>
<xmp:CreateDate>{at}</xmp:CreateDate>
<xmp:ModifyDate>{at}</xmp:ModifyDate>
<xmp:MetadataDate>{at}</xmp:MetadataDate>
</rdf:Description>
<rdf:Description rdf:about="" xmlns:pdf="http://ns.adobe.com/pdf/1.3/">
<pdf:Producer>{escape(producer)}</pdf:Producer>
</rdf:Description>
</rdf:RDF>
</x:xmpmeta>
<?xpacket end="r"?>""".encode()


def _in_words(text: str) -> str:
    return f'<rdf:Alt><rdf:li xml:lang="x-default">{text}</rdf:li></rdf:Alt>'


Vector = tuple[float, float, float]
Matrix = tuple[Vector, Vector, Vector]

# IEC 61966-2-1: chromaticities of the three primaries and of white (D65), and the curve.
PRIMARIES = ((0.64, 0.33), (0.30, 0.60), (0.15, 0.06))
WHITE = (0.3127, 0.3290)
GAMMA, LINEAR = 2.4, (1 / 1.055, 0.055 / 1.055, 1 / 12.92, 0.04045)
# ICC.1:2004-10: the white that profiles are connected by (D50), and Bradford's matrix (annex E).
D50: Vector = (0.9642, 1.0, 0.8249)
BRADFORD: Matrix = ((0.8951, 0.2664, -0.1614), (-0.7502, 1.7135, 0.0367), (0.0389, -0.0685, 1.0296))
MADE = (2026, 11, 23, 0, 0, 0)
COLOUR_NAME = "sRGB IEC61966-2.1"


@cache
def srgb() -> bytes:
    """Return an ICC profile of version 4.2, a display of three primaries; always the same bytes."""
    adapted = _adaptation(_xyz(*WHITE), D50)
    columns = _product(adapted, _primaries())
    curve = b"para\0\0\0\0" + struct.pack(">HH", 3, 0) + _fixed(GAMMA, *LINEAR)
    tags = {
        b"desc": _words(COLOUR_NAME),
        b"cprt": _words("Public domain"),
        b"wtpt": _coordinates(D50),
        b"chad": b"sf32\0\0\0\0" + b"".join(_fixed(*row) for row in adapted),
        **{
            name: _coordinates((columns[0][place], columns[1][place], columns[2][place]))
            for place, name in enumerate((b"rXYZ", b"gXYZ", b"bXYZ"))
        },
    }
    return _profile(tags, curve)


def _profile(tags: dict[bytes, bytes], curve: bytes) -> bytes:
    """Lay the tags out behind the head; the three curves are one and the same piece."""
    names = [*tags, b"rTRC", b"gTRC", b"bTRC"]
    place = 128 + 4 + 12 * len(names)
    table, body, at_curve = b"", b"", 0
    for name in names:
        if name in tags or not at_curve:
            content = tags.get(name, curve)
            at = place + len(body)
            body += content + bytes(-len(content) % 4)
            at_curve = 0 if name in tags else at
        else:
            content, at = curve, at_curve
        table += struct.pack(">4sII", name, at, len(content))
    head = struct.pack(
        ">I4sI4s4s4s6H4s4sI4s4s8sI12s4s44x",
        place + len(body), b"\0\0\0\0", 0x04200000, b"mntr", b"RGB ", b"XYZ ", *MADE, b"acsp",
        b"\0\0\0\0", 0, b"\0\0\0\0", b"\0\0\0\0", bytes(8), 0, _fixed(*D50), b"\0\0\0\0",
    )  # fmt: skip
    return head + struct.pack(">I", len(names)) + table + body


def _words(text: str) -> bytes:
    content = text.encode("utf-16-be")
    return b"mluc\0\0\0\0" + struct.pack(">II4sII", 1, 12, b"enUS", len(content), 28) + content


def _coordinates(xyz: Vector) -> bytes:
    return b"XYZ \0\0\0\0" + _fixed(*xyz)


def _fixed(*values: float) -> bytes:
    return struct.pack(f">{len(values)}i", *(round(value * 65536) for value in values))


def _xyz(x: float, y: float) -> Vector:
    return x / y, 1.0, (1 - x - y) / y


def _primaries() -> Matrix:
    """Return the matrix from light of the three primaries to XYZ, white being all three in full."""
    columns = _turned(tuple(_xyz(*one) for one in PRIMARIES))  # type: ignore[arg-type]
    full = _applied(_inverse(columns), _xyz(*WHITE))
    return tuple(  # type: ignore[return-value]
        tuple(value * amount for value, amount in zip(row, full, strict=True)) for row in columns
    )


def _adaptation(white: Vector, wanted: Vector) -> Matrix:
    """Return Bradford's matrix from colours under one white to those under another."""
    seen, asked = _applied(BRADFORD, white), _applied(BRADFORD, wanted)
    scale: Matrix = (
        (asked[0] / seen[0], 0, 0),
        (0, asked[1] / seen[1], 0),
        (0, 0, asked[2] / seen[2]),
    )
    return _product(_inverse(BRADFORD), _product(scale, BRADFORD))


def _applied(matrix: Matrix, vector: Vector) -> Vector:
    one, two, three = (sum(a * b for a, b in zip(row, vector, strict=True)) for row in matrix)
    return one, two, three


def _turned(matrix: Matrix) -> Matrix:
    one, two, three = zip(*matrix, strict=True)
    return one, two, three


def _product(left: Matrix, right: Matrix) -> Matrix:
    one, two, three = (_applied(left, column) for column in _turned(right))
    return _turned((one, two, three))


def _inverse(matrix: Matrix) -> Matrix:
    (a, b, c), (d, e, f), (g, h, i) = matrix
    whole = a * (e * i - f * h) - b * (d * i - f * g) + c * (d * h - e * g)
    return (
        ((e * i - f * h) / whole, (c * h - b * i) / whole, (b * f - c * e) / whole),
        ((f * g - d * i) / whole, (a * i - c * g) / whole, (c * d - a * f) / whole),
        ((d * h - e * g) / whole, (b * g - a * h) / whole, (a * e - b * d) / whole),
    )


def canonical(values: Any) -> bytes:
    """JSON with sorted keys, no spaces, UTF-8; whole numbers and text only (RFC 8785)."""
    text = json.dumps(
        values, sort_keys=True, separators=(",", ":"), ensure_ascii=False, allow_nan=False
    )
    return text.encode()


def embed(
    canvas: Canvas, content: bytes, *, description: str, at: datetime, schema: bytes | None = None
) -> None:
    """Attach `content` to the document being drawn as acta.json, and its schema beside it, if any.

    `at` is the aware time of both. ISO 32000-1, 7.11.4; as associated files of the document, of
    which ISO 19005-3, 6.8, asks a type, a time and how each belongs to it.
    """
    document = canvas._doc  # ReportLab offers no public way to its catalogue.
    files = [(ATTACHMENT_NAME, content, "acta", "Data")]
    files += [(SCHEMA, schema, "schema", "Supplement")] if schema is not None else []
    names: list[object] = []
    associated: list[object] = []
    for name, held, key, relation in files:
        stream = document.Reference(_data_stream(held, at), f"{key}-data")
        file = pdfdoc.PDFDictionary(
            {
                "Type": pdfdoc.PDFName("Filespec"),
                "F": pdfdoc.PDFString(name),
                "UF": pdfdoc.PDFString(name),
                "Desc": pdfdoc.PDFString(description),
                "AFRelationship": pdfdoc.PDFName(relation),
                "EF": pdfdoc.PDFDictionary({"F": stream, "UF": stream}),
            }
        )
        associated.append(document.Reference(file, f"{key}-file"))
        names += [pdfdoc.PDFString(name), associated[-1]]
    tree = pdfdoc.PDFDictionary({"Names": pdfdoc.PDFArray(names)})
    document.Catalog.Names = pdfdoc.PDFDictionary({"EmbeddedFiles": tree})
    add_entries(document.Catalog, AF=pdfdoc.PDFArray(associated))


def _data_stream(content: bytes, at: datetime) -> pdfdoc.PDFStream:
    return pdfdoc.PDFStream(
        pdfdoc.PDFDictionary(
            {
                "Type": pdfdoc.PDFName("EmbeddedFile"),
                "Subtype": "/application#2Fjson",  # ReportLab's own names leave a stroke as it is
                "Params": pdfdoc.PDFDictionary(
                    {"Size": len(content), "ModDate": pdfdoc.PDFString(date(at))}
                ),
            }
        ),
        content,
        filters=[pdfdoc.PDFZCompress],
    )


def attachment(pdf: bytes) -> dict[str, Any]:
    """The acta's values as its own PDF carries them.

    Raises LookupError when the bytes are no PDF or carry none; nothing else.
    """
    if len(pdf) > LIMIT:
        raise LookupError(ATTACHMENT_NAME)
    try:
        found: dict[str, Any] = dict(json.loads(_embedded(pdf)))
    # Any exception: hostile bytes fail anywhere in a parser, and none may reach the caller.
    except Exception as error:
        raise LookupError(ATTACHMENT_NAME) from error
    return found


def _embedded(pdf: bytes) -> bytes:
    root = PdfFileReader(BytesIO(pdf), strict=False).root
    names = list(root["/Names"]["/EmbeddedFiles"]["/Names"])
    place = [str(name) for name in names[::2]].index(ATTACHMENT_NAME)
    return bytes(names[2 * place + 1].get_object()["/EF"]["/F"].data)
