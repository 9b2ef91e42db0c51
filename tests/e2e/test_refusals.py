"""What must not be done is answered in Portuguese, with what to do, and the books stay as they were."""

import re

import pytest
from django.db import transaction
from django.utils import translation
from playwright.sync_api import Browser, expect

from bingo.rules.refusal import Refusal
from draws.claims import queries as claims_queries
from draws.games import services as games_services
from draws.models import ClaimCheck, Payment, Prize
from halls import tills
from halls.models import Role
from tests.e2e.conftest import PASSWORD, RunningHall
from tests.support.evening import Evening, books
from tests.support.people import DESKTOP, Person, enter
from tests.support.refusals import refused

pytestmark = pytest.mark.browser


def deaf(browser: Browser, running: RunningHall, username: str) -> Person:
    """Log in at a page that hears nothing of what happens elsewhere."""
    context = browser.new_context(viewport=DESKTOP, locale="pt-PT")
    context.route_web_socket(re.compile("/live/"), lambda _socket: None)
    page = context.new_page()
    page.goto(running.url)
    page.fill("#id_username", username)
    page.fill("#id_password", PASSWORD)
    page.press("#id_password", "Enter")
    page.wait_for_selector("#live")
    return Person(page, username)


@pytest.mark.slow
@pytest.mark.rule(42)
@pytest.mark.rule(39)
def test_sale_for_too_little_cash_and_ball_that_cannot_be_are_refused(
    browser: Browser, running_hall: RunningHall
) -> None:
    evening = Evening(hall=running_hall.hall).reach("sold")
    cashier = enter(browser, running_hall, "caixa1")
    before = books(evening.hall)
    cashier.page.fill("#quantity", "2")
    cashier.page.fill("#given", "399,99")
    cashier.page.keyboard.press("F2")
    refused(cashier, Refusal("cash_too_little", due=1))
    assert books(evening.hall) == before

    evening.reach("drawing")
    caller = enter(browser, running_hall, "locutor")
    before = books(evening.hall)
    called = evening.numbers()[3]
    for typed, refusal in (
        (str(called), Refusal("ball_already_drawn", number=called)),
        ("0", Refusal("ball_out_of_range", number=0, highest=90)),
        ("91", Refusal("ball_out_of_range", number=91, highest=90)),
        ("sete", Refusal("bad_input", field="number", wanted="whole")),
    ):
        caller.page.fill("#number", typed)
        with caller.page.expect_response("**/do/ball/") as answered:
            caller.page.keyboard.press("F4")
        assert answered.value.status == 409
        refused(caller, refusal)
        assert books(evening.hall) == before


@pytest.mark.slow
def test_what_was_typed_and_chosen_stands_again_after_a_refusal(
    browser: Browser, running_hall: RunningHall
) -> None:
    Evening(hall=running_hall.hall).reach("sold")
    manager = enter(browser, running_hall, "chefe").page
    manager.click("#cash-form summary")
    manager.select_option("#direction", "out")
    manager.fill("#amount", "999999")
    manager.fill("#cash-reason", "Cofre")
    manager.click("#cash-form form button")
    expect(manager.locator(".notice[data-code=cash_short]")).to_be_visible()
    expect(manager.locator("#direction")).to_have_value("out")
    expect(manager.locator("#amount")).to_have_value("999999")

    chief = enter(browser, running_hall, "mesa").page
    chief.click("[data-opens=void-dialog]")
    chief.select_option("#cause", index=1)
    chosen = chief.input_value("#cause")
    chief.fill("#reason", " ")
    chief.click("#void-dialog .button--danger")
    expect(chief.locator(".notice--error[data-code]")).to_be_visible()
    expect(chief.locator("#void-dialog")).to_be_hidden()
    expect(chief.locator("#cause")).to_have_value(chosen)


@pytest.mark.slow
@pytest.mark.rule(57)
def test_void_begun_for_one_game_does_not_end_the_next(
    browser: Browser, running_hall: RunningHall
) -> None:
    evening = Evening(hall=running_hall.hall).reach("prepared")
    chief, who = enter(browser, running_hall, "mesa").page, evening.who(Role.TABLE_CHIEF)
    chief.click("[data-opens=void-dialog]")
    chief.select_option("#cause", index=1)
    chief.fill("#reason", "vazia")
    with transaction.atomic():  # the page sleeps until all of it is done
        games_services.void(game=evening.game, cause="nothing_sold", reason="vazia", **who)
        games_services.complete(game=evening.game, **who)
        games_services.open_game(session=evening.session, issue=evening.issue(), **who)
    expect(chief.locator("#live")).to_have_attribute("data-place", re.compile("/2/prepared/"))
    chief.click("#void-dialog .button--danger")
    expect(chief.locator(".notice[data-code=stale_page]")).to_be_visible()
    assert evening.game.phase == "prepared"
    chief.click("[data-opens=void-dialog]")
    expect(chief.locator("#reason")).to_have_value("vazia")
    chief.click("#void-dialog .button--danger")
    expect(chief.locator("#live")).to_have_attribute("data-place", re.compile("/2/voided/"))


@pytest.mark.slow
@pytest.mark.rule(43)
@pytest.mark.rule(50)
def test_card_not_sold_wins_nothing_and_a_prize_is_paid_once(
    browser: Browser, running_hall: RunningHall
) -> None:
    evening = Evening(hall=running_hall.hall).reach("stopped")
    chief = enter(browser, running_hall, "mesa")
    chief.page.fill("#card", "500")
    chief.press("F2")
    with translation.override("pt"):
        chief.sees(claims_queries.verdict({"reason": "not_sold"}))
    assert list(ClaimCheck.objects.values_list("card", "valid", "reason")) == [
        (500, False, "not_sold")
    ]
    assert not Prize.objects.exists()
    before = books(evening.hall)
    chief.page.fill("#card", "1681")
    chief.page.keyboard.press("F2")
    refused(chief, Refusal("no_such_card", card=1681))
    assert books(evening.hall) == before

    evening.reach("paying")
    second = evening.hall.people.filter(roles__contains=[Role.CASHIER]).order_by("username")[1]
    tills.open_shift(
        session=evening.session, till=evening.hall.tills.order_by("pk")[1], float=50_000_00,
        by=second, at=evening.who(Role.CASHIER)["at"],
    )  # fmt: skip
    slow = deaf(browser, running_hall, "caixa2")
    rows = slow.page.locator("#prizes-frame tbody tr")
    expect(rows).to_have_count(1)
    slow.page.fill("#prize-card", "1")
    cashier = enter(browser, running_hall, "caixa1")
    cashier.page.fill("#prize-card", "1")
    cashier.press("F2")
    assert Payment.objects.count() == 1
    before = books(evening.hall)
    slow.page.keyboard.press("F2")
    refused(slow, Refusal("already_paid", card=1))
    expect(rows).to_have_count(0)
    assert books(evening.hall) == before
