"""Series at speed: legal in every format and rule book, exactly unique, refused as plainly."""

import random
import subprocess
import sys
from itertools import chain

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from bingo.engine import emission, random_bytes, strips
from bingo.engine.lines import Register
from bingo.rules import rulebooks, series
from bingo.rules.cards import Card
from bingo.rules.formats import EIGHTY, FORMATS, NINETY, SEVENTY_FIVE, THIRTY, Format
from bingo.rules.refusal import Refusal
from bingo.rules.rulebooks import Rulebook
from tests.support.repeats import repeats

CV = rulebooks.get("cape-verde-2017")
BOE = rulebooks.get("spain-1979")
# Every path: what is drawn, by which book, and whether by machine code.
PATHS = [
    (NINETY, CV, False),
    (NINETY, CV, True),
    (NINETY, BOE, False),
    (NINETY, BOE, True),
    (EIGHTY, CV, None),
    (SEVENTY_FIVE, CV, None),
    (THIRTY, CV, None),
]
STRIPS = [path for path in PATHS if path[0] is NINETY]

Path = tuple[Format, Rulebook, bool | None]
Cards = NDArray[np.uint8]


def named(path: Path) -> str:
    return f"{path[0].highest}-{path[1].code}{'-compiled' if path[2] else ''}"


def emitted(size: int, path: Path, *, seed: object = 7, columns: bool = False) -> Cards:
    format, book, compiled = path
    return emission.emit(
        size,
        format=format,
        rulebook=book,
        source=random_bytes.seeded(str(seed)),
        columns=columns,
        compiled=compiled,
    )


def plain(cards: Cards) -> tuple[Card, ...]:
    return tuple(
        tuple(tuple(cell or None for cell in row) for row in card) for card in cards.tolist()
    )


def faults(cards: Cards, path: Path, *, columns: bool = False) -> tuple[series.SeriesFault, ...]:
    return series.faults(plain(cards), format=path[0], rulebook=path[1], columns=columns)


@pytest.mark.rule(14)
@pytest.mark.rule("BOE I")
@pytest.mark.parametrize("path", PATHS, ids=named)
@settings(max_examples=12, deadline=None)
@given(size=st.integers(1, 70), seed=st.integers())
@pytest.mark.slow
def test_series_of_any_size_has_no_fault(path: Path, size: int, seed: int) -> None:
    cards = emitted(size, path, seed=seed)

    assert cards.shape == (size, path[0].rows, path[0].columns)
    assert cards.dtype == np.uint8
    assert faults(cards, path) == ()


@pytest.mark.rule(14)
@pytest.mark.rule(16)
@pytest.mark.parametrize("path", [path for path in PATHS if path[0] is not THIRTY], ids=named)
@pytest.mark.slow
def test_series_k_has_no_fault(path: Path) -> None:
    assert faults(emitted(CV.series_sizes["K"], path), path) == ()


@pytest.mark.rule(14)
@pytest.mark.rule(82)
@pytest.mark.slow
def test_series_of_thirty_reaches_its_bound() -> None:
    path = (THIRTY, CV, None)

    assert faults(emitted(200, path), path) == ()


@pytest.mark.slow
@pytest.mark.parametrize("path", STRIPS, ids=named)
@pytest.mark.parametrize("size", [6, 1680, 3, 1683])
def test_strips_hold_one_to_ninety_once(path: Path, size: int) -> None:
    cards = emitted(size, path)

    for first in range(0, size, 6):
        held = cards[first : first + 6]
        numbers = np.sort(held[held > 0])
        if len(held) == 6:
            assert numbers.tolist() == [*range(1, 91)]
        assert len(np.unique(numbers)) == 15 * len(held)


@pytest.mark.rule(14)
@pytest.mark.parametrize(("format", "size"), [(EIGHTY, 4845), (SEVENTY_FIVE, 1365), (THIRTY, 120)])
def test_series_without_a_repeated_column_reach_their_bound(format: Format, size: int) -> None:
    path = (format, CV, None)
    assert series.limit(format, True) == (size, "columns")

    assert faults(emitted(size, path, columns=True), path, columns=True) == ()


@pytest.mark.slow
def test_columns_do_come_twice_when_not_asked() -> None:
    path = (EIGHTY, CV, None)

    held = faults(emitted(4845, path), path, columns=True)

    assert {fault.code for fault in held} == {"repeated_column"}


# Refusals


@pytest.mark.rule(14)
@pytest.mark.parametrize("columns", [False, True])
@pytest.mark.parametrize("book", [CV, BOE], ids=["CV", "BOE"])
@pytest.mark.parametrize("format", FORMATS.values(), ids=map(str, FORMATS))
@pytest.mark.parametrize("size", [-1, 0, 1, "limit", "more", 10**9])
def test_refusals_are_those_of_the_plain_rules(
    format: Format, book: Rulebook, columns: bool, size: int | str
) -> None:
    if isinstance(size, str):
        most, _bound = series.limit(format, columns and format.full)
        size = min(most, 60) if size == "limit" else most + 1

    def outcome(emit: object, **chance: object) -> object:
        try:
            return len(emit(size, format=format, rulebook=book, columns=columns, **chance))  # type: ignore[operator]
        except Refusal as refusal:
            return refusal

    engine = outcome(emission.emit, source=random_bytes.seeded("refusals"))

    assert engine == outcome(series.emit, rng=random.Random(1))


def test_squares_that_find_no_room_say_how_many_they_found(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(emission, "ATTEMPTS", 30)
    with pytest.raises(Refusal) as refused:
        emitted(26_666, (EIGHTY, CV, None))

    values = dict(refused.value.values)
    found = values.pop("limit")
    assert refused.value.code == "series_too_large"
    assert values == {"size": 26_666, "bound": "attempts"}
    assert isinstance(found, int)
    assert 5_000 < found < 26_666


class Full(Register):
    """A register in which nothing is free."""

    def take(self, lines: NDArray[np.integer]) -> NDArray[np.bool_]:
        return np.zeros(len(lines), dtype=np.bool_)


def test_strips_that_find_no_room_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(strips, "Register", Full)
    monkeypatch.setattr(strips, "LAYOUTS", 3)
    monkeypatch.setattr(strips, "ATTEMPTS", 10)
    with pytest.raises(Refusal) as refused:
        emitted(12, (NINETY, CV, False))
    assert refused.value == Refusal("series_too_large", size=12, limit=0, bound="attempts")


def test_columns_that_find_no_room_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(emission, "Register", Full)
    monkeypatch.setattr(emission, "ATTEMPTS", 2)
    with pytest.raises(Refusal) as refused:
        emitted(12, (EIGHTY, CV, None), columns=True)
    assert refused.value == Refusal("series_too_large", size=12, limit=0, bound="attempts")


def test_gathering_draws_strips_with_a_repeated_card_again() -> None:
    batches = iter([[[1, 2], [3, 4], [2, 1], [5, 6]], [[7, 8], [4, 3]], [[9, 10], [11, 12]]])
    asked = []

    def draw(count: int) -> Cards:
        asked.append(count)
        return np.array(next(batches), dtype=np.uint8)[:, np.newaxis]

    cards = strips.gather(4, strip=2, attempts=9, draw=draw)

    assert cards[:, 0].tolist() == [[1, 2], [3, 4], [9, 10], [11, 12]]
    assert asked == [2, 2, 3]


# Chance


@pytest.mark.parametrize("path", PATHS, ids=named)
def test_series_of_a_seed_is_the_same_again_and_of_another_is_not(path: Path) -> None:
    first, again, other = (emitted(60, path, seed=seed) for seed in ("a", "a", "b"))

    assert (first == again).all()
    assert (first != other).any()


def test_series_without_a_seed_differ() -> None:
    first, second = (
        emission.emit(6, format=NINETY, rulebook=CV, source=random_bytes.system()) for _ in "ab"
    )

    assert (first != second).any()


def test_series_up_to_k_need_no_machine_code() -> None:
    assert CV.series_sizes["K"] < emission.COMPILED_FROM


def test_large_series_are_compiled_where_that_is_installed(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(emission, "COMPILED_FROM", 12)
    small, large = (emitted(size, (NINETY, CV, None)) for size in (11, 12))

    assert (small == emitted(11, (NINETY, CV, False))).all()
    assert (large == emitted(12, (NINETY, CV, True))).all()


def test_large_series_are_drawn_without_machine_code_too(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(emission, "COMPILED_FROM", 12)
    # What Python finds for a module that cannot be imported.
    monkeypatch.setitem(sys.modules, "bingo.engine.compiled", None)

    large = emitted(12, (NINETY, CV, None))

    assert (large == emitted(12, (NINETY, CV, False))).all()
    with pytest.raises(ImportError):
        emitted(12, (NINETY, CV, True))


@pytest.mark.slow
def test_series_are_drawn_where_numba_cannot_be_imported() -> None:
    program = """
import sys
sys.modules["numba"] = None
from bingo.engine import emission; from bingo.engine import random_bytes
from bingo.rules import formats; from bingo.rules import rulebooks
from tests.support.repeats import repeats
book = rulebooks.get("cape-verde-2017")
for format in formats.FORMATS.values():
    print(len(emission.emit(12, format=format, rulebook=book, source=random_bytes.system())))
"""
    told = subprocess.run([sys.executable, "-c", program], check=True, capture_output=True)

    assert told.stdout.split() == [b"12"] * 4


# Exactly unique, by means that share nothing with the engine


def sets_of(cards: Cards) -> tuple[set[bytes], set[bytes]]:
    """The sets of numbers of cards and of rows of 90, each sorted."""
    whole = np.sort(cards.reshape(len(cards), -1), axis=1)
    rows = np.sort(cards.reshape(-1, cards.shape[2]), axis=1)
    return {card.tobytes() for card in whole}, {row.tobytes() for row in rows}


@pytest.mark.slow
@pytest.mark.rule(14)
@pytest.mark.parametrize("path", STRIPS, ids=named)
def test_sixty_thousand_cards_repeat_nothing(path: Path) -> None:
    cards = emitted(60_000, path)

    whole, rows = sets_of(cards)
    assert (len(whole), len(rows)) == (60_000, 180_000)
    assert repeats(cards, format=NINETY) == ()


@pytest.mark.slow
@pytest.mark.rule(14)
@pytest.mark.parametrize("path", STRIPS, ids=named)
def test_a_million_cards_repeat_nothing(path: Path) -> None:
    cards = emitted(1_000_000, path)

    whole, rows = sets_of(cards)
    assert (len(whole), len(rows)) == (1_000_000, 3_000_000)
    assert repeats(cards, format=NINETY) == ()
    assert faults(cards[-12:], path) == ()


# What must be caught


@pytest.mark.parametrize("path", STRIPS, ids=named)
def test_series_put_together_without_a_check_repeat_lines_and_are_caught(path: Path) -> None:
    # Each part is unique in itself, but forgets what was drawn before it.
    cards = np.concatenate([emitted(3_000, path, seed=part) for part in range(10)])

    found = repeats(cards, format=NINETY)

    whole, rows = sets_of(cards)
    assert len(found) > 100
    assert sum(len(one.cards) - 1 for one in found) == 30_000 + 90_000 - len(whole) - len(rows)


@pytest.mark.parametrize("format", [EIGHTY, SEVENTY_FIVE])
def test_squares_drawn_without_a_check_are_caught(
    format: Format, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Careless(Register):
        def take(self, lines: NDArray[np.integer]) -> NDArray[np.bool_]:
            return np.ones(len(lines), dtype=np.bool_)

    monkeypatch.setattr(emission, "Register", Careless)
    cards = emission.emit_squares(6_000, format=format, source=random_bytes.seeded("careless"))

    assert {one.code for one in repeats(cards, format=format)} >= {"repeated_line"}


@pytest.mark.rule(14)
@pytest.mark.parametrize("compiled", [False, True])
def test_three_in_a_column_are_caught(compiled: bool) -> None:
    spanish = emitted(60, (NINETY, BOE, compiled))

    held = faults(spanish, (NINETY, CV, compiled))

    assert {(fault.rule, fault.code) for fault in held} == {("R14", "column_count")}
    assert {fault.values["count"] for fault in held} == {3}


@pytest.mark.parametrize("path", STRIPS, ids=named)
def test_numbers_of_a_strip_are_drawn_from_all_columns(path: Path) -> None:
    cards = emitted(6, path)

    for column, pool in enumerate(NINETY.pools):
        held = cards[:, :, column]
        assert sorted(held[held > 0].tolist()) == [*pool]
    assert sorted(chain(*NINETY.pools)) == [*range(1, 91)]
