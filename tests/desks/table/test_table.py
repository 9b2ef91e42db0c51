"""The table chief's page: games opened and ended, second issues, prices, what a void waits for."""

from __future__ import annotations

import re
from pathlib import Path
from uuid import uuid4

import pytest
from django.conf import LazySettings, settings

from bingo.rules.session_state import Phase
from draws.balls import readings
from draws.boards.queries import board
from draws.cards import stock
from draws.desks.table import games
from draws.games import services as games_services
from draws.models import Game, Issue
from draws.record.audit import audit
from draws.sales import floor
from halls.models import Hall, JournalEntry, Person, Role
from halls.policy.services import set_policy
from tests.support import rng_games
from tests.support.additional_prizes import FIGURE, PLAYED, draw_until, drawing, granted
from tests.support.demonstration_evening import Hands
from tests.support.evening import FACE, Evening, authorise, books, order
from tests.support.formats import win
from tests.support.planting_rows import plant
from tests.support.service_commands.cards import CROSS
from tests.support.service_commands.games import (
    OTHER_FACE,
    add_issue,
    double_cards,
    first_half,
    several_prices,
    void,
)
from tests.support.service_commands.prizes import refund
from tests.support.service_commands.sales import hand_out, sell, seller, settle
from tests.support.table import page

pytestmark = pytest.mark.django_db

CASHIER, CALLER = Role.CASHIER, Role.CALLER
CHIEF, MANAGER = Role.TABLE_CHIEF, Role.HALL_MANAGER
PASSWORD = "duas-pessoas-2468"


def issues_in(shown: str, field: str) -> list[int]:
    """Return what a list of issues offers."""
    select = re.search(rf'<select id="{field}".*?</select>', shown)
    return [int(pk) for pk in re.findall(r'value="(\d+)"', select[0])] if select else []


def dialogs(shown: str) -> dict[str, int]:
    """Return the dialogs that put a second issue on sale, each with the issue's key."""
    found = re.findall(
        r'<dialog class="dialog" id="(second-[^"]+)".*?name="issue" value="(\d+)"', shown
    )
    return {name: int(issue) for name, issue in found}


def witness(evening: Evening) -> dict[str, str]:
    """Return the fields of a second person: the hall manager with a password of their own."""
    person = evening.person(MANAGER)
    person.set_password(PASSWORD)
    person.save(update_fields=["password"])
    return {"witness_username": person.username, "witness_password": PASSWORD}


def second_game(evening: Evening) -> None:
    """Sell the first issue from card 7 on, two cards short of its end."""
    chief = evening.who(CHIEF)
    evening.reach("sold")
    void(evening, chief)
    refund(evening, evening.who(CASHIER))
    games_services.complete(game=evening.game, **chief)
    games_services.open_game(session=evening.session, issue=evening.issue(), **chief)
    games_services.announce_sale(game=evening.game, **evening.who(CALLER))
    sell(evening, evening.who(CASHIER), quantity=82)


@pytest.mark.rule(3)
@pytest.mark.rule(17)
@pytest.mark.parametrize("changed", [{"faces": [FACE + 100]}, {"formats": [30]}])
def test_issues_that_the_session_may_not_be_played_with_are_not_offered(
    changed: dict[str, list[int]],
) -> None:
    evening = Evening(language="en")
    authorise(evening.hall, reference="2/2026", **changed)
    evening.reach("shift")
    for desk in ("table", "manager"):
        shown = page(evening, desk)
        assert issues_in(shown, "issue") == []
        assert "No issue in stock is of a format" in shown


@pytest.mark.rule(76)
def test_issue_with_a_figure_is_offered_for_a_figure_alone() -> None:
    evening = granted(PLAYED, FIGURE).reach("shift")
    drawn = evening.issue().pk
    plant(Issue.objects.filter(pk=drawn), figure="/".join(CROSS))
    shown = page(evening)
    assert drawn not in issues_in(shown, "issue")
    assert drawn in issues_in(shown, "figure-issue")
    plant(Issue.objects.all(), figure="/".join(CROSS))
    assert "open" in re.findall(r'<details class="figures"[^>]*>', page(evening))[0]


@pytest.mark.slow
@pytest.mark.rule(15)
def test_double_cards_may_be_opened_and_cost_twice_the_price() -> None:
    evening = Evening().reach("shift")
    issue = double_cards(evening)
    shown = page(evening)
    assert issue.pk in issues_in(shown, "issue")
    assert re.search(rf'value="{issue.pk}">A dupla-1 · 400,00\s?CVE · ', shown)
    assert order(evening.at("table"), "table", "open-game", issue=issue.pk).status_code == 200
    assert evening.game.issue == issue


@pytest.mark.rule(15)
@pytest.mark.parametrize("desk", ["table", "manager"])
@pytest.mark.slow
def test_second_game_of_double_cards_is_the_next_step_and_opens_once(desk: str) -> None:
    evening = Evening()
    first_half(evening)
    hands = Hands(evening)
    shown = page(evening, desk)
    assert f"/{desk}/do/open-half/" in shown
    assert f"/{desk}/do/open-game/" not in shown
    hands.press(desk, "open-half")
    assert (evening.game.number, evening.game.phase) == (2, Phase.CLOSED)
    assert "/do/open-half/" not in page(evening, desk)


@pytest.mark.rule(45)
@pytest.mark.slow
def test_first_game_of_double_cards_is_completed_with_its_prize_unpaid() -> None:
    evening = Evening()
    double_cards(evening)
    evening.reach("paying")
    assert re.search(r'data-key="F9"\s*>', page(evening))
    assert order(evening.at("table"), "table", "complete").status_code == 200
    games_services.open_second_half(session=evening.session, **evening.who(CHIEF))
    assert Game.objects.count() == 2


@pytest.mark.slow
def test_single_game_is_not_completed_before_its_prize_is_paid() -> None:
    evening = Evening().reach("paying")
    assert re.search(r'data-key="F9" disabled', page(evening))
    assert order(evening.at("table"), "table", "complete").status_code == 409


@pytest.mark.slow
@pytest.mark.rule(43, 47)
def test_game_whose_bingo_was_found_for_a_call_of_the_line_is_played_to_its_end(
    settings: LazySettings,
) -> None:
    settings.CLAIM_WINDOW_SECONDS = 0
    evening = Evening().reach("drawing")
    hands = Hands(evening)
    first, issue = evening.game.pk, evening.issue().pk
    hands.press("caller", "call", combination="line")
    assert board("sala")[1]["title"] == "Verificação: Linha"
    fields = {"game": first, "issue": issue, "card": 1, "combination": "bingo", "sound": "on"}
    hands.press("table", "check", **fields)
    hands.press("table", "open-window", game=first)
    shown = hands.press("table", "close-window", game=first)
    assert "/table/do/finish/" in shown
    assert "/table/do/withdraw-call/" not in shown
    told = board("sala")[1]
    assert (told["title"], told["called"]) == ("Verificação", False)
    assert "O chefe de mesa verifica o cartão" not in page(evening, "caller")

    hands.press("table", "finish", game=first)
    hands.press("till", "pay", issue=issue, card=1)
    hands.press("table", "complete", game=first)
    hands.press("table", "open-game", issue=issue)
    assert (evening.game.number, evening.game.phase) == (2, Phase.PREPARED)
    assert audit(Hall.objects.get()) == []


@pytest.mark.slow
@pytest.mark.rule(37)
def test_issue_is_offered_with_the_card_that_its_game_begins_with() -> None:
    evening = Evening().reach("shift")
    issue, manager = evening.issue(), evening.who(MANAGER)
    stock.retire(issue=issue, first=1, last=2, reason="Rasgados", **manager)
    assert "cartão 3 de 90" in page(evening, "table")
    shelf = page(evening, "manager").split('id="frame-shelf"')[1].split("</table>")[0]
    assert re.search(r"<td[^>]*>\s*3\s*</td>", shelf), shelf
    games_services.open_game(session=evening.session, issue=issue, **evening.who(CHIEF))
    first = Game.objects.get().session.state["game"]["runs"][0]["first"]
    assert first == 3


@pytest.mark.slow
def test_another_price_is_put_beside_before_the_sale_is_announced() -> None:
    evening = Evening()
    several_prices(evening)
    hands = Hands(evening)
    offered = issues_in(page(evening), "beside")
    assert [Issue.objects.get(pk=pk).identification for pk in offered] == ["z-1", "z-2"]
    hands.press("table", "add-issue", issue=offered[0])
    assert [issue.pk for issue in games_services.on_sale(evening.game)][1:] == offered[:1]
    shown = page(evening)
    assert "L z-1" in shown
    assert "/do/add-issue/" not in shown


@pytest.mark.slow
def test_another_price_is_offered_only_where_the_authorisation_has_several() -> None:
    evening = Evening().reach("prepared")
    assert "/do/add-issue/" not in page(evening)
    answer = order(evening.at("table"), "table", "add-issue", issue=evening.issue(2).pk)
    assert answer.status_code == 409


@pytest.mark.slow
def test_another_price_is_not_offered_once_the_sale_is_announced() -> None:
    evening = Evening()
    several_prices(evening)
    add_issue(evening, evening.who(CHIEF))
    games_services.announce_sale(game=evening.game, **evening.who(CALLER))
    shown = page(evening)
    assert "/do/add-issue/" not in shown
    assert "300,00" in shown  # but every price is shown


@pytest.mark.slow
@pytest.mark.rule(38)
@pytest.mark.parametrize("desk", ["table", "manager"])
def test_second_issue_is_opened_from_the_warning_before_the_sale_stops(desk: str) -> None:
    evening = Evening()
    second_game(evening)
    shown = page(evening, desk)
    second = evening.issue(2).pk
    assert dialogs(shown) == {f"second-{second}": second}
    assert f'data-opens="second-{second}"' in shown
    Hands(evening).press(desk, "open-second", issue=str(second))
    sold = sell(evening, evening.who(CASHIER), quantity=4)
    assert [(sale.first, sale.last) for sale in sold] == [(89, 90), (1, 2)]
    assert "/do/open-second/" not in page(evening, desk)  # no third may follow


@pytest.mark.rule(38)
def test_dialog_stays_that_of_its_issue_when_another_price_runs_short_too() -> None:
    evening = Evening()
    set_policy(
        hall=evening.hall, low_stock=48, four_eyes=["second_issue_opened"], **evening.who(MANAGER)
    )
    plant(Issue.objects.filter(pk=evening.issue().pk), last_sold=40)
    several_prices(evening)
    plant(Issue.objects.filter(identification="z-1"), last_sold=10)
    add_issue(evening, evening.who(CHIEF))
    evening.reach("selling")
    sell(evening, evening.who(CASHIER), quantity=3, face=OTHER_FACE)
    one = dialogs(page(evening))
    sell(evening, evening.who(CASHIER), quantity=3, face=FACE)
    shown = page(evening)
    assert len(one) == 1
    assert len(dialogs(shown)) == 2
    assert one.items() <= dialogs(shown).items()
    ids = re.findall(r' id="([^"]+)"', shown)
    assert len(ids) == len(set(ids))


@pytest.mark.rule(38)
def test_warning_says_why_nothing_can_follow() -> None:
    evening = Evening().reach("selling")
    sell(evening, evening.who(CASHIER), quantity=80)
    shown = page(evening)
    assert 'id="short-1"' in shown
    assert "R38" in shown
    assert "/do/open-second/" not in shown


@pytest.mark.slow
def test_warning_in_a_prepared_game_opens_nothing_yet() -> None:
    evening = Evening()
    second_game(evening)
    void(evening, evening.who(CHIEF))
    refund(evening, evening.who(CASHIER), first=7)
    games_services.complete(game=evening.game, **evening.who(CHIEF))
    games_services.open_game(session=evening.session, issue=evening.issue(), **evening.who(CHIEF))
    shown = page(evening)
    assert 'id="short-1"' in shown
    assert "/do/open-second/" not in shown


@pytest.mark.slow
def test_second_issue_needs_a_second_person_where_the_hall_wants_one() -> None:
    evening = Evening()
    set_policy(hall=evening.hall, four_eyes=["second_issue_opened"], **evening.who(MANAGER))
    second_game(evening)
    client, second = evening.at("table"), evening.issue(2).pk
    assert f"second-witness-username-{second}" in page(evening)
    before = books(evening.hall)
    refused = order(client, "table", "open-second", issue=second)
    assert 'data-code="second_person_needed"' in refused.content.decode()
    wrong = witness(evening) | {"witness_password": "errada"}
    assert order(client, "table", "open-second", issue=second, **wrong).status_code == 409
    assert books(evening.hall) == before
    done = order(client, "table", "open-second", issue=second, **witness(evening))
    assert done.status_code == 200
    entry = JournalEntry.objects.get(kind="second_issue_opened")
    assert entry.data["witness"] == evening.person(MANAGER).username


@pytest.mark.slow
def test_void_needs_a_second_person_where_the_hall_wants_one() -> None:
    evening = Evening()
    set_policy(hall=evening.hall, four_eyes=["game_voided"], **evening.who(MANAGER))
    evening.reach("sold")
    client, fields = evening.at("table"), {"cause": "other", "reason": "Falha"}
    assert "void-witness-username" in page(evening)
    refused = order(client, "table", "void", **fields)
    assert 'data-code="second_person_needed"' in refused.content.decode()
    assert order(client, "table", "void", **fields, **witness(evening)).status_code == 200
    assert JournalEntry.objects.get(kind="game_voided").data["witness"]


@pytest.mark.rule(57)
@pytest.mark.slow
def test_wrong_announcement_is_a_cause_from_the_first_ball_on() -> None:
    evening, cause = Evening().reach("sold"), 'value="announcement_error"'
    assert cause not in page(evening)
    fields = {"cause": "announcement_error", "reason": "Falha"}
    refused = order(evening.at("table"), "table", "void", **fields)
    assert 'data-code="no_number_announced"' in refused.content.decode()
    evening.reach("drawing")
    assert cause in page(evening)


@pytest.mark.slow
def test_form_asks_for_no_second_person_where_the_hall_wants_none() -> None:
    assert "witness_username" not in page(Evening().reach("sold"))


@pytest.mark.rule(57)
@pytest.mark.slow
def test_void_waits_for_sellers_and_says_who_has_which_cards() -> None:
    evening = Evening().reach("selling")
    hand_out(evening, evening.who(CASHIER))
    name = seller(evening).name
    shown = page(evening)
    assert re.search(r'data-opens="void-dialog" disabled', shown)
    assert re.search(rf"{name} · A sala-1 · [^<]* 1–5<", shown)
    before = books(evening.hall)
    refused = order(evening.at("table"), "table", "void", cause="other", reason="Falha")
    assert 'data-code="blocks_out"' in refused.content.decode()
    assert books(evening.hall) == before


@pytest.mark.rule(57)
@pytest.mark.slow
def test_void_waits_for_cards_that_came_back_in_the_midst() -> None:
    evening = Evening().reach("selling")
    hand_out(evening, evening.who(CASHIER))
    sell(evening, evening.who(CASHIER), quantity=1)
    settle(evening, evening.who(CASHIER))
    shown = page(evening)
    assert re.search(r'data-opens="void-dialog" disabled', shown)
    assert re.search(r"A sala-1 · [^<]* 4–5<", shown)
    client = evening.at("table")
    refused = order(client, "table", "void", cause="other", reason="Falha")
    assert 'data-code="cards_back"' in refused.content.decode()
    floor.write_off(
        game=evening.game, issue=evening.issue(), first=4, last=5, reason="Molhados",
        **evening.who(CHIEF),
    )  # fmt: skip
    assert not re.search(r'data-opens="void-dialog" disabled', page(evening))
    assert order(client, "table", "void", cause="other", reason="Falha").status_code == 200


@pytest.mark.slow
@pytest.mark.rule(57)
def test_refunds_are_followed_till_by_till() -> None:
    evening = Evening().reach("sold")
    sell(evening, evening.who(CASHIER))
    void(evening, evening.who(CHIEF))
    refund(evening, evening.who(CASHIER), first=7)
    shown = page(evening)
    assert '<progress max="9" value="3"' in shown
    row = re.search(r'<tr> <th scope="row"> Caixa 1.*?</tr>', shown)
    assert row
    cells = [re.sub(r"\s", " ", cell) for cell in re.findall(r'is-number">([^<]*)<', row[0])]
    assert cells == ["9", "1 800,00 CVE", "3", "600,00 CVE"]


@pytest.mark.slow
def test_order_lost_on_the_way_back_is_told_as_done() -> None:
    evening = Evening()
    first_half(evening)
    client, key = evening.at("table"), uuid4()
    answers = [order(client, "table", "open-half", key=key).status_code for _time in range(2)]
    assert answers == [200, 200]
    assert Game.objects.count() == 2


@pytest.mark.slow
def test_witness_of_another_hall_is_refused() -> None:
    evening = Evening()
    set_policy(hall=evening.hall, four_eyes=["game_voided"], **evening.who(MANAGER))
    evening.reach("sold")
    other: Person = Evening("vizinha").person(MANAGER)
    other.set_password(PASSWORD)
    other.save(update_fields=["password"])
    fields = {"witness_username": other.username, "witness_password": PASSWORD}
    answer = order(evening.at("table"), "table", "void", cause="other", reason="Falha", **fields)
    assert 'data-code="witness_not_allowed"' in answer.content.decode()


@pytest.mark.slow
def test_entry_is_completed_without_the_proof_only_after_it_was_asked_for(
    settings: LazySettings, tmp_path: Path
) -> None:
    evening = Evening().reach("shift")
    rng_games.drawing(evening)
    rng_games.draw(evening, 3)
    rng_games.void(evening)
    client, unproven = evening.at("table"), 'name="unproven" value="on"'
    assert unproven not in client.get("/table/").content.decode()
    settings.RNG_DIR = tmp_path / "rng"
    refused = order(client, "table", "complete")
    shown = refused.content.decode()
    assert (refused.status_code, 'data-code="no_proof"' in shown, unproven in shown) == (
        409,
        True,
        True,
    )
    assert order(client, "table", "complete", unproven="on").status_code == 200
    assert evening.game.phase == "complete"


@pytest.mark.slow
@pytest.mark.rule(47)
def test_prizes_of_the_bingo_stand_beside_the_button_that_finishes_the_game() -> None:
    evening = Evening().reach("awarded")
    step = re.search(r'class="next-step .*?<div class="buttons">', page(evening), re.DOTALL)
    assert step
    amounts = {str(one.amount // 100) for one in evening.game.prizes.all()}
    told = re.sub(r"\D", "", step[0])
    assert amounts
    assert all(amount in told for amount in amounts)


@pytest.mark.slow
def test_prize_that_the_window_awarded_is_named() -> None:
    evening = granted(PLAYED)
    win(evening, "corners", draw_until(evening, drawing(evening), "corners"))
    browser = evening.at("table")
    browser.cookies[settings.LANGUAGE_COOKIE_NAME] = "en"
    shown = browser.get("/table/").content.decode()
    title = re.search(r'next-step__title">(.*?)</p>', shown, re.DOTALL)
    assert title
    assert title[1].strip() == "Awarded: Four corners"


@pytest.mark.rule(55)
def test_held_game_offers_no_card_for_sale_and_no_second_issue() -> None:
    evening = Evening(language="en").reach("session")
    Issue.objects.filter(pk=evening.issue().pk).update(last_sold=80)
    evening.reach("selling")
    hand_out(evening, evening.who(CASHIER))
    sell(evening, evening.who(CASHIER), quantity=2)
    floor.settle(
        game=evening.game, shift=evening.shift, seller=seller(evening), issue=evening.issue(),
        first=81, last=85, returned=[(84, 85)], **evening.who(CASHIER),
    )  # fmt: skip
    assert dialogs(page(evening))
    readings.suspend(game=evening.game, reason="Luz", **evening.who(CALLER))
    shown = page(evening)
    assert not dialogs(shown)
    assert not dialogs(page(evening, "manager"))
    assert "once the sale is announced" not in shown
    assert "a cashier writes off" in shown


@pytest.mark.rule(55)
def test_game_held_to_its_end_is_not_voided_while_a_seller_has_cards(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(games, "PATIENCE", 0)
    evening = Evening(language="en").reach("selling")
    hand_out(evening, evening.who(CASHIER))
    readings.suspend(game=evening.game, reason="Luz", **evening.who(CALLER))
    assert 'data-key="F9"' not in page(evening)
    settle(evening, evening.who(CASHIER))
    assert 'data-key="F9"' in page(evening)


@pytest.mark.rule(57)
def test_game_that_sold_cards_is_not_voided_for_having_sold_none() -> None:
    evening, cause = Evening().reach("selling"), 'value="nothing_sold"'
    assert cause in page(evening)
    sell(evening, evening.who(CASHIER))
    assert cause not in page(evening)
