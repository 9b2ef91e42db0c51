"""What the tests of pictures share with others."""

from __future__ import annotations

from playwright.sync_api import Page, expect


def sure(page: Page) -> Page:
    """The board, once it is sure and no number is on its way."""
    expect(page.locator("body")).to_have_attribute("data-sure", "yes")
    page.wait_for_timeout(300)
    return page
