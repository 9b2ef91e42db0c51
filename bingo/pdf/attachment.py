"""Data carried inside a PDF for programs to read: canonical JSON as an embedded file."""

import json
from io import BytesIO
from typing import Any

from pyhanko.pdf_utils.reader import PdfFileReader
from reportlab.pdfbase import pdfdoc
from reportlab.pdfgen.canvas import Canvas

NAME, SCHEMA = "acta.json", "acta.schema.json"
LIMIT = 16 * 1024 * 1024  # bytes of a file looked into; an acta of 60 games is under 1 MB


def canonical(values: Any) -> bytes:
    """JSON with sorted keys, no spaces, UTF-8; whole numbers and text only (RFC 8785)."""
    text = json.dumps(
        values, sort_keys=True, separators=(",", ":"), ensure_ascii=False, allow_nan=False
    )
    return text.encode()


def embed(canvas: Canvas, content: bytes, *, description: str, schema: bytes | None = None) -> None:
    """Attach `content` to the document being drawn as acta.json, and its schema beside it, if any.

    ISO 32000-1, 7.11.4.
    """
    document = canvas._doc  # ReportLab offers no public way to its catalogue.
    files = [(NAME, content, "acta", "Data")]
    files += [(SCHEMA, schema, "schema", "Schema")] if schema is not None else []
    names: list[object] = []
    for name, held, key, relation in files:
        stream = document.Reference(_stream(held), f"{key}-data")
        file = pdfdoc.PDFDictionary(
            {
                "Type": pdfdoc.PDFName("Filespec"),
                "F": pdfdoc.PDFString(name),
                "UF": pdfdoc.PDFString(name),
                "Desc": pdfdoc.PDFString(description),
                "AFRelationship": pdfdoc.PDFName(relation),
                "EF": pdfdoc.PDFDictionary({"F": stream}),
            }
        )
        names += [pdfdoc.PDFString(name), document.Reference(file, f"{key}-file")]
    tree = pdfdoc.PDFDictionary({"Names": pdfdoc.PDFArray(names)})
    document.Catalog.Names = pdfdoc.PDFDictionary({"EmbeddedFiles": tree})


def _stream(content: bytes) -> pdfdoc.PDFStream:
    return pdfdoc.PDFStream(
        pdfdoc.PDFDictionary(
            {
                "Type": pdfdoc.PDFName("EmbeddedFile"),
                "Subtype": pdfdoc.PDFName("application#2Fjson"),
                "Params": pdfdoc.PDFDictionary({"Size": len(content)}),
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
        raise LookupError(NAME)
    try:
        found: dict[str, Any] = dict(json.loads(_embedded(pdf)))
    # Any exception: hostile bytes fail anywhere in a parser, and none may reach the caller.
    except Exception as error:
        raise LookupError(NAME) from error
    return found


def _embedded(pdf: bytes) -> bytes:
    root = PdfFileReader(BytesIO(pdf), strict=False).root
    names = list(root["/Names"]["/EmbeddedFiles"]["/Names"])
    place = [str(name) for name in names[::2]].index(NAME)
    return bytes(names[2 * place + 1].get_object()["/EF"]["/F"].data)
