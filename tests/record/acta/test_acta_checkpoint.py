"""The acta carries the last checkpoint as a code, and none where none was signed."""

from __future__ import annotations

from dataclasses import replace

import pytest
from django.utils import translation

from draws.record.acta import document, journal_section
from draws.slips import CheckpointValues
from tests.record.acta.test_acta_texts import text
from tests.support import acta_values

NOTE = (
    "bingo-journal/sala\n13\n"
    + "A" * 43
    + "=\nsession 7\n\n\N{EM DASH} bingo-journal/sala "
    + "B" * 96
    + "\n"
)


def values() -> CheckpointValues:
    """A checkpoint of the end of a session."""
    told = acta_values.acta()
    return CheckpointValues(
        hall=told.hall, licence=told.licence, language=told.language, currency=told.currency,
        session=7, game=None, at=told.closed_at, number=13, digest="0123456789abcdef" * 4,
        note=NOTE,
    )  # fmt: skip


@pytest.mark.rule(58)
def test_acta_prints_entry_and_digits() -> None:
    with translation.override("en"):
        said = text(document.draw(acta_values.acta(), checkpoint=values()))
        without = text(document.draw(acta_values.acta()))
    assert "Journal entry 13 · Session 7" in said
    assert "0123 4567 89AB CDEF 0123" in said
    assert ("Checkpoint of the journal" in said, "Checkpoint of" in without) == (True, False)


def test_every_dark_square_is_drawn_once() -> None:
    code = journal_section.Code(NOTE)
    for row in code.rows:
        runs = list(journal_section._dark(row))
        drawn = [place for first, last in runs for place in range(first, last)]
        assert drawn == [place for place, square in enumerate(row) if square]
    assert journal_section.Code(NOTE + NOTE).width == code.width


def test_same_checkpoint_gives_the_same_bytes() -> None:
    one, other = (document.draw(acta_values.acta(), checkpoint=values()) for _time in range(2))
    assert one == other
    changed = replace(values(), note=NOTE.replace("B", "C"))
    assert document.draw(acta_values.acta(), checkpoint=changed) != one
