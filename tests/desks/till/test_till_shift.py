"""A shift at the till: float, cash before a second person, the blind count and its result."""

import re

import pytest

from halls import tills
from halls.models import CashMovement, JournalEntry, Role, Shift
from tests.support.evening import FLOAT, Evening, browser_of
from tests.support.till_hall import done, other_cashier, policy, refused, second_person, shown

pytestmark = pytest.mark.django_db


def proposed(page: str) -> dict[int, int | None]:
    """Return the floats that the page proposes, by till."""
    till = page.split('id="till"')[1].split("</select>", maxsplit=1)[0]
    found = re.findall(r'value="(\d+)"\s*(?:data-left="(\d+)")?', till)
    return {int(pk): int(left) if left else None for pk, left in found}


def test_float_proposed_is_what_the_last_shift_of_the_session_left() -> None:
    evening = Evening().reach("shift")
    client = evening.at("till")
    second = browser_of(other_cashier(evening))
    first, other = evening.hall.tills.order_by("pk")[:2]
    assert proposed(shown(second)) == {other.pk: None}
    done(client, "close", counted="50000", comment="")
    assert proposed(shown(second)) == {first.pk: FLOAT, other.pk: None}


@pytest.mark.slow
def test_drop_to_the_safe_needs_a_second_person() -> None:
    evening = Evening().reach("shift")
    client = evening.at("till")
    drop = {"direction": "out", "amount": "1000", "reason": "Cofre"}
    refused(client, "move-cash", "second_person_needed", **drop)
    witness = second_person(evening)
    wrong = witness | {"witness_password": "outra coisa"}
    refused(client, "move-cash", "witness_unknown", **drop, **wrong)
    assert not CashMovement.objects.filter(kind="moved").exists()
    page = done(client, "move-cash", **drop, **witness)
    assert CashMovement.objects.get(kind="moved").amount == -1000_00
    told = JournalEntry.objects.get(kind="cash_moved").data
    assert told["witness"] == witness["witness_username"]
    assert witness["witness_password"] not in page
    done(client, "move-cash", **drop | {"direction": "in"}, **witness)
    assert sum(CashMovement.objects.values_list("amount", flat=True)) == FLOAT


def test_cashier_cannot_stand_for_their_own_order() -> None:
    evening = Evening().reach("shift")
    cashier = evening.shift.cashier
    cashier.set_password("linha bingo 2468")
    cashier.save(update_fields=["password"])
    client = browser_of(cashier)
    own = {"witness_username": cashier.username, "witness_password": "linha bingo 2468"}
    drop = {"direction": "out", "amount": "1000", "reason": "Cofre"}
    refused(client, "move-cash", "witness_same_person", **drop, **own)


def test_count_is_helped_by_the_notes_and_coins_of_the_currency() -> None:
    page = shown(Evening().reach("shift").at("till"))
    worths = [worth for worth in (5000_00, 200_00, 100_00, 1_00) if f'data-worth="{worth}"' in page]
    assert worths == [5000_00, 200_00, 100_00, 1_00]
    assert 'data-counts="counted"' in page


@pytest.mark.slow
def test_difference_needs_a_comment_and_tries_are_journalled() -> None:
    evening = Evening().reach("shift")
    client = evening.at("till")
    page = refused(client, "close", "difference_needs_comment", counted="49990", comment="")
    assert "50 000,00" not in page.replace("\xa0", " ")
    assert JournalEntry.objects.filter(kind="command_refused").count() == 1
    done(client, "close", counted="49990", comment="Falta uma nota")
    assert Shift.objects.get().comment == "Falta uma nota"


@pytest.mark.slow
def test_difference_within_the_halls_limit_needs_none() -> None:
    evening = Evening()
    policy(evening, difference_limit=10_00)
    client = evening.reach("shift").at("till")
    refused(client, "close", "difference_needs_comment", counted="49989,99", comment="")
    done(client, "close", counted="49990", comment="")


def test_result_is_told_after_the_count_with_its_settlement() -> None:
    evening = Evening().reach("shift")
    client = evening.at("till")
    assert "/till/settlement/" not in shown(client)
    done(client, "close", counted="49990", comment="Falta uma nota")
    page = shown(client).replace("\xa0", " ")
    for told in ("49 990,00", "50 000,00", "−10,00", "Falta uma nota"):
        assert told in page, told
    assert f"/till/settlement/{evening.shift.pk}.pdf" in page


@pytest.mark.slow
@pytest.mark.rule(44)
def test_prizes_not_paid_are_named_when_the_shift_ends() -> None:
    evening = Evening().reach("paying")
    cash = f"{sum(CashMovement.objects.values_list('amount', flat=True)) // 100}"
    done(evening.at("till"), "close", counted=cash, comment="")
    page = shown(evening.at("till"))
    unpaid = JournalEntry.objects.get(kind="shift_closed").data["unpaid"]
    assert [one["card"] for one in unpaid] == [1]
    assert f"{evening.issue()} · 1:" in " ".join(page.split())


def test_close_asks_for_a_second_person_where_the_hall_does() -> None:
    evening = Evening()
    policy(evening, four_eyes=["shift_closed"])
    client = evening.reach("shift").at("till")
    count = {"counted": "50000", "comment": ""}
    assert 'id="close-witness-password"' in shown(client)
    refused(client, "close", "second_person_needed", **count)
    done(client, "close", **count, **second_person(evening))


def test_till_where_somebody_sat_last_is_offered_first() -> None:
    """What the drawer of another till holds is not theirs to count."""
    evening = Evening().reach("session")
    first, second = evening.hall.tills.order_by("pk")
    who = evening.who(Role.CASHIER)
    assert offered(evening) == [first.name, second.name]
    shift = tills.open_shift(session=evening.session, till=second, float=FLOAT, **who)
    tills.close_shift(shift=shift, counted=FLOAT, comment="", **evening.who(Role.CASHIER))
    assert offered(evening) == [second.name, first.name]


def offered(evening: Evening) -> list[str]:
    """Return the tills that a cashier without one may choose, in their order."""
    page = evening.at("till").get("/till/").content.decode()
    return re.findall(r"<option[^>]*>(Caixa \d)</option>", page)
