"""What enrolled balls prove: counts, the least sureness, printed zeros, marks, pairs."""

import pytest

from draws.balls.vision.enrolment import (
    BUILT_IN,
    HIGHEST,
    NEVER,
    Proof,
    ReadPicture,
    least_sure,
    measure_measurement,
)

NUMBERS = range(1, 91)


def read(number: int | None, sure: int = 990, reason: str = "", **others: int) -> ReadPicture:
    first = [] if number is None else [(number, sure)]
    return ReadPicture(
        number, sure, reason, (*first, *((int(n[1:]), s) for n, s in others.items()))
    )


def proof(
    number: int, found: ReadPicture, *, padded: ReadPicture | None = None, marked: int = 1000
) -> Proof:
    return Proof(number, found, padded or found, marked)


def test_measure_counts_what_was_right_refused_and_wrong() -> None:
    proofs = [
        proof(7, read(7, 950)),
        proof(7, read(None, 400, "low")),
        proof(12, read(72, 870)),
        proof(12, read(12, 900)),
    ]
    found = measure_measurement(proofs, numbers=[7, 12, 13], zeros=False)
    assert [(one.number, one.right, one.refused, one.wrong) for one in found.tallies] == [
        (7, 1, 1, 0),
        (12, 1, 0, 1),
    ]
    assert found.missing == (13,)
    assert [(one.number, one.other, one.times) for one in found.pairs] == [(12, 72, 1)]
    assert (found.threshold, found.announced) == (871, 2)


@pytest.mark.parametrize(
    ("wrong", "threshold"),
    [
        ([], BUILT_IN),
        ([BUILT_IN - 1], BUILT_IN),
        ([BUILT_IN], BUILT_IN + 1),
        ([HIGHEST - 1], HIGHEST),
        ([HIGHEST], NEVER),
        ([1000], NEVER),
        ([850, 930], 931),
    ],
)
def test_threshold_rises_until_nothing_is_read_wrong(wrong: list[int], threshold: int) -> None:
    used = [(5, read(5, 995)), *((5, read(8, sure)) for sure in wrong)]
    assert least_sure(used) == threshold


def test_threshold_is_never_where_nothing_is_right_at_it() -> None:
    assert least_sure([(5, read(5, BUILT_IN - 1))]) == NEVER
    assert least_sure([(5, read(None, 0, "blank"))]) == NEVER
    assert least_sure([]) == NEVER


@pytest.mark.parametrize(
    ("plain", "padded", "zeros"),
    [
        (read(None, 20), read(6, 980), True),
        (read(6, 970), read(6, 972), False),
        (read(None, 20), read(None, 30), None),
    ],
)
def test_printed_zeros_are_told_by_what_reads_single_figures(
    plain: ReadPicture, padded: ReadPicture, zeros: bool | None
) -> None:
    for registered in (True, False):
        found = measure_measurement(
            [proof(6, plain, padded=padded)], numbers=NUMBERS, zeros=registered
        )
        assert found.zeros is zeros


@pytest.mark.parametrize(("registered", "counted"), [(True, (1, 0)), (False, (0, 1))])
def test_reading_counts_as_games_read_a_set_that_is_registered_so(
    registered: bool, counted: tuple[int, int]
) -> None:
    proofs = [proof(6, read(90, 900), padded=read(6, 960))]
    found = measure_measurement(proofs, numbers=[6], zeros=registered)
    assert found.zeros is True
    assert (found.total("right"), found.total("wrong")) == counted


def test_marks_are_told_only_of_numbers_that_need_them() -> None:
    proofs = [
        proof(6, read(6), marked=950),
        proof(9, read(None, 900, "no_mark"), marked=100),
        proof(7, read(7), marked=0),
        proof(8, read(8), marked=0),
    ]
    found = measure_measurement(proofs, numbers=NUMBERS, zeros=False)
    assert (found.marked, found.unmarked) == ((6,), (9,))
    assert [(one.number, one.other) for one in found.pairs] == [(9, 6)]
