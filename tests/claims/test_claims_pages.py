"""A claim at the table: what the chief may say of a card, and what everybody is told of it."""

from __future__ import annotations

import re
from uuid import uuid4

import pytest
from django.test import Client

from draws.models import ClaimCheck
from draws.prizes import services as prizes_services
from draws.record.audit import audit
from halls.journal import queries as journal_queries
from halls.models import Hall, JournalEntry, Role
from tests.support.evening import FACE, STAGES, Evening, books, browser_of, order
from tests.support.service_commands.sales import sell
from tests.support.table import page
from tests.support.till_hall import dear_cards, two_prices

pytestmark = pytest.mark.django_db

SECRET = "uma frase longa 1979"
KEY = uuid4()
CLOCK = re.compile(r"\b\d\d:\d\d:\d\d\b")


def look(evening: Evening, **said: str) -> int:
    """Check a card as the page does."""
    fields = {"issue": evening.issue().pk, "combination": "bingo", "sound": "on", "card": 1}
    return order(evening.at("table"), "table", "check", **fields, **said).status_code


@pytest.mark.slow
@pytest.mark.rule(30)
@pytest.mark.rule(50)
@pytest.mark.parametrize("fault", ["unmarked", "damaged", "altered"])
def test_fault_is_kept_though_the_form_says_sound(fault: str) -> None:
    evening = Evening().reach("stopped")
    assert look(evening, fault=fault) == 200
    told = JournalEntry.objects.get(kind="claim_checked").data
    assert (told["sound"], told["fault"], told["reason"]) == (False, fault, "not_sound")
    assert "place" not in told


REVERSED = {"combination": "bingo", "card": 1, "reason": "Era da luz"}


@pytest.mark.rule(30)
@pytest.mark.slow
def test_refusal_for_marks_is_reversed_at_the_table_by_two_and_printed(client: Client) -> None:
    evening = Evening().reach("stopped")
    look(evening, fault="unmarked")
    look(evening)
    last = JournalEntry.objects.filter(kind="claim_checked").latest("number").data
    assert (last["valid"], last["reason"]) == (False, "refused_before")
    asked = REVERSED | {"issue": evening.issue().pk}
    chief = evening.at("table")
    alone = order(chief, "table", "reverse-refusal", **asked)
    assert alone.status_code == 409
    other = evening.person(Role.HALL_MANAGER)
    other.set_password(SECRET)
    other.save(update_fields=["password"])
    second = {"witness_username": other.username, "witness_password": SECRET}
    wrong = order(chief, "table", "reverse-refusal", **asked, **second | {"witness_password": "x"})
    assert wrong.status_code == 409
    for _again in range(2):
        done = order(chief, "table", "reverse-refusal", key=KEY, **asked, **second)
        assert done.status_code == 200
    told = JournalEntry.objects.get(kind="refusal_reversed")
    assert told.data["witness"] == other.username
    assert look(evening) == 200
    assert JournalEntry.objects.filter(kind="claim_checked").latest("number").data["valid"]
    assert audit(Hall.objects.get()) == []
    [witnessed_entry] = journal_queries.second_person_of_session(evening.session)
    assert witnessed_entry.entry == told


@pytest.mark.slow
@pytest.mark.rule(30)
def test_fields_that_reverse_a_refusal_are_named_by_their_card_and_not_by_their_place() -> None:
    evening = Evening().reach("stopped")
    look(evening, fault="unmarked")
    fields = ("reason", "witness-username", "witness-password")
    assert re.findall(r'id="(reverse-[^"]+)"', page(evening)) == [
        f"reverse-bingo-{field}-{evening.issue().pk}-1" for field in fields
    ]


@pytest.mark.slow
@pytest.mark.rule(30)
@pytest.mark.parametrize("desk", ["till", "caller", "manager", "inspector"])
def test_refusal_is_reversed_by_nobody_else(desk: str) -> None:
    evening = Evening().reach("stopped")
    look(evening, fault="unmarked")
    asked = REVERSED | {"issue": evening.issue().pk}
    before = books(evening.hall)
    assert order(evening.at(desk), "table", "reverse-refusal", **asked).status_code in (403, 409)
    assert books(evening.hall) == before


@pytest.mark.slow
@pytest.mark.parametrize(
    "said",
    [
        {"fault": "ugly"},
        {"fault": "damaged\x00"},
        {"place": "M" * 41},
        {"place": "Mesa\n12"},
        {"place": "Mesa \u202e12"},
        {"place": "\x1b[2J"},
    ],
)
def test_what_no_list_and_no_line_holds_is_refused(said: dict[str, str]) -> None:
    evening = Evening().reach("stopped")
    before = books(evening.hall)
    assert look(evening, **said) == 409
    assert not ClaimCheck.objects.exists()
    assert books(evening.hall) == before


@pytest.mark.rule(48)
@pytest.mark.slow
def test_place_is_shown_as_text_until_the_prize_is_paid() -> None:
    evening = Evening().reach("stopped")
    assert look(evening, place="  <b>Mesa</b> 12 ") == 200
    signalled = board()["signalled"]
    assert signalled == [{"card": 1, "issue": "A sala-1", "place": "<b>Mesa</b> 12"}]
    evening.stage += 1
    evening.reach("paying")
    assert board()["signalled"] == signalled
    for desk in ("table", "till"):
        content = evening.at(desk).get(f"/{desk}/live/").content.decode()
        assert "&lt;b&gt;Mesa&lt;/b&gt; 12" in content
        assert "<b>Mesa" not in content
    prizes_services.pay_payment(
        game=evening.game, issue=evening.issue(), card=1, shift=evening.shift,
        **evening.who(Role.CASHIER),
    )  # fmt: skip
    assert board()["signalled"] == []
    for desk in ("table", "till"):
        assert "Mesa" not in page(evening, desk).replace(">Mesa<", "")


@pytest.mark.slow
@pytest.mark.rule(43)
def test_card_that_comes_again_is_told_what_was_found_before() -> None:
    evening = Evening().reach("stopped")
    desk = evening.at("table")
    fields = {"issue": evening.issue().pk, "combination": "bingo", "sound": "on", "card": 1}
    first = order(desk, "table", "check", **fields, fault="unmarked").content.decode()
    again = order(desk, "table", "check", **fields).content.decode()
    assert "não estão marcados no cartão" in notice(first, "warning")
    assert not CLOCK.search(notice(first, "warning"))
    assert "só duas pessoas podem anular a recusa" in notice(again, "warning")
    assert CLOCK.search(notice(again, "warning"))
    assert ClaimCheck.objects.filter(valid=False).count() == 2


@pytest.mark.slow
@pytest.mark.rule(43)
def test_card_that_is_right_is_not_checked_again() -> None:
    evening = Evening().reach("checked")
    fields = {"issue": evening.issue().pk, "combination": "bingo", "sound": "on", "card": 1}
    refused = order(evening.at("table"), "table", "check", **fields)
    assert refused.status_code == 409
    assert 'data-code="already_right"' in refused.content.decode()
    assert ClaimCheck.objects.filter(valid=True).count() == 1


@pytest.mark.slow
def test_line_taken_by_a_right_bingo_is_right_already() -> None:
    evening = Evening().reach("checked")
    fields = {"issue": evening.issue().pk, "combination": "line", "sound": "on", "card": 1}
    refused = order(evening.at("table"), "table", "check", **fields)
    assert 'data-code="already_right"' in refused.content.decode()


def notice(content: str, kind: str) -> str:
    """The text of what an order came to."""
    found = re.search(rf'class="notice notice--{kind}"\s+role=.*?</div>', content, re.DOTALL)
    assert found
    return found[0]


def board() -> dict[str, object]:
    """What anybody may read."""
    told: dict[str, object] = Client().get("/board/sala/state.json").json()["board"]
    return told


@pytest.mark.slow
@pytest.mark.rule(48)
def test_cards_are_named_with_their_issue_where_a_game_has_several() -> None:
    evening = two_prices()
    sell(evening, evening.who(Role.CASHIER), quantity=6, face=FACE)
    evening.stage = STAGES.index("sold")
    evening.reach("stopped")
    bring = {"issue": evening.issue().pk, "card": "1", "place": "Mesa 4"}
    assistant = browser_of(evening.person(Role.FLOOR_ASSISTANT))
    order(assistant, "assistant", "carry", **bring)
    named = f"1 ({evening.issue()})"
    pages = {desk: evening.at(desk) for desk in ("table", "caller")}
    pages |= {"assistant": assistant, "watch": evening.at("inspector")}
    shown = {
        "stopped": ("assistant", "table"),
        "checked": ("assistant", "table", "caller", "watch"),
        "window": ("assistant", "table", "watch"),
        "awarded": ("assistant", "table", "caller", "watch"),
    }
    for stage, desks in shown.items():
        evening.reach(stage)
        for desk in desks:
            page = pages[desk].get(f"/{desk}/live/").content.decode()
            assert named in page, (stage, desk)


@pytest.mark.slow
@pytest.mark.rule(43)
def test_chief_is_told_of_which_issue_the_checked_card_is() -> None:
    """Where the game has several, and of a card of an issue that is not in it: numbers come again."""
    evening = Evening().reach("stopped")
    foreign, own = dear_cards(evening), evening.issue()
    fields = {"combination": "bingo", "sound": "on", "card": 1}
    wrong = order(evening.at("table"), "table", "check", **fields, issue=foreign.pk)
    right = order(evening.at("table"), "table", "check", **fields, issue=own.pk)
    for answer, issue, kind in ((wrong, foreign, "warning"), (right, own, "ok")):
        page = answer.content.decode()
        named = f"1 ({issue})" if issue == foreign else "1"
        assert f"Cartão {named}:" in notice(page, kind)
        assert f"<h2>Cartão {named} ·" in " ".join(page.split())
    assert f"Cartão 1 ({foreign})" in page_of_caller(evening)


def page_of_caller(evening: Evening) -> str:
    """What the caller is told of what the table has decided."""
    return " ".join(page(evening, "caller").split())
