"""Numbers that read as another one upside down, and which need a mark at their foot."""

from __future__ import annotations

UPSIDE_DOWN = {"0": "0", "1": "1", "6": "9", "8": "8", "9": "6"}
# What a figure is upside down in one typeface or another: there 44 is 77, and 49 is 67.
LIKE = {"1": "17", "4": "7", "6": "9", "7": "14", "8": "8", "9": "6"}
# Where print is slanted, a 1 without a foot is a 7 upside down. Of two figures the other tells.
SLANTED = 7, 1
# How surely a mark may be seen at a number's head: a ring looks like one there and at the foot.
HEADED = 0.25


def other_way_up(number: int, *, zeros: bool = False) -> int | None:
    """Give what a number reads as upside down: 6 gives 9, 8 gives 8, 7 gives None.

    `zeros`: the set prints 6 as 06, which upside down is 90. Without them 90 gives None, since no
    ball reads 06.
    """
    text = f"{number:02d}" if zeros else str(number)
    if any(digit not in UPSIDE_DOWN for digit in text):
        return None
    turned = "".join(UPSIDE_DOWN[digit] for digit in reversed(text))
    if turned.startswith("0") and not zeros:
        return None
    return int(turned)


def has_other_way_up(number: int, *, zeros: bool = False) -> bool:
    """Tell whether a number upside down is a different one, of this set or a stranger's.

    66 is one of them: 99 is on no ball of ours, but a stray ball of another set may bear it.
    """
    return other_way_up(number, zeros=zeros) not in (None, number)


def may_be_turned(number: int, other: int) -> bool:
    """Tell whether one number may read as another upside down, in some typeface."""
    figures, turned = str(number), str(other)[::-1]
    return len(figures) == len(turned) and all(
        to in LIKE.get(figure, "") for figure, to in zip(figures, turned, strict=True)
    )


def taken_for(number: int, *, zeros: bool = False) -> int | None:
    """Give what else a ball may be that reads as this number, and shows no mark at its foot.

    That is what the number reads as upside down, and 1 for 7 (where zeros are printed 10 for 07),
    which a 1 in slanted print reads as; None where it can be nothing else.
    """
    slanted, other = SLANTED
    if number == slanted:
        return other * 10 if zeros else other
    turned = other_way_up(number, zeros=zeros)
    return None if turned == number else turned
