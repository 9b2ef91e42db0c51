"""How likely a figure is by chance alone: tails and bands, without any library."""

from __future__ import annotations

import math
from statistics import NormalDist

NEAR = 1e-14
MOST_TERMS = 10_000


def chi_square_tail(statistic: float, freedom: int) -> float:
    """Give the chance of a chi-square of that many degrees of freedom at least this large."""
    if statistic <= 0:
        return 1.0
    shape, at = freedom / 2, statistic / 2
    if at < shape + 1:
        return max(0.0, 1 - _below(shape, at))
    return _above(shape, at)


def _below(shape: float, at: float) -> float:
    """Give the regularised lower incomplete gamma function by its series."""
    term = total = 1 / shape
    for step in range(1, MOST_TERMS):
        term *= at / (shape + step)
        total += term
        if term < total * NEAR:
            break
    return total * _head(shape, at)


def _above(shape: float, at: float) -> float:
    """Give the upper one by its continued fraction, evaluated from the front (Lentz)."""
    tiny = 1e-300
    b = at + 1 - shape
    c, d = 1 / tiny, 1 / b
    fraction = d
    for step in range(1, MOST_TERMS):
        a = -step * (step - shape)
        b += 2
        d = 1 / (a * d + b or tiny)
        c = b + a / c or tiny
        fraction *= c * d
        if abs(c * d - 1) < NEAR:
            break
    return fraction * _head(shape, at)


def _head(shape: float, at: float) -> float:
    return math.exp(shape * math.log(at) - at - math.lgamma(shape))


def band(level: float, looks: int) -> float:
    """Give how many standard deviations off chance goes, in any of that many looks, at that level.

    Each look gets an equal part of the level (Bonferroni), half of it to either side.
    """
    return NormalDist().inv_cdf(1 - level / (2 * looks))


def poisson_tail(count: int, mean: float) -> float:
    """Give the chance of at least `count` where `mean` are expected of many rare events."""
    if count <= 0:
        return 1.0
    term = math.exp(-mean + count * math.log(mean) - math.lgamma(count + 1)) if mean else 0.0
    total = 0.0
    for step in range(count + 1, count + MOST_TERMS):
        total += term
        term *= mean / step
        if term < total * NEAR:
            break
    return min(1.0, total)


def binomial_tail(count: int, tries: int, share: float) -> float:
    """Give the chance of at least `count` of `tries`, each with a chance of `share`.

    It is also the most that tries of several chances have, `share` being their mean and `count`
    above what is expected (Hoeffding 1956); where `share` is small it is Poisson's.
    """
    if count <= 0 or share >= 1:
        return 1.0
    if count > tries or share <= 0:
        return 0.0
    whole = math.lgamma(tries + 1) - math.lgamma(count + 1) - math.lgamma(tries - count + 1)
    term = math.exp(whole + count * math.log(share) + (tries - count) * math.log1p(-share))
    total = 0.0
    for step in range(count, tries + 1):
        total += term
        term *= (tries - step) / (step + 1) * share / (1 - share)
        if term < total * NEAR and step > tries * share:
            break
    return min(1.0, total)
