"""Forms of the hall filled by chance: with what its pages offer, and with what no field expects."""

from __future__ import annotations

import random
import re
from collections.abc import Iterable
from uuid import uuid4

from django.db import transaction
from django.test import Client

from halls.models import Role
from tests.support.addresses import addresses
from tests.support.authorisation import may
from tests.support.evening import Evening, browser_of

ODD = (
    "", " ", "\x00", "a\x00b", "x" * 5000, "9" * 40, "-1", "-9223372036854775809", "2147483648",
    "1e999", "NaN", "Infinity", "0x10", "\u0661\u0662", "\ufffe", "\U0001f331" * 3, "\u202e\u200b", "é" * 300,
    "<script>alert(1)</script>", "{{ 7*7 }}", "' OR 1=1 --", "../../etc/passwd", "%00%ff", "[]",
    '{"a": {"b": [1]}}', "1,1;1-9999999999", "2026-99-99", "0000-00-00T99:99", "24:60", "on", "K1:1",
)  # fmt: skip
INPUT = re.compile(r'name="([a-z0-9_-]+)"(?:[^>]*?value="([^"]*)")?')
LIST = re.compile(r'<select[^>]*? name="([a-z0-9_-]+)"[^>]*>(.*?)</select>', re.DOTALL)
OPTION = re.compile(r'<option[^>]*? value="([^"]*)"')


def fields_of(evening: Evening, roles: Iterable[Role] = Role) -> dict[str, set[str]]:
    """Return the names of all fields that pages of these roles show, with the values that they offer."""
    found: dict[str, set[str]] = {}
    for role in roles:
        browser = browser_of(evening.person(role))
        for address in addresses(issue=evening.issue().pk, series=evening.issue().series_id):
            if role.value not in may(address.route) or address.path.count("/") < 2:
                continue
            if not address.verb and not address.path.endswith(("json", "csv", "pyz", "jsonl")):
                page = browser.get(address.path)
                if page.status_code == 200 and page["Content-Type"].startswith("text/html"):
                    shown = page.content.decode()
                    for name, value in INPUT.findall(shown):
                        found.setdefault(name, set()).add(value)
                    for name, offered in LIST.findall(shown):
                        found.setdefault(name, set()).update(OPTION.findall(offered))
    return found


def typed(chance: random.Random, fields: dict[str, set[str]]) -> dict[str, str]:
    """Return a form filled by chance: mostly as offered, some fields odd."""
    odd = chance.choice((0.05, 0.3, 1.0))
    return {
        name: chance.choice(ODD) if chance.random() < odd else chance.choice(sorted(offered))
        for name, offered in fields.items()
        if name not in ("key", "csrfmiddlewaretoken", "next")
    }


def sent(browser: Client, path: str, data: dict[str, object]) -> int:
    """Post what an order takes, undo whatever it did, and return the status."""
    with transaction.atomic():
        status = int(browser.post(path, data | {"key": str(uuid4())}).status_code)
        transaction.set_rollback(True)
    return status


def quiet(browser: Client) -> Client:
    """Return a browser that is answered when a page breaks, as everybody's is."""
    browser.raise_request_exception = False
    return browser
