"""Sign-in by the chain's provider in a browser: linked, signed in and out, at a low screen."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, ViewportSize, expect

from halls.models import JournalEntry
from tests.e2e.conftest import PASSWORD, RunningHall
from tests.support import identity_provider
from tests.support.axe import violations
from tests.support.identity_provider import CLIENT, SECRET, IdentityProvider
from tests.support.people import PICTURES

pytestmark = [pytest.mark.browser, pytest.mark.slow]

LOW = ViewportSize(width=1366, height=768)


@pytest.fixture
def chain(monkeypatch: pytest.MonkeyPatch, static_folder: Path) -> Iterator[IdentityProvider]:
    """The chain's provider, of which the hall's programs are told as they start."""
    secret = static_folder / "oidc_secret"
    secret.touch(mode=0o600)
    secret.write_text(SECRET, encoding="utf-8")
    with identity_provider.running() as running:
        asked = {"ISSUER": running.url, "CLIENT": CLIENT, "LABEL": "Conta da cadeia"}
        for name, value in asked.items():
            monkeypatch.setenv(f"BINGO_OIDC_{name}", value)
        yield running
    secret.unlink()


def test_one_links_oneself_signs_in_and_out(
    browser: Browser, chain: IdentityProvider, running_hall: RunningHall
) -> None:
    url, refused = running_hall.url, []
    context = browser.new_context(viewport=LOW, locale="pt-PT")
    context.add_cookies([{"name": "theme", "value": "light", "url": url}])
    page = context.new_page()
    # What the policy of content forbids, browsers say in their console.
    page.on(
        "console",
        lambda told: refused.append(told.text) if "Security Policy" in told.text else None,
    )

    def picture(name: str) -> None:
        assert violations(page) == []
        wide = page.evaluate("document.documentElement.scrollWidth > window.innerWidth")
        assert not wide, name
        if PICTURES is not None:
            Path(PICTURES).mkdir(parents=True, exist_ok=True)
            page.screenshot(path=f"{PICTURES}/provider-{name}.png")

    page.goto(f"{url}/login/")
    expect(page.locator("#by-provider")).to_be_in_viewport()
    picture("login")
    page.fill("#id_username", "caixa1")
    page.fill("#id_password", PASSWORD)
    page.keyboard.press("Enter")
    page.wait_for_url("**/till/")
    page.goto(f"{url}/account/#provider")
    picture("account")
    page.fill("#link-password", PASSWORD)
    page.keyboard.press("Enter")
    expect(page.locator("#go-on")).to_be_visible()
    picture("link")
    page.click("#go-on")
    page.click("button")  # at the provider
    page.wait_for_url("**/account/")
    expect(page.locator("#unlink-password")).to_be_visible()
    page.locator("#provider").scroll_into_view_if_needed()
    picture("linked")
    linked = JournalEntry.objects.get(kind="sign_in_changed")
    assert linked.data["change"] == "provider_linked"

    page.locator("form[action='/logout/'] button").click()
    page.wait_for_url("**/login/**")
    page.goto(f"{url}/till/")
    page.click("#by-provider")
    page.click("button")
    page.wait_for_url(f"{url}/till/")

    page.locator("form[action='/logout/'] button").click()
    page.wait_for_url("**/login/?left=provider")
    picture("left")
    page.click("#left a")
    page.wait_for_url(f"{chain.url}/leave?**")

    # Somebody whom nobody has linked, and a provider that is gone.
    chain.subject = "rui-0815"
    page.goto(f"{url}/login/")
    page.click("#by-provider")
    page.click("button")
    expect(page.locator("[data-code=provider_not_linked]")).to_be_visible()
    expect(page).to_have_url(f"{url}/login/")  # of what the provider sent nothing stays
    picture("refused")
    assert refused == []
    context.close()
