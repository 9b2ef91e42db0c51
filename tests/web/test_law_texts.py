"""A page answers "why?" with what the law says: every rule that a page names is explained."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest
from django.conf import settings
from django.test import Client

from draws.web.law_texts import LAW
from halls.models import Role
from tests.support.evening import Evening, browser_of, spanish

pytestmark = pytest.mark.django_db

CATALOGUE = Path(settings.BASE_DIR) / "locale" / "pt" / "LC_MESSAGES" / "django.po"


def test_every_rule_that_is_named_in_words_is_explained() -> None:
    named = set(re.findall(r"\bR\d{1,3}\b", CATALOGUE.read_text(encoding="utf-8")))
    assert len(named) > 40
    assert named - set(LAW) == set()


@pytest.mark.rule(53)
def test_rule_is_explained_to_staff_in_their_language_and_to_nobody_else() -> None:
    browser = browser_of(Evening().person(Role.CASHIER))
    browser.cookies[settings.LANGUAGE_COOKIE_NAME] = "es"
    page = browser.get("/why/", {"rules": "R53, R60"})
    assert page.status_code == 200
    assert "últimos diez minutos" in page.content.decode()
    assert "conste en el acta" in page.content.decode()
    assert Client().get("/why/", {"rules": "R53"}).status_code == 302


@pytest.mark.parametrize(
    ("hall", "role", "asks"),
    [
        (Evening, Role.HALL_MANAGER, "porquê?"),
        (Evening, Role.INSPECTOR, None),
        (spanish, Role.HALL_MANAGER, ""),
        (spanish, Role.INSPECTOR, ""),
    ],
)
def test_numbers_of_rules_are_linked_left_or_taken_away_as_the_law_and_the_reader_want(
    hall: Callable[[], Evening], role: Role, asks: str | None
) -> None:
    page = browser_of(hall().person(role)).get("/custody/").content.decode()
    found = re.search(r'<body[^>]*data-why="([^"]*)"', page)
    assert (found and found[1]) == asks


@pytest.mark.parametrize("asked", ["", "R999", "<script>", "R" * 9000, "R5" * 5000])
def test_what_is_no_rule_is_not_explained(asked: str) -> None:
    page = browser_of(Evening().person(Role.CASHIER)).get("/why/", {"rules": asked})
    assert page.status_code == 200
    assert "<script>" not in page.content.decode().split("<main")[1]
