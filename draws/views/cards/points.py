"""Basis points as people type them."""


def percent(points: int) -> str:
    """Write basis points as they are typed: 2,4."""
    whole, rest = divmod(points, 100)
    return f"{whole},{rest:02}".rstrip("0").rstrip(",") if rest else str(whole)
