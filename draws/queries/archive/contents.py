"""Every file of a hall's archive by its name, each read only when it is written."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from draws.models import Acta, Ball, Certificate, Reading, RectifiedActa, ShownBall, ShownCard
from draws.queries import certificates, pictures
from draws.queries.archive import rows, schemas
from draws.queries.archive.sheets import SHEETS, Period
from draws.queries.archive.sheets import lines as sheet_lines
from halls import verify_journal
from halls.models import Hall
from halls.queries import export

JOURNAL = "journal.jsonl"
BLOCK = 1 << 20
README = """\
The record of a bingo hall, as one archive.

manifest.json   what this is: the hall, the days, the journal's head, and the SHA-256 of every file
manifest.sig    ECDSA (DER) or RSA with SHA-256 over manifest.json by the key of certificates/seal.pem
journal.jsonl   every fact from number 1 on, each chained to the one before; to check it:
                python3 verify_journal.py journal.jsonl --head DIGEST_OF_THE_MANIFEST
actas/          the sealed acta of each session, byte for byte, and its certificate; after it, as
                acta-SESSION-1.pdf and so on, the actas that rectify it, each the one before
tables/         CSV of the days asked for: money in minor units and as decimals
rows/           the rows of every table, from which an empty database is filled again
schema/         what a line of each file holds, as JSON Schema
sheets/         certificates of cameras
pictures/       balls and cards as they were seen, where they were asked for and are still kept

To check the manifest by hand:
  openssl verify -CAfile certificates/authority.pem -untrusted certificates/seal.pem certificates/seal.pem
  openssl x509 -in certificates/seal.pem -pubkey -noout > key.pem
  openssl dgst -sha256 -verify key.pem -signature manifest.sig manifest.json
That the authority is the hall's own only a copy kept elsewhere can show.
"""


@dataclass(frozen=True, slots=True)
class Part:
    """One file of an archive."""

    name: str
    read: Callable[[], Iterator[bytes]]


def parts(period: Period, *, with_pictures: bool) -> list[Part]:
    """Give the files of an archive by name: all of the hall's record, tables of the period."""
    hall, sessions = period.hall, period.sessions()
    found = [
        _given("README.txt", README.encode()),
        Part("verify_journal.py", partial(_file, Path(verify_journal.__file__))),
        Part(JOURNAL, partial(_texts, partial(export.lines, hall))),
        _given("schema/journal.json", schemas.of_journal()),
    ]
    for one in SHEETS:
        lines = partial(sheet_lines, one, sessions, hall)
        found.append(Part(f"tables/{one.name}.csv", partial(_texts, lines)))
        found.append(_given(f"schema/tables-{one.name}.json", schemas.of_sheet(one)))
    for model in rows.models():
        found.append(Part(rows.name(model), partial(_texts, partial(rows.lines, model, hall))))
        schema = f"schema/rows-{model._meta.db_table}.json"
        found.append(_given(schema, schemas.of_table(model)))
    found += [*_actas(hall), *_sheets(hall), *(_pictures(hall) if with_pictures else ())]
    return sorted(found, key=lambda part: part.name)


def acta(session: int, rectification: int = 0) -> str:
    """Give the name of a session's acta in an archive, or that of one that rectifies it."""
    part = f"-{rectification}" if rectification else ""
    return f"actas/acta-{session:06}{part}.pdf"


def sheet(digest: str) -> str:
    """Give the name of a camera certificate's sheet."""
    return f"sheets/{digest}.pdf"


def picture(digest: str) -> str:
    """Give the name of a picture."""
    return f"pictures/{digest}.jpg"


def _actas(hall: Hall) -> Iterator[Part]:
    sealed = Acta.objects.filter(session__hall=hall).order_by("session__number")
    trusted: dict[str, str] = {}
    for pk, number, pem in sealed.values_list("pk", "session__number", "certificate"):
        trusted[hashlib.sha256(pem.encode()).hexdigest()] = pem
        yield Part(acta(number), partial(_sealed, Acta, pk))
    rectified = RectifiedActa.objects.filter(rectification__session__hall=hall)
    named = ("pk", "rectification__session__number", "rectification__number", "certificate")
    for pk, number, part, pem in rectified.order_by(*named[1:3]).values_list(*named):
        trusted[hashlib.sha256(pem.encode()).hexdigest()] = pem
        yield Part(acta(number, part), partial(_sealed, RectifiedActa, pk))
    for digest, pem in trusted.items():
        yield _given(f"actas/{digest}.pem", pem.encode())


def _sealed(model: type[Acta | RectifiedActa], pk: int) -> Iterator[bytes]:
    yield bytes(model._default_manager.values_list("pdf", flat=True).get(pk=pk))


def _sheets(hall: Hall) -> Iterator[Part]:
    papers = Certificate.objects.filter(hall=hall).values_list("paper", flat=True)
    for digest in sorted(set(papers)):
        if (place := certificates.path(digest)).exists():
            yield Part(sheet(digest), partial(_file, place))


def _pictures(hall: Hall) -> Iterator[Part]:
    """Give those that are still kept; what was forgotten is gone."""
    named = {
        *Reading.objects.filter(game__session__hall=hall).values_list("picture", flat=True),
        *Ball.objects.filter(game__session__hall=hall).values_list("picture", flat=True),
        *ShownCard.objects.filter(claim__game__session__hall=hall).values_list(
            "picture", flat=True
        ),
        *ShownBall.objects.filter(enrolment__camera__hall=hall).values_list("picture", flat=True),
    }
    for digest in sorted(named - {""}):
        if (place := pictures.path(digest)).exists():
            yield Part(picture(digest), partial(_file, place))


def _given(name: str, content: bytes) -> Part:
    return Part(name, lambda: iter([content]))


def _texts(lines: Callable[[], Iterator[str]]) -> Iterator[bytes]:
    return (line.encode() for line in lines())


def _file(place: Path) -> Iterator[bytes]:
    with place.open("rb") as opened:
        while block := opened.read(BLOCK):
            yield block
