"""Code 128, set C: pairs of digits as bars (ISO/IEC 15417)."""

from itertools import accumulate

# Widths of bar, space, bar, space, bar, space of the values 0 to 105, as the standard lists them.
WIDTHS = (
    212222, 222122, 222221, 121223, 121322, 131222, 122213, 122312, 132212, 221213, 221312, 231212,
    112232, 122132, 122231, 113222, 123122, 123221, 223211, 221132, 221231, 213212, 223112, 312131,
    311222, 321122, 321221, 312212, 322112, 322211, 212123, 212321, 232121, 111323, 131123, 131321,
    112313, 132113, 132311, 211313, 231113, 231311, 112133, 112331, 132131, 113123, 113321, 133121,
    313121, 211331, 231131, 213113, 213311, 213131, 311123, 311321, 331121, 312113, 312311, 332111,
    314111, 221411, 431111, 111224, 111422, 121124, 121421, 141122, 141221, 112214, 112412, 122114,
    122411, 142112, 142211, 241211, 221114, 413111, 241112, 134111, 111242, 121142, 121241, 114212,
    124112, 124211, 411212, 421112, 421211, 212141, 214121, 412121, 111143, 111341, 131141, 114113,
    114311, 411113, 411311, 113141, 114131, 311141, 411131, 211412, 211214, 211232,
)  # fmt: skip
START, STOP = 105, 2331112
SYMBOL = 11
PAIRS = 8
LENGTH = (PAIRS + 2) * SYMBOL + 13  # modules from the first bar to the last
QUIET = 10  # modules kept white at each side


def _rectangles(digits: int, at: int) -> str:
    """Bars as rectangles one high, in modules from the first bar of the code."""
    widths = [int(digit) for digit in str(digits)]
    edges = [0, *accumulate(widths)]
    return "".join(f"{at + edges[bar]} 0 {widths[bar]} 1 re " for bar in range(0, len(widths), 2))


# By value, for each place of the code: what it is put together from.
_START = _rectangles(WIDTHS[START], 0)
_VALUES = tuple(
    tuple(_rectangles(widths, place * SYMBOL) for widths in WIDTHS) for place in range(PAIRS + 2)
)
_STOP = _rectangles(STOP, (PAIRS + 2) * SYMBOL)


def rectangles(code: str) -> str:
    """Give a code of sixteen digits as PDF rectangles, LENGTH modules wide and one high."""
    a, b, c, d = int(code[:2]), int(code[2:4]), int(code[4:6]), int(code[6:8])
    e, f, g, h = int(code[8:10]), int(code[10:12]), int(code[12:14]), int(code[14:])
    check = (START + a + 2 * b + 3 * c + 4 * d + 5 * e + 6 * f + 7 * g + 8 * h) % 103
    _, one, two, three, four, five, six, seven, eight, last = _VALUES
    return (
        f"{_START}{one[a]}{two[b]}{three[c]}{four[d]}"
        f"{five[e]}{six[f]}{seven[g]}{eight[h]}{last[check]}{_STOP}"
    )
