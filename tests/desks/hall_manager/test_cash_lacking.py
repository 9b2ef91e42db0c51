"""No till has the cash for what is due: the manager is told how much each lacks, and brings it."""

from __future__ import annotations

import re
from uuid import uuid4

import pytest
from django.conf import settings
from django.utils import timezone

from bingo.rules.session_state import load
from halls import tills
from halls.models import CashMovement, JournalEntry, Person, Role
from tests.support.evening import Evening, order
from tests.support.till_hall import double_cards, policy

pytestmark = [pytest.mark.django_db, pytest.mark.rule(8), pytest.mark.rule(44)]


def net(evening: Evening) -> int:
    """What the winner of the evening is due, in minor units."""
    known = load(evening.session.state).game
    return sum(one.net for one in known.awards) if known else 0


def emptied(evening: Evening, *, left: int = 0, witness: Person | None = None) -> int:
    """Take cash out of the first till, and return what the winner of the evening is due."""
    who = evening.who(Role.HALL_MANAGER)
    held = sum(CashMovement.objects.values_list("amount", flat=True))
    tills.move_cash(shift=evening.shift, amount=left - held, reason="cofre", witness=witness, **who)
    return net(evening)


def page(evening: Evening) -> str:
    return evening.at("manager").get("/manager/").content.decode()


@pytest.mark.slow
def test_manager_brings_exactly_what_the_till_lacks() -> None:
    evening = Evening().reach("paying")
    due = emptied(evening, left=100)
    told = page(evening)
    assert 'id="cash-lacking"' in told
    assert re.search(rf'name="lacks" value="{due - 100}"', told)
    fields = {"shift": evening.shift.pk, "lacks": due - 100}
    assert order(evening.at("manager"), "manager", "bring-cash", **fields).status_code == 200

    assert 'id="cash-lacking"' not in page(evening)
    paid = order(evening.at("till"), "till", "pay", issue=evening.issue().pk, card=1)
    assert paid.status_code == 200
    assert sum(CashMovement.objects.values_list("amount", flat=True)) == 0


@pytest.mark.slow
@pytest.mark.rule(54)
def test_reason_is_written_in_the_language_of_the_hall_whoever_brings_the_cash() -> None:
    evening = Evening().reach("paying")
    due = emptied(evening)
    client = evening.at("manager")
    client.cookies[settings.LANGUAGE_COOKIE_NAME] = "es"
    brought = {"shift": evening.shift.pk, "lacks": due}
    assert order(client, "manager", "bring-cash", **brought).status_code == 200
    entry = JournalEntry.objects.filter(kind="cash_moved").latest("number")
    assert entry.data["reason"] == "para os prémios e reembolsos devidos"


@pytest.mark.slow
def test_second_person_of_each_till_has_fields_of_their_own() -> None:
    evening = Evening()
    policy(evening, four_eyes=("cash_moved",))
    evening.reach("paying")
    emptied(evening, witness=evening.person(Role.TABLE_CHIEF))
    [other] = evening.hall.people.filter(roles=[Role.CASHIER]).exclude(
        pk=evening.person(Role.CASHIER).pk
    )[:1]
    till = evening.hall.tills.exclude(pk=evening.shift.till_id)[0]
    tills.open_shift(
        session=evening.session, till=till, float=1, by=other, at=timezone.now(), key=uuid4()
    )
    told = re.findall(r' id="([^"]+)"', page(evening))
    assert sum(one.startswith("bring-witness-username") for one in told) == 2
    assert len(told) == len(set(told))


@pytest.mark.slow
def test_amount_of_a_page_that_is_behind_is_not_brought() -> None:
    evening = Evening().reach("paying")
    due = emptied(evening)
    fields = {"shift": evening.shift.pk, "lacks": due - 1}
    answer = order(evening.at("manager"), "manager", "bring-cash", **fields)
    assert (answer.status_code, sum(CashMovement.objects.values_list("amount", flat=True))) == (
        409,
        0,
    )


@pytest.mark.slow
def test_nobody_is_told_while_the_till_can_pay() -> None:
    evening = Evening().reach("paying")
    emptied(evening, left=net(evening) - 1)
    assert 'id="cash-lacking"' in page(evening)
    emptied(evening, left=net(evening))
    assert 'id="cash-lacking"' not in page(evening)


@pytest.mark.slow
@pytest.mark.rule(45)
def test_no_cash_is_asked_for_prizes_of_the_first_game_of_double_cards() -> None:
    evening = Evening()
    double_cards(evening)
    evening.reach("paying")
    emptied(evening)
    assert 'id="cash-lacking"' not in page(evening)


@pytest.mark.slow
@pytest.mark.parametrize(("blind", "exactly"), [(False, True), (True, False)])
def test_cashier_is_told_how_much_is_missing(blind: bool, exactly: bool) -> None:
    evening = Evening()
    policy(evening, blind_count=blind)
    evening.reach("paying")
    due = emptied(evening, left=123)
    answer = order(evening.at("till"), "till", "pay", issue=evening.issue().pk, card=1)
    assert answer.status_code == 409
    digits = re.sub(r"[^0-9]", "", answer.content.decode().split('data-code="cash_short"')[1][:600])
    # Where the count is blind, nothing from which the drawer follows.
    assert (str(due - 123) in digits) is exactly
