"""Cards from the authorisation on paper to the printed file, at the hall manager's own screen."""

from __future__ import annotations

import os
import re
import signal
import time
from collections.abc import Callable, Iterator
from io import BytesIO
from pathlib import Path

import pytest
from django.utils import timezone
from playwright.sync_api import Browser, Page, ViewportSize, expect
from pypdf import PdfReader

from bingo.rules import cards
from draws.cards import series, stock
from draws.models import Issue, PrintJob, Series
from halls import authorisations
from halls.models import Authorisation, JournalEntry
from tests.e2e.conftest import RunningHall
from tests.support.people import DESKTOP, PHONE, PICTURES, Person, enter

pytestmark = pytest.mark.browser

LARGE = 12_000
OFFICE = ViewportSize(width=1280, height=900)
SIZES = {"desktop": DESKTOP, "office": OFFICE, "phone": PHONE}


def picture(person: Person, what: str) -> None:
    """Keep a picture of the page in BINGO_PICTURES at three sizes, when that is set."""
    if PICTURES is None:
        return
    Path(PICTURES).mkdir(parents=True, exist_ok=True)
    for size, viewport in SIZES.items():
        person.page.set_viewport_size(viewport)
        person.page.wait_for_timeout(200)
        person.page.screenshot(path=f"{PICTURES}/{what}-{size}.png", full_page=True)
    person.page.set_viewport_size(DESKTOP)


def narrow(page: Page) -> None:
    """Nothing scrolls sideways, on a phone or in the office."""
    for size in SIZES.values():
        page.set_viewport_size(size)
        width = page.evaluate("() => document.documentElement.scrollWidth")
        assert width <= size["width"], f"{page.url} at {size['width']} px is {width} px wide"
    page.set_viewport_size(DESKTOP)


def go(person: Person, running: RunningHall, path: str) -> Page:
    """Open an address."""
    person.page.goto(f"{running.url}{path}")
    return person.page


def press(page: Page, key: str, leads_to: str) -> None:
    """Press a key once the page offers it, and wait for the page that it leads to."""
    page.wait_for_load_state("load")
    expect(page.locator(f"[data-key={key}]").first).to_be_visible()
    page.keyboard.press(key)
    page.wait_for_url(re.compile(leads_to))


def follow(page: Page, path: str) -> None:
    """Follow the link to a page, and wait for it."""
    # Whoever has many pages finds this one in a group.
    group = page.locator("nav details", has=page.locator(f"a[href='{path}']"))
    if group.count():
        group.locator("summary").click()
    page.click(f"nav a[href='{path}']")
    page.wait_for_url(f"**{path}")


def until(true: Callable[[], bool], seconds: float = 20.0) -> None:
    """Wait until something is so."""
    end = time.monotonic() + seconds
    while not true():
        assert time.monotonic() < end
        time.sleep(0.01)


def large(running: RunningHall) -> Issue:
    """An issue that takes the worker some seconds to print."""
    hall, now = running.hall, timezone.now()
    by = hall.people.get(username="chefe")
    authorisations.record(
        hall=hall, reference="Despacho 8/2026", valid_from=now.date(), formats=[90],
        faces=[200_00], sizes={"M": LARGE}, line_share=2000, bingo_share=6000, by=by, at=now,
    )  # fmt: skip
    made = series.publish(hall=hall, format=90, letter="M", size=LARGE, by=by, at=now)
    return stock.receive(
        hall=hall, series=made, identification="9000", face=200_00, face_colour="white",
        back_colour="red", by=by, at=now,
    )  # fmt: skip


@pytest.fixture
def manager(browser: Browser, running_hall: RunningHall) -> Iterator[Person]:
    """The hall manager, whose page runs without a single error."""
    person = enter(browser, running_hall, "chefe")
    errors: list[str] = []
    person.page.on("pageerror", lambda error: errors.append(str(error)))
    yield person
    assert errors == []


@pytest.mark.slow
@pytest.mark.rule(16)
@pytest.mark.rule(17)
@pytest.mark.rule(18)
@pytest.mark.rule(19)
def test_cards_go_from_the_authorisation_to_the_printed_file(
    browser: Browser, running_hall: RunningHall, manager: Person
) -> None:
    page = manager.page
    follow(page, "/cards/")
    expect(page.locator("h1")).to_be_visible()
    picture(manager, "cards-stock")

    follow(page, "/cards/authorisations/")
    press(page, "F2", r"/record/$")
    page.fill("#reference", "Despacho 7/2026")
    page.fill("#valid_from", "2026-02-01")
    page.fill("#faces", "100\n200\n500\n1 000")
    page.fill("#sizes", "L 60\nM 6 000")
    picture(manager, "cards-authorise")
    page.fill("#bingo_share", "90")
    page.check("#sure")
    page.keyboard.press("F2")
    expect(page.locator("[role=alert]")).to_be_visible()
    assert page.input_value("#reference") == "Despacho 7/2026"
    assert page.input_value("#sizes") == "L 60\nM 6 000"
    picture(manager, "cards-authorise-refused")
    page.fill("#bingo_share", "60")
    page.check("#sure")
    press(page, "F2", r"/authorisations/\d+/$")
    assert Authorisation.objects.get(reference="Despacho 7/2026").sizes == {"L": 60, "M": 6000}
    picture(manager, "cards-authorisation")
    follow(page, "/cards/authorisations/")
    picture(manager, "cards-authorisations")

    follow(page, "/cards/series/")
    picture(manager, "cards-series")
    press(page, "F2", r"/publish/$")
    picture(manager, "cards-publish")
    page.check("input[name=format][value='90']")
    page.check("input[name=size][value='K-1680']")
    press(page, "F2", r"/series/\d+/$")
    made = Series.objects.latest("pk")
    assert (made.letter, made.size, made.version, made.seed) == ("K", 1680, 2, "")
    expect(page.locator(".thumb")).to_have_count(24)
    picture(manager, "cards-matrix")

    press(page, "F2", r"/receive/\?series=")
    page.check("input[name=face][value='100000']")
    chosen = page.locator("input[name=face_colour]:checked")
    expect(page.locator("input[name=face_colour][value=white]")).to_be_disabled()
    expect(chosen).not_to_have_value("yellow")
    expect(page.locator("input[name=back_colour]:checked")).to_have_value("navy")
    page.check("input[name=face_colour][value=green]")
    page.fill("#identification", "1003")
    picture(manager, "cards-receive")
    press(page, "F2", r"/issues/\d+/$")
    issue = Issue.objects.get(identification="1003")
    assert (issue.face, issue.face_colour, issue.place) == (1000_00, "green", "received")
    expect(page.locator(".paper img")).to_be_visible()
    picture(manager, "cards-issue")

    press(page, "F4", r"/print/$")
    first = page.locator("#outcome img").get_attribute("src")
    page.check("input[name=code][value=qr]")
    expect(page.locator("#outcome img")).not_to_have_attribute("src", str(first))
    page.fill("#last", "2000")
    expect(page.locator("#outcome .notice--error")).to_be_visible()
    page.fill("#last", "60")
    expect(page.locator("#outcome img")).to_be_visible()
    page.check("#back")
    until(lambda: page.evaluate("document.querySelector('#outcome img')?.naturalWidth ?? 0") == 900)
    picture(manager, "cards-print")
    press(page, "F2", r"/cards/prints/$")
    job = PrintJob.objects.get()
    pdf = page.locator(f"a[href='/cards/prints/{job.pk}/cards.pdf']")
    expect(pdf).to_be_visible(timeout=90_000)
    expect(page.locator("progress")).to_have_count(0)
    picture(manager, "cards-prints-done")
    printed = page.request.get(f"{running_hall.url}/cards/prints/{job.pk}/cards.pdf")
    reader = PdfReader(BytesIO(printed.body()))
    assert len(reader.pages) == 20
    assert cards.code_of(issue.pk, 1) in "".join(reader.pages[0].extract_text().split())

    go(manager, running_hall, f"/cards/issues/{issue.pk}/print/?first=1&last=60")
    expect(page.locator("#outcome .notice--warning")).to_be_visible()
    picture(manager, "cards-reprint")
    page.keyboard.press("F2")
    expect(page.locator("[data-code=print_reason_missing]")).to_be_visible()
    page.fill("#reason", "Folhas molhadas")
    press(page, "F2", r"/cards/prints/$")
    assert PrintJob.objects.latest("pk").copies == [[1, 60, 1]]

    read = enter(browser, running_hall, "inspetor")
    for path, name in (
        ("/cards/", "stock"), (f"/cards/issues/{issue.pk}/", "issue"), ("/cards/prints/", "prints"),
        (f"/cards/series/{made.pk}/", "matrix"), ("/cards/patterns/", "patterns"),
    ):  # fmt: skip
        shown = go(read, running_hall, path)
        expect(shown.locator("h1")).to_be_visible()
        expect(shown.locator("main form[method=post]")).to_have_count(0)
        picture(read, f"inspector-{name}")
    assert not JournalEntry.objects.filter(kind="command_refused").exists()


@pytest.mark.slow
def test_bar_of_a_large_print_moves_until_it_is_done(
    running_hall: RunningHall, manager: Person
) -> None:
    issue = large(running_hall)
    page = go(manager, running_hall, f"/cards/issues/{issue.pk}/print/")
    worker = running_hall.worker.pid
    os.kill(worker, signal.SIGSTOP)
    try:
        press(page, "F2", r"/cards/prints/$")
        job = PrintJob.objects.get()
        bar = page.locator("progress")
        expect(bar).to_have_attribute("max", str(LARGE))
        expect(bar).to_have_attribute("value", "0")
        picture(manager, "cards-prints-waiting")
        os.kill(worker, signal.SIGCONT)
        until(lambda: PrintJob.objects.filter(pk=job.pk, drawn__gt=0).exists())
        os.kill(worker, signal.SIGSTOP)
        expect(bar).not_to_have_attribute("value", "0")
        assert 0 < int(bar.get_attribute("value") or 0) < LARGE
        picture(manager, "cards-prints-running")
        page.focus(f"#cancel-{job.pk}")
        page.wait_for_timeout(2_500)
        expect(page.locator(f"#cancel-{job.pk}")).to_be_focused()
    finally:
        os.kill(worker, signal.SIGCONT)
    expect(page.locator(f"#open-{job.pk}")).to_be_visible(timeout=60_000)
    expect(bar).to_have_count(0)

    go(manager, running_hall, f"/cards/issues/{issue.pk}/print/")
    page.fill("#reason", "Outra vez")
    press(page, "F2", r"/cards/prints/$")
    page.click("td form button")
    expect(page.locator(".notice--ok").last).to_be_visible()
    assert PrintJob.objects.latest("pk").state == "cancelled"


@pytest.mark.slow
def test_matrix_is_walked_through_with_the_arrow_keys(
    running_hall: RunningHall, manager: Person
) -> None:
    issue = Issue.objects.get(identification="1001")
    page = go(manager, running_hall, f"/cards/series/{issue.series_id}/")
    page.fill("#card", cards.code_of(issue.pk, 8))
    page.keyboard.press("Enter")
    page.wait_for_url("**/8/")
    press(page, "ArrowRight", r"/9/$")
    press(page, "ArrowLeft", r"/8/$")
    expect(page.locator(".thumb[aria-current=true]")).to_have_attribute(
        "href", f"/cards/series/{issue.series_id}/8/"
    )
    picture(manager, "cards-card")
    page.set_viewport_size({"width": 1280, "height": 300})
    page.evaluate("scrollTo({ top: 90, behavior: 'instant' })")
    page.keyboard.press("ArrowUp")
    page.wait_for_function("scrollY < 90")
    assert page.url.endswith("/8/")
    page.evaluate("scrollTo({ top: 0, behavior: 'instant' })")
    press(page, "ArrowUp", r"\?page=1$")


@pytest.mark.slow
@pytest.mark.rule(73)
def test_pattern_is_drawn_with_the_keyboard_and_saved(
    running_hall: RunningHall, manager: Person
) -> None:
    page = go(manager, running_hall, "/cards/patterns/")
    page.fill("#pattern-name", "Escadinha")
    page.locator("[name=cell-0-0]").focus()
    for _step in range(4):
        page.keyboard.press("Space")
        page.keyboard.press("ArrowDown")
        page.keyboard.press("ArrowRight")
    page.keyboard.press("Space")
    expect(page.locator("[data-pattern=count]")).to_have_text("4")
    picture(manager, "cards-patterns")
    page.keyboard.press("F2")
    expect(page.locator(".notice--ok")).to_be_visible()
    expect(page.locator(".gallery").first).to_contain_text("Escadinha")


@pytest.mark.slow
def test_pages_fit_every_screen(running_hall: RunningHall, manager: Person) -> None:
    issue = Issue.objects.get(identification="7502")
    of = issue.series_id
    for path in (
        "/cards/", "/cards/receive/", f"/cards/receive/?series={of}", f"/cards/issues/{issue.pk}/",
        f"/cards/issues/{issue.pk}/print/", "/cards/prints/", "/cards/series/", "/cards/patterns/",
        "/cards/series/publish/", "/cards/series/take-in/", f"/cards/series/{of}/",
        f"/cards/series/{of}/3/", "/cards/authorisations/", "/cards/authorisations/record/",
    ):  # fmt: skip
        narrow(go(manager, running_hall, path))


@pytest.mark.slow
def test_office_works_without_a_script(browser: Browser, running_hall: RunningHall) -> None:
    page = browser.new_context(java_script_enabled=False, locale="pt-PT").new_page()
    page.goto(running_hall.url)
    page.fill("#id_username", "chefe")
    page.fill("#id_password", "janela-verde-2468")
    page.press("#id_password", "Enter")
    page.goto(f"{running_hall.url}/cards/")
    page.click("a[href='?sort=left']")
    page.select_option("#filter-state", "in_stock")
    page.click(".filter button")
    assert "state=in_stock" in page.url
    page.click("a[href='/cards/receive/']")
    page.fill("#identification", "9001")
    page.fill("#counted", "90")
    page.click("#receive-form button")
    issue = Issue.objects.get(identification="9001")
    assert page.url.endswith(f"/cards/issues/{issue.pk}/")
    page.click("#retire-form summary")
    page.fill("#first", "3")
    page.fill("#last", "4")
    page.fill("#retire-reason", "Rasgados")
    page.check("#retire-sure")
    page.click("#retire-form button")
    assert issue.retirements.count() == 1
    page.click(f"a[href='/cards/issues/{issue.pk}/print/']")
    page.fill("#last", "12")
    page.click("button[formaction]")
    assert "last=12" in page.url
    page.click("#print-form .button--primary")
    assert PrintJob.objects.get().last == 12
    page.goto(f"{running_hall.url}/cards/patterns/")
    page.fill("#pattern-name", "Quina")
    for row in range(5):
        page.check(f"[name=cell-{row}-0]")
    page.click("#editor .button--primary")
    assert running_hall.hall.patterns.get().drawing == "X..../X..../X..../X..../X...."
