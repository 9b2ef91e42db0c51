"""The editor of figures in a real browser: pressed, painted, by keys, and without a script."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import parse_qs

import pytest
from django.template import engines
from django.utils.translation import override
from playwright.sync_api import Browser, BrowserContext, Locator, Page, Route, expect

from bingo.rules import patterns
from halls.templatetags.forms import TYPED

pytestmark = pytest.mark.browser

STATIC = Path(__file__).resolve().parents[2] / "static"
ADDRESS = "http://editor.test"
POLICY = "default-src 'self'; style-src 'self'; script-src 'self'"
PAGE = """<!doctype html><html lang="pt" data-theme="light"><head><title>.</title>
{% for name in styles %}<link rel="stylesheet" href="/static/css/{{ name }}.css">{% endfor %}
</head><body><main class="console"><section class="panel"><form class="form" method="post">
{% include "cards/pattern_editor.html" %}<button id="save">.</button>
</form></section></main></body></html>"""
STYLES = ("tokens", "base", "components", "console", "cards")

EMPTY = "...../...../...../...../....."
LETTER_L = "X..../X..../X..../X..../XXXXX"
CORNER_MOVED = "....X/X..../X..../X..../XXXXX"


@dataclass(slots=True)
class Editor:
    """A page that holds nothing but the editor, and what its form sent."""

    page: Page
    sent: dict[str, list[str]] = field(default_factory=dict)
    complaints: list[str] = field(default_factory=list)

    def square(self, row: int, column: int) -> Locator:
        return self.page.locator(f"[name=cell-{row}-{column}]")

    def drawing(self) -> str:
        return self.page.locator("[name=drawing]").input_value()

    def tool(self, name: str) -> Locator:
        return self.page.locator(f"[data-pattern-do={name}]")

    def count(self) -> str:
        return self.page.locator("output").inner_text()

    def tile(self) -> str:
        """The picture of the figure, as it is drawn in text."""
        signs = [
            "X" if "is-marked" in (square.get_attribute("class") or "") else "."
            for square in self.page.locator(".pattern-tile__square").all()
        ]
        return "/".join("".join(signs[first : first + 5]) for first in range(0, 25, 5))

    def stroke(self, *squares: tuple[int, int]) -> None:
        """Press on the first square and draw over the others."""
        for place, at in enumerate(squares):
            box = self.square(*at).bounding_box()
            assert box is not None
            self.page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
            if place == 0:
                self.page.mouse.down()
        self.page.mouse.up()


@pytest.fixture
def context(browser: Browser) -> Iterator[BrowserContext]:
    context = browser.new_context(viewport={"width": 1280, "height": 900})
    yield context
    context.close()


@pytest.fixture
def editor(context: BrowserContext) -> Iterator[Editor]:
    """An empty editor; nothing in it may offend the page's policy."""
    opened = _open(context, drawing="", name="")
    yield opened
    assert opened.complaints == []


@pytest.mark.slow
def test_editor_marks_what_is_pressed(editor: Editor) -> None:
    assert (editor.drawing(), editor.count()) == (EMPTY, "0")
    for row in range(5):
        editor.square(row, 0).click()
    editor.square(0, 0).click()
    assert editor.drawing() == "...../X..../X..../X..../X...."
    assert editor.tile() == editor.drawing()
    assert editor.count() == "4"


@pytest.mark.slow
def test_editor_paints_what_is_drawn_over(editor: Editor) -> None:
    editor.stroke((0, 0), (1, 0), (2, 0), (3, 0), (4, 0), (4, 1), (4, 2), (4, 3), (4, 4))
    assert editor.drawing() == LETTER_L
    editor.stroke((0, 0), (1, 0), (1, 1), (2, 0))
    assert editor.drawing() == "...../...../...../X..../XXXXX"
    editor.tool("undo").click()
    assert editor.drawing() == LETTER_L


@pytest.mark.slow
def test_editor_does_not_count_the_free_centre(editor: Editor) -> None:
    editor.stroke((2, 0), (2, 1), (2, 2), (2, 3), (2, 4))
    assert (editor.drawing(), editor.count()) == ("...../...../XXXXX/...../.....", "4")


@pytest.mark.slow
def test_editor_is_one_stop_and_goes_by_arrows(editor: Editor) -> None:
    keys = editor.page.keyboard
    editor.page.locator("[name=name]").focus()
    keys.press("Tab")
    expect(editor.square(0, 0)).to_be_focused()
    keys.press("ArrowUp")
    keys.press("ArrowDown")
    keys.press("ArrowRight")
    keys.press("Space")
    assert editor.drawing() == "...../.X.../...../...../....."
    keys.press("Control+z")
    assert editor.drawing() == EMPTY
    keys.press("Tab")
    expect(editor.tool("mirror")).to_be_focused()
    keys.press("Shift+Tab")
    expect(editor.square(1, 1)).to_be_focused()


@pytest.mark.slow
def test_editor_mirrors_turns_clears_and_undoes(context: BrowserContext) -> None:
    editor = _open(context, drawing=LETTER_L, name="Letra")
    seen = [editor.drawing()]
    for name in ("mirror", "flip", "turn", "clear"):
        editor.tool(name).click()
        seen.append(editor.drawing())
    assert seen == [
        LETTER_L,
        "....X/....X/....X/....X/XXXXX",
        "XXXXX/....X/....X/....X/....X",
        "....X/....X/....X/....X/XXXXX",
        EMPTY,
    ]
    for before in reversed(seen[:-1]):
        editor.tool("undo").click()
        assert editor.drawing() == before
    expect(editor.tool("undo")).to_have_attribute("aria-disabled", "true")
    editor.tool("undo").click(force=True)
    assert editor.drawing() == LETTER_L


@pytest.mark.slow
@pytest.mark.rule(73)
def test_editor_warns_of_what_the_rules_would_refuse(editor: Editor) -> None:
    few = editor.page.locator("[data-pattern=few]")
    whole = editor.page.locator("[data-pattern=whole]")
    expect(few).to_be_hidden()
    editor.stroke((0, 0), (0, 1), (0, 2))
    expect(few).to_be_visible()
    editor.square(0, 3).click()
    expect(few).to_be_hidden()
    editor.square(0, 4).click()
    for row in (1, 2, 3, 4):
        expect(whole).to_be_hidden()
        editor.stroke(*((row, column) for column in range(5)))
    assert editor.count() == "24"
    expect(whole).to_be_visible()


@pytest.mark.slow
def test_editor_sends_drawing_name_and_squares(editor: Editor) -> None:
    editor.page.locator("[name=name]").fill("Ele")
    editor.stroke((0, 0), (1, 0), (2, 0), (3, 0), (4, 0), (4, 1), (4, 2), (4, 3), (4, 4))
    _save(editor)
    assert editor.sent["drawing"] == [LETTER_L]
    assert editor.sent["name"] == ["Ele"]
    assert _squares(editor.sent) == patterns.read(LETTER_L.split("/"))


@pytest.mark.slow
def test_editor_works_without_a_script(browser: Browser) -> None:
    context = browser.new_context(java_script_enabled=False)
    editor = _open(context, drawing=LETTER_L, name="Letra")
    assert (editor.tile(), editor.count()) == (LETTER_L, "9")
    expect(editor.tool("mirror")).to_be_hidden()
    editor.square(0, 0).click()
    editor.square(0, 4).click()
    _save(editor)
    assert editor.sent.get("drawing", [""]) == [""]
    assert _squares(editor.sent) == patterns.read(CORNER_MOVED.split("/"))
    context.close()


@pytest.mark.slow
def test_editor_marks_what_a_finger_touches(browser: Browser) -> None:
    context = browser.new_context(has_touch=True, viewport={"width": 390, "height": 844})
    editor = _open(context, drawing="", name="")
    for column in (0, 2, 4):
        editor.square(1, column).tap()
    editor.page.wait_for_timeout(700)
    assert editor.drawing() == "...../X.X.X/...../...../....."
    editor.square(1, 2).tap()
    assert editor.drawing() == "...../X...X/...../...../....."
    context.close()


@pytest.mark.slow
def test_editor_fits_a_phone(context: BrowserContext) -> None:
    editor = _open(context, drawing=LETTER_L, name="Letra")
    editor.page.set_viewport_size({"width": 390, "height": 844})
    assert editor.page.evaluate("document.documentElement.scrollWidth") <= 390
    box = editor.square(4, 4).bounding_box()
    assert box is not None
    assert min(box["width"], box["height"]) >= 44


def _open(context: BrowserContext, *, drawing: str, name: str) -> Editor:
    page = context.new_page()
    editor = Editor(page)
    with override("pt"):
        html = (
            engines["django"]
            .from_string(PAGE)
            .render({"styles": STYLES, "pattern_cells": drawing, TYPED: {"name": name}})
        )

    def answer(route: Route) -> None:
        path = route.request.url.removeprefix(ADDRESS)
        if path.startswith("/static/"):
            route.fulfill(path=STATIC / path.removeprefix("/static/"))
            return
        if route.request.method == "POST":
            body = route.request.post_data or ""
            editor.sent.update(parse_qs(body, keep_blank_values=True))
        headers = {"Content-Security-Policy": POLICY}
        route.fulfill(body=html, content_type="text/html; charset=utf-8", headers=headers)

    page.on("console", lambda message: editor.complaints.append(message.text))
    page.on("pageerror", lambda error: editor.complaints.append(str(error)))
    page.route(f"{ADDRESS}/**", answer)
    page.goto(f"{ADDRESS}/")
    return editor


def _save(editor: Editor) -> None:
    with editor.page.expect_navigation():
        editor.page.locator("#save").click()


def _squares(sent: dict[str, list[str]]) -> frozenset[tuple[int, int]]:
    names = (name.split("-") for name in sent if name.startswith("cell-"))
    return frozenset((int(row), int(column)) for _cell, row, column in names)
