"""The sums of QR codes are the QR codes that segno makes."""

from re import findall

import segno
from hypothesis import given
from hypothesis import strategies as st

from draws.cards.printing import codes


def modules(code: str) -> list[list[int]]:
    drawn = [[0] * codes.SIDE for _row in range(codes.SIDE)]
    for x, y, wide in findall(r"(\d+) (\d+) (\d+) 1 re", codes.qr_rectangles(code)):
        for column in range(int(x), int(x) + int(wide)):
            drawn[codes.SIDE - 1 - int(y)][column] = 1
    return drawn


@given(st.integers(0, 10**16 - 1))
def test_square_is_the_one_that_segno_makes(number: int) -> None:
    code = f"{number:016}"
    made = segno.make(
        code, version=1, error="h", mask=codes.MASK, mode="numeric", boost_error=False
    )
    assert modules(code) == [list(row) for row in made.matrix]
