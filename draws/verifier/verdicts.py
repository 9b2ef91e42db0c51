"""What a check found: it holds, it is false, or nobody can tell from what was given."""

from dataclasses import dataclass

GOOD, FALSE, OPEN = "good", "false", "open"
NOTE = "note"  # said for the reader, and no verdict
EXIT = {GOOD: 0, FALSE: 1, OPEN: 2}


@dataclass(frozen=True, slots=True)
class Check:
    """One question, its answer, and the answer in words."""

    name: str
    verdict: str
    words: str


def good(name: str, words: str) -> Check:
    """Give a check that holds."""
    return Check(name, GOOD, words)


def false(name: str, words: str) -> Check:
    """Give a check that does not hold."""
    return Check(name, FALSE, words)


def unknown(name: str, words: str) -> Check:
    """Give a check that could not be made."""
    return Check(name, OPEN, words)


def training() -> Check:
    """Give what is said of every paper of a training hall, whatever else holds."""
    return Check("training", NOTE, "TRAINING: nothing of this was real, it is NOT A RECORD")


def worst(checks: list[Check]) -> str:
    """Give the verdict on several checks together; without any, nothing was judged."""
    found = {check.verdict for check in checks}
    if FALSE in found:
        return FALSE
    return OPEN if OPEN in found or not found else GOOD
