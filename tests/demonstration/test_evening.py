"""A whole evening through the pages: every order sent five times, each with one effect."""

from typing import Any

import pytest
from django.db import transaction
from django.utils.html import escape

from bingo.rules import session_state
from bingo.rules.game_flow import FOLLOWS
from bingo.rules.refusal import Refusal
from bingo.rules.session_state import Phase
from draws.balls import draw
from draws.models import Game, Payment, Refund, Sale
from draws.refusals import text
from halls.models import JournalEntry, Role, Session
from tests.support.ball_sets import checked
from tests.support.demonstration_evening import Hands
from tests.support.desk import ALL
from tests.support.evening import Evening, books, browser_of, order
from tests.support.till_hall import second_person, sellers

pytestmark = pytest.mark.django_db


# Orders about cameras and faults: carried out in test_caller_draw.py and test_manager_rng.py.
OF_FAULTS = {
    ("caller", "ask-second"), ("caller", "confirm"), ("caller", "dismiss"),
    ("caller", "change-source"), ("caller", "suspend"), ("caller", "countersign"),
    ("caller", "deny"), ("table", "countersign"), ("table", "deny"), ("table", "suspend"),
    ("table", "resume-game"), ("manager", "countersign"), ("manager", "deny"),
    ("manager", "decide-source"),
}  # fmt: skip
# And these in tests of their own: test_caller_calling.py, test_last_game.py, test_complaints.py,
# test_showing.py, test_till_papers.py, test_till_departures.py, test_sealing.py,
# test_claims_pages.py, test_unclaimed_pages.py, test_taking_back.py, test_cash_lacking.py, and
# below.
OF_THEIR_OWN = {
    ("caller", "take-over"), ("caller", "announce-last"), ("table", "announce-last"),
    ("manager", "plan-end"), ("table", "complain"), ("table", "print-complaint"),
    ("table", "show"), ("till", "print-payment"), ("till", "transfer"), ("manager", "seal-again"),
    ("table", "reverse-refusal"), ("table", "set-aside"), ("table", "set-refunds-aside"),
    ("till", "set-aside"), ("till", "set-refunds-aside"), ("till", "take-back"),
    ("table", "withdraw-call"), ("manager", "bring-cash"),
}  # fmt: skip


@pytest.mark.slow
@pytest.mark.rule(38)
@pytest.mark.rule(57)
@pytest.mark.rule(60)
def test_every_order_sent_five_times_has_one_effect() -> None:
    evening = Evening()
    witness = second_person(evening)  # before anybody logs in: a new password ends a login
    hands, hall = Hands(evening), evening.hall
    press = hands.press
    first, second = evening.issue(1).pk, evening.issue(2).pk
    checked(evening)
    press("manager", "open-session", ends=evening.hour())
    till = hall.tills.order_by("pk")[0]
    press("till", "open", till=till.pk, float="50000")
    shift = evening.shift
    press("manager", "move-cash", shift=shift.pk, direction="in", amount="10,50", reason="Troco")
    press("manager", "note", category="other", text="Nada", decision="")

    press("manager", "open-game", issue=first)
    press("caller", "announce-sale")
    page = press("till", "sell", quantity=6, given="2000")
    assert "800,00" in page
    press("caller", "close-sale")
    press("caller", "announce-draw")
    press("caller", "draw", order=1)
    assert evening.game.balls.count() == 1
    press("table", "void", cause="announcement_error", reason="Número errado")
    press("till", "refund", part=f"{first}:1:6")
    press("table", "complete")

    press("table", "open-game", issue=first)
    press("caller", "announce-sale")
    ana, rui = sellers(evening)
    press("till", "hand-out", to=ana.pk, quantity=4)
    press("till", "hand-over", seller=ana.pk, to=rui.pk, issue=first, first=9, last=10)
    press("till", "write-off", issue=first, first=9, last="", reason="Rasgado")
    press("till", "settle", seller=rui.pk, issue=first, first=10, last=10, unsold="")
    press("till", "settle", seller=ana.pk, issue=first, first=7, last=8, unsold=8)
    press("till", "sell", quantity=81, seller=ana.pk, sure="on")
    press("table", "open-second", issue=second)
    press("till", "sell", quantity=2)
    evening.equip()
    press("caller", "close-sale")
    press("caller", "announce-draw")
    other = next(number for number in range(1, 91) if number not in evening.numbers(7))
    press("caller", "ball", number=other, order=1)
    press("caller", "recall", number=other)
    for count, ball in enumerate(evening.numbers(7)[:-1], start=1):
        draw.announce_ball(game=evening.game, number=ball, order=count, **evening.who(Role.CALLER))
    press("caller", "ball", number=evening.numbers(7)[-1], order=15)
    press("caller", "call", combination="bingo")
    press("table", "check", issue=first, card=7, combination="bingo", sound="on")
    press("table", "open-window")
    press("table", "close-window")
    press("table", "finish")
    press("till", "pay", issue=first, card=7)
    drop = {"direction": "out", "amount": "10", "reason": "Cofre"}
    press("till", "move-cash", **drop, **witness)
    press("table", "complete")
    press("table", "note", category="other", text="Som fraco", decision="Corrigido")

    cash = session_state.load(Session.objects.get().state).shifts[0].cash
    press("till", "close", counted=f"{cash // 100},{cash % 100:02}", comment="")
    press("till", "open", till=till.pk, float="100")
    press("manager", "close-till", shift=evening.shift.pk, counted="100", comment="")
    evening.call_again()
    press("manager", "close-session")

    wanted = {(desk, verb) for desk, page_of in ALL.items() for verb in page_of.verbs}
    assert wanted - hands.done - OF_FAULTS - OF_THEIR_OWN == {
        ("table", "resume"), ("manager", "open-second"), ("till", "open-second"),
        ("table", "add-issue"), ("table", "open-half"), ("manager", "open-half"),
    }  # fmt: skip
    assert (Payment.objects.count(), Refund.objects.count(), Game.objects.count()) == (1, 1, 2)
    assert not JournalEntry.objects.filter(kind="command_refused").exists()


@pytest.mark.rule(46)
@pytest.mark.slow
def test_resume_sent_five_times_has_one_effect() -> None:
    evening = Evening().reach("stopped")
    hands = Hands(evening)
    hands.press("table", "check", issue=evening.issue().pk, card=2, combination="bingo")
    hands.press("table", "resume")
    assert evening.game.phase == Phase.DRAWING
    hands.press("caller", "call", combination="bingo")
    hands.press("table", "withdraw-call", reason="Engano")
    assert evening.game.phase == Phase.DRAWING


@pytest.mark.slow
def test_second_issue_by_the_manager_sent_five_times_has_one_effect() -> None:
    evening = Evening().reach("sold")
    hands = Hands(evening)
    evening.reach("paying")
    hands.press("till", "pay", issue=evening.issue().pk, card=1)
    hands.press("table", "complete")
    hands.press("manager", "open-game", issue=evening.issue().pk)
    hands.press("caller", "announce-sale")
    hands.press("till", "sell", quantity=84, first=7, sure="on")
    hands.press("manager", "open-second", issue=evening.issue(2).pk)


ORDERS: dict[str, tuple[str, str, dict[str, Any]]] = {
    "sale_announced": ("caller", "announce-sale", {}),
    "cards_sold": ("till", "sell", {"quantity": 1}),
    "sale_closed": ("caller", "close-sale", {}),
    "draw_announced": ("caller", "announce-draw", {}),
    "ball_announced": ("caller", "draw", {"order": 16}),
    "ball_recalled": ("caller", "recall", {"number": 0}),
    "claim_called": ("caller", "call", {"combination": "bingo"}),
    "claim_checked": ("table", "check", {"card": 2, "combination": "bingo"}),
    "window_opened": ("table", "open-window", {}),
    "window_closed": ("table", "close-window", {}),
    "draw_resumed": ("table", "withdraw-call", {"reason": "Engano"}),
    "game_finished": ("table", "finish", {}),
    "prize_paid": ("till", "pay", {"card": 1}),
    "cards_refunded": ("till", "refund", {"card": 1}),
    "entry_completed": ("table", "complete", {}),
    "second_issue_opened": ("table", "open-second", {}),
}


@pytest.mark.slow
@pytest.mark.parametrize(
    "stage", ["prepared", "sold", "closed", "drawing", "checked", "window", "paying"]
)
def test_order_out_of_its_phase_is_refused_with_what_to_do(stage: str) -> None:
    evening = Evening().reach(stage)
    known = session_state.load(evening.session.state).game
    assert known
    before = books(evening.hall)
    for kind, (desk, verb, fields) in ORDERS.items():
        sent = fields | {"issue": evening.issue(2 if kind == "second_issue_opened" else 1).pk}
        with transaction.atomic():
            answer = order(evening.at(desk), desk, verb, **sent)
            unchanged = books(evening.hall) == before
            transaction.set_rollback(True)
        page = answer.content.decode()
        if kind in FOLLOWS[known.phase]:
            assert unchanged == (answer.status_code == 409), kind
            continue
        assert (answer.status_code, unchanged) == (409, True), kind
        refusal = Refusal("wrong_phase", phase=known.phase.value)
        if kind == "cards_refunded" and "cards_transferred" in FOLLOWS[known.phase]:
            refusal = Refusal("no_money_back")
        assert escape(text.refusal(refusal)) in page, kind
        assert 'id="live"' in page


@pytest.mark.slow
@pytest.mark.rule(36)
def test_two_cashiers_pages_that_stand_open_sell_each_card_once() -> None:
    evening = Evening().reach("selling")
    other = evening.hall.people.filter(roles__contains=[Role.CASHIER]).order_by("username")[1]
    second = browser_of(other)
    till = evening.hall.tills.order_by("pk")[1]
    assert order(second, "till", "open", till=till.pk, float="0").status_code == 200
    assert order(evening.at("till"), "till", "sell", quantity=3).status_code == 200
    page = order(second, "till", "sell", quantity=2).content.decode()
    assert "4, 5" in page or "4–5" in page  # the answer says which cards to hand out
    assert list(Sale.objects.order_by("first").values_list("first", "last")) == [(1, 3), (4, 5)]


@pytest.mark.slow
def test_callers_page_that_stands_open_draws_no_second_ball() -> None:
    evening = Evening().reach("closed")
    client = evening.at("caller")
    assert order(client, "caller", "announce-draw").status_code == 200
    assert order(client, "caller", "draw", order=1).status_code == 200
    before = books(evening.hall)
    stale = order(client, "caller", "draw", order=1)
    assert stale.status_code == 409
    page = stale.content.decode()
    assert escape(text.refusal(Refusal("stale_page"))) in page
    assert '<input type="hidden" name="order" value="2" />' in page
    assert books(evening.hall) == before


@pytest.mark.slow
@pytest.mark.rule(50)
def test_prize_is_paid_once_whoever_asks_again() -> None:
    evening = Evening().reach("paying")
    client, issue = evening.at("till"), evening.issue().pk
    assert order(client, "till", "pay", issue=issue, card=1).status_code == 200
    before = books(evening.hall)
    again = order(client, "till", "pay", issue=issue, card=1)
    assert 'data-code="already_paid"' in again.content.decode()
    assert books(evening.hall) == before
    assert JournalEntry.objects.get(kind="command_refused").data["code"] == "already_paid"
