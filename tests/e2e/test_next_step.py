"""When the hall moves on by itself, a page lets its person go on: typing at once, and no key too far."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Browser, Route, expect

from bingo.rules import session_state
from bingo.rules.sale_order import Run
from draws.balls import draw
from draws.claims import services as claims_services
from draws.games import services as games_services
from draws.models import Game, Sale
from halls import tills
from halls.models import CashMovement, Role
from tests.e2e.conftest import RunningHall
from tests.support.evening import Evening
from tests.support.people import board, enter

pytestmark = [pytest.mark.browser, pytest.mark.slow]


def on_sale(evening: Evening) -> tuple[Run, ...]:
    """Return the issues on sale."""
    game = session_state.load(evening.session.state).game
    assert game is not None
    return game.runs


def lose(route: Route) -> None:
    """Let an order be carried out, and lose its answer."""
    route.fetch()
    route.abort()


@pytest.mark.rule(30)
def test_card_that_was_called_is_typed_without_a_press(
    browser: Browser, running_hall: RunningHall
) -> None:
    evening = Evening(hall=running_hall.hall).reach("drawing")
    chief = enter(browser, running_hall, "mesa")
    expect(chief.page.locator("#uncalled")).to_be_visible()
    for typed in ("18", "19"):  # a browser gives the first such field of a page the focus by itself
        expect(chief.page.locator("#card")).to_have_count(0)
        draw.call_claim(game=evening.game, combination="line", **evening.who(Role.CALLER))
        expect(chief.page.locator("#card")).to_be_focused()
        chief.page.keyboard.type(typed)
        expect(chief.page.locator("#card")).to_have_value(typed)
        claims_services.resume(
            game=evening.game, withdrawn="Engano", **evening.who(Role.TABLE_CHIEF)
        )


@pytest.mark.rule(30)
def test_nobody_is_taken_from_where_they_are(browser: Browser, running_hall: RunningHall) -> None:
    evening = Evening(hall=running_hall.hall).reach("drawing")
    chief = enter(browser, running_hall, "mesa")
    expect(chief.page.locator("#uncalled")).to_be_visible()
    menu = chief.page.locator("header summary").first
    menu.focus()
    draw.call_claim(game=evening.game, combination="line", **evening.who(Role.CALLER))
    expect(chief.page.locator("#card")).to_be_visible()
    expect(menu).to_be_focused()


@pytest.mark.rule(50)
def test_card_that_won_is_typed_without_a_press(
    browser: Browser, running_hall: RunningHall
) -> None:
    evening = Evening(hall=running_hall.hall).reach("selling")
    cashier = enter(browser, running_hall, "caixa1")
    expect(cashier.page.locator("#quantity")).to_be_focused()
    evening.reach("awarded")
    expect(cashier.page.locator("#quantity")).to_have_count(0)
    games_services.finish(game=evening.game, **evening.who(Role.TABLE_CHIEF))
    expect(cashier.page.locator("#prize-card")).to_be_focused()
    cashier.page.keyboard.type("6")
    expect(cashier.page.locator("#prize-card")).to_have_value("6")


@pytest.mark.rule(41)
def test_key_that_is_pressed_again_does_not_do_what_comes_next(
    browser: Browser, running_hall: RunningHall
) -> None:
    """The answer to "close the sale" is lost; when the page is back, its key would begin the draw."""
    Evening(hall=running_hall.hall).reach("sold")
    caller = enter(browser, running_hall, "locutor")

    caller.page.route("**/caller/do/close-sale/", lose)
    expect(caller.page.locator('#live [data-key="F2"]')).to_be_enabled()
    caller.page.keyboard.press("F2")
    expect(caller.page.locator('form[action$="/announce-draw/"]')).to_be_visible(timeout=10_000)
    expect(caller.page.locator("#moved-on")).to_be_visible()
    caller.page.wait_for_timeout(300)
    caller.page.keyboard.press("F2")
    caller.page.wait_for_timeout(700)
    assert Game.objects.get().phase == "closed"
    expect(caller.page.locator("#moved-on")).to_be_visible()
    caller.press("F2")  # read, and meant
    assert Game.objects.get().phase == "drawing"
    expect(caller.page.locator("#moved-on")).to_be_hidden()


@pytest.mark.rule(43)
def test_a_draw_is_stopped_at_once_though_an_answer_was_lost(
    browser: Browser, running_hall: RunningHall
) -> None:
    Evening(hall=running_hall.hall).reach("closed")
    caller = enter(browser, running_hall, "locutor")

    caller.page.route("**/caller/do/announce-draw/", lose)
    expect(caller.page.locator('#live [data-key="F2"]')).to_be_enabled()
    caller.page.keyboard.press("F2")
    expect(caller.page.locator("#moved-on")).to_be_visible(timeout=10_000)
    caller.press("l")
    assert Game.objects.get().phase == "stopped"


@pytest.mark.rule(41)
def test_sale_is_taken_back_after_another_was_refused_and_its_seconds_are_told(
    browser: Browser, running_hall: RunningHall
) -> None:
    evening = Evening(hall=running_hall.hall).reach("selling")
    cashier = enter(browser, running_hall, "caixa1")
    cashier.page.clock.install()
    cashier.page.reload()
    cashier.sell(3)
    left = cashier.page.locator("[data-seconds-left]")
    expect(left).to_have_text(re.compile("^(60|59) s$"))
    cashier.page.clock.run_for(4_000)
    expect(left).to_have_text(re.compile("^5[5-6] s$"))
    cashier.sell(999)  # far from what is usual: asked once more, and meant by nobody
    expect(cashier.page.locator("#sold")).to_contain_text("Venda não efectuada")
    expect(left).to_be_visible()
    cashier.page.keyboard.press("F10")
    expect(cashier.page.locator("#take-back-dialog")).to_be_visible()
    with cashier.page.expect_response("**/do/take-back/"):
        cashier.page.keyboard.press("F10")
    expect(cashier.page.locator("#live > .notice")).to_be_visible()
    expect(cashier.page.locator("#quantity")).to_have_value("")  # nor what was refused
    expect(cashier.page.locator("#quantity")).to_be_focused()
    assert not Sale.objects.filter(game=evening.game).exists()

    cashier.page.clock.run_for(1_000)  # a second press that soon is not meant
    cashier.sell(2)
    expect(left).to_be_visible()
    cashier.page.clock.run_for(61_000)
    expect(cashier.page.locator("[data-take-back]")).to_have_count(0)
    assert Sale.objects.filter(game=evening.game).count() == 1


def test_manager_brings_cash_by_keys_alone(browser: Browser, running_hall: RunningHall) -> None:
    Evening(hall=running_hall.hall).reach("selling")
    manager = enter(browser, running_hall, "chefe")
    keyboard = manager.page.keyboard
    expect(manager.page.locator('#live [data-key="F8"]')).to_be_visible()
    keyboard.press("F8")
    expect(manager.page.locator("#cash-shift")).to_be_focused()
    for field, typed in (("direction", ""), ("amount", "5000"), ("cash-reason", "Trocos")):
        keyboard.press("Tab")
        expect(manager.page.locator(f"#{field}")).to_be_focused()
        keyboard.type(typed)
    with manager.page.expect_response("**/do/move-cash/"):
        keyboard.press("Enter")
    moved = CashMovement.objects.latest("pk")
    assert (moved.amount, moved.entry.kind) == (5000_00, "cash_moved")


def test_what_a_field_lacks_is_told_in_the_language_of_the_page(
    browser: Browser, running_hall: RunningHall
) -> None:
    """The browser of these tests speaks English, the page Portuguese."""
    Evening(hall=running_hall.hall).reach("selling")
    manager = enter(browser, running_hall, "chefe")
    expect(manager.page.locator('#live [data-key="F8"]')).to_be_visible()
    manager.page.keyboard.press("F8")
    amount = manager.page.locator("#amount")
    expect(amount).to_be_visible()
    told = "field => { field.checkValidity(); return field.validationMessage; }"
    assert amount.evaluate(told) == "Preencha este campo."
    amount.fill("5000")
    assert amount.evaluate(told) == ""
    english = {"name": "django_language", "value": "en", "url": running_hall.url}
    manager.page.context.add_cookies([english])  # type: ignore[list-item]
    manager.page.goto(f"{running_hall.url}/policy/retention/")
    day = manager.page.locator("#valid_from")
    year, month, of = str(day.get_attribute("min")).split("-")
    day.fill("2020-01-01")
    assert f"{of}/{month}/{year}" in day.evaluate(told)  # as in Britain, which the server follows


@pytest.mark.rule(15)
def test_second_press_of_prepare_puts_no_second_issue_on_sale(
    browser: Browser, running_hall: RunningHall
) -> None:
    evening = Evening(hall=running_hall.hall).reach("prepared")
    chief = enter(browser, running_hall, "mesa")
    expect(chief.page.locator('form[action$="/add-issue/"]')).to_be_visible()
    chief.page.keyboard.press("F6")  # it prepared this game a moment before
    chief.page.wait_for_timeout(700)
    assert len(on_sale(evening)) == 1
    chief.press("F3")
    assert len(on_sale(evening)) == 2


@pytest.fixture
def unhurried(monkeypatch: pytest.MonkeyPatch) -> None:
    """A hall that has as long to answer "any more?" as halls have, and a second."""
    monkeypatch.setenv("CLAIM_WINDOW_SECONDS", "4")


@pytest.mark.usefixtures("unhurried")
@pytest.mark.rule(46)
def test_window_is_not_closed_before_the_hall_had_time_and_says_how_long_it_waits(
    browser: Browser, running_hall: RunningHall
) -> None:
    Evening(hall=running_hall.hall).reach("checked")
    chief = enter(browser, running_hall, "mesa")
    chief.press("F6")
    close = chief.page.locator('#live [data-key="F7"]')
    expect(close.locator("kbd")).to_have_text(re.compile(r"^[2-4] s$"))
    chief.page.keyboard.press("F7")
    close.click(force=True)
    chief.page.wait_for_timeout(500)
    assert Game.objects.get().phase == "window"
    expect(chief.page.locator("#live > .notice--error")).to_have_count(0)
    expect(close.locator("kbd")).to_have_text("F7")
    chief.press("F7")
    assert Game.objects.get().phase == "stopped"


@pytest.mark.rule(44)
def test_key_that_moves_cash_is_pressed_twice_and_seen(
    browser: Browser, running_hall: RunningHall
) -> None:
    evening = Evening(hall=running_hall.hall).reach("paying")
    who = evening.who(Role.HALL_MANAGER)
    held = sum(CashMovement.objects.values_list("amount", flat=True))
    tills.move_cash(shift=evening.shift, amount=-held, reason="cofre", **who)
    manager = enter(browser, running_hall, "chefe")
    manager.page.set_viewport_size({"width": 1366, "height": 768})
    bring = manager.page.locator('#cash-lacking [data-key="F7"]')
    expect(bring).to_be_visible()
    manager.page.evaluate("window.scrollTo(0, document.body.scrollHeight)")
    manager.page.keyboard.press("F7")
    expect(bring).to_have_text("Outra vez: o dinheiro está nas mãos do operador de caixa")
    expect(bring).to_be_in_viewport()
    assert sum(CashMovement.objects.values_list("amount", flat=True)) == 0
    with manager.page.expect_response("**/do/bring-cash/"):
        manager.page.keyboard.press("F7")
    told = manager.page.locator("#live > .notice").first
    expect(told).to_contain_text("levados a Caixa 1")
    expect(told).to_be_in_viewport(ratio=1)
    assert sum(CashMovement.objects.values_list("amount", flat=True)) > 0


@pytest.mark.rule(43)
def test_wall_says_large_what_was_called(browser: Browser, running_hall: RunningHall) -> None:
    evening = Evening(hall=running_hall.hall).reach("drawing")
    wall = board(browser, running_hall)
    called = wall.page.locator("#focus .is-question")
    expect(called).to_have_count(0)
    draw.call_claim(game=evening.game, combination="line", **evening.who(Role.CALLER))
    expect(called).to_have_text("Verificação: Linha")
    wall.picture("board-called")
    claims_services.resume(game=evening.game, withdrawn="Engano", **evening.who(Role.TABLE_CHIEF))
    expect(called).to_have_count(0)


@pytest.mark.rule(43)
def test_key_pressed_while_an_order_is_on_its_way_is_said_to_have_done_nothing(
    browser: Browser, running_hall: RunningHall
) -> None:
    Evening(hall=running_hall.hall).reach("drawing")
    caller = enter(browser, running_hall, "locutor")
    held: list[Route] = []

    def hold(route: Route) -> None:
        held.append(route)

    caller.page.route("**/caller/do/call/", hold)
    expect(caller.page.locator("[data-call=line] button")).to_be_enabled()
    caller.page.keyboard.press("l")
    caller.page.keyboard.press("b")
    expect(caller.page.locator("#on-its-way")).to_be_visible()
    held[0].continue_()
    expect(caller.page.locator("#on-its-way")).to_be_hidden()
    assert Game.objects.get().phase == "stopped"
