"""PDF/A-3u (ISO 19005-3): metadata, dates and the output intent of every document.

The colour space is that of `bingo.pdf.colour_profile`, data for programs to read are embedded by
`bingo.pdf.attachments`, fonts by `bingo.pdf.kit`; the structure is that of `bingo.pdf.tagging`.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from html import escape
from itertools import pairwise

from reportlab.pdfbase import pdfdoc
from reportlab.pdfgen.canvas import Canvas

from bingo.pdf.colour_profile import COLOUR_NAME, srgb
from bingo.pdf.tagging import add_entries

VERSION = (1, 7)  # of PDF: ISO 32000-1, on which PDF/A-3 rests
PART, CONFORMANCE = 3, "U"  # every sign can be read as Unicode (6.2.11.7)
TOOL = "Bingo hall"
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
