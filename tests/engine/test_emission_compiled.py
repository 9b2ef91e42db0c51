"""Strips by machine code: what the same loops say as plain Python, and how they are kept."""

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import numba
import numpy as np
import pytest
from numpy.typing import NDArray

from bingo.engine import compiled, kernel, lines
from bingo.engine.random_bytes import ByteSource, seeded
from bingo.rules import rulebooks, series
from bingo.rules.formats import NINETY
from bingo.rules.refusal import Refusal

BOTH = [(1, 2), (1, 3)]
CV = rulebooks.get("cape-verde-2017")


@pytest.fixture
def as_python(monkeypatch: pytest.MonkeyPatch) -> None:
    """Run the kernel by the interpreter."""
    for name, value in vars(kernel).items():
        if hasattr(value, "py_func"):
            monkeypatch.setattr(kernel, name, value.py_func)
    monkeypatch.setattr(compiled, "machine_code", lambda: kernel.emit)


def counting(source: ByteSource, asked: list[int]) -> ByteSource:
    def count(size: int) -> bytes:
        asked.append(size)
        return source(size)

    return count


@pytest.mark.parametrize("counts", BOTH)
@pytest.mark.parametrize("size", [1, 5, 6, 100])
def test_machine_code_says_what_python_says(
    counts: tuple[int, int], size: int, request: pytest.FixtureRequest
) -> None:
    quick = compiled.emit(size, counts=counts, source=seeded("the same"))

    request.getfixturevalue("as_python")
    slow = compiled.emit(size, counts=counts, source=seeded("the same"))

    assert (quick == slow).all()


@pytest.mark.parametrize("counts", BOTH)
def test_words_in_pieces_of_any_size_make_the_same_cards(
    counts: tuple[int, int], monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[int] = []
    whole = compiled.emit(300, counts=counts, source=seeded("pieces"))

    monkeypatch.setattr(compiled, "FEWEST", 7)
    monkeypatch.setattr(compiled, "MOST", 7)
    pieces = compiled.emit(300, counts=counts, source=counting(seeded("pieces"), asked))

    assert (whole == pieces).all()
    assert set(asked) == {4 * 7}
    assert len(asked) > 100


@pytest.mark.parametrize("counts", BOTH)
def test_strips_take_as_many_words_as_is_thought(counts: tuple[int, int]) -> None:
    asked: list[int] = []

    compiled.emit(60_000, counts=counts, source=counting(seeded("words"), asked))

    assert sum(asked) / 4 < 1.3 * compiled.STRIP_WORDS * 10_000


def test_kernel_s_constants_are_those_of_ninety() -> None:
    assert (
        NINETY.strip,
        NINETY.rows,
        NINETY.columns,
    ) == (kernel.STRIP, kernel.ROWS, kernel.COLUMNS)
    assert (kernel.BITS, kernel.HEIGHT) == (lines.LAYOUT_BITS, lines.HEIGHT)
    assert kernel.COLUMNS < kernel.LANES
    assert max(map(len, NINETY.pools)) * kernel.LABEL < 63


def test_keys_have_marks_that_are_never_nought_and_fit() -> None:
    # Nought in the table means free.
    lightest = np.sort(lines.weights()[1:])

    assert lightest[0] >> kernel.MARK > 0
    assert int(lightest[-15:].sum()) >> kernel.MARK < 2**32
    assert len(np.unique(lightest)) == 90


@pytest.mark.parametrize("counts", BOTH)
def test_groups_of_units_can_be_drawn_by_a_word(counts: tuple[int, int]) -> None:
    held = compiled.tables(counts)

    ends = held.groups[:, 0].tolist()
    assert ends == sorted(ends)
    assert ends[-1] == len(held.units)
    first = 0
    for end, ways, bound in held.groups.tolist():
        left = [len(held.units) - at for at in range(first, end)]
        assert (ways, bound) == (np.prod(left, dtype=np.int64), 2**32 % ways)
        first = end


def test_strips_that_find_no_room_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    work = compiled.work(12)
    work[3][:] = 255
    monkeypatch.setattr(compiled, "work", lambda _size: work)
    compiled.machine_code()
    with pytest.raises(Refusal) as refused:
        compiled.emit(12, counts=(1, 2), source=seeded("full"))
    assert refused.value == Refusal("series_too_large", size=12, limit=0, bound="attempts")


@pytest.mark.rule(14)
def test_a_held_card_is_drawn_again(monkeypatch: pytest.MonkeyPatch) -> None:
    """The lines forgotten, the keys kept: the same words make the same cards, which are held."""
    work = compiled.work(12)
    held = compiled.emit(12, counts=(1, 2), source=seeded("held"))
    for key in lines.keys(held).tolist():
        work[4][kernel.find(work[4], key)] = key >> kernel.MARK
    monkeypatch.setattr(compiled, "work", lambda _size: work)

    other = compiled.emit(12, counts=(1, 2), source=seeded("held"))

    assert not set(lines.keys(held).tolist()) & set(lines.keys(other).tolist())


@pytest.mark.rule(14)
def test_a_held_line_is_laid_out_again(monkeypatch: pytest.MonkeyPatch) -> None:
    """The keys forgotten, the lines kept: the same numbers stand in other rows."""
    work = compiled.work(12)
    held = compiled.emit(12, counts=(1, 2), source=seeded("held"))
    (line,) = lines.rows(NINETY).places(held[3, 1:2], choice_of(held[3, 1])).tolist()
    work[3][line >> 3] |= 1 << (line & 7)
    monkeypatch.setattr(compiled, "work", lambda _size: work)

    other = compiled.emit(12, counts=(1, 2), source=seeded("held"))

    assert (other[:3] == held[:3]).all()
    assert (lines.keys(other)[:6] == lines.keys(held)[:6]).all()
    assert not any((other[3] == held[3, 1]).all(axis=1))


def choice_of(row: NDArray[np.uint8]) -> NDArray[np.intp]:
    return np.flatnonzero((lines.choices(NINETY) == (row > 0)).all(axis=1))


# Where the machine code is kept

PROGRAM = """
from bingo.engine import compiled; from bingo.engine import random_bytes
compiled.emit(60, counts=(1, 2), source=random_bytes.system())
print(getattr(compiled.machine_code(), "stats").cache_hits.total())
"""


def run(folder: Path, **environment: str) -> str:
    told = subprocess.run(
        [sys.executable, "-c", PROGRAM],
        check=True,
        capture_output=True,
        text=True,
        env={"NUMBA_CACHE_DIR": str(folder), **environment},
    )
    return told.stdout.strip()


@pytest.mark.slow
def test_machine_code_is_kept_and_a_broken_store_does_no_harm(tmp_path: Path) -> None:
    folder = tmp_path / "a folder with spaces, é"

    assert [run(folder), run(folder)] == ["0", "1"]
    for ending, broken in (("nbi", b""), ("nbc", bytes(1000))):
        (kept,) = folder.rglob(f"*.{ending}")
        whole = kept.read_bytes()
        kept.write_bytes(broken)
        assert run(folder) == "0"
        kept.write_bytes(whole)
    assert run(folder) == "1"


@pytest.mark.parametrize("error", [RuntimeError, OSError, EOFError])
def test_machine_code_is_made_anew_where_nothing_can_be_kept(
    error: type[Exception], monkeypatch: pytest.MonkeyPatch
) -> None:
    def njit(*, nogil: bool, cache: bool = False) -> Callable[[object], object]:
        if cache or not nogil:
            raise error
        return lambda function: function

    monkeypatch.setattr(numba, "njit", njit)

    assert compiled.machine_code.__wrapped__() is kernel.emit


def test_series_of_the_plain_rules_and_of_machine_code_are_judged_alike() -> None:
    cards = compiled.emit(120, counts=(1, 2), source=seeded("judged"))
    held = tuple(
        tuple(tuple(cell or None for cell in row) for row in card) for card in cards.tolist()
    )

    assert series.faults(held, format=NINETY, rulebook=CV) == ()
    assert series.in_strips(held, format=NINETY)
