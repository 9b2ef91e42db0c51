"""Stretches of card numbers, first to last, both in: what is left of them when some are retired."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

Stretch = tuple[int, int]
Stretches = tuple[Stretch, ...]


def merged(stretches: Iterable[Stretch]) -> Stretches:
    """Give them in order, those that touch as one."""
    found: list[Stretch] = []
    for first, last in sorted(stretches):
        if found and first <= found[-1][1] + 1:
            found[-1] = (found[-1][0], max(last, found[-1][1]))
        else:
            found.append((first, last))
    return tuple(found)


def without(first: int, last: int, retired: Stretches) -> Iterator[Stretch]:
    """Give what is left of first..last without the retired ones, which are `merged`."""
    for begun, ended in retired:
        if ended < first:
            continue
        if begun > last:
            break
        if first < begun:
            yield first, begun - 1
        first = ended + 1
    if first <= last:
        yield first, last


def difference(stretches: Iterable[Stretch], others: Iterable[Stretch]) -> Stretches:
    """Give what is left of some stretches without some others."""
    away = merged(others)
    return tuple(part for first, last in stretches for part in without(first, last, away))


def count(stretches: Iterable[Stretch]) -> int:
    """Count the cards."""
    return sum(last - first + 1 for first, last in stretches)


def first_common(first: int, last: int, stretches: Iterable[Stretch]) -> int | None:
    """Give the lowest card of first..last that is in one of the stretches, if any."""
    common = [max(first, begun) for begun, ended in stretches if begun <= last and first <= ended]
    return min(common, default=None)
