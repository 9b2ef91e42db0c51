"""Cards in a real browser: told apart without colours, and as wide as the place they are given."""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from django.template import engines
from playwright.sync_api import Browser, Page

from bingo.rules import formats

pytestmark = [pytest.mark.browser, pytest.mark.slow]

CSS = Path(__file__).resolve().parents[2] / "static" / "css"
STYLES = "".join(
    f"<style>{(CSS / f'{name}.css').read_text()}</style>" for name in ("tokens", "base", "cards")
)
LIGHTNESS = re.compile(r"oklch\(([\d.]+)")
GREYS_APART = 0.05
THEMES = ("light", "dark")


@pytest.fixture
def page(browser: Browser) -> Iterator[Page]:
    page = browser.new_page()
    yield page
    page.close()


@pytest.mark.rule(64)
@pytest.mark.parametrize("theme", THEMES)
def test_columns_of_80_differ_in_colour_and_neighbours_in_grey(page: Page, theme: str) -> None:
    _show(page, theme, "{% card rows format=80 %}", rows=[[1, 21, 41, 61]])
    colours = page.locator("td").evaluate_all(
        "cells => cells.map(cell => getComputedStyle(cell).backgroundColor)"
    )
    assert len(set(colours)) == 4
    greys = [float(found[1]) for colour in colours if (found := LIGHTNESS.match(colour))]
    assert len(greys) == 4
    assert all(abs(one - other) >= GREYS_APART for one, other in itertools.pairwise(greys))


@pytest.mark.parametrize("theme", THEMES)
def test_called_and_missing_differ_from_the_rest_in_shape(page: Page, theme: str) -> None:
    source = "{% card rows format=30 called=called missing=missing %}"
    _show(page, theme, source, rows=[[1, 11, 21]], called={1}, missing={11})
    looks = page.locator("td").evaluate_all(
        "cells => cells.map(cell => getComputedStyle(cell))"
        ".map(look => [look.boxShadow !== 'none', look.outlineStyle])"
    )
    assert looks == [[True, "none"], [False, "dashed"], [False, "none"]]


@pytest.mark.parametrize("format", formats.FORMATS)
@pytest.mark.parametrize("width", [120, 390, 1280])
def test_card_fits_the_place_it_is_given(page: Page, format: int, width: int) -> None:
    shape = formats.get_format(format)
    rows = [[shape.pools[column][-1] for column in range(shape.columns)]] * shape.rows
    page.set_viewport_size({"width": width, "height": 800})
    _show(page, "light", "{% card rows format=f symbols=True size='full' %}", rows=rows, f=format)
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    over = page.locator("td").evaluate_all(
        "cells => cells.filter(cell => cell.scrollWidth > cell.clientWidth + 1).length"
    )
    assert over == 0


def _show(page: Page, theme: str, source: str, **context: object) -> None:
    card = engines["django"].from_string("{% load cards %}" + source).render(context)
    page.set_content(f'<html data-theme="{theme}">{STYLES}<body>{card}</body></html>')
