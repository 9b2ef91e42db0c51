"""Checks a hall's exported journal with nothing but Python.

    python3 verify_journal.py journal.jsonl

Each line is one entry as JSON, with its digest. An entry's digest is the SHA-256 of the 32 bytes
of the previous digest (zeros before the first) followed by the entry's canonical JSON without
"digest": keys sorted, no spaces, UTF-8. So nobody can change, remove, insert or reorder an entry
without changing every digest after it, up to the head that the sealed acta carries. The line itself
must be canonical JSON too, so that no two readers can read it differently.

Exit code 0: the chain is whole. 1: it is broken; the first broken line is named. 2: no such file.
With --head DIGEST the chain must also pass through that digest, as printed in an acta: nothing else
can prove that no entries are missing at the end.
"""

import argparse
import hashlib
import json
import re
import sys
from collections.abc import Iterable
from json.encoder import encode_basestring as quoted
from pathlib import Path
from typing import Any, NamedTuple, NoReturn

START = "0" * 64
SAFE = 2**53  # integers from here on are not the same to every reader of JSON
FIELDS = {"hall", "number", "session", "game", "kind", "data", "at", "by", "digest"}


class Result(NamedTuple):
    """What a check found: entries that hold, every digest seen, and the first fault, if any."""

    entries: int
    digests: list[str]
    fault: str | None


def canonical(value: object) -> bytes:
    """Write a value so that everybody writes it alike (RFC 8785 for the values a journal holds)."""
    text = json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    return text.encode("utf-8")


def integer(text: str) -> int:
    """Read an integer that every reader reads alike, or raise ValueError."""
    value = int(text)
    if abs(value) >= SAFE:
        raise ValueError("is not written canonically")
    return value


def fraction(_text: str) -> float:
    """Refuse what is no integer: a journal holds no fractions."""
    raise ValueError("is not written canonically")


# Made once: to make them anew for every line takes longer than to use them.
ENCODER = json.JSONEncoder(sort_keys=True, separators=(",", ":"), ensure_ascii=False)
QUICK = json.JSONDecoder(parse_float=fraction, parse_constant=fraction)
STRICT = json.JSONDecoder(parse_int=integer, parse_float=fraction, parse_constant=fraction)
LONG = re.compile("[0-9]{16}")  # what may be an integer that is not safe has so many digits


def check_entry(line: str, number: int, previous: str, hall: str | None) -> tuple[str, str]:
    """Give an entry's digest and hall, or raise ValueError with what is wrong with it."""
    entry = read_entry(line, number, previous, hall)
    return entry["digest"], entry["hall"]


def read_entry(line: str, number: int, previous: str, hall: str | None) -> dict[str, Any]:
    """Give an entry that follows from the one before, or raise ValueError with what is wrong.

    Its canonical JSON is put together from its nine fields and compared with the line, so that
    nothing need be parsed or hashed twice.
    """
    line = line.removesuffix("\n")
    try:
        entry: Any = QUICK.raw_decode(line)[0]  # what follows it shows in the comparison
    except ValueError:
        explain(line, number, previous, hall)
    try:
        before, after = halves(entry, number)
        digest = hashlib.sha256(bytes.fromhex(previous) + (before + after).encode()).hexdigest()
        whole = f'{before}"digest":"{digest}",{after}' == line
    except (TypeError, KeyError, ValueError):
        whole = False
    if not whole or (hall is not None and hall != entry["hall"]):
        explain(line, number, previous, hall)
    return entry  # type: ignore[no-any-return]


def halves(entry: dict[str, Any], number: int) -> tuple[str, str]:
    """Write what stands in an entry before its digest and after it, or raise for nonsense."""
    data, by = ENCODER.encode(entry["data"]), entry["by"]
    if LONG.search(data) and not isinstance(STRICT.decode(data), dict):
        raise ValueError("is not a journal entry")
    author = "null" if by is None else quoted(by)
    game, session = place(entry["game"]), place(entry["session"])
    before = f'{{"at":{quoted(entry["at"])},"by":{author},"data":{data},'
    whose = f'"game":{game},"hall":{quoted(entry["hall"])},"kind":{quoted(entry["kind"])},'
    return before, f'{whose}"number":{number},"session":{session}}}'


def place(value: object) -> str:
    """Write the number of a game or a session, or that there is none."""
    if value is None:
        return "null"
    if type(value) is not int or not 0 <= value < SAFE:
        raise ValueError("is not a journal entry")
    return str(value)


def explain(line: str, number: int, previous: str, hall: str | None) -> NoReturn:
    """Raise ValueError with what is wrong with a line that something is wrong with."""
    entry = STRICT.decode(line)
    if not isinstance(entry, dict) or entry.keys() != FIELDS:
        raise ValueError("is not a journal entry")
    if canonical(entry) != line.encode("utf-8"):
        raise ValueError("is not written canonically")
    if entry["number"] != number:
        raise ValueError(f"has number {entry['number']!r}, entry {number} is missing")
    if hall is not None and entry["hall"] != hall:
        raise ValueError("belongs to another hall")
    digest = entry.pop("digest")
    right = hashlib.sha256(bytes.fromhex(previous) + canonical(entry)).hexdigest()
    if digest == right:
        raise ValueError("is not a journal entry")
    raise ValueError(f"has digest {str(digest)[:16]}…, its content gives {right[:16]}…")


def verify(lines: Iterable[str]) -> Result:
    """Check the lines one after another until the first that is wrong."""
    digests: list[str] = []
    hall = None
    for number, line in enumerate(lines, start=1):
        try:
            digest, hall = check_entry(line, number, digests[-1] if digests else START, hall)
        except (ValueError, RecursionError) as error:
            return Result(len(digests), digests, f"entry {number} {error}")
        digests.append(digest)
    return Result(len(digests), digests, None if digests else "the journal is empty")


def main() -> int:
    """Check the file named on the command line."""
    parser = argparse.ArgumentParser(description="Check a hall's exported journal.")
    parser.add_argument("journal", help="the journal as JSON Lines")
    parser.add_argument("--head", help="a digest that the chain must pass through")
    options = parser.parse_args()
    try:
        with Path(options.journal).open(encoding="utf-8", newline="\n") as file:
            result = verify(file)
    except (OSError, UnicodeDecodeError) as error:
        print(f"{options.journal} cannot be read: {error}", file=sys.stderr)
        return 2
    fault = result.fault
    if fault is None and options.head and options.head not in result.digests:
        fault = "the head given is not in this journal"
    if fault is not None:
        print(f"BROKEN: {fault}; the {result.entries} entries before it hold")
        return 1
    print(f"whole: {result.entries} entries, head {result.digests[-1]}")
    if not options.head:
        print("its end is proven only by a head from an acta or another copy: give it with --head")
    return 0


if __name__ == "__main__":
    sys.exit(main())
