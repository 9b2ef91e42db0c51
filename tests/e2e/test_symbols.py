"""A game of symbols in the browser: keyed, called, shown and checked by their names (R80)."""

from __future__ import annotations

import pytest
from playwright.sync_api import Browser, expect

from draws.balls import draw
from draws.claims import services as claims_services
from draws.games import services as games_services
from draws.models import Ball, Card
from halls.models import Role
from tests.e2e.conftest import CODE, RunningHall
from tests.support.people import enter
from tests.support.pictures import sure
from tests.support.planting_rows import plant, plant_row
from tests.support.what_wins import DESK, PLAYED, WALLS, OneIssue, keep, playing

pytestmark = [pytest.mark.browser, pytest.mark.slow]


@pytest.mark.rule(80)
def test_game_of_symbols_is_keyed_called_shown_and_checked_as_symbols(
    browser: Browser, running_hall: RunningHall
) -> None:
    evening = playing(running_hall, PLAYED[-1], "closed")
    assert isinstance(evening, OneIssue)
    games_services.announce_draw(game=evening.game, **evening.who(Role.CALLER))
    board = browser.new_context(viewport=DESK).new_page()
    board.goto(f"{running_hall.url}/board/{CODE}/?as=everything")
    caller = enter(browser, running_hall, "locutor")
    page = caller.page
    page.set_viewport_size(DESK)
    page.goto(f"{running_hall.url}/caller/")

    # By the first letters, without its accent, in capitals.
    page.fill("#number", " MAC ")
    caller.press("F4")
    expect(page.locator("#live .draw__name")).to_have_text("Maçã")
    expect(board.locator("#last-name")).to_have_text("Maçã")
    # What may be two is not announced, and the page says which they may be.
    page.fill("#number", "ca")
    page.keyboard.press("F4")
    expect(page.locator("#live .notice--error")).to_contain_text(
        "Caracol, Caranguejo, Casa, Cadeira"
    )
    keep(page, "30-caller-ambiguous-pt")
    page.fill("#number", "dragão")
    page.keyboard.press("F4")
    expect(page.locator("#live .notice--error")).to_contain_text("dragão")
    assert Ball.objects.count() == 1
    # From the grid.
    page.locator("[data-fills='Girafa']").click()
    expect(page.locator("#number")).to_have_value("Girafa")
    caller.press("F4")
    expect(page.locator("#live .draw__name")).to_have_text("Girafa")
    assert list(Ball.objects.order_by("order").values_list("number", flat=True)) == [7, 19]
    # By its number, which no name is.
    page.fill("#number", "16")
    caller.press("F4")
    expect(page.locator("#told")).to_contain_text("Cobra")
    keep(page, "30-caller-drawing-pt")

    drawn = set(Ball.objects.values_list("number", flat=True))
    to_come = [one for one in evening.numbers() if one not in drawn]
    for language in ("pt", "es"):
        running_hall.hall.language = language
        plant_row(running_hall.hall, "language")
        # The last one is called in the hall's new language, which a ball makes every screen hear of.
        for number in to_come[:-1] if language == "pt" else to_come[-1:]:
            draw.announce_ball(game=evening.game, number=number, **evening.who(Role.CALLER))
        for shape, size in WALLS.items():
            board.set_viewport_size(size)
            board.reload()
            sure(board)
            expect(board.locator("#numbers li").nth(15)).to_contain_text(
                "Cobra" if language == "pt" else "Serpiente"
            )
            keep(board, f"30-drawing-{shape}-{language}")
    for role in ("last", "numbers"):
        board.set_viewport_size(DESK)
        board.goto(f"{running_hall.url}/board/{CODE}/?as={role}")
        sure(board)
        keep(board, f"30-{role}-es")
    draw.call_claim(game=evening.game, combination="bingo", **evening.who(Role.CALLER))
    other = Card.objects.get(series=evening.issue().series_id, number=2)
    claims_services.check(
        game=evening.game, combination="bingo", issue=evening.issue(), sound=True,
        card=other.number, **evening.who(Role.TABLE_CHIEF),
    )  # fmt: skip
    board.goto(f"{running_hall.url}/board/{CODE}/?as=everything")
    sure(board)
    assert board.locator(".board__card .symbol").count() == 9
    keep(board, "30-check-wrong-es")
    for username, path in (("mesa", "table"), ("inspetor", "watch"), ("vendedor1", "seller")):
        desk = enter(browser, running_hall, username).page
        desk.set_viewport_size(DESK)
        plant(running_hall.hall.people.filter(username=username), language="es")
        desk.goto(f"{running_hall.url}/{path}/")
        expect(desk.locator("#live .symbol").first).to_be_visible()
        keep(desk, f"30-{path}-checked-es")
    desk.goto(f"{running_hall.url}/")
    inspector = enter(browser, running_hall, "inspetor").page
    inspector.set_viewport_size(DESK)
    inspector.goto(f"{running_hall.url}/inspector/1/1/replay/")
    inspector.keyboard.press("End")
    expect(inspector.locator("#number .symbol-name")).to_be_visible()
    expect(inspector.locator("#moments")).to_contain_text("Manzana (7)")
    keep(inspector, "30-replay-es")


@pytest.mark.rule(80)
def test_letters_are_typed_and_stop_the_draw_with_alt(
    browser: Browser, running_hall: RunningHall
) -> None:
    evening = playing(running_hall, PLAYED[-1], "closed")
    games_services.announce_draw(game=evening.game, **evening.who(Role.CALLER))
    draw.announce_ball(game=evening.game, number=7, **evening.who(Role.CALLER))
    page = enter(browser, running_hall, "locutor").page
    page.set_viewport_size(DESK)
    page.goto(f"{running_hall.url}/caller/")
    expect(page.locator("[data-key=B] kbd")).to_have_text("Alt+B")
    page.focus("#number")
    page.keyboard.press("b")
    expect(page.locator("#number")).to_have_value("b")
    page.keyboard.press("Alt+b")
    expect(page.locator("[data-phase-told]")).to_have_text("Verificação")


@pytest.mark.rule(43)
def test_board_shows_a_called_card_of_90_as_it_is_in_a_game_of_symbols(
    browser: Browser, running_hall: RunningHall
) -> None:
    evening = playing(running_hall, PLAYED[-1], "closed")
    games_services.announce_draw(game=evening.game, **evening.who(Role.CALLER))
    draw.announce_ball(game=evening.game, number=7, **evening.who(Role.CALLER))
    draw.call_claim(game=evening.game, combination="bingo", **evening.who(Role.CALLER))
    other = running_hall.hall.issues.filter(series__format=90).earliest("pk")
    claims_services.check(
        game=evening.game, combination="bingo", issue=other, sound=True, card=5,
        **evening.who(Role.TABLE_CHIEF),
    )  # fmt: skip
    board = browser.new_context(viewport=DESK).new_page()
    board.goto(f"{running_hall.url}/board/{CODE}/?as=everything")
    sure(board)
    expect(board.locator(".board__card tr")).to_have_count(3)
    shown = board.locator(".board__card td:not(.is-blank)").all_inner_texts()
    rows = Card.objects.get(series=other.series_id, number=5).rows
    assert shown == [str(number) for row in rows for number in row if number]
    keep(board, "30-check-of-90-pt")
