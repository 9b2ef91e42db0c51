"""Emission: series of every format and rule book, drawn without repetition."""

import random
from itertools import chain

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bingo.rules import cards, rulebooks, series, strips
from bingo.rules.cards import Card
from bingo.rules.formats import EIGHTY, NINETY, SEVENTY_FIVE, THIRTY, Format
from bingo.rules.refusal import Refusal
from bingo.rules.rulebooks import Rulebook

CV = rulebooks.get("cape-verde-2017")
BOE = rulebooks.get("spain-1979")
KINDS = [(NINETY, CV), (NINETY, BOE), (EIGHTY, CV), (SEVENTY_FIVE, CV), (THIRTY, CV)]
FULL = [EIGHTY, SEVENTY_FIVE, THIRTY]


def emitted(
    size: int,
    *,
    format: Format = NINETY,
    book: Rulebook = CV,
    seed: int = 7,
    columns: bool = False,
) -> tuple[Card, ...]:
    return series.emit(size, format=format, rulebook=book, rng=random.Random(seed), columns=columns)


@pytest.fixture(scope="module")
def largest() -> tuple[Card, ...]:
    """A series K."""
    return emitted(1680)


@pytest.mark.slow
@pytest.mark.rule(14)
@pytest.mark.rule(16)
def test_series_k_has_no_fault_and_repeats_nothing(largest: tuple[Card, ...]) -> None:
    assert len(largest) == CV.series_sizes["K"]
    assert len({cards.numbers(card) for card in largest}) == 1680
    assert len({line for card in largest for line in cards.lines(card)}) == 3 * 1680
    assert series.faults(largest, format=NINETY, rulebook=CV) == ()


@pytest.mark.rule(14)
def test_series_is_made_of_strips_of_six(largest: tuple[Card, ...]) -> None:
    for first in range(0, 1680, 6):
        held = sorted(chain(*map(cards.numbers, largest[first : first + 6])))
        assert held == list(range(1, 91))


@pytest.mark.rule(14)
@pytest.mark.rule(62)
@pytest.mark.rule(68)
@pytest.mark.rule(78)
@pytest.mark.rule("BOE I")
@pytest.mark.parametrize(("format", "book"), KINDS)
@settings(max_examples=12, deadline=None)
@given(size=st.integers(1, 200), seed=st.integers(0, 2**32))
def test_any_series_is_of_its_size_and_without_fault(
    format: Format, book: Rulebook, size: int, seed: int
) -> None:
    drawn = emitted(size, format=format, book=book, seed=seed)

    assert len(drawn) == size
    assert series.faults(drawn, format=format, rulebook=book) == ()
    assert series.in_strips(drawn, format=format) in (True, None)


@pytest.mark.rule(67)
@pytest.mark.rule(75)
@pytest.mark.rule(84)
@pytest.mark.parametrize("format", FULL, ids=lambda one: one.highest)
@settings(max_examples=12, deadline=None)
@given(size=st.integers(1, 120), seed=st.integers(0, 2**32))
def test_any_series_with_columns_repeats_none(format: Format, size: int, seed: int) -> None:
    drawn = emitted(size, format=format, seed=seed, columns=True)

    assert len(drawn) == size
    assert series.faults(drawn, format=format, rulebook=CV, columns=True) == ()


@pytest.mark.rule(16)
@pytest.mark.parametrize("format", [EIGHTY, SEVENTY_FIVE], ids=lambda one: one.highest)
def test_series_k_can_be_emitted_in_the_variants(format: Format) -> None:
    drawn = emitted(1680, format=format)

    assert (len(drawn), series.faults(drawn, format=format, rulebook=CV)) == (1680, ())


@pytest.mark.rule(16)
@pytest.mark.rule(78)
@pytest.mark.parametrize("letter", "ABCD")
def test_series_of_thirty_can_be_emitted_up_to_d(letter: str) -> None:
    size = CV.series_sizes[letter]
    drawn = emitted(size, format=THIRTY, seed=ord(letter))

    assert (len(drawn), series.faults(drawn, format=THIRTY, rulebook=CV)) == (size, ())


@pytest.mark.rule(16)
@pytest.mark.rule(78)
@pytest.mark.parametrize("letter", "EFGHIJK")
def test_series_of_thirty_beyond_d_are_refused_with_the_bound(letter: str) -> None:
    size = CV.series_sizes[letter]
    with pytest.raises(Refusal) as refused:
        emitted(size, format=THIRTY)
    assert refused.value == Refusal("series_too_large", size=size, limit=200, bound="lines")


@pytest.mark.parametrize(
    ("format", "columns"), [(THIRTY, False), (THIRTY, True), (SEVENTY_FIVE, True)]
)
def test_series_as_large_as_its_bound_can_be_emitted(format: Format, columns: bool) -> None:
    limit, _bound = series.limit(format, columns)
    drawn = emitted(limit, format=format, columns=columns)

    assert len(drawn) == limit
    assert series.faults(drawn, format=format, rulebook=CV, columns=columns) == ()


@pytest.mark.slow
def test_series_of_eighty_takes_every_column_there_is() -> None:
    drawn = emitted(4845, format=EIGHTY, columns=True)

    assert series.faults(drawn, format=EIGHTY, rulebook=CV, columns=True) == ()


@pytest.mark.rule(19)
@pytest.mark.parametrize("size", [1, 5, 6, 7, 100])
def test_series_of_another_size_ends_in_part_of_a_strip(size: int) -> None:
    drawn = emitted(size)
    whole = size - size % 6

    assert (len(drawn), series.faults(drawn, format=NINETY, rulebook=CV)) == (size, ())
    assert sum(map(len, map(cards.numbers, drawn[whole:]))) == len(
        frozenset().union(*map(cards.numbers, drawn[whole:]))
    )


def test_same_seed_emits_the_same_series_and_another_seed_another() -> None:
    for format, _book in KINDS:
        assert emitted(30, format=format, seed=1) == emitted(30, format=format, seed=1)
        assert emitted(30, format=format, seed=1) != emitted(30, format=format, seed=2)


@pytest.mark.rule(14)
def test_emit_refuses_what_no_series_can_be_before_it_draws() -> None:
    class Untouched:
        """Chance that must not be asked."""

    for size, format, columns in [(0, NINETY, False), (6, NINETY, True), (201, THIRTY, False)]:
        with pytest.raises(Refusal):
            series.emit(
                size,
                format=format,
                rulebook=CV,
                rng=Untouched(),  # type: ignore[arg-type]
                columns=columns,
            )


def test_emit_gives_up_a_series_it_cannot_fill(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(series, "ATTEMPTS", 1)
    with pytest.raises(Refusal) as refused:
        emitted(16_875, format=SEVENTY_FIVE)
    reached = refused.value.values["limit"]
    assert refused.value == Refusal(
        "series_too_large", size=16_875, limit=reached, bound="attempts"
    )
    assert isinstance(reached, int)
    assert 0 < reached < 16_875


# The generators that the judge must catch


def unchecked(size: int, format: Format, book: Rulebook, seed: int) -> tuple[Card, ...]:
    """A generator that forgets to look for repetition."""
    rng = random.Random(seed)
    drawn: list[Card] = []
    while len(drawn) < size:
        drawn += strips.strip(format, counts=book.column_count(format), rng=rng)
    return tuple(drawn)


@pytest.mark.slow
@pytest.mark.rule(14)
def test_generator_without_the_uniqueness_check_is_caught_at_ninety() -> None:
    # About half of all seeds repeat a line; this one does.
    found = series.faults(unchecked(1680, NINETY, CV, seed=3), format=NINETY, rulebook=CV)

    assert {(fault.rule, fault.code, len(fault.cards)) for fault in found} == {
        ("R14", "repeated_line", 2)
    }
    assert series.faults(emitted(1680, seed=3), format=NINETY, rulebook=CV) == ()


@pytest.mark.rule(62)
@pytest.mark.rule(68)
@pytest.mark.rule(78)
@pytest.mark.parametrize(("format", "size"), [(EIGHTY, 1680), (SEVENTY_FIVE, 1680), (THIRTY, 90)])
def test_generator_without_the_uniqueness_check_is_caught_in_the_variants(
    format: Format, size: int
) -> None:
    found = series.faults(unchecked(size, format, CV, seed=1), format=format, rulebook=CV)

    assert {(fault.rule, fault.code) for fault in found} == {
        (CV.series_rule(format), "repeated_line")
    }


@pytest.mark.rule(14)
@pytest.mark.rule("BOE I")
def test_generator_that_puts_three_in_a_column_is_caught() -> None:
    drawn = emitted(60, book=BOE)

    assert series.faults(drawn, format=NINETY, rulebook=BOE) == ()
    found = series.faults(drawn, format=NINETY, rulebook=CV)
    assert {(fault.rule, fault.code, fault.values["count"]) for fault in found} == {
        ("R14", "column_count", 3)
    }


@pytest.mark.rule(84)
@pytest.mark.parametrize("format", FULL, ids=lambda one: one.highest)
def test_generator_that_does_not_look_at_columns_is_caught_when_they_count(
    format: Format,
) -> None:
    # Of 1,365, 4,845 or 120 columns one comes twice among so many cards.
    drawn = emitted(200, format=format)

    assert series.faults(drawn, format=format, rulebook=CV) == ()
    found = series.faults(drawn, format=format, rulebook=CV, columns=True)
    assert {fault.code for fault in found} == {"repeated_column"}
