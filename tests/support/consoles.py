"""What the tests of consoles share with others."""

from bingo.rules.refusal import Refusal


def outcomes(results: list[object]) -> list[str]:
    """Return what came of each doing: done, or the refusal's code."""
    return sorted(one.code if isinstance(one, Refusal) else "done" for one in results)
