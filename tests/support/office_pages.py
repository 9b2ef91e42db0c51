"""Every page of the office, each opened by somebody whose page it is."""

from __future__ import annotations

from collections.abc import Iterator

from playwright.sync_api import Browser, Page

from halls.models import Role
from halls.web.menu_and_theme import pages_of
from tests.e2e.conftest import RunningHall
from tests.support.evening import Evening
from tests.support.people import enter

STAFF = {
    "chefe": Role.HALL_MANAGER,
    "mesa": Role.TABLE_CHIEF,
    "locutor": Role.CALLER,
    "caixa1": Role.CASHIER,
    "vendedor1": Role.SELLER,
    "inspetor": Role.INSPECTOR,
}


def walk(browser: Browser, running: RunningHall, evening: Evening) -> Iterator[tuple[str, Page]]:
    """Return each page once, open, with who looks at it; the records are each reader's own."""
    seen: set[str] = set()
    for name, role in STAFF.items():
        page = enter(browser, running, name).page
        for path in pages_of(evening.person(role)):
            if path not in seen or path == "inspector":
                page.goto(f"{running.url}/{path}/")
                yield name, page
            seen.add(path)
