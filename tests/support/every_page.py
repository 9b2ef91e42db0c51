"""Every page of a hall: the addresses that somebody may open, found by links from those without a number."""

from __future__ import annotations

import re
from collections.abc import Mapping
from types import MappingProxyType
from urllib.parse import urlsplit

from django.urls import URLPattern, get_resolver, resolve
from playwright.sync_api import Page

from halls.models import Role

STAFF: Mapping[str, Role] = MappingProxyType(
    {
        "chefe": Role.HALL_MANAGER,
        "mesa": Role.TABLE_CHIEF,
        "locutor": Role.CALLER,
        "caixa1": Role.CASHIER,
        "vendedor1": Role.SELLER,
        "auxiliar": Role.FLOOR_ASSISTANT,
        "porta": Role.DOOR,
        "inspetor": Role.INSPECTOR,
    }
)
LINK = re.compile(r"""href="(/[^"#?]*/)["#?]""")
# What answers with a part of a page, leads elsewhere, or is opened by nobody who works here.
NO_PAGES = frozenset(
    {"home", "first", "login", "logout", "set_language", "theme", "practise-enter", "practise-tasks",
     "rng-changed", "cards-find", "screens-new", "caller-cameras", "jackpot-chances",
     "page-lock", "page-cover", "page-unlock", "page-awake", "sign-ins-enrol", "login-pin",
     "passkey-options", "provider-start", "provider-return", "provider-leave", "provider-link"}
)  # fmt: skip
ENDINGS = ("-do", "-live", "-sell")


def routes() -> dict[str, str]:
    """Return the route of every address that shows a page, by its name."""
    return {
        one.name: str(one.pattern)
        for one in get_resolver().url_patterns
        if isinstance(one, URLPattern)
        and one.name
        and one.name not in NO_PAGES
        and not one.name.endswith(ENDINGS)
        and str(one.pattern).endswith("/")
    }


def opened_by(page: Page, url: str) -> dict[str, str]:
    """Return the address of each page that who is logged in may open, one of each name.

    Pages whose address names a thing are found by the links of the others. Nothing is opened in
    `page` itself.
    """
    pages = routes()
    waiting = [f"/{route}" for route in pages.values() if "<" not in route]
    found: dict[str, str] = {}
    tried: set[str] = set()
    while waiting:
        address = waiting.pop(0)
        name = resolve(address).url_name or ""
        if name not in pages or name in found or address in tried:
            continue
        tried.add(address)
        answer = page.context.request.get(url + address)
        if answer.status == 200 and urlsplit(answer.url).path == address:
            found[name] = address
            waiting += LINK.findall(answer.text())
    return found
