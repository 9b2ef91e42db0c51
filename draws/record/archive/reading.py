"""Restore archives into an empty database: all their rows, proved by the journal, or nothing.

An archive is opened and held against its manifest before anything is believed. Rows are restored as
they were.
"""

from __future__ import annotations

import hashlib
import json
import lzma
import re
import struct
import zipfile
import zlib
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from datetime import datetime
from itertools import islice
from pathlib import Path
from typing import Any

from django.contrib.auth.hashers import make_password
from django.core.exceptions import ValidationError
from django.db import DataError, IntegrityError, connection, transaction
from django.db.models import Field, ForeignKey, Max, Model

from bingo.pdf import SealError, verdict
from bingo.rules.refusal import Refusal
from draws.balls import cameras_and_live_picture, enrolment_queries, enrolments_and_roll_calls
from draws.balls import queries as balls_queries
from draws.models import Acta, Camera, Rectification, RectifiedActa, Sale
from draws.record.archive import contents
from draws.record.audit import LOST, PICTURES, audit
from halls.journal import queries as journal_queries
from halls.models import Cosignature, Hall, JournalEntry, LinkMember, Person, Session

MANIFEST, SIGNATURE = "manifest.json", "manifest.sig"
SEAL, AUTHORITY = "certificates/seal.pem", "certificates/authority.pem"
UNLISTED = (MANIFEST, SIGNATURE)
VERSION = 1
BLOCK = 1 << 20
MOST_FILES = 2_000_000
MOST = 1 << 36  # bytes of all files: 64 GiB
LARGEST_MANIFEST = 1 << 29  # bytes: two million files take less
LARGEST_PAPER = 1 << 20  # bytes of a signature or a certificate
LARGEST_WHOLE = 1 << 28  # bytes of a file that is read at once: a picture, a sheet, an acta
LONGEST_LINE = 1 << 26  # bytes of a row
PACKED = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)  # others may ask for gigabytes to be unpacked
RATIO, SMALL = 400, 1 << 20  # a file of more bytes that shrinks more than that is no record
NAME = re.compile(r"(?:[a-z]{1,20}/)?[A-Za-z0-9][A-Za-z0-9_-]{0,120}(?:\.[A-Za-z0-9]{1,10})")
BROKEN = (
    zipfile.BadZipFile, zlib.error, lzma.LZMAError, struct.error, EOFError, OSError, ValueError,
    NotImplementedError, RuntimeError,
)  # fmt: skip

Progress = Callable[[int, int], None]


@dataclass(frozen=True, slots=True)
class Opened:
    """A verified archive; `manifest` is what its hall has signed, `authority` the hall's own PEM."""

    archive: zipfile.ZipFile
    manifest: dict[str, Any]
    authority: bytes

    @property
    def names(self) -> list[str]:
        """The files it holds, in their order."""
        return [listed["name"] for listed in self.manifest["files"]]

    @property
    def trust(self) -> str:
        """SHA-256 of the authority's PEM, to compare with a copy kept elsewhere."""
        return hashlib.sha256(self.authority).hexdigest()

    def blocks(self, name: str) -> Iterator[bytes]:
        """Read a file."""
        return _blocks(self.archive, name)

    def content(self, name: str) -> bytes:
        """Read a whole file. Raises Refusal archive_bomb; KeyError where there is none."""
        if self.archive.getinfo(name).file_size > LARGEST_WHOLE:
            raise Refusal("archive_bomb")
        return b"".join(self.blocks(name))

    def lines(self, name: str) -> Iterator[Any]:
        """Read the JSON value of each line of a file. Raises Refusal: archive_rows, archive_bomb."""
        if name in LATER_TABLES and name not in self.names:
            return
        try:
            with self.archive.open(name) as opened:
                while line := opened.readline(LONGEST_LINE + 1):
                    if len(line) > LONGEST_LINE:
                        raise Refusal("archive_bomb")
                    yield json.loads(line)
        except (ValueError, KeyError, RecursionError) as error:
            raise Refusal("archive_rows", name=name) from error


@contextmanager
def opened(
    file: Path, *, trust: bytes | None = None, progress: Progress = lambda _done, _total: None
) -> Iterator[Opened]:
    """Open an archive whose signature holds and whose every file is the one that was signed.

    `trust` is the authority's PEM where it is known from elsewhere. Raises Refusal:
    archive_unreadable, archive_name, archive_bomb, archive_incomplete, archive_untrusted,
    archive_unsigned, archive_extra, archive_differs.
    """
    try:
        archive = zipfile.ZipFile(file)
    except BROKEN as error:
        raise Refusal("archive_unreadable") from error
    with archive:
        infos = _named(archive)
        manifest, authority = _signed(archive, infos, trust)
        _require_same_names(manifest, infos)
        total = len(manifest["files"])
        for done, listed in enumerate(manifest["files"], start=1):
            _require_same(archive, infos[listed["name"]], listed)
            progress(done, total)
        yield Opened(archive, manifest, authority)


def _named(archive: zipfile.ZipFile) -> dict[str, zipfile.ZipInfo]:
    """Return the files by name: each once, by a plain name, of a size that a record has."""
    infos: dict[str, zipfile.ZipInfo] = {}
    found = archive.infolist()
    if len(found) > MOST_FILES or sum(one.file_size for one in found) > MOST:
        raise Refusal("archive_bomb")
    for info in found:
        if not NAME.fullmatch(info.filename) or info.filename in infos:
            raise Refusal("archive_name", name=info.filename[:80])
        if info.compress_type not in PACKED or info.header_offset < 0:
            raise Refusal("archive_unreadable")
        if info.file_size > SMALL and info.file_size > RATIO * info.compress_size:
            raise Refusal("archive_bomb")
        infos[info.filename] = info
    return infos


def _signed(
    archive: zipfile.ZipFile, infos: dict[str, zipfile.ZipInfo], trust: bytes | None
) -> tuple[dict[str, Any], bytes]:
    content = _paper(archive, infos, MANIFEST, LARGEST_MANIFEST)
    signature, seal, authority = (
        _paper(archive, infos, name, LARGEST_PAPER) for name in (SIGNATURE, SEAL, AUTHORITY)
    )
    if trust is not None and trust.strip() != authority.strip():
        raise Refusal("archive_untrusted")
    try:
        verdict.verify_detached(content, signature, seal=seal, trust=authority)
        manifest = json.loads(content)
        if not _is_manifest(manifest) or not all(map(_is_listed, manifest["files"])):
            raise Refusal("archive_unsigned")
    except (SealError, ValueError, KeyError, TypeError, RecursionError) as error:
        raise Refusal("archive_unsigned") from error
    return manifest, authority


def _is_manifest(told: Any) -> bool:
    return (
        told["archive"] == VERSION
        and isinstance(told["hall"]["code"], str)
        and isinstance(told["journal"]["entries"], int)
        and isinstance(told["journal"]["head"], str)
        and isinstance(told["pictures"], bool)
    )


def _is_listed(listed: Any) -> bool:
    return (
        set(listed) == {"name", "size", "sha256"}
        and isinstance(listed["name"], str)
        and isinstance(listed["size"], int)
    )


def _paper(
    archive: zipfile.ZipFile, infos: dict[str, zipfile.ZipInfo], name: str, largest: int
) -> bytes:
    if name not in infos:
        raise Refusal("archive_incomplete", name=name)
    if infos[name].file_size > largest:
        raise Refusal("archive_bomb")
    return b"".join(_blocks(archive, name))


def _blocks(archive: zipfile.ZipFile, name: str) -> Iterator[bytes]:
    """Read a file, never more of it than its entry says. Raises Refusal archive_differs."""
    try:
        with archive.open(name) as opened:
            while block := opened.read(BLOCK):
                yield block
    except BROKEN as error:
        raise Refusal("archive_differs", name=name) from error


def _require_same_names(manifest: dict[str, Any], infos: dict[str, zipfile.ZipInfo]) -> None:
    listed = [one["name"] for one in manifest["files"]]
    if gone := sorted(set(listed) - set(infos)):
        raise Refusal("archive_incomplete", name=gone[0])
    extra = sorted(set(infos) - set(listed) - set(UNLISTED))
    if extra or len(set(listed)) != len(listed) or set(UNLISTED) & set(listed):
        raise Refusal("archive_extra", name=(extra or [MANIFEST])[0])


def _require_same(archive: zipfile.ZipFile, info: zipfile.ZipInfo, listed: dict[str, Any]) -> None:
    digest = hashlib.sha256()
    if info.file_size != listed["size"]:
        raise Refusal("archive_differs", name=info.filename)
    for block in _blocks(archive, info.filename):
        digest.update(block)
    if digest.hexdigest() != listed["sha256"]:
        raise Refusal("archive_differs", name=info.filename)


BATCH = 1_000
# A sale may only be of cards that were taken, and PostgreSQL does not wait to look.
LAST = (Sale,)
# What older archives tell nothing of: halls of training, tills that are out of use, the register of
# admissions, what of a policy waits, from when somebody is a second person, whether a second factor
# is asked for, the sign of the escudo. What was so before is what its migration filled rows with.
LATER = frozenset(
    [
        "trains_id", "trained_until", "practises_id", "in_use", "identity_asked", "admissions",
        "visits_upto", "witness_from", "later", "second_factor", "factor_waived_from",
        "escudo_sign", "tax_on_sales",
    ]
)  # fmt: skip
LATER_TABLES = (contents.row_name(Cosignature),)  # likewise: witnesses
# Files that lie beside the database: their folder in an archive, their names in it, their places.
Keeper = tuple[str, Callable[[str], str], Callable[[str], Path], Callable[[bytes], str]]
KEEPERS: tuple[Keeper, ...] = (
    (
        "pictures/",
        contents.picture,
        balls_queries.picture_path,
        cameras_and_live_picture.save_picture,
    ),
    (
        "sheets/",
        contents.sheet,
        enrolment_queries.certificate_path,
        enrolments_and_roll_calls.save_certificate,
    ),
)
WRONG = (KeyError, ValueError, TypeError, AttributeError, ValidationError, DataError, OverflowError)


@dataclass(frozen=True, slots=True)
class Restored:
    """A hall that is back: its journal's head, and the SHA-256 of the authority that signed it."""

    hall: str
    entries: int
    head: str
    trust: str
    rows: int
    without_pictures: int


def restore_archive(
    files: Sequence[Path],
    *,
    trust: bytes | None = None,
    progress: Progress = lambda _done, _total: None,
) -> list[Restored]:
    """Fill the empty database from one archive, or from those of halls that handed issues on.

    Nobody has a password afterwards, and no camera an address but its machine's. Raises Refusal:
    database_not_empty, archive_linked, archive_of_training, archive_rows, archive_disagrees, or what
    `opened` refuses.
    """
    require_empty()
    with ExitStack() as stack:
        found = [
            stack.enter_context(opened(file, trust=trust, progress=progress)) for file in files
        ]
        kept = list[Path]()
        try:
            with transaction.atomic():
                require_empty()
                return _filled(found, kept)
        except BaseException as error:
            for place in kept:
                place.unlink(missing_ok=True)
            if isinstance(error, IntegrityError):
                raise Refusal("archive_rows", name=_table(error)) from error
            raise


def require_empty() -> None:
    """Refuse a database that holds anything of a hall: database_not_empty."""
    if any(model._default_manager.exists() for model in journal_queries.ours()):
        raise Refusal("database_not_empty")


def _filled(archives: list[Opened], kept: list[Path]) -> list[Restored]:
    for one in archives:
        # Movements of a jackpot of several halls follow each other, whichever hall made them.
        if next(iter(one.lines(contents.row_name(LinkMember))), None) is not None:
            raise Refusal("archive_linked")
        _keep_files(one, kept)
    try:
        counted = [_fill(one) for one in archives]
    except WRONG as error:
        raise Refusal("archive_rows", name="rows") from error
    with connection.cursor() as cursor:
        cursor.execute("SET CONSTRAINTS ALL IMMEDIATE")
        for model in journal_queries.ours():
            _move_sequence(cursor, model)
    return [_proved(one, count) for one, count in zip(archives, counted, strict=True)]


def _keep_files(one: Opened, kept: list[Path]) -> None:
    """Put pictures and sheets where their digests say; their names are their digests, or lies.

    `kept` takes the places of those that were not there before.
    """
    for name in one.names:
        for folder, named, path, keep in KEEPERS:
            if not name.startswith(folder):
                continue
            content = one.content(name)
            digest = hashlib.sha256(content).hexdigest()
            if named(digest) != name:
                raise Refusal("archive_differs", name=name)
            if not path(digest).exists():
                kept.append(path(digest))
            keep(content)


def _fill(one: Opened) -> int:
    """Put one hall's rows in, the journal first, for the rest is told by its numbers.

    What a row names may come after it: PostgreSQL looks when all are there.
    """
    known = _Known(one)
    written = 0
    for model in sorted(contents.models(), key=lambda model: model in LAST):
        made = _made(one, model, known)
        while batch := list(islice(made, BATCH)):
            model._default_manager.bulk_create(batch)
            written += len(batch)
    return written


class _Known:
    """What the rows of an archive are told by: keys of entries by number, numbers of sessions by key."""

    def __init__(self, one: Opened) -> None:
        """Write the journal."""
        sessions = list(one.lines(contents.row_name(Session)))
        people = list(one.lines(contents.row_name(Person)))
        [hall] = one.lines(contents.row_name(Hall))
        if hall["code"] != one.manifest["hall"]["code"]:
            raise Refusal("archive_rows", name=contents.row_name(Hall))
        if hall.get("trains_id") is not None:
            raise Refusal("archive_of_training")
        self.sessions = {row["id"]: row["number"] for row in sessions}
        numbers = {row["number"]: row["id"] for row in sessions}
        named = {row["username"]: row["id"] for row in people}
        parts = one.lines(contents.row_name(Rectification))
        self.rectified = {row["id"]: (row["session_id"], row["number"]) for row in parts}
        self.entries: dict[int, int] = {}
        made = _journal(one, hall["id"], numbers, named)
        while batch := list(islice(made, BATCH)):
            for entry in JournalEntry.objects.bulk_create(batch):
                self.entries[entry.number] = entry.pk


def _made(one: Opened, model: type[Model], known: _Known) -> Iterator[Model]:
    fields, name = contents.row_fields(model), contents.row_name(model)
    for told in one.lines(name):
        try:
            values = dict(_value(field, _field_value(field, told), known) for field in fields)
            yield model(**values | _kept_back(one, model, values, known))
        except WRONG as error:
            raise Refusal("archive_rows", name=name) from error


def _field_value(field: Field[Any, Any], told: dict[str, Any]) -> Any:
    """Return what a row tells of a field, or what was so before the field was."""
    label = contents.row_label(field)
    return field.get_default() if label in LATER and label not in told else told[label]


def _value(field: Field[Any, Any], told: Any, known: _Known) -> tuple[str, Any]:
    if contents.is_entry(field):
        return field.attname, None if told is None else known.entries[told]
    target = field.target_field if isinstance(field, ForeignKey) else field
    return field.attname, None if told is None else target.to_python(told)


def _kept_back(
    one: Opened, model: type[Model], values: dict[str, Any], known: _Known
) -> dict[str, Any]:
    """Return what an archive does not tell of a row, or tells in a file of its own."""
    if model is Person:
        return {"password": make_password(None)}
    if model is Camera:
        return {"salt": ""}
    if model is Acta:
        return {"pdf": one.content(contents.acta(known.sessions[values["session_id"]]))}
    if model is RectifiedActa:
        session, part = known.rectified[values["rectification_id"]]
        return {"pdf": one.content(contents.acta(known.sessions[session], part))}
    return {}


def _journal(
    one: Opened, hall: int, sessions: dict[int, int], people: dict[str, int]
) -> Iterator[JournalEntry]:
    for told in one.lines(contents.JOURNAL):
        try:
            yield JournalEntry(
                hall_id=hall,
                number=told["number"],
                session_id=None if told["session"] is None else sessions[told["session"]],
                game=told["game"],
                kind=told["kind"],
                data=told["data"],
                at=datetime.fromisoformat(told["at"]),
                by_id=None if told["by"] is None else people[told["by"]],
                digest=told["digest"],
            )
        except WRONG as error:
            raise Refusal("archive_rows", name=contents.JOURNAL) from error


def _move_sequence(cursor: Any, model: type[Model]) -> None:
    """Let new rows come after those put in; the application may only ever step a sequence on."""
    table, key = model._meta.db_table, model._meta.pk.column
    most = model._default_manager.aggregate(most=Max("pk"))["most"]
    cursor.execute("SELECT pg_get_serial_sequence(%s, %s)", [table, key])
    (sequence,) = cursor.fetchone()
    if most is None or sequence is None:
        return
    cursor.execute("SELECT nextval(%s)", [sequence])
    (last,) = cursor.fetchone()
    cursor.execute("SELECT count(nextval(%s)) FROM generate_series(1, %s)", [sequence, most - last])


def _proved(one: Opened, written: int) -> Restored:
    """Audit the hall that was put in. Raises Refusal archive_disagrees with the first finding."""
    hall = Hall.objects.get(code=one.manifest["hall"]["code"])
    signed = one.manifest["journal"]
    if (hall.head_number, hall.head_digest) != (signed["entries"], signed["head"]):
        raise Refusal("archive_disagrees", hall=hall.code, entry=hall.head_number, why="head")
    findings = audit(hall)
    # What is printed is as good as cards, and what a signer remembers is beside its key: in no archive.
    spared = LOST - {PICTURES} if one.manifest["pictures"] else LOST
    for finding in findings:
        if finding.code not in spared:
            why = f"{finding.code} {finding.detail}".strip()
            raise Refusal("archive_disagrees", hall=hall.code, entry=finding.number, why=why)
    return Restored(
        hall.code, hall.head_number, hall.head_digest, one.trust, written, len(findings)
    )


def _table(error: IntegrityError) -> str:
    diagnosed: Any = getattr(error.__cause__, "diag", None)
    return str(getattr(diagnosed, "table_name", None) or "rows")
