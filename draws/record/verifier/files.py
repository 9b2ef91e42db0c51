"""Read the files given to the verifier: each as what it is, and an acta's data out of its PDF.

No PDF library is used.
"""

from __future__ import annotations

import json
import re
import stat
import zlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from draws.record.verifier import journals, seals
from draws.record.verifier.journals import BadNote, Journal, Key, Note
from draws.record.verifier.seals import Seal
from draws.record.verifier.verdicts import (
    FALSE,
    GOOD,
    NOTE,
    Check,
    Trust,
    false,
    good,
    training,
    unknown,
)

MOST = 64 * 1024 * 1024  # bytes when unpacked
FILES, SCHEMA = 2, "$schema"  # the data, and what describes them
NEAR = 4096  # bytes of a dictionary before and after the name of its type
NAME = re.compile(rb"/EmbeddedFile(?![A-Za-z])")
STREAM = re.compile(rb">>\s*stream\r?\n")
LENGTH = re.compile(rb"/Length\s+([0-9]{1,10})\s*(?![0-9\sR]*R)")


class NoData(ValueError):
    """A PDF in which there is no data of an acta, or none that can be read."""


def attached(pdf: bytes) -> dict[str, Any]:
    """Return the values that an acta carries, not the schema beside them. Raises NoData, nothing else."""
    found = [match.start() for match in NAME.finditer(pdf)]
    read = (_read(pdf, at) for at in found if len(found) <= FILES)
    carried = [one for one in read if SCHEMA not in one]
    if len(carried) != 1:
        raise NoData("it carries no data, or more than one file of it")
    return carried[0]


def _read(pdf: bytes, at: int) -> dict[str, Any]:
    """Return the value of the embedded file whose type is named at that place."""
    stream = STREAM.search(pdf, at, at + NEAR)
    if stream is None:
        raise NoData("its data cannot be read")
    head = pdf[pdf.rfind(b"obj", max(0, at - NEAR), at) : stream.start()]
    begin, length = stream.end(), LENGTH.search(head)
    end = begin + int(length[1]) if length else pdf.find(b"endstream", begin)
    try:
        value = json.loads(_unpacked(pdf[begin:end]), parse_float=str)
    except (ValueError, zlib.error, RecursionError) as error:
        raise NoData("its data cannot be read") from error
    if not isinstance(value, dict):
        raise NoData("its data cannot be read")
    return value


def _unpacked(packed: bytes) -> bytes:
    machine = zlib.decompressobj()
    value = machine.decompress(packed, MOST)
    if not machine.eof:
        raise NoData("its data is too long")
    return value


ACTA, JOURNAL, CHECKPOINT, STRANGE = "acta", "journal", "checkpoint", "unknown"
ARCHIVE = "archive"
MANIFEST = re.compile(rb'\{\s*"archive":')
# What a hall's archive holds beside papers, as draws/record/archive/contents.py writes it.
BESIDE = re.compile(
    r"README\.txt|verify_journal\.py|manifest\.sig|rows/[^/]+\.jsonl|schema/[^/]+\.json"
    r"|tables/[^/]+\.csv|sheets/[^/]+\.pdf|pictures/[^/]+\.jpg|(certificates|actas)/[^/]+\.pem"
)
# As bingo/rules/staff.py calls them; checkpoints tell no more of a hall than its code.
TRAINING_HALL = re.compile(r"-training(-[0-9]+)?$")
LAST_HOUR = 253_402_300_799  # seconds of Unix time, of the year 9999
ENTRY = {"hall", "number", "kind", "digest"}  # fields of a journal's entry that no other line has
KINDS = {".pdf": ACTA, ".jsonl": JOURNAL, ".checkpoint": CHECKPOINT}


@dataclass(slots=True)
class GivenFile:
    """A file and what was found of it; only what fits its kind is there."""

    file: Path
    kind: str
    checks: list[Check] = field(default_factory=list)
    journal: Journal | None = None
    note: Note | None = None
    signed: bool = False
    seal: Seal | None = None
    data: dict[str, Any] = field(default_factory=dict)


def files(given: Sequence[Path]) -> Iterator[tuple[Path, bool]]:
    """Return the files named, and those in the folders named, in order; whether each was named.

    What stands beside the papers of an archive that was unpacked is passed over.
    """
    for one in given:
        if one.is_dir():
            # What is no file is told as that: a paper that was passed over would not be missed.
            found = sorted(path for path in one.rglob("*") if not path.is_dir())
            archives = [path.parent for path in found if _is_manifest(path)]
            for path in found:
                # What a system or an interrupted writing leaves in a folder is no paper of a hall.
                if not path.name.startswith(".") and not any(_is_beside(path, a) for a in archives):
                    yield path, False
        else:
            yield one, True


def _is_manifest(file: Path) -> bool:
    try:
        found = file.name == "manifest.json" and file.is_file()
        return found and _kind(file, named=False) == ARCHIVE
    except OSError:
        return False


def _is_beside(file: Path, archive: Path) -> bool:
    return file.is_relative_to(archive) and bool(
        BESIDE.fullmatch(file.relative_to(archive).as_posix())
    )


def read_paper(file: Path, trust: Trust, *, named: bool = True) -> GivenFile:
    """Read and check a file by itself. Raises OSError.

    One that nobody `named`, but the folder it is in, is a journal only by what it holds.
    """
    if not stat.S_ISREG(file.stat().st_mode):
        raise OSError(None, "is no file")
    paper = GivenFile(file, _kind(file, named=named))
    if paper.kind == JOURNAL:
        paper.journal = journals.read(file)
        paper.checks += paper.journal.checks
    elif paper.kind == ACTA:
        _acta(paper, trust)
    elif paper.kind == CHECKPOINT:
        _checkpoint(paper)
    elif paper.kind == ARCHIVE:
        words = "tells an archive: rows, tables, sheets and pictures beside it are not judged here"
        paper.checks.append(Check("archive", NOTE, words))
    else:
        paper.checks.append(unknown("kind", "is no acta, no journal and no checkpoint"))
    return paper


def _kind(file: Path, *, named: bool) -> str:
    kind = KINDS.get(file.suffix.lower())
    if kind and (named or kind != JOURNAL):
        return kind
    with file.open("rb") as content:
        begin = content.readline(journals.LONGEST)
        if begin.strip() == b"{":
            begin += content.read(64)
    if begin.startswith(b"%PDF-"):
        return ACTA
    if begin.startswith(b"{"):
        return ARCHIVE if MANIFEST.match(begin) else _kind_of_line(begin)
    return CHECKPOINT if begin.startswith(b"bingo-journal/") else STRANGE


def _kind_of_line(line: bytes) -> str:
    """Tell a journal by its first line; other files have lines of JSON too."""
    try:
        value = json.loads(line)
    except (ValueError, RecursionError):
        return STRANGE
    return JOURNAL if value.keys() >= ENTRY else STRANGE


def _acta(paper: GivenFile, trust: Trust) -> None:
    with paper.file.open("rb") as content:
        pdf = content.read(seals.LIMIT + 1)
    paper.seal = seals.judge(pdf, trust)
    paper.checks += paper.seal.checks
    if not paper.seal.sealed:
        paper.kind = STRANGE
        return
    if any(check.verdict == FALSE for check in paper.checks):
        return
    try:
        paper.data = attached(pdf)
        if paper.data.get("training") is True:
            paper.checks.append(training())
    except NoData as error:
        paper.checks.append(false("data", str(error)))


def _checkpoint(paper: GivenFile) -> None:
    with paper.file.open("rb") as content:
        text = content.read(journals.LIMIT + 1)
    try:
        paper.note = journals.read_note(text)
        if TRAINING_HALL.search(paper.note.hall):
            paper.checks.append(training())
    except BadNote as error:
        paper.checks.append(false("signature", str(error)))


def sign_paper(
    papers: Sequence[GivenFile], keys: Sequence[Key], witnesses: Sequence[Key] = ()
) -> None:
    """Check the signatures of all checkpoints, and of the removals that journals tell.

    A key that a checkpoint announces is known from then on, where a known key and the new one
    both signed it; the known one signs nothing after it. What a known witness cosigned counts as
    signed too: it knew the hall's key, and all before it.
    """
    known, ended = list(keys), dict[Key, int]()
    noted = [(one, one.note) for one in papers if one.note]
    for paper, note in sorted(noted, key=lambda pair: pair[1].number):
        try:
            found = journals.signers(note, known)
            _require_in_time(note, found, ended)
            if found and "key" in note.further:
                new = _announced(note)
                ended |= {key: note.number for key in found if key != new}
                known.append(new)
        except BadNote as error:
            paper.checks.append(false("signature", str(error)))
            continue
        paper.checks.append(_signed(paper, note, found, known))
        paper.checks += _cosigned(paper, note, witnesses)
    for paper in papers:
        if paper.journal:
            paper.checks += journals.judge_removal(paper.journal, known, ended)


def _cosigned(paper: GivenFile, note: Note, witnesses: Sequence[Key]) -> Iterator[Check]:
    """Check what witnesses signed under a checkpoint."""
    try:
        found = journals.cosigners(note, witnesses)
    except BadNote as error:
        paper.signed = False
        yield false("cosignature", str(error))
        return
    for key, at in found:
        paper.signed = True
        hour = datetime.fromtimestamp(min(at, LAST_HOUR), UTC).isoformat()
        yield good("cosignature", f"cosigned by the witness {key.name} at {hour}")
    if not found and journals.is_cosigned(note):
        words = "it carries cosignatures of witnesses that nobody named: give --witness"
        yield Check("cosignature", NOTE, words)


def _require_in_time(note: Note, found: Sequence[Key], ended: Mapping[Key, int]) -> None:
    """Refuse what none but keys that were renewed before signed: one may have been stolen since."""
    late = [ended[key] for key in found if ended.get(key, note.number) < note.number]
    if late and len(late) == len(found):
        raise BadNote(f"is signed by a key that was renewed at entry {min(late)}")


def _announced(note: Note) -> Key:
    key = journals.read_key(note.further["key"])
    if not journals.signers(note, [key]):
        raise BadNote("announces a key that did not sign it")
    return key


def _signed(paper: GivenFile, note: Note, found: Sequence[Key], known: Sequence[Key]) -> Check:
    if found:
        paper.signed = True
        return good("signature", f"signed by {found[0].name} at entry {note.number}")
    nobody = "but nobody said by which key: give --key"
    why = "by a key that is not known here" if known else nobody
    return unknown("signature", f"it is signed, {why}")


def trusted_acta(paper: GivenFile) -> bool:
    """Return whether the seal of an acta holds under a certificate that is trusted."""
    named = {check.name: check.verdict for check in paper.checks}
    return named.get("trusted") == GOOD and FALSE not in named.values()
