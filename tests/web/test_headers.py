"""What every answer tells the browser, over all addresses: nothing private is kept, shared or embedded."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings
from django.http import HttpResponse
from django.test import Client, override_settings

from draws.boards import views as boards_views
from halls.models import Role
from halls.web.middleware import protected
from tests.support.addresses import addresses
from tests.support.evening import Evening, browser_of

pytestmark = pytest.mark.django_db

ROOT = Path(__file__).resolve().parents[2]
# What the wall shows to everybody, and files that are the same for everybody.
PUBLIC = ("/board/", "/static/", "/pictures/", "/cameras/shown/")
YEAR = 365 * 24 * 3600


def missing(answer: Any, path: str) -> list[str]:
    """Return the headers that an answer lacks."""
    wanted = {
        "X-Content-Type-Options": "nosniff",
        "Referrer-Policy": "same-origin",
        "Cross-Origin-Opener-Policy": "same-origin",
        "Cross-Origin-Resource-Policy": "same-origin",
        "X-Frame-Options": "DENY",
    }
    lacks = [name for name, value in wanted.items() if answer.get(name) != value]
    policy = answer.get("Content-Security-Policy", "")
    parts = ("default-src 'self'", "object-src 'none'", "base-uri 'none'", "frame-ancestors 'none'")
    lacks += [part for part in parts if part not in policy]
    lacks += (
        ["Permissions-Policy"]
        if "microphone=()" not in answer.get("Permissions-Policy", "")
        else []
    )
    kept = answer.get("Cache-Control", "")
    may_stay = ("public" in kept or "immutable" in kept) and path.startswith(PUBLIC)
    if "no-store" not in kept and not may_stay:
        lacks.append(f"Cache-Control: {kept}")
    body = not answer.streaming and answer.content
    if (
        body
        and answer["Content-Type"].startswith("text/")
        and "charset=" not in answer["Content-Type"]
    ):
        lacks.append("charset")
    return lacks


@pytest.mark.slow
def test_every_address_is_answered_with_all_headers() -> None:
    evening, lacking = Evening().reach("sold"), {}
    for browser in (Client(), evening.at("manager"), evening.at("inspector"), evening.at("till")):
        for address in addresses(issue=evening.issue().pk, series=evening.issue().series_id):
            answer = browser.get(address.path)
            if lacks := missing(answer, address.path):
                lacking[address.path] = lacks
    assert lacking == {}


@pytest.mark.parametrize(
    "path", ["/login/", "/nowhere/", "/till/", "/static/forms.css", "/board/sala/state.json"]
)
def test_page_error_file_and_state_carry_them(path: str) -> None:
    Evening()
    answer = Client().get(path)
    lacks = missing(answer, path)
    assert lacks == (
        ["X-Frame-Options"] if path.startswith("/static/") and answer.status_code == 200 else []
    )


def test_what_says_that_it_is_public_stays_so_and_nothing_else() -> None:
    public = HttpResponse(headers={"Cache-Control": "public, max-age=60"})
    private = HttpResponse(headers={"Cache-Control": "private, max-age=60"})
    picture = HttpResponse(headers={"Cache-Control": "private, max-age=60, immutable"})
    assert protected(public)["Cache-Control"] == "public, max-age=60"
    assert "no-store" not in protected(picture)["Cache-Control"]
    assert "no-store" in protected(private)["Cache-Control"]
    assert "max-age=60" not in protected(private)["Cache-Control"]


def test_page_for_what_is_too_large_carries_them_too() -> None:
    from bingo.asgi import application

    routes: Any = application.application

    [bounded] = [one for one in routes.application_mapping.values() if hasattr(one, "_page")]
    scope = {
        "type": "http",
        "method": "POST",
        "path": "/till/sell/",
        "headers": [],
        "query_string": b"",
    }
    answer = bounded._page(scope)
    assert "no-store" in answer["Cache-Control"]
    assert answer["Cross-Origin-Resource-Policy"] == "same-origin"


@pytest.mark.slow
def test_over_https_the_settings_ask_for_it_and_name_cookies_for_this_host_alone() -> None:
    asked = (
        "from bingo import settings as s; print(s.SECURE_HSTS_SECONDS, s.SECURE_HSTS_INCLUDE_SUBDOMAINS,"
        " s.SESSION_COOKIE_NAME, s.CSRF_COOKIE_NAME, s.LANGUAGE_COOKIE_NAME, s.SESSION_COOKIE_SECURE,"
        " s.CSRF_COOKIE_SECURE, s.LANGUAGE_COOKIE_SECURE)"
    )
    given = {
        "DATABASE_URL": "postgresql:///none",
        "REDIS_URL": "unix:///none",
        "SECRET_KEY": "none",
    }
    for https, expected in (
        (
            "1",
            f"{YEAR} True __Host-sessionid __Host-csrftoken __Host-django_language True True True",
        ),
        ("", "0 False sessionid csrftoken django_language False False False"),
    ):
        done = subprocess.run(
            [sys.executable, "-c", asked], cwd=ROOT, env=given | {"HTTPS": https, "TRUSTED_PROXIES": "127.0.0.1"},
            capture_output=True, text=True, check=True,
        )  # fmt: skip
        assert done.stdout.strip() == expected


OVER_HTTPS = {
    "COOKIE_PREFIX": "__Host-", "SESSION_COOKIE_NAME": "__Host-sessionid", "CSRF_COOKIE_NAME": "__Host-csrftoken",
    "LANGUAGE_COOKIE_NAME": "__Host-django_language", "SESSION_COOKIE_SECURE": True, "CSRF_COOKIE_SECURE": True,
    "LANGUAGE_COOKIE_SECURE": True, "SECURE_HSTS_SECONDS": YEAR, "SECURE_HSTS_INCLUDE_SUBDOMAINS": True,
    "SECURE_SSL_REDIRECT": True,
}  # fmt: skip


@override_settings(**OVER_HTTPS)
def test_over_https_every_cookie_is_of_this_host_alone() -> None:
    evening = Evening()
    browser = browser_of(evening.person(Role.HALL_MANAGER))
    answers = [
        browser.get("/login/", secure=True),
        browser.post("/theme/", {"theme": "dark", "letters": "alt"}, secure=True),
        browser.post("/language/setlang/", {"language": "es"}, secure=True),
        Client().post("/board/sala/screen.json", secure=True),
        browser.post("/screens/do/find/", {"key": "x"}, secure=True),
    ]
    set_ = {name: cookie for one in answers for name, cookie in one.cookies.items()}
    assert {
        "__Host-theme",
        "__Host-letters",
        "__Host-django_language",
        f"__Host-{boards_views.COOKIE}_sala",
    } <= set(set_)
    for name, cookie in set_.items():
        assert name.startswith("__Host-"), name
        assert (cookie["path"], bool(cookie["secure"]), cookie["domain"]) == ("/", True, ""), name
        assert cookie["httponly"], name
        assert cookie["samesite"] in ("Lax", "Strict"), name
    for answer in answers:
        assert answer["Strict-Transport-Security"] == f"max-age={YEAR}; includeSubDomains"


@override_settings(**OVER_HTTPS)
def test_a_screen_is_known_again_by_its_cookie_over_https() -> None:
    Evening()
    wall = Client()
    first = wall.post("/board/sala/screen.json", secure=True).json()
    again = wall.post("/board/sala/screen.json", secure=True)
    assert again.json()["code"] == first["code"]
    assert not again.cookies


def test_no_answer_shares_itself_with_other_origins() -> None:
    Evening()
    for path in ("/login/", "/board/sala/", "/board/sala/state.json"):
        answer = Client().get(path, headers={"origin": "https://evil.example"})
        assert "Access-Control-Allow-Origin" not in answer
        assert "Access-Control-Allow-Credentials" not in answer


def test_logout_clears_what_the_browser_kept() -> None:
    answer = Evening().at("till").post("/logout/")
    assert answer["Clear-Site-Data"] == '"cache"'
    assert "Clear-Site-Data" not in Client().get("/login/")


def test_over_http_no_answer_asks_for_https() -> None:
    assert not settings.HTTPS
    assert "Strict-Transport-Security" not in Client().get("/login/")
