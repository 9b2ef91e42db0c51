"""One game from opening the session to its sealed acta, role by role, while a board follows."""

import hashlib

import pytest
from django.core.management import call_command
from playwright.sync_api import Browser, expect

from bingo.rules import cards
from draws.models import Acta, Ball, Card, Game, Payment, Sale
from halls.models import CashMovement, JournalEntry, Session
from tests.e2e.conftest import RunningHall
from tests.support.people import Person, board, check_equipment, enter

pytestmark = pytest.mark.browser


def complete(name: str) -> list[int]:
    """Return the cards sold that hold a complete line or bingo now."""
    drawn = set(Ball.objects.values_list("number", flat=True))
    sold = {n for sale in Sale.objects.all() for n in range(sale.first, sale.last + 1)}
    issue = Game.objects.get().issue
    found = []
    for card in Card.objects.filter(series=issue.series_id, number__in=sold).order_by("number"):
        rows = tuple(tuple(row) for row in card.rows)
        sets = cards.lines(rows) if name == "line" else (cards.numbers(rows),)
        if any(numbers <= drawn for numbers in sets):
            found.append(card.number)
    return found


def draw_until(caller: Person, name: str) -> list[int]:
    """Draw with the space bar until a card is complete."""
    for _ball in range(90):
        caller.press("Space")
        if winners := complete(name):
            return winners
    raise AssertionError("all balls are out")


def check(chief: Person, card: int) -> None:
    """Type a card's number and check it."""
    chief.page.fill("#card", str(card))
    chief.press("F2")


@pytest.mark.rule(33)
@pytest.mark.rule(40)
@pytest.mark.rule(43)
@pytest.mark.rule(46)
@pytest.mark.rule(60)
def test_a_whole_game_is_played_in_the_browser(browser: Browser, running_hall: RunningHall) -> None:
    manager = enter(browser, running_hall, "chefe")
    wall = board(browser, running_hall)
    wall.picture("board-none")
    manager.picture("manager-closed")
    check_equipment(manager, running_hall)
    manager.press("F2")
    manager.sees("Sessão 1")

    cashier = enter(browser, running_hall, "caixa1")
    cashier.picture("till-closed")
    cashier.page.fill("#float", "5000")
    cashier.press("F2")

    chief = enter(browser, running_hall, "mesa")
    chief.picture("table-ready")
    chief.page.select_option("#issue", label=chief.page.locator("#issue option").first.inner_text())
    chief.press("F6")

    caller = enter(browser, running_hall, "locutor")
    caller.picture("caller-prepared")
    expect(caller.page.locator(".spoken")).to_contain_text("Vai iniciar-se a venda de cartões")
    caller.press("F2")

    cashier.sees("1")
    expect(cashier.page.locator("#quantity")).to_be_visible()
    cashier.sell(6, given="1500", key="F2")
    cashier.sees("300,00")  # the change of 1500 for 6 cards at 200
    expect(wall.page.locator('[data-put="cards"]').last).to_have_text("6")
    cashier.sell(12)
    cashier.sell(80)  # far more than before: asked about, and sold by a second key
    cashier.sees("80 cartões")
    cashier.page.wait_for_timeout(600)  # a key pressed twice is no answer
    with cashier.page.expect_response("**/till/sell/"):
        cashier.page.keyboard.press("F9")
    cashier.sell(1)
    cashier.picture("till-selling")
    caller.sees("99")
    caller.picture("caller-selling")
    manager.picture("manager-selling")
    wall.picture("board-selling")
    caller.press("F2")
    spoken = caller.page.locator(".spoken")
    expect(spoken).to_contain_text("Venderam-se 99 cartões da série")
    expect(spoken).to_contain_text("do n.º 1 ao n.º 99")
    caller.picture("caller-closed")
    wall.picture("board-closed")
    caller.press("F2")

    lines = draw_until(caller, "line")
    caller.picture("caller-drawing")
    wall.picture("board-drawing")
    last = Ball.objects.order_by("order").last()
    assert last is not None
    expect(wall.page.locator("#last-ball")).to_have_text(str(last.number))
    caller.press("l")
    caller.picture("caller-stopped")
    wrong = next(number for number in range(1, 100) if number not in lines)
    check(chief, wrong)
    expect(chief.page.locator(".badge--wrong")).to_be_visible()
    chief.picture("table-wrong")
    wall.picture("board-wrong")
    for card in lines:
        check(chief, card)
    chief.picture("table-right")
    chief.press("F6")
    expect(caller.page.locator(".spoken")).to_have_text("Mais alguma linha?")
    wall.picture("board-window")
    caller.picture("caller-window")
    chief.press("F7")
    chief.press("F8")

    bingos = draw_until(caller, "bingo")
    caller.press("b")
    for card in bingos:
        check(chief, card)
    chief.press("F6")
    wall.picture("board-bingo")
    expect(caller.page.locator(".spoken")).to_have_text("Mais algum bingo?")
    chief.press("F7")
    chief.press("F8")
    wall.picture("board-paying")

    expect(cashier.page.locator('#pay-form [data-key="F2"]')).to_be_visible()
    cashier.picture("till-paying")
    winners = set(lines) | set(bingos)
    for left, card in zip(range(len(winners), 0, -1), sorted(winners), strict=True):
        expect(cashier.page.locator("#prizes-frame tbody tr")).to_have_count(left)
        cashier.page.fill("#prize-card", str(card))
        cashier.press("F2")
    assert Payment.objects.count() == len(winners)
    expect(chief.page.locator("[data-key='F9']")).to_be_enabled()
    chief.picture("table-complete")
    chief.press("F9")
    assert Game.objects.get().phase == "complete"

    cash = sum(CashMovement.objects.values_list("amount", flat=True))
    cashier.page.keyboard.press("F8")
    cashier.page.fill("#counted", f"{cash // 100},{cash % 100:02}")
    cashier.picture("till-counting")
    cashier.page.keyboard.press("F2")
    expect(cashier.page.locator("#float")).to_be_visible()
    manager.page.wait_for_selector("[data-opens='close-session-dialog']")
    manager.picture("manager-ending")
    manager.page.keyboard.press("F9")
    manager.picture("manager-closing")
    manager.page.click("form[action$='/close-session/'] button:not([data-closes])")
    manager.sees("acta")
    manager.page.wait_for_selector("a[href$='/acta.pdf']", timeout=30_000)
    manager.picture("manager-sealed")

    inspector = enter(browser, running_hall, "inspetor")
    inspector.picture("inspector-sessions")
    inspector.page.click("tbody a")
    inspector.picture("inspector-session")
    inspector.page.click("tbody th a")
    inspector.picture("inspector-game")
    sealed = Acta.objects.get()
    response = inspector.page.request.get(f"{running_hall.url}/inspector/1/acta.pdf")
    assert hashlib.sha256(response.body()).hexdigest() == sealed.digest
    assert Session.objects.get().closed_at is not None
    call_command("audit")
    assert not JournalEntry.objects.filter(kind="command_refused").exists()
    assert running_hall.server.poll() is None
