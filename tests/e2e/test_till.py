"""A cashier's shift in the browser, from its float to the settlement, and answers that get lost."""

import json
import re
import subprocess

import pytest
from django.core.management import call_command
from django.utils import timezone
from playwright.sync_api import Browser, Route, expect

from bingo.rules import session_state
from bingo.rules.session_state import GameState
from draws.demonstration import hall as demonstration_hall
from draws.games import services as games_services
from draws.models import Refund, Sale
from draws.sales import services as sales_services
from halls import sessions, tills
from halls.models import CashMovement, Hall, Role, Session, Shift, SignIn
from tests.e2e.conftest import PASSWORD, RunningHall
from tests.support.evening import Evening, tonight
from tests.support.people import Person, enter, leave_a_sale_waiting

pytestmark = pytest.mark.browser

PIECES = (5000_00, 2000_00, 1000_00, 500_00, 200_00, 100_00, 50_00, 20_00, 10_00, 5_00, 1_00)


def known() -> GameState:
    """What the rules know of the game."""
    state = session_state.load(Session.objects.get(closed_at__isnull=True).state).game
    assert state is not None
    return state


def drawer() -> int:
    """What must be in the one drawer."""
    return sum(CashMovement.objects.values_list("amount", flat=True))


def handed(person: Person) -> str:
    """The cards that the last sale says to hand out."""
    return person.page.locator("#sold .sold__cards strong").first.inner_text()


def count(person: Person, amount: int) -> None:
    """Count a drawer note by note, keys only."""
    for worth in PIECES:
        pieces, amount = divmod(amount, worth)
        person.page.keyboard.type(str(pieces))
        person.page.keyboard.press("Enter")
    assert amount == 0


@pytest.mark.slow
def test_shift_from_its_float_to_its_settlement(
    browser: Browser, running_hall: RunningHall
) -> None:
    evening = Evening(hall=running_hall.hall).reach("session")
    cashier = enter(browser, running_hall, "caixa1")
    cashier.page.fill("#float", "5000")
    cashier.press("F2")
    evening.stage += 1
    evening.reach("selling")

    cashier.page.wait_for_selector("#quantity")
    cashier.page.keyboard.type("6")
    cashier.page.keyboard.press("Tab")
    cashier.page.keyboard.type("2000")
    expect(cashier.page.locator("[data-shows=change]")).to_have_text(re.compile("^800,00"))
    with cashier.page.expect_response("**/till/sell/"):
        cashier.page.keyboard.press("Enter")
    expect(cashier.page.locator("#sold")).to_contain_text("800,00")
    assert handed(cashier) == "1–6"

    cashier.page.keyboard.press("F6")
    cashier.page.fill("#hand-out-quantity", "12")
    cashier.press("F2")
    assert [(one.first, one.last) for one in known().runs[0].out] == [(7, 18)]
    cashier.page.locator("[data-block] input[name=unsold]").first.fill("15")
    expect(cashier.page.locator("[data-owes=amount]")).to_have_text(re.compile("^1.600,00"))
    with cashier.page.expect_response("**/till/do/settle/"):
        cashier.page.keyboard.press("Enter")
    cashier.sees("15–18")
    cashier.picture("till-floor")

    cashier.page.keyboard.press("Escape")
    cashier.sell(5)
    assert handed(cashier) == "15–18" or handed(cashier) == "15–19"
    cashier.page.wait_for_timeout(600)
    with cashier.page.expect_response("**/till/sell/"):
        cashier.page.keyboard.press("F3")
    expect(cashier.page.locator("#sold")).to_contain_text("20–24")
    assert known().cards == 24

    chief = evening.who(Role.TABLE_CHIEF)
    games_services.void(game=evening.game, cause="other", reason="Falha", **chief)
    cashier.page.wait_for_selector("#refund-form")
    cashier.page.fill("#refund-card", "3")
    cashier.press("F2")
    cashier.page.click("#refund-block summary")
    cashier.page.fill("#refund-first", "1")
    cashier.page.fill("#refund-last", "2")
    with cashier.page.expect_response("**/till/do/refund/"):
        cashier.page.click("#refund-block button")
    expect(cashier.page.locator("#refund-progress")).to_have_attribute("value", "3")
    cashier.picture("till-refund")
    while cashier.page.locator("button[name=part]").count():
        before = cashier.page.locator("#refund-progress").get_attribute("value") or ""
        # No card was read: the first press says what is given, the second gives it.
        button = cashier.page.locator("button[name=part]").first
        button.click()
        expect(button).to_contain_text("Cartões na mão")
        assert cashier.page.locator("#refund-progress").get_attribute("value") == before
        button.click()
        expect(cashier.page.locator("#refund-progress")).not_to_have_attribute("value", before)
    assert sum(Refund.objects.values_list("amount", flat=True)) == 24 * 200_00
    games_services.complete(game=evening.game, **evening.who(Role.TABLE_CHIEF))

    cashier.page.keyboard.press("F8")
    cashier.page.fill("#amount", "1000")
    cashier.page.fill("#cash-reason", "Cofre")
    cashier.page.fill("#move-cash-witness-username", "mesa")
    cashier.page.fill("#move-cash-witness-password", PASSWORD)
    cashier.press("F4")
    assert drawer() == 4000_00
    assert "4 000,00" not in cashier.page.content().replace("\xa0", " ")  # the count is blind
    cashier.page.locator("[data-worth]").first.focus()
    count(cashier, 3995_00)
    expect(cashier.page.locator("#counted")).to_have_value("3995")
    with cashier.page.expect_response("**/till/do/close/"):
        cashier.page.keyboard.press("F2")
    expect(cashier.page.locator("[data-code=difference_needs_comment]")).to_be_visible()
    expect(cashier.page.locator("#counted")).to_have_value("3995")
    cashier.page.fill("#comment", "Falta uma moeda de cinco")
    cashier.picture("till-counting")
    cashier.press("F2")
    cashier.sees("−5,00")
    cashier.picture("till-ended")
    address = cashier.page.locator("#ended a").get_attribute("href")
    paper = cashier.page.request.get(f"{running_hall.url}{address}").body()
    read = subprocess.run(
        ["pdftotext", "-layout", "-", "-"], input=paper, capture_output=True, check=True
    )
    assert "Falta uma moeda de cinco" in read.stdout.decode()
    assert Shift.objects.get().counted == 3995_00
    call_command("audit")


@pytest.mark.slow
def test_key_pressed_as_the_page_is_renewed_leaves_the_page_and_its_tab_open(
    browser: Browser, running_hall: RunningHall
) -> None:
    Evening(hall=running_hall.hall).reach("selling")
    cashier = enter(browser, running_hall, "caixa1")
    cashier.page.keyboard.press("F6")
    cashier.page.fill("#hand-out-quantity", "12")
    cashier.page.evaluate("""() => {
      window.isSamePage = true;
      const press = () => document.dispatchEvent(new KeyboardEvent("keydown", { key: "F2" }));
      document.addEventListener("htmx:afterSwap", () => setTimeout(press), { once: true });
      htmx.trigger("#live", "live");
    }""")
    expect(cashier.page.locator("[data-block]")).to_be_visible()
    assert cashier.page.evaluate("window.isSamePage")


@pytest.mark.slow
def test_sale_whose_answer_is_lost_is_sent_again_and_made_once(
    browser: Browser, running_hall: RunningHall
) -> None:
    Evening(hall=running_hall.hall).reach("selling")
    cashier = enter(browser, running_hall, "caixa1")
    cashier.page.wait_for_selector("#quantity")
    lost: list[str] = []

    def lose(route: Route) -> None:
        """Lose the answer of the first, the second on its way, and let the third through."""
        lost.append(route.request.post_data or "")
        if len(lost) == 1:
            route.fetch()
        if len(lost) <= 2:
            route.abort()
        else:
            route.continue_()

    cashier.page.route("**/till/sell/", lose)
    cashier.page.fill("#quantity", "4")
    cashier.page.keyboard.press("Enter")
    expect(cashier.page.locator("#sale-waiting")).to_be_visible()
    expect(cashier.page.locator("#quantity")).to_be_disabled()
    cashier.page.keyboard.press("F2")  # try now
    expect(cashier.page.locator("#sale-waiting button")).to_contain_text("Tentar agora")
    expect(cashier.page.locator("#sold .sold__cards strong")).to_have_text("1–4", timeout=10_000)
    expect(cashier.page.locator("#sale-waiting")).to_be_hidden()
    assert len(lost) == 3
    assert len(set(lost)) == 1
    assert list(Sale.objects.values_list("first", "last")) == [(1, 4)]
    cashier.sell(2)
    assert Sale.objects.count() == 2


@pytest.mark.slow
def test_sale_that_waits_survives_a_reload_of_the_page(
    browser: Browser, running_hall: RunningHall
) -> None:
    Evening(hall=running_hall.hall).reach("selling")
    cashier = enter(browser, running_hall, "caixa1")
    cashier.page.wait_for_selector("#quantity")

    def lose(route: Route) -> None:
        route.fetch()
        route.abort()

    cashier.page.route("**/till/sell/", lose)
    cashier.page.fill("#quantity", "4")
    cashier.page.keyboard.press("Enter")
    expect(cashier.page.locator("#sale-waiting")).to_be_visible()
    cashier.page.unroute("**/till/sell/")
    cashier.page.reload()
    expect(cashier.page.locator("#sold .sold__cards strong")).to_have_text("1–4")
    cashier.page.reload()
    cashier.page.wait_for_timeout(500)
    assert list(Sale.objects.values_list("first", "last")) == [(1, 4)]


@pytest.mark.slow
def test_sale_that_waits_is_answered_after_its_cashier_has_logged_in_again(
    browser: Browser, running_hall: RunningHall
) -> None:
    Evening(hall=running_hall.hall).reach("selling")
    page = enter(browser, running_hall, "caixa1").page
    leave_a_sale_waiting(page)
    SignIn.objects.update(ended_at=timezone.now())
    page.wait_for_url("**/login/?next=**", timeout=15_000)
    page.unroute("**/till/sell/")
    page.fill("#id_username", "caixa1")
    page.fill("#id_password", PASSWORD)
    page.keyboard.press("Enter")
    expect(page.locator("#sold .sold__cards strong")).to_have_text("1–4")
    assert list(Sale.objects.values_list("first", "last")) == [(1, 4)]


@pytest.mark.slow
def test_keypad_sells_without_a_keyboard(browser: Browser, running_hall: RunningHall) -> None:
    Evening(hall=running_hall.hall).reach("selling")
    cashier = enter(browser, running_hall, "caixa1")
    page = cashier.page
    page.set_viewport_size({"width": 1024, "height": 768})
    page.wait_for_selector("#quantity")
    for place in (
        ".sale__go",
        "[data-digit='0']",
        "[data-note='500000']",
        "[name=quick] >> nth=-1",
    ):
        box = page.locator(place).first.bounding_box()
        assert box is not None
        assert box["y"] + box["height"] <= 768, place
    page.click("[data-digit='1']")
    page.click("[data-digit='2']")
    page.click("[data-note='200000']")
    page.click("[data-note='50000']")
    expect(page.locator("[data-shows=due]")).to_have_text(re.compile("^2.400,00"))
    expect(page.locator("[data-shows=change]")).to_have_text(re.compile("^100,00"))
    # The script reads what the server reads, and a note throws nothing away that it cannot read.
    typed = ["20 €", "€20", "1\xa0200,00\xa0CVE", "CVE 1,200.50", "20", "1,000", "20 x", "€", ""]
    read = page.evaluate("typed => typed.map(Money.read)", typed)
    assert read == [None, None, 1_200_00, 1_200_50, 20_00, None, None, None, None]
    page.fill("[name=given]", "2 500,00 CVE")
    expect(page.locator("[data-shows=change]")).to_have_text(re.compile("^100,00"))
    for before, after in (("2 400 CVE", "2900"), ("2 400 x", "2 400 x"), ("2500", "3000")):
        page.fill("[name=given]", before)
        page.click("[data-note='50000']")
        expect(page.locator("[name=given]")).to_have_value(after)
    page.click("[name=quantity]")
    page.click("[data-digit='5']")
    page.click("[data-erase]")
    page.click(".sale__go")
    expect(page.locator("#sold .sold__cards strong")).to_have_text("1–12")


@pytest.mark.slow
@pytest.mark.rule(38)
def test_more_cards_than_there_are_leads_to_the_ones_left(
    browser: Browser, running_hall: RunningHall
) -> None:
    evening = Evening(hall=running_hall.hall).reach("selling")
    left = known().runs[0].left
    who = evening.who(Role.CASHIER)
    sales_services.sell(game=evening.game, shift=evening.shift, quantity=left - 3, **who)
    cashier = enter(browser, running_hall, "caixa1")
    cashier.sell(5)
    expect(cashier.page.locator("#sold [data-offer]")).to_contain_text("3")
    cashier.page.wait_for_timeout(600)
    cashier.page.keyboard.press("F4")
    expect(cashier.page.locator("#sold .sold__cards strong")).to_have_text(f"{left - 2}–{left}")
    expect(cashier.page.locator(".next-step--stop")).to_be_visible()
    assert known().runs[0].left == 0


@pytest.mark.slow
def test_numbers_are_painted_and_the_page_is_fetched_now_and_then(
    browser: Browser, running_hall: RunningHall
) -> None:
    evening = Evening(hall=running_hall.hall).reach("selling")
    cashier = enter(browser, running_hall, "caixa2")
    cashier.page.fill("#float", "0")
    cashier.press("F2")
    cashier.page.wait_for_selector("#quantity")
    cashier.page.wait_for_timeout(4500)  # let the page come to rest
    fetched: list[str] = []
    cashier.page.on("request", lambda asked: fetched.append(asked.url))
    shift = Shift.objects.select_related("till", "session__hall").get(cashier__username="caixa1")
    for sold in range(1, 21):
        sales_services.sell(
            game=evening.game, shift=shift, quantity=1, by=shift.cashier, at=timezone.now()
        )
        expect(cashier.page.locator("[data-live=next]").first).to_have_text(str(sold + 1))
        cashier.page.wait_for_timeout(150)
    refreshes = [url for url in fetched if url.endswith("/till/live/")]
    assert 1 <= len(refreshes) <= 4, json.dumps(fetched)
    expect(cashier.page.locator("#connection")).to_have_attribute("data-state", "live")
    games_services.close_sale(game=evening.game, **evening.who(Role.CALLER))
    expect(cashier.page.locator("#sell-form")).to_have_count(0, timeout=2000)


@pytest.mark.slow
def test_tiles_choose_the_price_and_keep_it(browser: Browser, running_hall: RunningHall) -> None:
    hall: Hall = running_hall.hall
    staff = {
        role: hall.people.filter(roles__contains=[role]).order_by("username")[0] for role in Role
    }
    at = timezone.now()
    session = sessions.open_session(
        hall=hall, checked=True, ends_at=tonight(at), by=staff[Role.HALL_MANAGER], at=at
    )
    till = hall.tills.earliest("pk")
    tills.open_shift(session=session, till=till, float=0, by=staff[Role.CASHIER], at=at)
    chief = staff[Role.TABLE_CHIEF]
    first, dear = (demonstration_hall.issue(hall, number) for number in ("2001", "5001"))
    game = games_services.open_game(session=session, issue=first, by=chief, at=at)
    games_services.add_issue(game=game, issue=dear, by=chief, at=at)
    games_services.announce_sale(game=game, by=staff[Role.CALLER], at=at)
    cashier = enter(browser, running_hall, staff[Role.CASHIER].username)
    cashier.page.wait_for_selector(".tile")
    cashier.page.keyboard.press("-")
    expect(cashier.page.locator("#quantity")).to_be_focused()
    cashier.sell(2)
    expect(cashier.page.locator("#sold")).to_contain_text("1 000,00")
    cashier.page.reload()
    cashier.page.wait_for_selector(".tile")
    cashier.sell(1)
    expect(cashier.page.locator("#sold")).to_contain_text("500,00")
    assert set(Sale.objects.values_list("issue", flat=True)) == {dear.pk}
