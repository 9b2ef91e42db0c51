"""The sign-in in a browser: passkeys of a virtual authenticator, the lock, and fresh proofs."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from halls.models import Factor, Hall, Person, SignIn
from tests.e2e.conftest import PASSWORD, RunningHall
from tests.support.axe import violations
from tests.support.evening import Evening
from tests.support.factors import code_of, secret_on

pytestmark = pytest.mark.browser

LOW = {"width": 1366, "height": 768}


def opened(browser: Browser, running: RunningHall, username: str, *, by_name: bool = True) -> Page:
    """A browser in which somebody has typed name and password."""
    url = running.url.replace("127.0.0.1", "localhost") if by_name else running.url
    page = browser.new_context(viewport=LOW, locale="pt-PT").new_page()  # type: ignore[arg-type]
    page.goto(f"{url}/login/")
    page.fill("#id_username", username)
    page.fill("#id_password", PASSWORD)
    page.keyboard.press("Enter")
    page.wait_for_url(lambda now: "/login" not in now)
    return page


def authenticator(page: Page) -> Any:
    """A virtual authenticator that knows its user, as a machine with a fingerprint does."""
    session = page.context.new_cdp_session(page)
    session.send("WebAuthn.enable")
    session.send(
        "WebAuthn.addVirtualAuthenticator",
        {
            "options": {
                "protocol": "ctap2", "transport": "internal", "hasResidentKey": True,
                "hasUserVerification": True, "isUserVerified": True,
                "automaticPresenceSimulation": True,
            }
        },
    )  # fmt: skip
    return session


def asking(running: RunningHall) -> None:
    """Let the hall ask for second factors."""
    Hall.objects.filter(pk=running.hall.pk).update(second_factor=True)


def test_look(browser: Browser, running_hall: RunningHall) -> None:
    asking(running_hall)
    Evening(hall=running_hall.hall).reach("selling")
    page = opened(browser, running_hall, "chefe")
    errors: list[str] = []
    page.on("pageerror", lambda e: errors.append(str(e)))
    page.on("console", lambda m: errors.append(m.text) if m.type == "error" else None)
    authenticator(page)
    page.wait_for_url("**/second-factor/**")
    page.screenshot(path="/tmp/p1.png")
    page.click("[data-passkey=make]")
    page.wait_for_selector("#codes")
    page.screenshot(path="/tmp/p2.png")
    page.keyboard.press("F2")
    page.wait_for_load_state()
    print(page.url)
    page.goto(page.url.split("/manager")[0] + "/account/")
    page.screenshot(path="/tmp/p3.png")
    page.goto(page.url.replace("/account/", "/sign-ins/"))
    page.screenshot(path="/tmp/p4.png", full_page=True)
    page.goto(page.url.replace("/sign-ins/", "/manager/"))
    page.keyboard.press("Shift+F8")
    page.wait_for_selector("#cover #unlock-password")
    page.screenshot(path="/tmp/p5.png")
    page.click("#cover [data-passkey=prove]")
    expect(page.locator("#cover")).to_be_hidden()
    page.screenshot(path="/tmp/p6.png")
    SignIn.objects.update(proven_at="2026-01-01T00:00Z")
    page.goto(page.url.replace("/manager/", "/policy/"))
    page.locator("form[action$='/do/set/'] button.button--primary").first.click()
    page.wait_for_selector("#proof-title")
    page.screenshot(path="/tmp/p7.png")
    page.click("[data-passkey=prove]")
    page.wait_for_selector(".notice")
    page.screenshot(path="/tmp/p8.png")
    print(page.url, errors)
    other = opened(browser, running_hall, "chefe")
    other.screenshot(path="/tmp/p9.png")
