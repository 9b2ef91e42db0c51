"""Cards run short while the hall buys: the warning comes first, a second issue follows, the sale goes on."""

import pytest
from playwright.sync_api import Browser, expect

from bingo.rules.session_state import Phase
from draws.demonstration.hall import issue as issue_of
from draws.games import services as games_services
from draws.models import Game, Sale
from draws.prizes import services as prizes_services
from draws.sales import services as sales_services
from halls.models import JournalEntry, Role
from halls.policy.services import set_policy
from tests.e2e.conftest import PASSWORD, RunningHall
from tests.support.evening import Evening
from tests.support.people import enter

pytestmark = pytest.mark.browser

BEGUN, SIZE = 400, 420  # the game begins with card 401 of the issue's 420
LOW = 15


def selling(running_hall: RunningHall) -> Evening:
    """A hall whose game sells the last cards of an issue; two persons open a second one."""
    evening = Evening(hall=running_hall.hall)
    manager, chief = evening.who(Role.HALL_MANAGER), evening.who(Role.TABLE_CHIEF)
    caller, cashier = evening.who(Role.CALLER), evening.who(Role.CASHIER)
    set_policy(
        hall=evening.hall, low_stock=LOW, four_eyes=["second_issue_opened"], **manager
    )  # fmt: skip
    evening.reach("shift")
    first = issue_of(evening.hall, "2001")
    games_services.open_game(session=evening.session, issue=first, **chief)
    games_services.announce_sale(game=evening.game, **caller)
    sales_services.sell(game=evening.game, shift=evening.shift, quantity=BEGUN, **cashier)
    games_services.void(game=evening.game, cause="other", reason="Falta de luz", **chief)
    prizes_services.refund(
        game=evening.game, issue=first, first=1, last=BEGUN, shift=evening.shift, **cashier
    )
    games_services.complete(game=evening.game, **chief)
    games_services.open_game(session=evening.session, issue=first, **chief)
    games_services.announce_sale(game=evening.game, **caller)
    return evening


@pytest.mark.rule(38)
@pytest.mark.slow
def test_second_issue_follows_before_the_sale_stops(
    browser: Browser, running_hall: RunningHall
) -> None:
    evening = selling(running_hall)
    chief = enter(browser, running_hall, "mesa")
    manager = enter(browser, running_hall, "chefe")
    cashier = enter(browser, running_hall, "caixa1")
    expect(chief.page.locator("#short-1")).to_have_count(0)

    buyer = evening.who(Role.CASHIER)
    sales_services.sell(game=evening.game, shift=evening.shift, quantity=6, **buyer)
    for one in (chief, manager):  # both follow by themselves
        expect(one.page.locator("#short-1")).to_contain_text("14")
        expect(one.page.locator("#short-1")).to_contain_text("H 2002")
    chief.picture("table-short")
    manager.picture("manager-short")

    chief.page.keyboard.press("F6")
    dialog = chief.page.locator("[id^=second-]:modal")
    expect(dialog).to_be_visible()
    expect(dialog).to_contain_text("401")
    chief.picture("table-second")
    chief.page.fill("[id^=second-witness-username-]", "chefe")
    chief.page.fill("[id^=second-witness-password-]", PASSWORD)
    with chief.page.expect_response("**/do/open-second/") as answered:
        chief.page.keyboard.press("F2")
    assert answered.value.status == 200
    expect(chief.page.locator("#short-1")).to_have_count(0)
    expect(manager.page.locator("#short-1")).to_have_count(0)
    assert JournalEntry.objects.get(kind="second_issue_opened").data["witness"] == "chefe"

    expect(cashier.page.locator('[data-live="left"]').first).to_have_text("414")  # 14 and 400
    sales_services.sell(
        game=evening.game, shift=evening.shift, quantity=20, **evening.who(Role.CASHIER)
    )
    expect(chief.page.locator('#frame-prices [data-live="cards"]').last).to_have_text("6")
    sold = Sale.objects.filter(game=evening.game).order_by("pk")
    assert [(str(sale.issue), sale.first, sale.last) for sale in sold] == [
        ("H 2001", 401, 406),
        ("H 2001", 407, SIZE),
        ("H 2002", 1, 6),
    ]
    caller = enter(browser, running_hall, "locutor")
    caller.press("F2")
    assert Game.objects.get(pk=evening.game.pk).phase == Phase.CLOSED


@pytest.mark.slow
def test_dialog_stays_open_while_others_sell(browser: Browser, running_hall: RunningHall) -> None:
    evening = selling(running_hall)
    cashier = evening.who(Role.CASHIER)
    sales_services.sell(game=evening.game, shift=evening.shift, quantity=8, **cashier)
    chief = enter(browser, running_hall, "mesa")
    chief.page.keyboard.press("F6")
    chief.page.fill("[id^=second-witness-username-]", "che")
    sales_services.sell(game=evening.game, shift=evening.shift, quantity=1, **cashier)
    expect(chief.page.locator("#short-1")).to_contain_text("11")
    expect(chief.page.locator("[id^=second-]:modal")).to_be_visible()
    expect(chief.page.locator("[id^=second-witness-username-]")).to_have_value("che")
