"""What the tests of equipment share with others."""

from __future__ import annotations

import os
from pathlib import Path

from playwright.sync_api import Page, ViewportSize

from tests.support.people import PHONE

LAPTOP = ViewportSize(width=1280, height=800)


PICTURES = os.environ.get("BINGO_PICTURES")


def seen(page: Page, name: str) -> None:
    """Look at a page on a laptop and a phone: nothing runs out of it sideways."""
    for size, viewport in (("laptop", LAPTOP), ("phone", PHONE)):
        page.set_viewport_size(viewport)
        page.wait_for_timeout(100)
        width = page.evaluate("() => document.documentElement.scrollWidth")
        assert width <= viewport["width"], f"{name} on a {size} is {width} px wide"
        if PICTURES:
            Path(PICTURES).mkdir(parents=True, exist_ok=True)
            page.screenshot(path=f"{PICTURES}/{name}-{size}.png", full_page=True)
    page.set_viewport_size(LAPTOP)
