"""How the drawers were counted: tries that did not agree are told of whoever made them."""

from __future__ import annotations

import pytest
from django.utils import timezone

from draws.receipts.queries import Count, counts
from halls import tills
from halls.models import Role, Shift
from tests.support.evening import FLOAT, Evening, order

pytestmark = pytest.mark.django_db

CASHIER, MANAGER = Role.CASHIER, Role.HALL_MANAGER
WRONG = "1"


def counted(evening: Evening) -> dict[int, Count]:
    """Return the counting of every shift of the session."""
    return counts(evening.session, Shift.objects.filter(session=evening.session))


def test_open_till_that_nobody_counted_has_no_tries() -> None:
    assert counted(Evening().reach("shift")) == {1: Count()}


def test_tries_of_a_cashier_are_those_of_the_till_kept_open() -> None:
    evening = Evening().reach("shift")
    client = evening.at("till")
    for _time in range(2):
        assert order(client, "till", "close", counted=WRONG, comment="").status_code == 409
    assert counted(evening) == {1: Count(tries=2)}


def test_closed_till_tells_tries_difference_and_comment() -> None:
    evening = Evening().reach("shift")
    client = evening.at("till")
    order(client, "till", "close", counted=WRONG, comment="")
    closed = order(client, "till", "close", counted=f"{FLOAT // 100 - 1}", comment="Troco")
    assert closed.status_code == 200
    name = evening.person(CASHIER).name
    assert counted(evening) == {1: Count(tries=1, by=name, difference=-100, comment="Troco")}


@pytest.mark.slow
def test_next_shift_begins_without_the_tries_of_the_last() -> None:
    evening = Evening().reach("shift")
    client = evening.at("till")
    order(client, "till", "close", counted=WRONG, comment="")
    order(client, "till", "close", counted=f"{FLOAT // 100}", comment="")
    till = evening.hall.tills.order_by("pk")[0]
    tills.open_shift(session=evening.session, till=till, float=5, **evening.who(CASHIER))
    assert counted(evening)[2] == Count()
    assert counted(evening)[1].tries == 1


def test_tries_of_a_cashier_are_those_of_their_till_whoever_closes_it() -> None:
    evening = Evening().reach("shift")
    order(evening.at("till"), "till", "close", counted=WRONG, comment="")
    tills.close_shift(shift=evening.shift, counted=FLOAT, comment="", **evening.who(MANAGER))
    till = evening.hall.tills.order_by("pk")[0]
    tills.open_shift(session=evening.session, till=till, float=5, **evening.who(CASHIER))
    name = evening.person(MANAGER).name
    assert counted(evening) == {1: Count(tries=1, by=name, difference=0), 2: Count()}


@pytest.mark.slow
def test_tries_of_the_hall_manager_are_those_of_the_till_closed_next() -> None:
    evening = Evening().reach("shift")
    shift, client = evening.shift, evening.at("manager")
    refused = order(client, "manager", "close-till", shift=shift.pk, counted=WRONG, comment="")
    assert refused.status_code == 409
    assert counted(evening) == {1: Count()}
    tills.close_shift(shift=shift, counted=FLOAT, comment="", **evening.who(MANAGER))
    name = evening.person(MANAGER).name
    assert counted(evening) == {1: Count(tries=1, by=name, difference=0)}


def test_count_of_an_issue_is_no_count_of_a_till() -> None:
    evening = Evening().reach("shift")
    path = f"/cards/issues/{evening.issue(2).pk}/do/count/"
    sent = {"key": "6f0f1f43-5a3f-4c43-a1f7-0d6d0c9f8d11", "counted": "1", "comment": ""}
    assert evening.at("manager").post(path, sent).status_code == 409
    tills.close_shift(shift=evening.shift, counted=FLOAT, comment="", **evening.who(MANAGER))
    assert counted(evening)[1].tries == 0


def test_till_of_a_closed_session_tells_its_count_still() -> None:
    evening = Evening().reach("shift")
    session = evening.session
    tills.close_shift(
        shift=evening.shift, counted=FLOAT + 7, comment="Moeda",
        by=evening.person(CASHIER), at=timezone.now(),
    )  # fmt: skip
    found = counts(session, ())
    assert (found[1].difference, found[1].comment) == (7, "Moeda")
