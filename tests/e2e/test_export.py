"""The archive of a period in a browser: asked for by a key, followed, and taken away."""

from __future__ import annotations

import zipfile
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from draws.models import Export
from tests.e2e.conftest import RunningHall
from tests.support.evening import Evening
from tests.support.people import enter

pytestmark = pytest.mark.browser


@pytest.mark.slow
@pytest.mark.rule(61)
def test_archive_is_asked_for_followed_and_taken(
    browser: Browser, running_hall: RunningHall, tmp_path: Path
) -> None:
    Evening(hall=running_hall.hall).reach("sold")
    inspector = enter(browser, running_hall, "inspetor")
    page = inspector.page
    page.goto(f"{running_hall.url}/inspector/")
    page.click("#export")
    expect(page.locator("#first")).not_to_have_value("")
    page.keyboard.press("F2")
    expect(page.locator(".notice--ok").first).to_be_visible()
    take = page.locator("a[id^=take-]")
    expect(take).to_be_visible(timeout=60_000)
    inspector.picture("inspector-exports")
    with page.expect_download() as given:
        take.click()
    file = tmp_path / given.value.suggested_filename
    given.value.save_as(file)
    export = Export.objects.get()
    assert file.name == f"sala-{export.first}-{export.last}.zip"
    with zipfile.ZipFile(file) as archive:
        assert archive.testzip() is None
        assert "manifest.sig" in archive.namelist()

    manager = enter(browser, running_hall, "chefe").page
    manager.goto(f"{running_hall.url}/inspector/exports/")
    expect(manager.locator(f"#export-{export.pk}")).to_be_visible()
    expect(manager.locator("a[id^=take-]")).to_have_count(0)
