"""A complaint from the table to the player's hand: opened, printed at a till, read by other programs."""

from __future__ import annotations

import re
import subprocess
from contextlib import closing
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from draws.games import services as games_services
from draws.models import Complaint
from halls.models import Role
from halls.policy.services import set_policy
from tests.e2e.conftest import RunningHall
from tests.support.complaints import decided
from tests.support.escpos import printed
from tests.support.evening import Evening
from tests.support.people import Person, enter
from tests.support.receipts_receipts import Printer, until_received

pytestmark = [pytest.mark.browser, pytest.mark.rule(61)]

TEXT = "A linha não foi ouvida"


def slip(person: Person, file: Path) -> str:
    """Return what another program reads on the slip that the page leads to, sound by a third."""
    page = person.page
    address = page.locator("a[href$='/complaints/1/1.pdf']").first.get_attribute("href")
    answer = page.context.request.get(f"{page.url.split('/complaints')[0]}{address}")
    assert (answer.status, answer.headers["content-type"]) == (200, "application/pdf")
    file.write_bytes(answer.body())
    subprocess.run(["qpdf", "--check", str(file)], check=True, capture_output=True)
    command = ["pdftotext", "-layout", str(file), "-"]
    read = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    return re.sub(r"\s+", " ", read)


@pytest.mark.slow
def test_slip_of_a_complaint_opened_at_the_table_says_it_all(
    browser: Browser, running_hall: RunningHall, tmp_path: Path
) -> None:
    evening = Evening(hall=running_hall.hall).reach("window")
    till = evening.hall.tills.order_by("name")[0].name
    with closing(Printer()) as printer:
        set_policy(
            hall=evening.hall, printers={till: printer.address}, **evening.who(Role.HALL_MANAGER)
        )
        chief = enter(browser, running_hall, evening.person(Role.TABLE_CHIEF).username)
        page = chief.page
        page.goto(f"{running_hall.url}/table/")
        page.keyboard.press("F4")
        page.keyboard.type(TEXT)
        with page.expect_response("**/do/complain/"):
            page.keyboard.press("Enter")
        found = Complaint.objects.get()
        page.goto(f"{running_hall.url}/complaints/")
        chief.picture("complaints")
        with page.expect_response("**/do/print/"):
            page.locator(f"button[name=till][value='{till}']").click()
        [sent] = until_received(printer, 1)
    told = " ".join(line.text.strip() for line in printed(sent))
    read = slip(chief, tmp_path / "open.pdf")
    session = found.session.number
    for part in (f"{session}/{found.number}", TEXT, found.entry.by.name, "ainda não decidida"):  # type: ignore[union-attr]
        assert part in told, part
        assert part in read, part
    assert found.entry.digest[:8] in read.replace(" ", "").lower()

    decided(evening, evening.who(Role.HALL_MANAGER), decision="upheld", text="Revistas as imagens")
    page.reload()
    read = slip(chief, tmp_path / "decided.pdf")
    assert "Revistas as imagens" in read
    assert "ainda não decidida" not in read
    inspector = enter(browser, running_hall, "inspetor")
    inspector.page.goto(f"{running_hall.url}/inspector/{session}/")
    shown = inspector.page.locator(f"#complaint-{session}-{found.number}")
    expect(shown).to_contain_text(TEXT)
    expect(shown).to_contain_text("Revistas as imagens")
    inspector.picture("session-complaints")


@pytest.mark.slow
def test_complaint_is_about_what_stood_when_it_was_begun(
    browser: Browser, running_hall: RunningHall
) -> None:
    evening = Evening(hall=running_hall.hall).reach("drawing")
    balls = len(evening.numbers())
    free = sorted({*range(1, 91)} - {*evening.numbers()})
    chief = enter(browser, running_hall, evening.person(Role.TABLE_CHIEF).username)
    page = chief.page
    page.goto(f"{running_hall.url}/table/")
    page.keyboard.press("F4")
    ball = page.locator("#complaint-ball")
    expect(ball).to_have_value(f"{balls}")
    evening.announce_balls(free[0])
    expect(page.locator(".balls .is-called")).to_have_count(balls + 1)
    expect(ball).to_have_value(f"{balls}")
    page.keyboard.type(TEXT)
    with page.expect_response("**/do/complain/"):
        page.keyboard.press("Enter")
    assert Complaint.objects.get().ball == balls
    page.keyboard.press("F4")
    expect(ball).to_have_value(f"{balls + 1}")
    evening.announce_balls(free[1])
    expect(page.locator(".balls .is-called")).to_have_count(balls + 2)
    page.keyboard.press("Escape")
    evening.announce_balls(free[2])
    expect(page.locator(".balls .is-called")).to_have_count(balls + 3)
    page.keyboard.press("F4")
    expect(ball).to_have_value(f"{balls + 3}")


@pytest.mark.slow
def test_complaint_begun_in_one_game_is_about_it_though_the_next_is_opened(
    browser: Browser, running_hall: RunningHall
) -> None:
    evening = Evening(hall=running_hall.hall).reach("prepared")
    chief = enter(browser, running_hall, evening.person(Role.TABLE_CHIEF).username)
    page, who = chief.page, evening.who(Role.TABLE_CHIEF)
    page.goto(f"{running_hall.url}/table/")
    page.keyboard.press("F4")
    page.keyboard.type(TEXT)
    games_services.void(game=evening.game, cause="nothing_sold", reason="vazia", **who)
    games_services.complete(game=evening.game, **who)
    games_services.open_game(session=evening.session, issue=evening.issue(), **who)
    expect(page.locator("select#complaint-game")).to_have_value("1")
    with page.expect_response("**/do/complain/"):
        page.keyboard.press("Enter")
    assert (found := Complaint.objects.get().game) is not None
    assert found.number == 1
