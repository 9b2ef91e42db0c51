"""What a screen reader is told, and when: each thing once, nothing of what only looks otherwise.

Heard with Orca first (docs/operations.md); here the live regions that it listens to are watched.
"""

from __future__ import annotations

import pytest
from playwright.sync_api import Browser, Page, expect

from draws.balls import draw
from draws.games import services as games_services
from draws.models import Issue
from halls import sessions
from halls.models import Role
from tests.e2e.conftest import RunningHall
from tests.support.evening import Evening
from tests.support.people import Person, board, enter
from tests.support.planting_rows import plant

pytestmark = [pytest.mark.browser, pytest.mark.slow]

# Every change of what is told by itself: a region that was there, or an alert that comes.
LISTEN = """
window.told = [];
const LIVE = ["[role=status]", "[role=alert]", "[aria-live=polite]", "[aria-live=assertive]"]
  .map(one => one + ":not([aria-live=off])").join(", ");
const tell = region => {
  const text = region.innerText.replace(/\\s+/g, " ").trim();
  if (text && window.told.at(-1) !== text && region.checkVisibility()) window.told.push(text);
};
new MutationObserver(changes => {
  const found = new Set();
  for (const change of changes) {
    const at = change.target instanceof Element ? change.target : change.target.parentElement;
    const region = at?.closest(LIVE);
    if (region) found.add(region);
    for (const node of change.addedNodes)
      if (node instanceof Element)
        for (const alert of [node, ...node.querySelectorAll("*")])
          if (alert.matches("[role=alert]:not([aria-live=off])")) found.add(alert);
  }
  found.forEach(tell);
}).observe(document, {subtree: true, childList: true, characterData: true});
"""
SOON = 400  # ms in which something told twice would be


def at_the_desk(browser: Browser, running: RunningHall, name: str, path: str) -> Person:
    """Somebody at a page whose voice is written down from the moment it is live."""
    person = enter(browser, running, name)
    person.page.add_init_script(LISTEN)
    person.page.goto(f"{running.url}/{path}/")
    expect(person.page.locator("#connection")).to_have_attribute("data-state", "live")
    person.page.wait_for_timeout(SOON)
    person.page.evaluate("told = []")
    return person


def heard(page: Page) -> list[str]:
    """What was told since it was asked last."""
    page.wait_for_timeout(SOON)
    found: list[str] = page.evaluate("told.splice(0)")
    return found


def test_cashier_hears_a_sale_as_one_sentence_and_a_refusal(
    browser: Browser, running_hall: RunningHall
) -> None:
    evening = Evening(hall=running_hall.hall).reach("selling")
    cashier = at_the_desk(browser, running_hall, "caixa1", "till")
    cashier.sell(3)
    expect(cashier.page.locator("#sold")).to_contain_text("600,00")
    assert heard(cashier.page) == ["Entregar: K 1001, 1–3; A pagar 600,00 CVE"]
    cashier.sell(99_999)
    expect(cashier.page.locator("[data-code]")).to_be_visible()
    assert heard(cashier.page) == [
        "Venda não efectuada: Cartões que restam: 1 677. Venda no máximo 1 677."
    ]
    games_services.close_sale(game=evening.game, **evening.who(Role.CALLER))
    expect(cashier.page.locator("#phase-told")).to_have_text("Venda encerrada")
    assert heard(cashier.page) == ["Venda encerrada"]


def test_caller_hears_each_ball_once_and_what_the_game_has_come_to(
    browser: Browser, running_hall: RunningHall
) -> None:
    evening = Evening(hall=running_hall.hall).reach("closed")
    caller = at_the_desk(browser, running_hall, "locutor", "caller")
    wall = board(browser, running_hall)
    wall.page.add_init_script(LISTEN)
    wall.page.reload()
    expect(wall.page.locator("body")).to_have_attribute("data-sure", "yes")
    heard(wall.page)
    games_services.announce_draw(game=evening.game, **evening.who(Role.CALLER))
    expect(caller.page.locator("[data-phase-told]")).to_have_text("Extracção")
    assert "Extracção" in heard(caller.page)
    for number in (67, 5):
        draw.announce_ball(game=evening.game, number=number, **evening.who(Role.CALLER))
        expect(caller.page.locator("#told")).to_have_text(str(number))
        assert heard(caller.page) == [str(number)]
        expect(wall.page.locator(".board__ball")).to_have_text(str(number))
        assert heard(wall.page)[-1:] == [str(number)]


def test_refusal_is_told_again_when_it_is_asked_for_and_not_when_the_page_is_renewed(
    browser: Browser, running_hall: RunningHall
) -> None:
    evening = Evening(hall=running_hall.hall).reach("stopped")
    chief = at_the_desk(browser, running_hall, "mesa", "table")
    page = chief.page
    for _time in range(2):
        page.fill("[name=card]", "99999")
        with page.expect_response("**/do/check/"):
            page.keyboard.press("Enter")
        expect(page.locator("#live > .notice")).to_be_visible()
        assert [one for one in heard(page) if "cartão" in one.lower()] != []
    number = page.locator("#live").get_attribute("data-number") or ""
    sessions.record_note(
        session=evening.session,
        category="breakdown",
        text="Luz",
        decision="",
        **evening.who(Role.HALL_MANAGER),
    )
    expect(page.locator("#live")).not_to_have_attribute("data-number", number)
    expect(page.locator("#live > .notice")).to_be_visible()
    assert heard(page) == []


def test_shortage_is_not_told_again_because_its_rule_became_a_link(
    browser: Browser, running_hall: RunningHall
) -> None:
    evening = Evening(hall=running_hall.hall).reach("session")
    issue = evening.issue()
    plant(Issue.objects.filter(pk=issue.pk), last_sold=issue.series.size - 10)
    evening.reach("selling")
    page = at_the_desk(browser, running_hall, "mesa", "table").page
    expect(page.locator("#short-1 a.why").first).to_be_visible()
    with page.expect_response("**/table/live/"):
        page.evaluate("() => htmx.trigger(document.getElementById('live'), 'live')")
    expect(page.locator("#short-1")).to_have_attribute("aria-live", "off")


def test_player_hears_how_a_card_was_judged_and_not_each_of_its_numbers(
    browser: Browser, running_hall: RunningHall
) -> None:
    evening = Evening(hall=running_hall.hall).reach("stopped")
    wall = board(browser, running_hall)
    wall.page.add_init_script(LISTEN)
    wall.page.reload()
    expect(wall.page.locator("body")).to_have_attribute("data-sure", "yes")
    heard(wall.page)
    evening.reach("checked")
    expect(wall.page.locator(".board__card")).to_be_visible()
    told = heard(wall.page)
    assert "Bingo. Certo. Cartão 1 · Série K 1001. Premiados, até ao pagamento. Cartão 1" in told
    assert len(told) <= 2  # that, and what the game has come to


def test_numbers_called_are_told_from_the_others_to_who_does_not_see_them(
    browser: Browser, running_hall: RunningHall
) -> None:
    evening = Evening(hall=running_hall.hall).reach("closed")
    games_services.announce_draw(game=evening.game, **evening.who(Role.CALLER))
    wall = board(browser, running_hall).page
    caller = at_the_desk(browser, running_hall, "locutor", "caller").page
    listed = wall.get_by_role("list", name="Números anunciados").get_by_role("listitem")
    grid = caller.get_by_role("region", name="Todos os números").get_by_role("listitem")
    expect(listed).to_have_count(0)
    expect(grid.filter(has_text="anunciado")).to_have_count(0)
    for number in (67, 5):
        draw.announce_ball(game=evening.game, number=number, **evening.who(Role.CALLER))
    expect(listed).to_have_text(["5", "67"])
    expect(grid.filter(has_text="anunciado")).to_have_text(["5 anunciado", "67 anunciado"])
    draw.recall_ball(game=evening.game, number=5, **evening.who(Role.CALLER))
    expect(listed).to_have_text(["67"])


def test_letters_press_nothing_where_they_take_alt(
    browser: Browser, running_hall: RunningHall
) -> None:
    """WCAG 2.1.4: b is the next button to a screen reader, and must not stop the game."""
    evening = Evening(hall=running_hall.hall).reach("closed")
    games_services.announce_draw(game=evening.game, **evening.who(Role.CALLER))
    draw.announce_ball(game=evening.game, number=67, **evening.who(Role.CALLER))
    caller = at_the_desk(browser, running_hall, "locutor", "caller")
    page = caller.page
    page.click("details.menu summary[aria-label*=teclas]")
    page.click("button[name=letters][value=alt]")
    expect(page.locator("[data-key=B] kbd")).to_have_text("Alt+B")
    expect(page.locator("[data-key=B]")).to_have_attribute("aria-keyshortcuts", "Alt+B")
    page.keyboard.press("b")
    page.keyboard.press("Shift+B")
    page.wait_for_timeout(SOON)
    evening.game.refresh_from_db()
    assert evening.game.phase == "drawing"
    page.keyboard.press("Alt+b")
    expect(page.locator("[data-phase-told]")).to_have_text("Verificação")
