"""Data for programs to read, embedded in a PDF as canonical JSON, and read back from one."""

from __future__ import annotations

import json
from datetime import datetime
from io import BytesIO
from typing import Any

from pyhanko.pdf_utils.reader import PdfFileReader
from reportlab.pdfbase import pdfdoc
from reportlab.pdfgen.canvas import Canvas

from bingo.pdf.pdfa import date
from bingo.pdf.tagging import add_entries

ATTACHMENT_NAME, SCHEMA = "acta.json", "acta.schema.json"
LIMIT = 16 * 1024 * 1024  # bytes of a file looked into; an acta of 60 games is under 2 MB


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
        stream = document.Reference(_stream(held, at), f"{key}-data")
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


def _stream(content: bytes, at: datetime) -> pdfdoc.PDFStream:
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
