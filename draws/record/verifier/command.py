"""The verifier's command line."""

from __future__ import annotations

import argparse
import io
import json
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, TypeVar

from cryptography import x509

from draws.record.verifier import cross_check, files, journals
from draws.record.verifier.files import GivenFile
from draws.record.verifier.verdicts import (
    EXIT,
    FALSE,
    GOOD,
    NOTE,
    OPEN,
    Check,
    Trust,
    read_list,
    training,
    unknown,
    worst,
)

SMALL = 1024 * 1024  # bytes of a certificate or a key
MARKS = {GOOD: "GOOD", FALSE: "FALSE", OPEN: "OPEN", NOTE: "NOTE"}
PEM = "certificate in PEM"
Given = TypeVar("Given")
EPILOG = """\
exit code: 0 every check holds; 1 something is false; 2 nothing is false, but not all could be
judged, or a file cannot be read. Certificates and keys must come from elsewhere than the files:
written down, or handed over, on the first day. See docs/verifying.md.
"""


def arguments() -> argparse.ArgumentParser:
    """Return what the command line takes."""
    parser = argparse.ArgumentParser(
        prog="bingo-verify",
        description="Check actas, journals and checkpoints of bingo halls, without a network.",
        epilog=EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("file", nargs="+", type=Path, help="files, or folders of them")
    add = parser.add_argument
    add("--certificate", action="append", default=[], type=Path, metavar="PEM",
        help="certificate of a hall whose actas are trusted")  # fmt: skip
    add("--authority", action="append", default=[], type=Path, metavar="PEM",
        help="certificate of an authority whose time stamps are trusted")  # fmt: skip
    add("--revoked", action="append", default=[], type=Path, metavar="CRL",
        help="list of certificates that count no longer, signed by who issued them")  # fmt: skip
    add("--key", action="append", default=[], metavar="KEY",
        help="key of a hall's checkpoints, or a file of such keys")  # fmt: skip
    add("--witness", action="append", default=[], metavar="KEY",
        help="key of a witness whose cosignatures are trusted, or a file of such keys")  # fmt: skip
    add("--head", action="append", default=[], metavar="NUMBER:DIGEST",
        help="entry and digest read from an acta, a slip or a screen; the first 16 digits do")  # fmt: skip
    add("--json", action="store_true", help="print one JSON value")
    return parser


def main(words: Sequence[str] | None = None) -> int:
    """Check the files named; return the exit code."""
    options = arguments().parse_intermixed_args(words)
    if isinstance(sys.stdout, io.TextIOWrapper):
        # A terminal that lacks a sign of a file's name shows its number.
        sys.stdout.reconfigure(errors="backslashreplace")
    try:
        trust = Trust(
            _loaded(options.certificate, x509.load_pem_x509_certificates, PEM),
            _loaded(options.authority, x509.load_pem_x509_certificates, PEM),
            _loaded(options.revoked, read_list, "list of revoked certificates"),
        )
        keys = [key for text in options.key for key in _keys(text, journals.read_key)]
        witnesses = [key for text in options.witness for key in _keys(text, journals.read_witness)]
        typed = [cross_check.typed(text) for text in options.head]
    except (OSError, ValueError) as error:
        print(f"bingo-verify: {error}", file=sys.stderr)
        return EXIT[OPEN]
    given = files.files(options.file)
    found = [_read(file, trust, named=named) for file, named in given]
    files.sign_paper(found, keys, witnesses)
    between = cross_check.compare(found, typed, hall=_only_hall(keys, trust))
    verdict = worst([c for c in (*_all(found), *between) if c.verdict != NOTE])
    if options.json:
        print(json.dumps(_value(found, between, verdict), ensure_ascii=True, indent=2))
    else:
        _print(found, between, verdict)
    return EXIT[verdict]


def _only_hall(keys: Sequence[journals.Key], trust: Trust) -> str:
    """Return the code of the hall, where what the reader trusts is of one hall only; else nothing."""
    names, subjects = {key.name for key in keys}, {one.subject for one in trust.halls}
    if len(names) != 1 or len(subjects) != 1:
        return ""
    return names.pop().partition("/")[2]


def _loaded(files: Sequence[Path], load: Callable[[bytes], list[Given]], what: str) -> list[Given]:
    """Return what the files hold. Raises ValueError where one is not what it should be."""
    found = []
    for file in files:
        try:
            found += load(_small(file))
        except ValueError as error:
            raise ValueError(f"{file} is no {what}") from error
    return found


def _keys(text: str, read: Callable[[str], journals.Key]) -> list[journals.Key]:
    """Read a key typed, or those that stand in a file, one a line."""
    lines = [text]
    if "+" not in text or Path(text).is_file():
        lines = _small(Path(text)).decode("utf-8").split("\n")
    try:
        return [read(line) for line in lines if line.strip()]
    except journals.BadNote as error:
        raise ValueError(f"{text} {error}") from error


def _small(file: Path) -> bytes:
    with file.open("rb") as content:
        return content.read(SMALL)


def _read(file: Path, trust: Trust, *, named: bool) -> GivenFile:
    try:
        return files.read_paper(file, trust, named=named)
    except OSError as error:
        words = f"it cannot be read: {error.strerror}"
        return GivenFile(file, files.STRANGE, [unknown("readable", words)])


def _all(found: Sequence[GivenFile]) -> list[Check]:
    return [check for paper in found for check in paper.checks]


def _value(found: Sequence[GivenFile], between: Sequence[Check], verdict: str) -> dict[str, Any]:
    return {
        "verdict": verdict,
        "exit": EXIT[verdict],
        "files": [_of(paper) for paper in found],
        "between": [_check(check) for check in between],
    }


def _of(paper: GivenFile) -> dict[str, Any]:
    value: dict[str, Any] = {
        "file": str(paper.file),
        "kind": paper.kind,
        "verdict": worst(paper.checks),
        "checks": [_check(check) for check in paper.checks],
    }
    if paper.seal:
        value["sha256"] = paper.seal.sha256
    if paper.journal and paper.journal.entries:
        journal = paper.journal
        value |= {"hall": journal.hall, "entries": journal.entries}
        value["head"] = journal.digest(journal.entries)
    if paper.note:
        value |= {"hall": paper.note.hall, "number": paper.note.number, "digest": paper.note.digest}
    return value


def _check(check: Check) -> dict[str, str]:
    return {"check": check.name, "verdict": check.verdict, "words": check.words}


def _print(found: Sequence[GivenFile], between: Sequence[Check], verdict: str) -> None:
    for paper in found:
        for check in paper.checks:
            print(_printable(f"{MARKS[check.verdict]:<6}{paper.file}: {check.words}"))
    for check in between:
        print(_printable(f"{MARKS[check.verdict]:<6}{check.words}"))
    # However well it holds together, nobody shall take it for a record.
    said = "TRAINING, NOT A RECORD: " if any(check == training() for check in _all(found)) else ""
    print(f"{said}{MARKS[verdict]}")


def _printable(text: str) -> str:
    """Return a line in which nothing can steer the terminal it is printed on."""
    return "".join(sign if sign.isprintable() else "?" for sign in text)
