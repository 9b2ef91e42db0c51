"""QR codes, version 1 level H: sixteen digits put together from those that segno makes.

With version, level and mask fixed, each module of a QR code is the exclusive or of what the bits
of its data contribute (Reed-Solomon, mask and placement are linear over GF(2)). So segno draws
one code for each bit of the data, once, and every other code is their sum.
"""

from functools import cache

import segno

SIDE = 21
QUIET = 4  # modules kept white at each side
ROW = 3  # bytes a row takes, of which the last three bits are empty
MASK = 3
GROUPS = (3, 3, 3, 3, 3, 1)  # digits are coded by threes, in ten bits; the last in four


def rectangles(code: str) -> str:
    """Give a code of sixteen digits as PDF rectangles, SIDE modules wide and high."""
    base, groups = _contributions()
    a, b, c, d, e, f = groups
    modules = (
        base
        ^ a[int(code[:3])]
        ^ b[int(code[3:6])]
        ^ c[int(code[6:9])]
        ^ d[int(code[9:12])]
        ^ e[int(code[12:15])]
        ^ f[int(code[15])]
    )
    drawn = zip(_runs(), modules.to_bytes(SIDE * ROW, "big"), strict=True)
    return "".join([byte[value] for byte, value in drawn])


@cache
def _contributions() -> tuple[int, tuple[tuple[int, ...], ...]]:
    """Give the code of sixteen zeros, and what each value of each group of digits changes in it."""
    base = _made("0" * 16)
    groups, before = [], 0
    for digits in GROUPS:
        bits = [
            base ^ _made(f"{'0' * before}{1 << bit:0{digits}}{'0' * (16 - before - digits)}")
            for bit in range((10**digits - 1).bit_length())
        ]
        values = [0]
        for value in range(1, 10**digits):
            lowest = (value & -value).bit_length() - 1
            values.append(values[value & (value - 1)] ^ bits[lowest])
        groups.append(tuple(values))
        before += digits
    return base, tuple(groups)


def _made(digits: str) -> int:
    """Give segno's code as an integer: rows from the top, ROW bytes each, dark is 1."""
    made = segno.make(digits, version=1, error="h", mask=MASK, mode="numeric", boost_error=False)
    rows = ("".join(map(str, row)).ljust(ROW * 8, "0") for row in made.matrix)
    return int("".join(rows), 2)


@cache
def _runs() -> tuple[tuple[str, ...], ...]:
    """Give, by byte of the code and by its value, the dark runs as rectangles."""
    return tuple(
        tuple(_byte(value, place % ROW * 8, SIDE - 1 - place // ROW) for value in range(256))
        for place in range(SIDE * ROW)
    )


def _byte(value: int, x: int, y: int) -> str:
    runs = f"{value:08b}".split("0")
    drawn = []
    for run in runs:
        if run:
            drawn.append(f"{x} {y} {len(run)} 1 re ")
        x += len(run) + 1
    return "".join(drawn)
