"""The files of a hall's archive, each by its name and read only when it is written.

Rows are JSON Lines, a table a file: what an empty database is filled from again. Each file has a
JSON Schema beside it, under schema/.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import date
from functools import partial
from pathlib import Path
from typing import Any
from uuid import UUID

from django.db import models as db_models
from django.db.models import F, Field, ForeignKey, Model, QuerySet

from bingo import schema
from draws import models as game
from draws.balls import enrolment_queries
from draws.balls import queries as balls_queries
from draws.record.archive.sheets import INSTANT, MONEY, NUMBER, SHEETS, ArchivePeriod, ArchiveTable
from draws.record.archive.sheets import lines as sheet_lines
from halls import models as house
from halls import verify_journal
from halls.checkpoints import queries as checkpoints_queries
from halls.journal import queries as journal_queries
from halls.models import Hall, JournalEntry

# What nobody is told, or what has a file of its own; a camera's address is told without them.
KEPT_BACK: Mapping[type[Model], frozenset[str]] = {
    house.Person: frozenset(["password", "password_given", "last_login"]),
    game.Camera: frozenset(["salt"]),
    game.Acta: frozenset(["pdf"]),
    game.RectifiedActa: frozenset(["pdf"]),
}


# The journal is a file by itself; that archives were asked for is no part of what they tell, or
# asking for one would change the next.
# Which television hangs where and what it shows between games is none of it either, and which accounts an inspector has elsewhere
# no hall's business. What was refused within a minute is told by the journal when it is over.
# What proves that somebody is who they say opens one installation and goes to no other.
LEFT_OUT = (
    JournalEntry, game.Export, house.WallScreen, house.WallPicture, house.JoinedDesk,
    house.RefusalTally, house.Factor, house.RecoveryCode, house.Pin, house.TillBrowser,
    house.ProviderLink, house.SignIn,
)  # fmt: skip


def models() -> list[type[Model]]:
    """Return the models whose rows an archive holds."""
    return [model for model in journal_queries.ours() if model not in LEFT_OUT]


def row_name(model: type[Model]) -> str:
    """Return the name of a table's file in an archive."""
    return f"rows/{model._meta.db_table}.jsonl"


def row_fields(model: type[Model]) -> list[Field[Any, Any]]:
    """Return the fields of a table that an archive tells."""
    hidden = KEPT_BACK.get(model, frozenset())
    return [field for field in model._meta.concrete_fields if field.name not in hidden]


def row_label(field: Field[Any, Any]) -> str:
    """Return a field's name in an archive: a journal entry is told by its number, not by its key."""
    return field.name if is_entry(field) else field.attname


def is_entry(field: Field[Any, Any]) -> bool:
    """Return whether a field names an entry of the journal."""
    return isinstance(field, ForeignKey) and field.related_model is JournalEntry


def row_lines(model: type[Model], hall: Hall) -> Iterator[str]:
    """Return a hall's rows of a table in the order of their keys, a line each."""
    told = {
        f"told_{row_label(field)}": F(f"{field.name}__number" if is_entry(field) else field.attname)
        for field in row_fields(model)
    }
    for row in _rows(model, hall).order_by("pk").values(**told).iterator(chunk_size=2_000):
        values = {key.removeprefix("told_"): _plain(value) for key, value in row.items()}
        if model is game.Camera:
            values["url"] = balls_queries.bare(values["url"])
        yield json.dumps(values, sort_keys=True, separators=(",", ":"), ensure_ascii=False) + "\n"


def _rows(model: type[Model], hall: Hall) -> QuerySet[Model]:
    return model._default_manager.filter(**{journal_queries.path_to_hall(model): hall.pk})


def _plain(value: Any) -> Any:
    if isinstance(value, UUID):
        return str(value)
    return value.isoformat() if isinstance(value, date) else value


INTEGERS = (db_models.IntegerField, db_models.ForeignKey, db_models.BigAutoField)
MINOR = "whole minor units of the hall's currency"


def of_sheet(sheet: ArchiveTable) -> bytes:
    """Describe a line of a CSV table, whose empty cells are null where they are no text."""
    described: dict[str, Any] = {}
    for name, type in sheet.columns:
        if type == MONEY:
            described[f"{name}_minor"] = {"type": ["integer", "null"], "description": MINOR}
        described[name] = _cell(type)
    return _written(sheet.name, described)


def of_table(model: type[Model]) -> bytes:
    """Describe a line of a table's rows."""
    described = {row_label(field): _value(field) for field in row_fields(model)}
    return _written(model._meta.db_table, described)


def of_journal() -> bytes:
    """Describe a line of the journal (docs/journal.md)."""
    text, number = {"type": "string"}, {"type": "integer"}
    perhaps = {"type": ["integer", "null"]}
    return _written(
        "journal",
        {
            "hall": text, "number": number, "session": perhaps, "game": perhaps, "kind": text,
            "data": {"type": "object"}, "at": {"type": "string", "format": "date-time"},
            "by": {"type": ["string", "null"]},
            "digest": {"type": "string", "pattern": "^[0-9a-f]{64}$"},
        },
    )  # fmt: skip


def _cell(type: str) -> dict[str, Any]:
    if type == INSTANT:
        return {"type": ["string", "null"], "format": "date-time"}
    return {"type": ["number", "null"]} if type in (NUMBER, MONEY) else {"type": "string"}


def _value(field: Field[Any, Any]) -> dict[str, Any]:
    if isinstance(field, db_models.JSONField):
        return {}
    if is_entry(field):
        kind = {"type": "integer", "description": "number of an entry of the journal"}
    elif isinstance(field, db_models.BooleanField):
        kind = {"type": "boolean"}
    elif isinstance(field, INTEGERS):
        kind = {"type": "integer"}
    elif field.get_internal_type() == "ArrayField":
        kind = {"type": "array"}
    else:
        kind = {"type": "string"}
    return {**kind, "type": [kind["type"], "null"]} if field.null else kind


def _written(title: str, described: dict[str, Any]) -> bytes:
    value = {
        "$schema": schema.DIALECT,
        "title": title,
        "type": "object",
        "properties": described,
        "required": list(described),
        "additionalProperties": False,
    }
    return (json.dumps(value, indent=1, ensure_ascii=False) + "\n").encode()


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
checkpoints/    the newest signed head of the journal, and the newest that each witness cosigned
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
class ArchiveFile:
    """One file of an archive."""

    name: str
    read: Callable[[], Iterator[bytes]]


def parts(period: ArchivePeriod, *, with_pictures: bool) -> list[ArchiveFile]:
    """Return the files of an archive by name: all of the hall's record, tables of the period."""
    hall, sessions = period.hall, period.sessions()
    found = [
        given("README.txt", README.encode()),
        ArchiveFile("verify_journal.py", partial(file_blocks, Path(verify_journal.__file__))),
        ArchiveFile(JOURNAL, partial(_texts, partial(journal_queries.export_lines, hall))),
        given("schema/journal.json", of_journal()),
    ]
    for one in SHEETS:
        lines = partial(sheet_lines, one, sessions, hall)
        found.append(ArchiveFile(f"tables/{one.name}.csv", partial(_texts, lines)))
        found.append(given(f"schema/tables-{one.name}.json", of_sheet(one)))
    for model in models():
        found.append(ArchiveFile(row_name(model), partial(_texts, partial(row_lines, model, hall))))
        found.append(given(f"schema/rows-{model._meta.db_table}.json", of_table(model)))
    found += [
        *_checkpoints(hall),
        *_actas(hall),
        *_sheets(hall),
        *(_pictures(hall) if with_pictures else ()),
    ]
    return sorted(found, key=lambda part: part.name)


def acta(session: int, rectification: int = 0) -> str:
    """Return the name of a session's acta in an archive, or that of one that rectifies it."""
    part = f"-{rectification}" if rectification else ""
    return f"actas/acta-{session:06}{part}.pdf"


def sheet(digest: str) -> str:
    """Return the name of a camera certificate's sheet."""
    return f"sheets/{digest}.pdf"


def picture(digest: str) -> str:
    """Return the name of a picture."""
    return f"pictures/{digest}.jpg"


def _actas(hall: Hall) -> Iterator[ArchiveFile]:
    sealed = game.Acta.objects.filter(session__hall=hall).order_by("session__number")
    rectified = game.RectifiedActa.objects.filter(rectification__session__hall=hall)
    named = ("rectification__session__number", "rectification__number")
    listed: tuple[tuple[type[game.Acta | game.RectifiedActa], Iterable[tuple[Any, ...]]], ...] = (
        (game.Acta, sealed.values_list("pk", "certificate", "session__number")),
        (game.RectifiedActa, rectified.order_by(*named).values_list("pk", "certificate", *named)),
    )
    trusted: dict[str, str] = {}
    for model, rows in listed:
        for pk, pem, *numbers in rows:
            trusted[hashlib.sha256(pem.encode()).hexdigest()] = pem
            yield ArchiveFile(acta(*numbers), partial(_sealed, model, pk))
    for digest, pem in trusted.items():
        yield given(f"actas/{digest}.pem", pem.encode())


def _checkpoints(hall: Hall) -> Iterator[ArchiveFile]:
    """Return the newest checkpoint, and the newest that each witness cosigned: they cover all before."""
    signed = house.Checkpoint.objects.filter(hall=hall)
    names = house.Cosignature.objects.filter(hall=hall).values_list("witness", flat=True).distinct()
    newest = [
        signed.order_by("number").last(),
        *(
            signed.filter(cosignatures__witness=name).order_by("number").last()
            for name in names.order_by("witness")
        ),
    ]
    for number, one in sorted({one.number: one for one in newest if one is not None}.items()):
        note = checkpoints_queries.cosigned(one).encode()
        yield given(f"checkpoints/{number:010d}.checkpoint", note)


def _sealed(model: type[game.Acta | game.RectifiedActa], pk: int) -> Iterator[bytes]:
    yield bytes(model._default_manager.values_list("pdf", flat=True).get(pk=pk))


def _sheets(hall: Hall) -> Iterator[ArchiveFile]:
    papers = game.Certificate.objects.filter(hall=hall).values_list("paper", flat=True)
    for digest in sorted(set(papers)):
        if (place := enrolment_queries.certificate_path(digest)).exists():
            yield ArchiveFile(sheet(digest), partial(file_blocks, place))


def _pictures(hall: Hall) -> Iterator[ArchiveFile]:
    """Return those that are still kept; what was forgotten is gone."""
    named = {
        digest
        for model in (game.Reading, game.Ball, game.ShownCard, game.ShownBall)
        for digest in _rows(model, hall).values_list("picture", flat=True)
    }
    for digest in sorted(named - {""}):
        if (place := balls_queries.picture_path(digest)).exists():
            yield ArchiveFile(picture(digest), partial(file_blocks, place))


def given(name: str, content: bytes) -> ArchiveFile:
    """Return a file of this content."""
    return ArchiveFile(name, lambda: iter([content]))


def _texts(lines: Callable[[], Iterator[str]]) -> Iterator[bytes]:
    return (line.encode() for line in lines())


def file_blocks(place: Path) -> Iterator[bytes]:
    """Read a file, a block of it at a time."""
    with place.open("rb") as opened:
        while block := opened.read(BLOCK):
            yield block
