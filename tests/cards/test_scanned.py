"""A card named by the code that a scanner reads, at the table and at the till."""

from itertools import pairwise

import pytest
from django.test import Client

from bingo.rules import cards
from bingo.rules.refusal import Refusal
from draws.cards import print_queries, stock, stock_queries
from draws.models import ClaimCheck, Issue, Payment
from halls.models import Role
from tests.support.evening import Evening, books, order

pytestmark = pytest.mark.django_db


def wrong(code: str) -> str:
    """The code with its last digit misread."""
    return code[:-1] + str((int(code[-1]) + 1) % 10)


def check(client: Client, evening: Evening, card: str) -> int:
    """Check a card as the table chief does, the first issue being named by the form."""
    fields = {"issue": evening.issue().pk, "combination": "bingo", "sound": "on", "card": card}
    return order(client, "table", "check", **fields).status_code


@pytest.mark.rule(43)
@pytest.mark.parametrize("grouped", [False, True])
@pytest.mark.slow
def test_table_chief_checks_a_scanned_card(grouped: bool) -> None:
    evening = Evening().reach("stopped")
    code = cards.code_of(evening.issue().pk, 1)
    typed = cards.grouped_code(code) if grouped else code
    assert check(evening.at("table"), evening, typed) == 200
    found = ClaimCheck.objects.get()
    assert (found.issue, found.card, found.valid) == (evening.issue(), 1, True)


@pytest.mark.slow
def test_plain_number_is_still_a_card_of_the_form_s_issue() -> None:
    evening = Evening().reach("stopped")
    assert check(evening.at("table"), evening, "1") == 200
    assert ClaimCheck.objects.get().card == 1


@pytest.mark.parametrize("desk", ["table", "till"])
@pytest.mark.slow
def test_code_with_wrong_check_digits_is_refused_with_its_reason(desk: str) -> None:
    evening = Evening().reach("stopped" if desk == "table" else "paying")
    verb = "check" if desk == "table" else "pay"
    before = books(evening.hall)
    good = cards.code_of(evening.issue().pk, 1)
    fields = {"issue": evening.issue().pk, "combination": "bingo", "sound": "on"}
    swapped = good[:12] + good[13] + good[12] + good[14:]
    for card in (wrong(good), swapped, "0" * 16, "9" * 16, good + "0", "١" * 16):
        answer = order(evening.at(desk), desk, verb, **fields, card=card)
        assert answer.status_code == 409, card
        assert 'data-code="bad_code"' in answer.content.decode(), card
    assert books(evening.hall) == before


@pytest.mark.rule(43)
@pytest.mark.slow
def test_code_of_another_issue_of_the_hall_is_a_wrong_card_and_no_prize() -> None:
    evening = Evening().reach("stopped")
    stray = cards.code_of(evening.issue(2).pk, 1)
    assert check(evening.at("table"), evening, stray) == 200
    found = ClaimCheck.objects.get()
    assert (found.issue, found.valid, found.reason) == (evening.issue(2), False, "not_sold")
    evening.reach("paying")
    answer = order(evening.at("till"), "till", "pay", issue=evening.issue().pk, card=stray)
    assert answer.status_code == 409


@pytest.mark.parametrize("desk", ["table", "till"])
@pytest.mark.slow
def test_code_of_an_issue_of_another_hall_is_refused(desk: str) -> None:
    evening = Evening().reach("stopped" if desk == "table" else "paying")
    other = Evening("vizinha")
    verb = "check" if desk == "table" else "pay"
    before = books(evening.hall)
    fields = {"issue": evening.issue().pk, "combination": "bingo", "sound": "on"}
    tried = {
        cards.code_of(other.issue().pk, 1): ("unknown_issue",),
        cards.code_of(99_999_999, 1): ("unknown_issue",),
    }
    for card, expected in tried.items():
        answer = order(evening.at(desk), desk, verb, **fields, card=card)
        assert answer.status_code == 409
        assert any(f'data-code="{code}"' in answer.content.decode() for code in expected), card
    assert books(evening.hall) == before


@pytest.mark.rule(50)
@pytest.mark.slow
def test_cashier_pays_a_scanned_card_once() -> None:
    evening = Evening().reach("paying")
    client = evening.at("till")
    page = client.get("/till/").content.decode()
    assert 'id="prize-card"' in page
    code = cards.code_of(evening.issue().pk, 1)
    fields = {"issue": evening.issue().pk, "card": code}
    assert order(client, "till", "pay", **fields).status_code == 200
    assert Payment.objects.get().card == 1
    again = order(client, "till", "pay", **fields)
    assert 'data-code="already_paid"' in again.content.decode()


@pytest.mark.rule(43)
def test_card_printed_in_another_hall_is_known_where_it_is_now() -> None:
    here, there = Evening(), Evening("vizinha")
    code = cards.code_of(there.issue().pk, 1)
    with pytest.raises(Refusal, match="unknown_issue"):
        stock_queries.card_of(here.hall, code)
    sent = stock.send_transfer(
        issue=there.issue(), to=here.hall, reason="x", **there.who(Role.HALL_MANAGER)
    )
    assert stock_queries.card_of(there.hall, code) == (there.issue(), 1)
    arrived = stock.accept(transfer=sent, counted=90, **here.who(Role.HALL_MANAGER))
    assert stock_queries.card_of(here.hall, code) == (arrived, 1)
    with pytest.raises(Refusal, match="unknown_issue"):
        stock_queries.card_of(there.hall, code)


@pytest.mark.rule(37)
@pytest.mark.rule(43)
def test_card_sold_before_its_issue_left_is_known_where_it_was_sold() -> None:
    here, there = Evening(), Evening("vizinha")
    Issue.objects.filter(pk=here.issue().pk).update(last_sold=6)
    sent = stock.send_transfer(
        issue=here.issue(), to=there.hall, reason="x", **here.who(Role.HALL_MANAGER)
    )
    arrived = stock.accept(transfer=sent, counted=84, **there.who(Role.HALL_MANAGER))
    sold, left = (cards.code_of(sent.issue_id, card) for card in (6, 7))
    assert stock_queries.card_of(here.hall, sold) == (sent.issue, 6)
    assert stock_queries.card_of(there.hall, left) == (arrived, 7)
    for hall, code in ((there.hall, sold), (here.hall, left)):
        with pytest.raises(Refusal, match="unknown_issue"):
            stock_queries.card_of(hall, code)


@pytest.mark.rule(43)
def test_card_printed_in_another_hall_is_shown_and_printed_again_with_the_code_that_it_has() -> (
    None
):
    halls = [Evening("sul"), Evening("norte"), Evening("leste")]
    printed = issue = halls[0].issue()
    for sender, to in pairwise(halls):
        sent = stock.send_transfer(
            issue=issue, to=to.hall, reason="x", **sender.who(Role.HALL_MANAGER)
        )
        issue = stock.accept(transfer=sent, counted=90, **to.who(Role.HALL_MANAGER))
        page = to.at("manager").get(f"/cards/series/{issue.series_id}/8/").content.decode()
        assert cards.grouped_code(cards.code_of(printed.pk, 8)) in page
        assert print_queries.print_content_values(issue).issue == printed.pk
