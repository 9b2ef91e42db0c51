"""The data inside a PDF comes back as it went in, before and after the seal."""

from io import BytesIO

import pypdf
import pytest
from reportlab.pdfgen.canvas import Canvas

from bingo.pdf import pdfa
from tests.pdf.conftest import NOW


@pytest.mark.rule(59)
def test_attachment_is_read_back_from_both_documents(document: bytes, sealed: bytes) -> None:
    assert pdfa.attachment(document) == {"session": 7}
    assert pdfa.attachment(sealed) == {"session": 7}


def test_canonical_json_is_sorted_unspaced_and_utf8() -> None:
    values = {"b": [1, None, True], "a": "ção €"}
    assert pdfa.canonical(values) == '{"a":"ção €","b":[1,null,true]}'.encode()


def test_canonical_json_has_no_name_for_what_is_no_number() -> None:
    with pytest.raises(ValueError, match="not JSON compliant"):
        pdfa.canonical({"a": float("nan")})


@pytest.mark.parametrize("hostile", [b"", b"%PDF-1.7", b"\x00" * 500, bytes(pdfa.LIMIT + 1)])
def test_attachment_missing_is_told_alike_whatever_the_bytes(hostile: bytes) -> None:
    with pytest.raises(LookupError):
        pdfa.attachment(hostile)


def test_schema_is_attached_beside_the_data() -> None:
    out = BytesIO()
    canvas = Canvas(out, invariant=1)
    pdfa.embed(canvas, b'{"session":7}', description="Dados", at=NOW, schema=b'{"type":"object"}')
    canvas.drawString(1, 1, "Acta")
    canvas.save()
    reader = pypdf.PdfReader(BytesIO(out.getvalue()), strict=True)
    assert dict(reader.attachments) == {
        "acta.json": [b'{"session":7}'],
        "acta.schema.json": [b'{"type":"object"}'],
    }
    assert pdfa.attachment(out.getvalue()) == {"session": 7}
