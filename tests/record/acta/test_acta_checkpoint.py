"""The acta carries the last checkpoint as a code, and none where none was signed."""

from __future__ import annotations

from dataclasses import replace
from io import BytesIO
from typing import Any, cast

import pypdf
import pytest
from django.utils import translation

from bingo.pdf import kit
from draws.record.acta import document
from tests.support import acta_values
from tests.support.acta_checkpoint import NOTE, values
from tests.support.acta_texts import text


@pytest.mark.rule(58)
@pytest.mark.slow
def test_acta_prints_entry_and_digits() -> None:
    with translation.override("en"):
        said = text(document.draw(acta_values.acta(), checkpoint=values()))
        without = text(document.draw(acta_values.acta()))
    assert "Journal entry 13 · Session 7" in said
    assert "0123 4567 89AB CDEF 0123" in said
    assert ("Checkpoint of the journal" in said, "Checkpoint of" in without) == (True, False)


def test_every_dark_square_is_drawn_once() -> None:
    code = kit.QrCode(NOTE, 104)
    for row in code.rows:
        runs = list(kit._dark(row))
        drawn = [place for first, last in runs for place in range(first, last)]
        assert drawn == [place for place, square in enumerate(row) if square]
    assert kit.QrCode(NOTE + NOTE, 104).width == code.width


@pytest.mark.slow
def test_same_checkpoint_gives_the_same_bytes() -> None:
    one, other = (document.draw(acta_values.acta(), checkpoint=values()) for _time in range(2))
    assert one == other
    changed = replace(values(), note=NOTE.replace("B", "C"))
    assert document.draw(acta_values.acta(), checkpoint=changed) != one


@pytest.mark.rule(59)
def test_acta_with_a_checkpoint_names_no_font_that_is_not_embedded() -> None:
    pages = pypdf.PdfReader(BytesIO(document.draw(acta_values.acta(), checkpoint=values()))).pages
    resources = [cast(dict[str, Any], page["/Resources"]) for page in pages]
    fonts = [font.get_object() for each in resources for font in each["/Font"].values()]
    assert fonts
    assert all("/FontDescriptor" in font for font in fonts)
