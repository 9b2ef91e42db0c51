"""The two commands of series files: made, judged, and what strangers send refused plainly."""

import json
import os
import random
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from bingo.rules import patterns, rulebooks, series, series_files
from bingo.rules.cards import Card
from bingo.rules.formats import FORMATS, NINETY, SEVENTY_FIVE, THIRTY, Format
from draws.cards import series_queries

CV = rulebooks.get("cape-verde-2017")
BOE = rulebooks.get("spain-1979")
A = {
    format.highest: series.emit(90, format=format, rulebook=CV, rng=random.Random(1))
    for format in FORMATS.values()
}


def said(*arguments: str) -> tuple[int, str]:
    """Return a command's exit code and what it prints."""
    out = StringIO()
    try:
        call_command(*arguments, stdout=out)
    except SystemExit as ended:
        return int(str(ended.code)), out.getvalue()
    except CommandError as error:
        return error.returncode, str(error)
    return 0, out.getvalue()


def values(*arguments: str) -> tuple[int, Any]:
    """Return a command's exit code and its JSON value."""
    code, out = said(*arguments, "--json")
    return code, json.loads(out)


def emitted(file: Path, *options: str) -> tuple[int, str]:
    return said("emit_series", "--out", str(file), *options)


def judged(file: Path, *options: str) -> tuple[int, Any]:
    return values("check_series", str(file), *options)


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """Where a series is written."""
    return tmp_path / "a.json"


def put(file: Path, cards: tuple[Card, ...], *, format: Format = NINETY, letter: str = "A") -> Path:
    file.write_text(series_files.to_json(cards, format=format, rulebook=CV, letter=letter))
    return file


# ---- emit_series


@pytest.mark.rule(14)
@pytest.mark.rule(16)
@pytest.mark.rule(62)
@pytest.mark.rule(68)
@pytest.mark.rule(78)
@pytest.mark.parametrize("format", [90, 80, 75, 30])
@pytest.mark.parametrize("ending", ["json", "csv"])
def test_series_is_emitted_as_a_file_that_is_legal(
    format: int, ending: str, tmp_path: Path
) -> None:
    file = tmp_path / f"a.{ending}"
    code, value = values("emit_series", "--format", str(format), "--size", "90", "--out", str(file))
    assert (code, value["cards"], value["letter"], value["format"]) == (0, 90, "A", format)
    assert file.read_text().startswith("{" if ending == "json" else "format,")

    code, found = judged(file)
    assert (code, found["legal"], found["faults"]) == (0, True, [])
    assert found["digest"] == value["digest"]
    assert (found["format"], found["letter"], found["cards"]) == (format, "A", 90)
    assert found["strips"] is (True if format == 90 else None)


@pytest.mark.rule(84)
@pytest.mark.parametrize("format", [80, 75, 30])
def test_series_with_columns_is_legal_with_columns(format: int, file: Path) -> None:
    options = ["--format", str(format), "--size", "120"]
    assert emitted(file, *options, "--columns")[0] == 0
    assert judged(file, "--columns")[0] == 0
    assert emitted(file, *options, "--seed", "1")[0] == 0
    code, found = judged(file, "--columns")
    assert (code, judged(file)[0]) == (1, 0)
    assert {fault["code"] for fault in found["faults"]} == {"repeated_column"}


@pytest.mark.slow
@pytest.mark.rule("BOE I")
def test_series_of_the_spanish_book_is_legal_there_and_not_in_cape_verde(file: Path) -> None:
    assert emitted(file, "--size", "120", "--rulebook", "spain-1979")[0] == 0
    assert judged(file)[0] == 0
    code, found = judged(file, "--rulebook", "cape-verde-2017")
    assert (code, found["rulebook"]) == (1, "cape-verde-2017")
    assert ("R14", "column_count") in {(one["rule"], one["code"]) for one in found["faults"]}


def test_series_of_one_seed_is_the_same_and_without_one_never(file: Path) -> None:
    digests = []
    for seed in (["--seed", "7"], ["--seed", "7"], ["--seed", "8"], [], []):
        options = ["--size", "90", "--out", str(file), *seed]
        digests.append(values("emit_series", *options)[1]["digest"])
    assert digests[0] == digests[1]
    assert len(set(digests)) == 4


def test_seeded_series_says_so(file: Path) -> None:
    assert "for tests and demonstrations only" in emitted(file, "--size", "90", "--seed", "7")[1]
    assert "demonstrations" not in emitted(file, "--size", "90")[1]
    assert values("emit_series", "--size", "90", "--out", str(file))[1]["seed"] is None


@pytest.mark.parametrize(
    ("options", "fault"),
    [
        (["--size", "91"], "refused: size_not_of_letter"),
        (["--size", "90", "--letter", "B"], "refused: size_not_of_letter"),
        (["--size", "90", "--letter", "Z"], "refused: size_not_of_letter"),
        (["--size", "0"], "refused: series_size_not_positive"),
        (["--size", "0", "--authorised"], "refused: series_size_not_positive"),
        (["--size", "-6", "--authorised"], "refused: series_size_not_positive"),
        (["--size", "0", "--rulebook", "spain-1979"], "refused: series_size_not_positive"),
        (["--size", "90", "--format", "7"], "refused: unknown_format"),
        (["--size", "90", "--rulebook", "atlantis"], "refused: unknown_rulebook"),
        (
            ["--size", "90", "--format", "75", "--rulebook", "spain-1979"],
            "refused: format_not_in_rulebook",
        ),
        (["--size", "90", "--columns"], "refused: columns_not_a_line"),
        (["--size", "240", "--format", "30"], "refused: series_too_large"),
        (["--size", "9999999", "--authorised"], "refused: series_too_large"),
    ],
)
def test_series_that_cannot_be_is_refused_and_no_file_written(
    options: list[str], fault: str, file: Path
) -> None:
    code, out = emitted(file, *options)
    assert code == 1
    assert out.startswith(fault)
    assert list(file.parent.iterdir()) == []


@pytest.mark.rule(14)
@pytest.mark.parametrize(
    ("options", "limit", "bound"),
    [
        (["--size", "1680", "--format", "30"], "200", "lines"),
        (["--size", "150", "--format", "30", "--columns"], "120", "columns"),
        (["--size", "1680", "--format", "75", "--columns"], "1,365", "columns"),
        (["--size", "20000", "--format", "75", "--authorised"], "16,875", "lines through"),
        (["--size", "26667", "--format", "80", "--authorised"], "26,666", "lines"),
    ],
)
def test_impossible_series_is_refused_with_the_bound_that_failed(
    options: list[str], limit: str, bound: str, file: Path
) -> None:
    out = emitted(file, *options)[1]
    assert f"at most {limit}" in out
    assert bound in out


@pytest.mark.rule(19)
def test_other_size_is_emitted_when_authorised(file: Path) -> None:
    assert (
        values("emit_series", "--size", "100", "--authorised", "--out", str(file))[1]["letter"]
        == "X"
    )
    code, found = judged(file)
    assert (code, [fault["rule"] for fault in found["faults"]]) == (1, ["R16"])
    assert judged(file, "--authorised")[0] == 0


@pytest.mark.parametrize("options", [["--size", "many"], ["--size", "1.5"], ["--size", ""], []])
def test_size_that_is_no_number_is_refused(options: list[str], file: Path) -> None:
    code, out = emitted(file, *options)
    assert (code, "--size" in out) == (1, True)


@pytest.mark.parametrize("letter", ["", "z", "ABCDEF", "<b>", "К", "A/B"])
def test_letter_that_no_file_may_have_is_refused(letter: str, file: Path) -> None:
    code, out = emitted(file, "--size", "100", "--authorised", "--letter", letter)
    assert (code, "--letter" in out) == (1, True)


def test_file_that_cannot_be_written_is_named_and_nothing_left(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    for out in (tmp_path / "no" / "such" / "folder.json", tmp_path, pipe, Path("/dev/null")):
        code, words = emitted(out, "--size", "90")
        assert code == 1
        assert f"{out} cannot be written" in words
    assert list(tmp_path.iterdir()) == [pipe]
    assert pipe.is_fifo()


def test_file_that_was_there_is_whole_or_as_it_was(
    file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file.write_text("before")

    def full(_descriptor: int) -> None:
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as patch:
        patch.setattr(os, "fsync", full)
        code, words = emitted(file, "--size", "90")
    assert (code, words) == (1, f"{file} cannot be written: No space left on device")
    assert [one.read_text() for one in file.parent.iterdir()] == ["before"]

    link = file.with_name("link.json")
    link.symlink_to(file)
    assert emitted(link, "--size", "90")[0] == 0
    assert link.is_symlink()
    assert judged(file)[0] == 0


# ---- check_series


@pytest.mark.rule(14)
def test_faults_are_told_by_cards_rule_and_sentence(file: Path) -> None:
    cards = (*A[90][:89], A[90][0])
    code, out = said("check_series", str(put(file, cards)))

    assert code == 1
    assert "card 1, 90: R14: These cards hold the same numbers." in out
    assert out.count("is found more than once.") == 3
    assert out.splitlines()[-1] == "NOT LEGAL, faults: 4"
    value = judged(file)[1]
    assert (value["legal"], value["count"], value["strips"]) == (False, 4, False)
    assert value["faults"][0] == {
        "cards": [1, 90],
        "rule": "R14",
        "code": "repeated_card",
        "values": {},
        "says": "These cards hold the same numbers.",
    }


@pytest.mark.rule(14)
@pytest.mark.rule(65)
@pytest.mark.rule(71)
@pytest.mark.rule(82)
@pytest.mark.parametrize("format", FORMATS.values(), ids=lambda one: one.highest)
def test_one_changed_number_is_told_by_its_card(format: Format, file: Path) -> None:
    cards = [[list(row) for row in card] for card in A[format.highest]]
    row = next(row for row in cards[6] if row[0])
    row[0] = format.highest
    told = tuple(tuple(map(tuple, card)) for card in cards)
    code, value = judged(put(file, told, format=format))

    assert code == 1
    assert (value["faults"][0]["cards"], value["faults"][0]["code"]) == ([7], "out_of_column")
    assert value["faults"][0]["rule"] == CV.card_rule(format)
    assert value["faults"][0]["says"] == (f"Number {format.highest} does not belong in column 1.")


@pytest.mark.rule(74)
def test_repeated_diagonal_is_told(file: Path) -> None:
    first, second = A[75][:2]
    cells = [list(row) for row in second]
    for row, column in patterns.diagonals(SEVENTY_FIVE)[0]:
        cells[row][column] = first[row][column]
    cards = (first, tuple(map(tuple, cells)), *A[75][2:])
    numbers = ", ".join(map(str, sorted(first[at][at] or 0 for at in (0, 1, 3, 4))))

    out = said("check_series", str(put(file, cards, format=SEVENTY_FIVE)))[1]
    assert f"card 1, 2: R14, R68: The line {numbers} is found more than once." in out


@pytest.mark.slow
def test_of_very_many_faults_a_hundred_are_told_and_all_counted(file: Path) -> None:
    cards = (A[90][0],) * 3000
    code, out = said("check_series", str(put(file, cards)))
    assert (code, out.splitlines()[-1]) == (1, "NOT LEGAL, faults: 5")
    assert "card 1, 2, 3, 4, 5, 6, 7, 8, 9, 10 and 2990 more: R14" in out

    wrong = tuple(tuple(reversed(card)) for card in A[90]) * 20
    code, out = said("check_series", str(put(file, wrong, letter="Z")))
    told = [line for line in out.splitlines() if line.startswith("card ")]
    value = judged(file)[1]
    assert (code, len(told), len(value["faults"])) == (1, 99, value["count"])  # 99 and the size
    assert f"and {value['count'] - 100} more" in out
    assert value["count"] > 10_000


@pytest.mark.parametrize(
    ("data", "why"),
    [
        (b"", "Place in the file: 1:1"),
        (b"\xef\xbb\xbf{}", "Place in the file: 1:1"),
        (b"not a series", "Place in the file: 1:1"),
        (b"{}", "Place in the file: keys"),
        (b"[]", "Place in the file: document"),
        (b"[" * 100_000, "Place in the file: 1:5"),
        (b'{"format": 90, "format": 90}', "Place in the file: format"),
        (b"\xff\xfe\x00", "byte 1 is not UTF-8"),
        (b'{"format": "\xe9"}', "byte 13 is not UTF-8"),
        (b"\x00" * 1000, "Place in the file: 1:1"),
        (b"format,90\n", "Place in the file: 2:card"),
        (b"%PDF-1.7\n%\xe2\xe3", "byte 11 is not UTF-8"),
    ],
)
def test_what_is_no_series_is_told_in_one_line(data: bytes, why: str, file: Path) -> None:
    file.write_bytes(data)
    code, out = said("check_series", str(file))
    assert code == 2
    assert out.startswith(f"{file} cannot be ")
    assert why in out
    assert "\n" not in out


def test_no_plain_file_is_told_in_one_line(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    for path, why in [
        (tmp_path, "Is a directory"),
        (pipe, "it is no plain file"),
        (Path("/dev/zero"), "it is no plain file"),
        (tmp_path / "missing", "No such file or directory"),
        (tmp_path / "a.json" / "b", "No such file or directory"),
    ]:
        assert said("check_series", str(path)) == (2, f"{path} cannot be read: {why}")


def test_file_too_large_is_refused_from_its_size_alone(file: Path) -> None:
    with file.open("wb") as sparse:
        sparse.truncate(100 * 2**30)
    assert said("check_series", str(file)) == (
        2,
        f"{file} cannot be read: it is larger than 256 MiB",
    )


def test_file_that_grows_while_it_is_read_is_refused(
    file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(series_queries, "LARGEST", 2**20)
    file.write_bytes(b" " * 2**20)
    assert len(series_queries.read_series_path(file)) == 2**20
    # A file of /proc has no size until it is read.
    monkeypatch.setattr(series_queries, "LARGEST", 8)
    assert said("check_series", "/proc/self/status")[0] == 2


@pytest.mark.parametrize(
    ("options", "why"),
    [
        (["--rulebook", "atlantis"], "There is no rule book atlantis"),
        (["--rulebook", "spain-1979"], "knows no card of 30 numbers"),
    ],
)
def test_series_that_cannot_be_judged_by_that_book_is_told(
    options: list[str], why: str, file: Path
) -> None:
    code, out = said("check_series", str(put(file, A[30], format=THIRTY)), *options)
    assert (code, why in out) == (2, True)


def test_columns_of_ninety_cannot_be_judged(file: Path) -> None:
    code, out = said("check_series", str(put(file, A[90])), "--columns")
    assert (code, "The columns of the card of 90 are no lines" in out) == (2, True)
