"""The sign-in in a browser: passkeys of a virtual authenticator, the lock, and fresh proofs."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone
from playwright.sync_api import Browser, Page, ViewportSize, expect

from halls.models import Factor, Hall, JournalEntry, Person, Policy, SignIn
from halls.sign_in import pins
from tests.e2e.conftest import PASSWORD, RunningHall
from tests.support.axe import violations
from tests.support.evening import Evening
from tests.support.factors import code_of, secret_on
from tests.support.people import enter
from tests.support.planting_rows import plant

pytestmark = [pytest.mark.browser, pytest.mark.slow]

LOW = ViewportSize(width=1366, height=768)
LONG_AGO = timedelta(hours=1)


def by_name(running: RunningHall) -> str:
    """The hall's address by a name: browsers make no passkeys at an address of numbers."""
    return running.url.replace("127.0.0.1", "localhost")


def opened(browser: Browser, url: str, username: str) -> Page:
    """A browser in which somebody has typed name and password."""
    page = browser.new_context(viewport=LOW, locale="pt-PT").new_page()
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
    options = {
        "protocol": "ctap2", "transport": "internal", "hasResidentKey": True,
        "hasUserVerification": True, "isUserVerified": True, "automaticPresenceSimulation": True,
    }  # fmt: skip
    added = session.send("WebAuthn.addVirtualAuthenticator", {"options": options})
    return session, added["authenticatorId"]


def asking(running: RunningHall) -> None:
    """Let the hall ask for second factors."""
    Hall.objects.filter(pk=running.hall.pk).update(second_factor=True)


def forget_proofs() -> None:
    """Let every second factor have been shown long ago."""
    SignIn.objects.exclude(proven_at=None).update(proven_at=timezone.now() - LONG_AGO)


def test_passkey_is_added_shown_and_asked_for_before_what_cannot_be_undone(
    browser: Browser, running_hall: RunningHall
) -> None:
    asking(running_hall)
    Evening(hall=running_hall.hall).reach("session")
    url, errors = by_name(running_hall), []
    page = opened(browser, url, "chefe")
    page.on("pageerror", lambda error: errors.append(str(error)))
    session, _key = authenticator(page)

    # Nothing else is reached before it is there.
    page.goto(f"{url}/policy/")
    assert "/second-factor/" in page.url
    assert violations(page) == []
    page.click("[data-passkey=make]")
    expect(page.locator("#codes li")).to_have_count(10)
    assert violations(page) == []
    page.keyboard.press("F2")
    page.wait_for_url("**/policy/")
    for path in ("account", "sign-ins"):
        page.goto(f"{url}/{path}/")
        assert violations(page) == []

    # Before the rules change it is asked for, and what was typed is what is set.
    forget_proofs()
    page.goto(f"{url}/policy/")
    page.fill("#low_stock", "77")
    page.locator("form[action$='/do/set/']").evaluate("form => form.requestSubmit()")
    expect(page.locator("#proof-title")).to_be_visible()
    assert violations(page) == []
    assert not Policy.objects.exists()
    page.keyboard.press("Enter")  # the passkey's button has the focus
    page.wait_for_url("**/policy/")
    assert Policy.objects.get().low_stock == 77

    # At a desk it is a dialog, and the page stays beneath.
    forget_proofs()
    page.goto(f"{url}/manager/")
    close = "#live [action$='/close-session/']"
    page.locator(close).evaluate("form => form.requestSubmit()")
    expect(page.locator("#proof")).to_be_visible()
    assert violations(page) == []
    page.keyboard.press("Escape")
    expect(page.locator("#proof")).to_be_hidden()
    page.locator(close).evaluate("form => form.requestSubmit()")
    page.click("#proof [data-passkey=prove]")
    page.wait_for_url("**/do/close-session/")
    assert JournalEntry.objects.filter(kind="session_closed").exists()

    # The same passkey opens the door again, and no other machine's does.
    page.locator("form[action='/logout/'] button").click()
    page.wait_for_url("**/login/**")
    page.fill("#id_username", "chefe")
    page.fill("#id_password", PASSWORD)
    page.keyboard.press("Enter")
    page.wait_for_url("**/sign-in/prove/**")
    assert violations(page) == []
    page.click("[data-passkey=prove]")
    page.wait_for_url(f"{url}/manager/")
    assert Factor.objects.get().count > 1
    other = opened(browser, url, "chefe")
    authenticator(other)
    other.click("[data-passkey=prove]")
    expect(other.locator("[data-passkey-failed]")).to_be_visible()
    other.goto(f"{url}/manager/")
    assert "/sign-in/prove/" in other.url
    session.detach()
    assert errors == []


def test_at_an_address_of_numbers_an_app_serves(
    browser: Browser, running_hall: RunningHall
) -> None:
    asking(running_hall)
    page = opened(browser, running_hall.url, "inspetor")
    expect(page.locator("[data-passkey]")).to_have_count(0)
    expect(page.locator("#app-code")).to_be_focused()
    page.fill("#app-code", code_of(secret_on(page.content())))
    page.keyboard.press("Enter")
    expect(page.locator("#codes li")).to_have_count(10)
    page.keyboard.press("F2")
    page.wait_for_url("**/inspector/")


def test_lock_covers_a_half_typed_sale_and_gives_it_back(
    browser: Browser, running_hall: RunningHall
) -> None:
    Evening(hall=running_hall.hall).reach("selling")
    page = enter(browser, running_hall, "caixa1").page
    page.set_viewport_size(LOW)
    page.fill("#quantity", "4")
    page.evaluate("() => { window.sameDocument = true; }")
    page.keyboard.press("Shift+F8")
    expect(page.locator("#cover #unlock-password")).to_be_focused()
    assert violations(page) == []
    # What is asked beneath is refused, and the page cannot be uncovered by keys.
    status = "async () => (await fetch('/till/live/', {headers: {'HX-Request': 'true'}})).status"
    assert page.evaluate(status) == 423
    for _press in range(3):
        page.keyboard.press("Escape")
    expect(page.locator("#cover")).to_be_visible()
    page.fill("#unlock-password", "errada")
    page.keyboard.press("Enter")
    expect(page.locator("#cover .notice--error").first).to_be_visible()
    page.fill("#unlock-password", PASSWORD)
    page.keyboard.press("Enter")
    expect(page.locator("#cover")).to_be_hidden()
    assert page.input_value("#quantity") == "4"
    assert page.evaluate("() => window.sameDocument")
    before = JournalEntry.objects.filter(kind="cards_sold").count()
    with page.expect_response("**/till/sell/"):
        page.keyboard.press("Enter")
    assert JournalEntry.objects.filter(kind="cards_sold").count() == before + 1


def test_lock_asks_until_the_hall_answers_and_keeps_what_was_typed(
    browser: Browser, running_hall: RunningHall
) -> None:
    page = enter(browser, running_hall, "locutor").page
    address = page.url
    page.route("**/sign-in/**", lambda route: route.fulfill(status=503))
    page.keyboard.press("Shift+F8")
    page.wait_for_timeout(1000)
    assert not SignIn.objects.filter(locked_at__isnull=False).exists()
    page.unroute("**/sign-in/**")
    expect(page.locator("#cover #unlock-password")).to_be_focused(timeout=10_000)
    assert SignIn.objects.filter(locked_at__isnull=False).exists()
    page.fill("#unlock-password", PASSWORD)
    page.route("**/sign-in/**", lambda route: route.fulfill(status=503))
    page.keyboard.press("Enter")
    expect(page.locator("#cover [data-no-answer]")).to_be_visible()
    assert page.input_value("#unlock-password") == PASSWORD
    page.unroute("**/sign-in/**")
    page.keyboard.press("Enter")
    expect(page.locator("#cover")).to_be_hidden()
    # A login in another window has changed the token: the page is opened anew, and locked all the same.
    context = page.context
    [cookie] = [one for one in context.cookies() if one["name"].endswith("csrftoken")]
    renewed = cookie["value"][::-1]
    context.add_cookies([{"name": cookie["name"], "value": renewed, "url": running_hall.url}])
    page.evaluate("() => { window.sameDocument = true; }")
    page.keyboard.press("Shift+F8")
    expect(page.locator("#cover #unlock-password")).to_be_focused(timeout=10_000)
    assert not page.evaluate("() => window.sameDocument")
    page.fill("#unlock-password", PASSWORD)
    page.keyboard.press("Enter")
    expect(page.locator("#cover")).to_be_hidden()
    assert page.url == address


def test_what_is_ended_or_idle_elsewhere_is_covered_by_the_open_socket(
    browser: Browser, running_hall: RunningHall
) -> None:
    Evening(hall=running_hall.hall).reach("selling")
    page = enter(browser, running_hall, "caixa1").page
    expect(page.locator("#connection")).to_have_attribute("data-state", "live")
    # Nobody was there for eleven minutes: the server covers the page without being asked.
    plant(
        SignIn.objects.all(),
        since=timezone.now() - LONG_AGO,
        seen_at=timezone.now() - timedelta(minutes=11),
    )
    expect(page.locator("#cover #unlock-password")).to_be_visible(timeout=10_000)
    page.fill("#unlock-password", PASSWORD)
    page.keyboard.press("Enter")
    expect(page.locator("#cover")).to_be_hidden()
    # Ended from another browser: log in again, and the page comes back.
    SignIn.objects.update(ended_at=timezone.now())
    page.wait_for_url("**/login/?next=**", timeout=10_000)
    page.fill("#id_username", "caixa1")
    page.fill("#id_password", PASSWORD)
    page.keyboard.press("Enter")
    page.wait_for_url("**/till/")


def test_till_opens_by_a_pin_at_its_own_browser(
    browser: Browser, running_hall: RunningHall
) -> None:
    cashier = Person.objects.get(username="caixa1")
    pins.set_pin(person=cashier, pin="739164", again="739164", at=timezone.now())
    page = enter(browser, running_hall, "chefe").page
    page.set_viewport_size(LOW)
    page.goto(f"{running_hall.url}/sign-ins/")
    page.fill("#browser-name", "Caixa 1")
    page.keyboard.press("Enter")
    expect(page.locator("#browsers td, #browsers th").get_by_text("Caixa 1").first).to_be_visible()
    page.locator("form[action='/logout/'] button").first.click()
    page.wait_for_url("**/login/**")
    assert violations(page) == []
    page.fill("#pin-username", "caixa1")
    page.fill("#pin-digits", "739164")
    page.keyboard.press("Enter")
    page.wait_for_url("**/till/")
    page.keyboard.press("Shift+F8")
    expect(page.locator("#unlock-pin")).to_be_focused()
    page.fill("#unlock-pin", "739164")
    page.keyboard.press("Enter")
    expect(page.locator("#cover")).to_be_hidden()
    stranger = browser.new_context(viewport=LOW).new_page()
    stranger.goto(f"{running_hall.url}/login/")
    expect(stranger.locator("#by-pin")).to_have_count(0)
