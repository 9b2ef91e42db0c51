"""Print a refusal of a command as one plain line, in English."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from django.core.management.base import CommandError
from django.utils import translation

from bingo.rules.refusal import Refusal
from draws.refusals import text


def in_english(refusal: Refusal) -> str:
    """Return what a refusal says."""
    with translation.override("en"):
        return text.refusal(refusal)


@contextmanager
def plain_refusals() -> Iterator[None]:
    """Make a refusal one plain line with its code, and exit code 1."""
    try:
        yield
    except Refusal as refusal:
        raise CommandError(f"refused: {refusal.code}: {in_english(refusal)}") from refusal
