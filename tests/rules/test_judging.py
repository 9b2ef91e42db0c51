"""Judging: a series checked without trust, and every way of cheating named by card and rule."""

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bingo.rules import cards, patterns, rulebooks, series, series_files
from bingo.rules.cards import Card
from bingo.rules.formats import EIGHTY, FORMATS, NINETY, SEVENTY_FIVE, THIRTY, Format
from bingo.rules.refusal import Refusal
from bingo.rules.rulebooks import Rulebook
from bingo.rules.series import SeriesFault

CV = rulebooks.get("cape-verde-2017")
BOE = rulebooks.get("spain-1979")
SERIES = {
    format.highest: series.emit(12, format=format, rulebook=CV, rng=random.Random(7))
    for format in FORMATS.values()
}
NINETIES = SERIES[90]


def faults(
    drawn: tuple[Card, ...], format: Format = NINETY, book: Rulebook = CV, columns: bool = False
) -> tuple[SeriesFault, ...]:
    return series.faults(drawn, format=format, rulebook=book, columns=columns)


def put(card: Card, row: int, column: int, value: int | None) -> Card:
    """A card with one cell, counted from 0, changed."""
    cells = [list(cells) for cells in card]
    cells[row][column] = value
    return tuple(map(tuple, cells))


def forged(drawn: tuple[Card, ...], number: int, card: Card) -> tuple[Card, ...]:
    """A series whose card `number`, from 1, is another."""
    return (*drawn[: number - 1], card, *drawn[number:])


@pytest.mark.parametrize("format", FORMATS.values(), ids=lambda one: one.highest)
def test_sound_series_has_no_fault(format: Format) -> None:
    assert faults(SERIES[format.highest], format) == ()


@pytest.mark.rule(14)
@pytest.mark.rule(62)
@pytest.mark.rule(68)
@pytest.mark.rule(78)
@pytest.mark.parametrize("format", FORMATS.values(), ids=lambda one: one.highest)
def test_repeated_card_and_its_lines_are_named_with_both_numbers(format: Format) -> None:
    drawn = SERIES[format.highest]
    rule = CV.series_rule(format)

    found = faults((*drawn, drawn[4]), format)

    assert found[0] == SeriesFault((5, 13), rule, "repeated_card", {})
    assert [(fault.cards, fault.rule, fault.code) for fault in found[1:]] == [
        ((5, 13), rule, "repeated_line")
    ] * len(patterns.shape_lines(format))


@pytest.mark.rule(14)
def test_card_of_the_same_numbers_in_other_rows_is_a_repeated_card() -> None:
    card = NINETIES[0]
    turned = (card[1], card[0], card[2])

    assert faults((card, turned))[-4].code == "repeated_card"


@pytest.mark.rule(14)
def test_repeated_line_is_named_as_a_set_whatever_its_row() -> None:
    other = NINETIES[7]
    line = tuple(sorted(cards.lines(NINETIES[0])[0]))

    found = faults(forged(NINETIES, 8, (NINETIES[0][0], other[1], other[2])))

    assert SeriesFault((1, 8), "R14", "repeated_line", {"numbers": line}) in found


@pytest.mark.rule(66)
@pytest.mark.rule(74)
@pytest.mark.rule(84)
@pytest.mark.parametrize("format", [EIGHTY, SEVENTY_FIVE, THIRTY], ids=lambda one: one.highest)
@pytest.mark.parametrize("diagonal", [0, 1])
def test_repeated_diagonal_is_named(format: Format, diagonal: int) -> None:
    # The first card with its other numbers replaced by those of its columns that it lacks.
    drawn = SERIES[format.highest]
    kept = patterns.diagonals(format)[diagonal]
    forgery = drawn[0]
    for row, column in patterns.whole(format) - kept - format.free:
        free = set(format.pools[column]) - cards.numbers(drawn[0]) - cards.numbers(forgery)
        forgery = put(forgery, row, column, max(free))

    found = faults((drawn[0], forgery), format)

    assert found == (
        SeriesFault(
            (1, 2),
            CV.series_rule(format),
            "repeated_line",
            {"numbers": tuple(sorted(patterns.shape_numbers(drawn[0], kept)))},
        ),
    )


@pytest.mark.rule(66)
def test_diagonal_that_is_another_card_s_row_is_a_repeated_line() -> None:
    first, second = SERIES[80][:2]
    forgery = second
    for at, number in enumerate(first[2]):
        # No number twice on the card: what the diagonal takes away, the row gives back.
        held = [row[at] for row in forgery]
        if number in held:
            forgery = put(forgery, held.index(number), at, forgery[at][at])
        forgery = put(forgery, at, at, number)

    assert cards.faults(forgery, format=EIGHTY, rulebook=CV) == ()
    assert SeriesFault(
        (1, 2), "R14, R62", "repeated_line", {"numbers": tuple(sorted(cards.lines(first)[2]))}
    ) in faults((first, forgery), EIGHTY)


@pytest.mark.rule(84)
def test_repeated_column_is_a_fault_only_where_columns_count() -> None:
    first, second = SERIES[30][:2]
    same = tuple((mine[0], *theirs[1:]) for mine, theirs in zip(first, second, strict=True))
    numbers = tuple(sorted(row[0] for row in first if row[0]))

    found = faults((first, same), THIRTY, columns=True)

    assert SeriesFault((1, 2), "R14, R78", "repeated_column", {"numbers": numbers}) in found
    assert "repeated_column" not in {fault.code for fault in faults((first, same), THIRTY)}


def test_columns_of_ninety_cannot_be_asked_to_be_unique() -> None:
    with pytest.raises(Refusal) as refused:
        faults(NINETIES, columns=True)
    assert refused.value == Refusal("columns_not_a_line", format=90)


@pytest.mark.rule("BOE I")
def test_format_that_the_rule_book_does_not_know_is_refused() -> None:
    with pytest.raises(Refusal) as refused:
        faults(SERIES[30], THIRTY, BOE)
    assert refused.value.code == "format_not_in_rulebook"


@pytest.mark.rule(14)
@pytest.mark.rule(65)
@pytest.mark.rule(71)
@pytest.mark.rule(82)
@pytest.mark.parametrize("format", FORMATS.values(), ids=lambda one: one.highest)
@settings(max_examples=60, deadline=None)
@given(data=st.data())
def test_one_number_changed_is_named_by_card_and_rule(format: Format, data: st.DataObject) -> None:
    drawn = SERIES[format.highest]
    number = data.draw(st.integers(1, 12))
    card = drawn[number - 1]
    row, column = data.draw(
        st.sampled_from([cell for cell in sorted(patterns.whole(format)) if at(card, cell)])
    )
    value = data.draw(st.sampled_from(format.numbers))

    changed = forged(drawn, number, put(card, row, column, value))
    found = faults(changed, format)

    # A number that is legal there can make a line that another card of thirty has.
    own = {fault.cards for fault in found if fault.code != "repeated_line"}
    assert own <= {(number,)}
    assert {fault.rule for fault in found if fault.cards == (number,)} <= {CV.card_rule(format)}
    codes = {fault.code for fault in found}
    assert ("out_of_column" in codes) == (value not in format.pools[column])
    assert ("repeated_number" in codes) == (value in cards.numbers(card) - {card[row][column]})
    assert (value == card[row][column]) == (
        fingerprint(changed, format) == fingerprint(drawn, format)
    )


def at(card: Card, cell: tuple[int, int]) -> int | None:
    return card[cell[0]][cell[1]]


def fingerprint(drawn: tuple[Card, ...], format: Format) -> str:
    return series_files.series_document_digest(
        series_files.document(drawn, format=format, rulebook=CV, letter="Z")
    )


def test_card_of_the_wrong_shape_is_only_that_and_compared_with_none() -> None:
    found = faults((NINETIES[0], NINETIES[0][:2], NINETIES[0][:2], ()))

    assert [(fault.cards, fault.code) for fault in found] == [
        ((2,), "wrong_shape"),
        ((3,), "wrong_shape"),
        ((4,), "wrong_shape"),
    ]


def test_empty_lines_are_not_taken_for_repeated_ones() -> None:
    empty: Card = ((None,) * 9,) * 3

    assert {fault.code for fault in faults((empty, empty))} == {"row_count", "column_count"}


@pytest.mark.rule("BOE I")
def test_repetition_under_the_spanish_book_is_no_breach_of_r14() -> None:
    assert {fault.rule for fault in faults((NINETIES[0], NINETIES[0]), book=BOE)} == {"own"}


def test_no_cards_have_no_fault() -> None:
    assert faults(()) == ()


# Sizes and strips


@pytest.mark.rule(16)
def test_sizes_of_the_law_s_letters_are_no_fault() -> None:
    for letter, size in CV.series_sizes.items():
        assert series.size_faults(size, letter=letter, rulebook=CV) == ()


@pytest.mark.rule(16)
@pytest.mark.rule(19)
@pytest.mark.parametrize(("letter", "size"), [("A", 91), ("A", 120), ("Z", 90), ("Z", 7)])
def test_other_size_is_a_fault_unless_it_is_authorised(letter: str, size: int) -> None:
    assert series.size_faults(size, letter=letter, rulebook=CV) == (
        SeriesFault((), "R16", "size_not_of_letter", {"letter": letter, "size": size}),
    )
    assert series.size_faults(size, letter=letter, rulebook=CV, authorised=True) == ()


def test_rule_book_without_sizes_takes_any() -> None:
    assert series.size_faults(7, letter="Z", rulebook=BOE) == ()


def test_series_out_of_strips_is_told_but_is_no_fault() -> None:
    swapped = (*NINETIES[:5], NINETIES[6], NINETIES[5], *NINETIES[7:])

    assert series.in_strips(NINETIES, format=NINETY) is True
    assert series.in_strips(NINETIES[:9], format=NINETY) is True
    assert series.in_strips(swapped, format=NINETY) is False
    assert faults(swapped) == ()
    assert series.in_strips(SERIES[75], format=SEVENTY_FIVE) is None
