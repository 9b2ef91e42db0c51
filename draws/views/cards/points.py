"""Basis points as people type them."""

from django.utils.formats import get_format


def percent(points: int) -> str:
    """Write basis points as they are typed: 2,4, in English 2.4."""
    whole, rest = divmod(points, 100)
    return f"{whole}{get_format('DECIMAL_SEPARATOR')}{rest:02}".rstrip("0") if rest else str(whole)
