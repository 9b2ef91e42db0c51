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
import io
import json
import re
import sys
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any, NamedTuple, NoReturn

START = "0" * 64
TRAINING = "training_begun"  # the kind of the first entry where nothing is real
SAFE = 2**53  # integers from here on are not the same to every reader of JSON
FIELDS = ["at", "by", "data", "digest", "game", "hall", "kind", "number", "session"]


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
SCAN: Callable[[str, int], tuple[Any, int]] = QUICK.scan_once  # type: ignore[attr-defined]
LONG = re.compile("[0-9]{16}")  # what may be an integer that is not safe has so many digits


def check_entry(line: str, number: int, previous: str, hall: str | None) -> tuple[str, str]:
    """Return an entry's digest and hall, or raise ValueError with what is wrong with it."""
    entry = read_entry(line, number, previous, hall)
    return entry["digest"], entry["hall"]


def read_entry(line: str, number: int, previous: str, hall: str | None) -> dict[str, Any]:
    """Return an entry that follows from the one before, or raise ValueError with what is wrong.

    What is hashed is the line itself without its digest: it is canonical, or is refused.
    """
    line = line.removesuffix("\n")
    try:
        entry, end = SCAN(line, 0)
    except (ValueError, StopIteration):
        explain(line, number, previous, hall)
    try:
        whole = end == len(line) and is_shaped(entry, number)
        whole = whole and (is_plain(line, entry) or is_canonical(line, entry))
        # No later field can hold this: in a string the quotes would be escaped.
        before, _mark, rest = line.rpartition('"digest":"')
        content = bytes.fromhex(previous) + (before + rest[66:]).encode()
        whole = whole and entry["digest"] == hashlib.sha256(content).hexdigest()
    except (TypeError, KeyError, ValueError):
        whole = False
    if not whole or (hall is not None and hall != entry["hall"]):
        explain(line, number, previous, hall)
    return entry  # type: ignore[no-any-return]


def is_shaped(entry: Any, number: int) -> bool:
    """Return whether an entry has its nine fields in order, each of its type."""
    if list(entry) != FIELDS or type(entry["data"]) is not dict:
        return False
    game, session, by = entry["game"], entry["session"], entry["by"]
    return (
        type(entry["number"]) is int
        and entry["number"] == number
        and (game is None or (type(game) is int and 0 <= game < SAFE))
        and (session is None or (type(session) is int and 0 <= session < SAFE))
        and (by is None or type(by) is str)
        and type(entry["at"]) is type(entry["hall"]) is type(entry["kind"]) is str
    )


def is_plain(line: str, entry: dict[str, Any]) -> bool:
    """Tell of most lines that they are canonical, without writing them anew.

    Without a backslash no quote stands in a string, so that every key is counted, also one that
    comes twice; without a blank there is none between them. What is seldom is left to `is_canonical`.
    """
    data = entry["data"]
    if "\\" in line or " " in line or "\t" in line or "\n" in line or "\r" in line:
        return False
    # Zero may have been written with a sign.
    if entry["game"] == 0 or entry["session"] == 0 or line.count('":') != len(FIELDS) + len(data):
        return False
    for value in data.values():
        kind = type(value)
        if kind is int:
            if not value or abs(value) >= SAFE:
                return False
        elif kind is not str and value is not None and kind is not bool:
            return False
    names = list(data)
    return names == sorted(names)


def is_canonical(line: str, entry: dict[str, Any]) -> bool:
    """Return whether a line is what its entry is written as, and its integers are safe."""
    if ENCODER.encode(entry) != line:
        return False
    return not LONG.search(line) or isinstance(STRICT.decode(line), dict)


def explain(line: str, number: int, previous: str, hall: str | None) -> NoReturn:
    """Raise ValueError with what is wrong with a line that something is wrong with."""
    entry = STRICT.decode(line)
    if not isinstance(entry, dict) or entry.keys() != set(FIELDS):
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
    if isinstance(sys.stdout, io.TextIOWrapper):
        # A terminal that lacks a sign shows its number.
        sys.stdout.reconfigure(errors="backslashreplace")
    parser = argparse.ArgumentParser(description="Check a hall's exported journal.")
    parser.add_argument("journal", help="the journal as JSON Lines")
    parser.add_argument("--head", help="a digest that the chain must pass through")
    options = parser.parse_args()
    try:
        with Path(options.journal).open(encoding="utf-8", newline="\n") as file:
            result = verify(file)
            file.seek(0)
            first = file.readline()
    except (OSError, UnicodeDecodeError) as error:
        print(f"{options.journal} cannot be read: {error}", file=sys.stderr)
        return 2
    fault = result.fault
    if fault is None and options.head and options.head not in result.digests:
        fault = "the head given is not in this journal"
    if fault is not None:
        print(f"BROKEN: {fault}; the {result.entries} entries before it hold")
        return 1
    if json.loads(first)["kind"] == TRAINING:
        print("TRAINING: nothing of this was real, it is NOT A RECORD")
    print(f"whole: {result.entries} entries, head {result.digests[-1]}")
    if not options.head:
        print("its end is proven only by a head from an acta or another copy: give it with --head")
        print("without one nothing proves either that it was not written anew from its beginning")
    return 0


if __name__ == "__main__":
    sys.exit(main())
