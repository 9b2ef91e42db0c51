"""Documents are PDF/A-3u for a validator of another maker, sealed or not; with a fault they are not."""

from __future__ import annotations

import re
import shutil
import subprocess
from collections.abc import Callable, Iterator
from dataclasses import replace
from datetime import UTC, datetime, timedelta, timezone
from io import BytesIO
from itertools import count
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as ET

import pypdf
import pytest
from django.utils import translation
from PIL import Image, ImageCms
from pyhanko.pdf_utils.generic import StreamObject
from pyhanko.pdf_utils.incremental_writer import IncrementalPdfFileWriter

from bingo.pdf import pdfa, seal
from bingo.pdf.keys import SigningKey
from bingo.slips.page import draw_page
from draws.balls import camera_certificate
from draws.complaints import slip
from draws.custody import documents as custody_documents
from draws.receipts import documents as receipts_documents
from draws.receipts import settlement
from draws.record import rectifications
from draws.record.acta import document
from draws.record.acta import values as acta_values
from draws.record.acta.values import ActaValues
from tests.pdf.conftest import NOW
from tests.support import (
    acta_checkpoint,
    complaint_slip,
    custody_record,
    payment,
    pdf_conformance,
    receipts,
    settlements,
    whole_evening,
)
from tests.support import acta_values as support_acta_values
from tests.support import camera_certificate as support_camera_certificate
from tests.support.rectification_values import rectified
from tests.support.time_stamps import answering

ZONE = timezone(timedelta(hours=-1))
HOSTILE = (
    "Sala <b>de</b> & Cª \N{GRINNING FACE}\N{CJK UNIFIED IDEOGRAPH-4E2D}\x07\N{ZERO WIDTH SPACE}"
)
DATE = "D:20261121030044-01'00'"


@pytest.fixture(autouse=True)
def _portuguese() -> Iterator[None]:
    with translation.override("pt"):
        yield


def hostile() -> ActaValues:
    values = support_acta_values.acta()
    notes = tuple(replace(note, text=HOSTILE, by=HOSTILE) for note in values.notes)
    return replace(values, hall=HOSTILE, licence=HOSTILE, opened_by=HOSTILE, notes=notes)


DOCUMENTS: dict[str, Callable[[], bytes]] = {
    "acta": lambda: document.draw(support_acta_values.acta()),
    "acta of no game": lambda: document.draw(support_acta_values.acta(0)),
    "acta of everything": lambda: document.draw(whole_evening.acta(5)),
    "acta of the desk": lambda: document.draw(support_acta_values.desk()),
    "acta of training": lambda: document.draw(replace(support_acta_values.acta(), training=True)),
    "acta of hostile words": lambda: document.draw(hostile()),
    "rectification": lambda: rectifications.draw_rectification(rectified()),
    "long rectification": lambda: rectifications.draw_rectification(
        rectified(what="Uma linha\n" * 200)
    ),
    "settlement": lambda: settlement.settlement(settlements.handover()),
    "receipt": lambda: draw_page(receipts_documents.sale_slip(receipts.of_two_issues())),
    "payment": lambda: draw_page(receipts_documents.payment_slip(payment.payment())),
    "complaint": lambda: draw_page(slip.complaint_slip(complaint_slip.OPEN)),
    "checkpoint": lambda: draw_page(receipts_documents.checkpoint_slip(acta_checkpoint.values())),
    "record of cards": lambda: custody_documents.custody_record(custody_record.destroyed(90)),
    "certificate of a camera": lambda: camera_certificate.certificate(
        support_camera_certificate.values()
    ),
}


@pytest.fixture(scope="module")
def drawn() -> bytes:
    with translation.override("pt"):
        return document.draw(support_acta_values.acta())


@pytest.mark.rule(59)
@pytest.mark.parametrize("name", DOCUMENTS)
def test_document_is_pdf_a_3u_and_can_be_read_out(name: str) -> None:
    pdf = DOCUMENTS[name]()
    assert pdf_conformance.faults(pdf) == set()
    assert pdf_conformance.unread(pdf) == set()


@pytest.mark.slow
def test_data_that_end_in_a_carriage_return_keep_their_last_byte() -> None:
    drawn = (rectifications.draw_rectification(rectified(number=n)) for n in count(1))
    pdf = next(one for one in drawn if b"\r\r\nendstream\n" in one)
    assert pdf_conformance.faults(pdf) == set()
    # A line feed alone, as after other data; the byte that is saved stands where it moves nothing.
    short = pdf.replace(b"\r\r\nendstream\n", b"\r\nendstream\n\n")
    assert pdf_conformance.faults(short) == {"PDFA3U-STREAM-LENGTH-001"}


@pytest.mark.slow
def test_what_a_seal_adds_keeps_its_last_byte_too(
    drawn: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    def added() -> bytes:
        writer = IncrementalPdfFileWriter(BytesIO(drawn))
        writer.add_object(StreamObject(stream_data=b"kept\r"))
        told = BytesIO()
        writer.write(told)  # type: ignore[no-untyped-call]
        return told.getvalue()

    assert pdf_conformance.faults(added()) == set()
    monkeypatch.setattr(StreamObject, "write_to_stream", seal._write_stream)
    assert pdf_conformance.faults(added()) == {"PDFA3U-STREAM-LENGTH-001"}


@pytest.mark.slow
@pytest.mark.rule(59)
def test_sealed_documents_are_pdf_a_3u(drawn: bytes, key: SigningKey) -> None:
    for pdf in (drawn, rectifications.draw_rectification(rectified())):
        sealed = _sealed(pdf, key)
        assert pdf_conformance.faults(sealed) == set()
        assert sealed.startswith(pdf)
        assert _metadata(sealed) == _metadata(pdf)  # the seal says when it was made; the file stays


@pytest.mark.slow
def test_stamped_acta_is_pdf_a_3u_in_each_of_its_revisions(drawn: bytes, key: SigningKey) -> None:
    now = datetime.now(UTC).replace(microsecond=0)
    with answering() as stamps:
        stamping = {"key": key, "at": now, "stamps": stamps.authority}
        stamped = seal.sign_pdf(drawn, field_name="Acta", reason="Acta 7", location="Sala", level="B-T", **stamping)  # type: ignore[arg-type]  # fmt: skip
        lasting = seal.sign_pdf(drawn, field_name="Acta", reason="Acta 7", location="Sala", level="B-LTA", **stamping)  # type: ignore[arg-type]  # fmt: skip
    assert pdf_conformance.faults(stamped) == set()
    made, sealed, last = pdf_conformance.revisions(lasting)
    assert (made, last) == (drawn, lasting)
    assert pdf_conformance.faults(sealed) == set()
    # 6.4.3 asks of a signature that it covers its file; the one before the last covers the file
    # of its own revision, as seen above. The validator knows of the last revision only.
    assert pdf_conformance.faults(last) == {"PDFA3U-SIGNATURE-BYTERANGE-001"}


def test_unsealed_paper_of_before_was_none(document: bytes) -> None:
    assert pdf_conformance.faults(document) >= {
        "PDFA3U-ID-SCHEMA-001",
        "PDFA3U-METADATA-STRUCTURE-001",
        "PDFA3U-STREAM-EOL-001",
    }


# A file of the same length with one thing wrong, and the rule that says so. 6.1: structure of the
# file. 6.2: colours and fonts. 6.6: metadata. 6.7: logical structure (PDF/UA). 6.8: attached files.
FAULTS = (
    ("6.1.2 header", rb"%PDF-1.7", b"%PDF-1.9", "PDFA3U-HEADER-001"),
    ("6.1.3 identifier", rb"/ID", b"/IX", "PDFA3U-TRAILER-ID-001"),
    ("6.1.7.1 end of stream", rb"\nendstream", b" endstream", "PDFA3U-STREAM-EOL-001"),
    ("6.2.3 output intent", rb"/GTS_PDFA1", b"/GTS_PDFX1", "PDFA3U-DEVICE-RGB-001"),
    ("6.2.11.4 embedded font", rb"/FontFile2", b"/FontFileX", "PDFA3U-FONT-EMBEDDING-001"),
    ("6.2.11.7.2 Unicode", rb"/ToUnicode", b"/ToUnicodf", "PDFA3U-UNICODE-MAPPING-001"),
    ("6.6.2.1 metadata", rb"/Metadata", b"/Metadatb", "PDFA3U-METADATA-STRUCTURE-001"),
    ("6.6.2.1 XML", rb"</rdf:RDF>", b"</rdf:RDG>", "PDFA3U-XMP-001"),
    ("6.6.4 part", rb"pdfaid:part>3<", b"pdfaid:part>2<", "PDFA3U-ID-PART-001"),
    ("6.6.4 level", rb"conformance>U<", b"conformance>Z<", "PDFA3U-ID-CONFORMANCE-001"),
    ("6.8 type", rb"/application#2Fjson", b"/application#20json", "PDFA3U-EMBEDDED-FILE-MIME-001"),
    ("6.8 relationship", rb"/AFRelationship", b"/AFRelationshiq", "PDFA3U-FILE-SPEC-AF-RELATIONSHIP-001"),
    ("6.8 association", rb"/AF \[", b"/AG [", "PDFA3U-FILE-SPEC-ASSOCIATION-001"),
    ("6.7 tagged", rb"/Marked true", b"/Marked null", "PDFUA1-TAGGED-DOCUMENT-001"),
    ("6.7 structure", rb"/StructTreeRoot", b"/StructTreeRoop", "PDFUA1-STRUCT-TREE-ROOT-001"),
    ("6.7 titles of columns", rb"/Scope/Column", b"/Scopf/Column", "PDFUA1-TABLE-HEADERS-SCOPE-001"),
    ("6.7 language", rb"/Lang", b"/Lanh", "PDFUA1-TEXT-LANGUAGE-001"),
)  # fmt: skip


@pytest.mark.parametrize(("clause", "right", "wrong", "rule"), FAULTS, ids=[f[0] for f in FAULTS])
def test_validator_finds_a_fault(
    drawn: bytes, clause: str, right: bytes, wrong: bytes, rule: str
) -> None:
    broken = re.sub(right, wrong, drawn)
    assert broken != drawn
    assert len(broken) == len(drawn)
    broken_rules = pdf_conformance.faults(broken) | pdf_conformance.unread(broken)
    assert rule in broken_rules, (clause, sorted(broken_rules))


def test_acta_is_of_the_hour_its_session_closed(drawn: bytes, key: SigningKey) -> None:
    values = support_acta_values.acta()
    assert values.closed_at.isoformat() == "2026-11-21T03:00:44-01:00"
    for pdf in (drawn, _sealed(drawn, key)):
        info = _info(pdf)
        assert info["/CreationDate"] == info["/ModDate"] == DATE
        assert info.creation_date == values.closed_at
        names = _root(pdf)["/Names"]["/EmbeddedFiles"]["/Names"]
        for file in names[1::2]:
            params = file.get_object()["/EF"]["/F"].get_object()["/Params"]
            assert params["/ModDate"] == DATE


@pytest.mark.parametrize(
    ("offset", "written"), [(0, "+00'00'"), (-60, "-01'00'"), (-210, "-03'30'"), (345, "+05'45'")]
)
def test_date_has_its_offset(offset: int, written: str) -> None:
    at = datetime(2026, 3, 29, 1, 2, 3, tzinfo=timezone(timedelta(minutes=offset)))
    assert pdfa.date(at) == "D:20260329010203" + written


def test_metadata_says_what_the_dictionary_says() -> None:
    pdf = document.draw(replace(support_acta_values.acta(), hall=HOSTILE))
    properties = _metadata(pdf)
    info = _info(pdf)
    assert properties == {
        "part": "3",
        "conformance": "U",
        "format": "application/pdf",
        "title": info["/Title"],
        "creator": info["/Author"],
        "description": info["/Subject"],
        "language": "pt",
        "CreatorTool": info["/Creator"],
        "Producer": info["/Producer"],
        "CreateDate": "2026-11-21T03:00:44-01:00",
        "ModifyDate": "2026-11-21T03:00:44-01:00",
        "MetadataDate": "2026-11-21T03:00:44-01:00",
    }
    assert "<b>de</b> & Cª \N{GRINNING FACE}" in info["/Title"]
    assert "\x07" not in info["/Title"]


def test_attached_files_belong_to_the_document_as_they_are(drawn: bytes) -> None:
    files = [file.get_object() for file in _root(drawn)["/AF"]]
    assert [(file["/UF"], file["/AFRelationship"]) for file in files] == [
        ("acta.json", "/Data"),
        ("acta.schema.json", "/Supplement"),
    ]
    content = pdfa.canonical(acta_values.data(support_acta_values.acta()))
    stream = files[0]["/EF"]["/F"].get_object()
    assert stream.get_data() == content
    assert stream["/Subtype"] == "/application/json"
    assert stream["/Params"]["/Size"] == len(content)


@pytest.mark.slow
def test_acta_is_the_same_bytes_for_the_same_values_only(drawn: bytes) -> None:
    assert document.draw(support_acta_values.acta()) == drawn
    later = replace(
        support_acta_values.acta(),
        closed_at=support_acta_values.acta().closed_at + timedelta(seconds=1),
    )
    assert document.draw(later) != drawn


def test_colours_are_those_of_the_published_space() -> None:
    """Another maker's sRGB gives the same picture to one step of 255."""
    ours = ImageCms.ImageCmsProfile(BytesIO(pdfa.srgb()))
    theirs = ImageCms.ImageCmsProfile(ImageCms.createProfile("sRGB"))
    assert ours.profile.version == pytest.approx(4.2)
    steps = [0, 1, 20, 51, 102, 128, 153, 204, 254, 255]
    colours = [(red, green, blue) for red in steps for green in steps for blue in steps]
    picture = Image.new("RGB", (len(colours), 1))
    for place, one in enumerate(colours):
        picture.putpixel((place, 0), one)
    shown = ImageCms.profileToProfile(picture, ours, theirs)
    assert shown is not None
    converted = [shown.getpixel((place, 0)) for place in range(len(colours))]
    assert max(abs(a - b) for one, two in zip(colours, converted, strict=True) for a, b in zip(one, two, strict=True)) <= 1  # type: ignore[arg-type]  # fmt: skip
    assert pdfa.srgb() == pdfa.srgb()


@pytest.mark.skipif(shutil.which("qpdf") is None, reason="qpdf is not installed")
def test_table_of_cross_references_is_right(drawn: bytes, tmp_path: Path) -> None:
    file = tmp_path / "acta.pdf"
    file.write_bytes(drawn)
    check = subprocess.run(["qpdf", "--check", str(file)], capture_output=True, text=True, check=False)  # fmt: skip
    assert check.returncode == 0, check.stdout + check.stderr
    assert "No syntax or stream encoding errors found" in check.stdout


def _root(pdf: bytes) -> Any:
    return pypdf.PdfReader(BytesIO(pdf), strict=True).root_object


def _info(pdf: bytes) -> Any:
    return pypdf.PdfReader(BytesIO(pdf), strict=True).metadata


def _sealed(pdf: bytes, key: SigningKey) -> bytes:
    return seal.sign_pdf(pdf, key=key, at=NOW, field_name="Acta", reason="Acta 7", location="Sala")


def _metadata(pdf: bytes) -> dict[str, str]:
    """Return each property of the metadata by its name, whatever holds it."""
    stream = _root(pdf)["/Metadata"].get_object()
    tree = ET.fromstring(stream.get_data())  # of our own making
    return {
        element.tag.partition("}")[2]: "".join(element.itertext())
        for description in tree.iter("{http://www.w3.org/1999/02/22-rdf-syntax-ns#}Description")
        for element in description
    }
