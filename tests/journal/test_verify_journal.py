"""The stand-alone verifier, run as an inspector runs it: one file, nothing installed."""

import hashlib
import json
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bingo.rules.journal_json_and_chain import START, canonical, chain_digest
from draws.trade_words import KINDS
from halls import verify_journal

ROOT = Path(__file__).resolve().parents[2]
PROGRAM = ROOT / "halls" / "verify_journal.py"

values = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**53) + 1, 2**53 - 1) | st.text(),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(st.text(st.characters(max_codepoint=127), max_size=8), inner, max_size=3)
    ),
    max_leaves=8,
)


def journal(length: int = 5, *, text: str = "«ç»") -> list[str]:
    """Return a whole journal's lines."""
    lines, previous = [], START
    for number in range(1, length + 1):
        entry = {
            "hall": "sala", "number": number, "session": 1, "game": None, "kind": "note_recorded",
            "data": {"text": f"{text} {number}"}, "at": "2026-11-21T20:15:03.123456Z", "by": None,
        }  # fmt: skip
        previous = chain_digest(previous, entry)
        lines.append(canonical(entry | {"digest": previous}).decode() + "\n")
    return lines


def run(tmp_path: Path, text: str, *arguments: str) -> tuple[int, str]:
    """Run the program in an interpreter that sees nothing but the standard library."""
    file = tmp_path / "journal.jsonl"
    file.write_text(text, encoding="utf-8", errors="surrogateescape")
    done = subprocess.run(
        [sys.executable, "-I", "-S", str(PROGRAM), str(file), *arguments],
        capture_output=True,
        text=True,
        check=False,
    )
    assert "Traceback" not in done.stderr
    return done.returncode, done.stdout


def test_whole_journal_is_whole(tmp_path: Path) -> None:
    lines = journal()
    head = json.loads(lines[-1])["digest"]
    whole = f"whole: 5 entries, head {head}\n"
    unproven = (
        "its end is proven only by a head from an acta or another copy: give it with --head\n"
        "without one nothing proves either that it was not written anew from its beginning\n"
    )
    assert run(tmp_path, "".join(lines)) == (0, whole + unproven)
    assert run(tmp_path, "".join(lines).removesuffix("\n")) == (0, whole + unproven)
    known = json.loads(lines[2])["digest"]
    assert run(tmp_path, "".join(lines), "--head", known) == (0, whole)


def test_journal_of_training_is_said_to_be_one(tmp_path: Path) -> None:
    entry = {
        "hall": "sala-training", "number": 1, "session": None, "game": None,
        "kind": "training_begun", "data": {"trains": "sala"}, "at": "2026-11-21T20:15:03.123456Z",
        "by": None,
    }  # fmt: skip
    line = canonical(entry | {"digest": chain_digest(START, entry)}).decode() + "\n"
    code, told = run(tmp_path, line)
    assert (code, told.splitlines()[0]) == (
        0, "TRAINING: nothing of this was real, it is NOT A RECORD",
    )  # fmt: skip


def test_line_end_of_unicode_inside_a_text_ends_no_entry(tmp_path: Path) -> None:
    lines = journal(text="a\u2028b\u0085c\x0b")
    assert run(tmp_path, "".join(lines))[0] == 0


@pytest.mark.parametrize(
    "change",
    [
        lambda line: line.replace('"game":null', '"game":null,"game":null'),
        lambda line: line.replace('"by":null', '"by":"locutor","by":null'),
        lambda line: line.replace('"game":null', '"game": null'),
        lambda line: " " + line,
        lambda line: line.removesuffix("\n") + " \n",
        lambda line: line.removesuffix("\n") + "\r\n",
        lambda line: line.replace("ç", "\\u00e7"),
        lambda line: line.replace('"session":1', '"session":1.0'),
        lambda line: line.replace('"session":1', '"session":1e0'),
        lambda line: line.replace('"session":1', '"session":NaN'),
        lambda line: line.replace('"session":1', f'"session":{2**53}'),
        lambda line: '{"session":1,' + line.replace(',"session":1', "").removeprefix("{"),
    ],
)
def test_line_that_another_reader_may_read_otherwise_is_refused(
    tmp_path: Path, change: Callable[[str], str]
) -> None:
    lines = journal()
    assert change(lines[2]) != lines[2]
    code, told = run(tmp_path, "".join([*lines[:2], change(lines[2]), *lines[3:]]))
    assert (code, told.partition(";")[0]) == (1, "BROKEN: entry 3 is not written canonically")


def test_fraction_is_refused_though_its_digest_is_right() -> None:
    entry = json.loads(journal(1)[0]) | {"session": 1.5}
    del entry["digest"]
    right = hashlib.sha256(bytes(32) + verify_journal.canonical(entry)).hexdigest()
    line = verify_journal.canonical(entry | {"digest": right}).decode()
    assert verify_journal.verify([line]).fault == "entry 1 is not written canonically"


@pytest.mark.parametrize(
    ("change", "entry"),
    [
        (lambda lines: [lines[0], lines[1].replace("«", "<"), *lines[2:]], 2),
        (lambda lines: lines[1:], 1),
        (lambda lines: [*lines[:2], *lines[3:]], 3),
        (lambda lines: [lines[0], lines[2], lines[1], *lines[3:]], 2),
        (lambda lines: [*lines[:3], lines[2], *lines[3:]], 4),
        (lambda lines: [*lines[:4], lines[4][:40]], 5),
        (lambda lines: [*lines, "not json\n"], 6),
        (lambda lines: [*lines, "[" * 100_000 + "\n"], 6),
        (lambda lines: [*lines, '{"number": 6}\n'], 6),
        (lambda lines: [*lines, "x" * 5_000_000 + "\n"], 6),
    ],
)
def test_first_broken_entry_is_named(tmp_path: Path, change: object, entry: int) -> None:
    code, told = run(tmp_path, "".join(change(journal())))  # type: ignore[operator]
    assert code == 1
    assert told.startswith(f"BROKEN: entry {entry} ")


def test_cut_tail_is_found_by_the_head_of_an_acta(tmp_path: Path) -> None:
    lines = journal()
    head = json.loads(lines[-1])["digest"]
    assert run(tmp_path, "".join(lines[:-1]))[0] == 0
    assert run(tmp_path, "".join(lines[:-1]), "--head", head)[0] == 1


def rightly_hashed(text: str) -> str:
    """Put into a line, whatever way it is written, the digest that its bytes have."""
    before, mark, after = text.rpartition(f'"digest":"{"0" * 64}",')
    assert mark, text
    made = hashlib.sha256(bytes(32) + (before + after).encode()).hexdigest()
    return f'{before}"digest":"{made}",{after}'


ENTRY: dict[str, object] = {
    "at": "2026-11-21T20:15:03Z", "by": None, "data": {"a": 1, "b": "x"}, "digest": "0" * 64,
    "game": 1, "hall": "sala", "kind": "k", "number": 1, "session": 1,
}  # fmt: skip


@pytest.mark.parametrize(
    ("there", "other"),
    [
        ('"a":1', '"a":1,"a":1'), ('"a":1', '"a":-0'), ('"a":1', '"a":1.0'), ('"a":1', '"a":1e0'),
        ('"a":1', '"a":9007199254740992'), ('"a":1', '"a":[9007199254740992]'), ('"a":1', '"a":NaN'),
        ('"a":1,"b":"x"', '"b":"x","a":1'), ('"b":"x"', '"b":"\\u0078"'), ('"b":"x"', '"b":"x\\/"'),
        ('"a":1', '"a": 1'), ('"a":1', '"a":\t1'), ('"a":1', '"a":\r1'), ('"a":1', '"a":\n1'),
        ('"game":1', '"game":-0'), ('"game":1', '"game":true'), ('"game":1', '"game":-1'),
        ('"session":1', '"session":-0'), ('"session":1', '"session":9007199254740992'),
        ('"number":1', '"number":true'), ('"kind":"k"', '"kind":1'), ('"by":null', '"by":1'),
        ('"a":1,"b":"x"', '"c":{"b":1,"a":1}'), ('"a":1,"b":"x"', '"c":{"a":1,"a":1}'),
        ('"session":1}', '"session":1} '), ('"session":1}', '"session":1}{}'),
        ('"session":1}', '"session":1,"z":1}'), ('"by":null,', ""), ('"kind":"k",', '"kind":"k","kind":"k",'),
    ],
)  # fmt: skip
def test_line_rightly_hashed_but_not_canonical_is_refused(there: str, other: str) -> None:
    """As whoever owns the database could write it; the true one beside it holds."""
    line = canonical(ENTRY).decode()
    assert verify_journal.verify([rightly_hashed(line) + "\n"]).fault is None
    assert line.count(there) == 1
    wrong = rightly_hashed(line.replace(there, other))
    assert verify_journal.verify([wrong + "\n"]).fault is not None


ascii_names = st.text(st.characters(max_codepoint=127), max_size=6)


@given(st.dictionaries(ascii_names, values, max_size=4), st.none() | st.text())
@pytest.mark.slow
def test_whatever_the_journal_writes_is_read(data: dict[str, object], by: str | None) -> None:
    entry = ENTRY | {"data": data, "by": by}
    entry.pop("digest")
    made = chain_digest(START, entry)
    line = canonical(entry | {"digest": made}).decode()
    assert verify_journal.verify([line + "\n"]).fault is None


def test_changed_entry_is_named_on_a_terminal_that_lacks_signs(tmp_path: Path) -> None:
    lines = journal()
    lines[2] = lines[2].replace('"kind":"', '"kind":"other_')
    file = tmp_path / "journal.jsonl"
    file.write_text("".join(lines), encoding="utf-8")
    done = subprocess.run(
        [sys.executable, "-S", str(PROGRAM), str(file)], env={"PYTHONIOENCODING": "latin-1"},
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert (done.returncode, done.stderr) == (1, "")
    assert done.stdout.startswith("BROKEN: entry 3 has digest ")


def test_empty_and_missing_files_are_told(tmp_path: Path) -> None:
    assert run(tmp_path, "")[0] == 1
    missing = subprocess.run(
        [sys.executable, "-I", str(PROGRAM), str(tmp_path / "none")],
        capture_output=True,
        check=False,
    )
    assert missing.returncode == 2


@pytest.mark.slow
@given(values)
def test_both_programs_write_the_same_canonical_json(value: object) -> None:
    assert verify_journal.canonical(value) == canonical(value)


def test_page_names_every_kind_and_its_example_is_true() -> None:
    page = (ROOT / "docs" / "journal.md").read_text(encoding="utf-8")
    assert set(re.findall(r"^\| `(\w+)` \| (?!string|integer|object)", page, re.MULTILINE)) == set(
        KINDS
    )
    example = json.loads(re.findall(r"```json\n(.*?)\n```", page, re.DOTALL)[0])
    kept = example.pop("digest")
    assert chain_digest(START, example) == kept
