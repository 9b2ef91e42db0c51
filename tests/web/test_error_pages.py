"""Pages for what cannot be shown: never a trace, always a way on."""

import pytest
from django.db import OperationalError
from django.test import Client

from draws.models import Sale
from halls.models import Role
from halls.web.middleware import SessionStore
from tests.support.evening import BACKEND, Evening, browser_of

pytestmark = pytest.mark.django_db


def test_page_that_fails_says_so_without_a_trace(monkeypatch: pytest.MonkeyPatch) -> None:
    evening = Evening()
    client = browser_of(evening.person(Role.CASHIER))
    client.raise_request_exception = False

    def broken(*_arguments: object) -> None:
        raise RuntimeError("secret detail")

    monkeypatch.setattr("draws.web.page_classes.get_hall_state", broken)
    answer = client.get("/till/")
    page = answer.content.decode()
    assert answer.status_code == 500
    assert 'href="/"' in page
    assert "secret detail" not in page
    assert "Traceback" not in page


def test_page_that_fails_says_so_where_nobody_can_be_known(monkeypatch: pytest.MonkeyPatch) -> None:
    client = browser_of(Evening().person(Role.CASHIER))
    client.raise_request_exception = False

    def broken(*_arguments: object) -> None:
        raise OperationalError

    monkeypatch.setattr(SessionStore, "load", broken)
    monkeypatch.setattr("halls.setup.own_halls", broken)
    answer = client.get("/till/")
    assert answer.status_code == 500
    assert "<h1>" in answer.content.decode()


def test_address_that_does_not_exist_leads_home() -> None:
    Evening()
    answer = Client().get("/nowhere/")
    assert answer.status_code == 404
    assert 'href="/"' in answer.content.decode()


@pytest.mark.parametrize("host", ["evil.example", "127.0.0.1.evil.example"])
def test_foreign_host_name_is_refused(host: str) -> None:
    assert Client(headers={"Host": host}).get("/login/").status_code == 400


def test_every_page_carries_its_protection() -> None:
    Evening()
    answer = Client().get("/login/")
    assert answer["X-Frame-Options"] == "DENY"
    assert answer["X-Content-Type-Options"] == "nosniff"
    policy = answer["Content-Security-Policy"]
    assert "default-src 'self'" in policy
    assert "unsafe-inline" not in policy
    assert "<script>" not in answer.content.decode()


def test_order_without_the_form_s_token_is_refused() -> None:
    evening = Evening().reach("selling")
    browser = Client(enforce_csrf_checks=True)
    browser.force_login(evening.person(Role.CASHIER), backend=BACKEND)
    for kind in ("application/x-www-form-urlencoded", "text/plain", "application/json"):
        answer = browser.post("/till/sell/", "quantity=1", content_type=kind)
        assert answer.status_code == 403
    assert not Sale.objects.exists()
