"""What holds in a hall: the newest that it decided, or what is usual."""

import pytest
from django.utils import timezone

from bingo.rules.policies import HallPolicy
from halls.models import Role
from halls.policy import queries as policy_queries
from halls.policy.services import set_policy
from tests.support.evening import Evening

pytestmark = pytest.mark.django_db


def test_hall_that_decided_nothing_has_the_usual_policy() -> None:
    hall = Evening().hall
    assert policy_queries.in_force(hall, timezone.now()) == HallPolicy()
    assert policy_queries.decided(hall, timezone.now()) is None
    assert list(policy_queries.history(hall)) == []


def test_newest_policy_is_in_force_and_every_older_one_is_kept() -> None:
    evening, other = Evening(), Evening("outra")
    who = evening.who(Role.HALL_MANAGER)
    first = set_policy(hall=evening.hall, low_stock=1, **who)
    second = set_policy(hall=evening.hall, low_stock=2, four_eyes=["prize_paid"], **who)
    set_policy(hall=other.hall, low_stock=3, **other.who(Role.HALL_MANAGER))
    assert policy_queries.in_force(evening.hall, timezone.now()) == HallPolicy(
        low_stock=2, four_eyes=("prize_paid",)
    )
    assert policy_queries.decided(evening.hall, timezone.now()) == second.entry.data
    assert list(policy_queries.history(evening.hall)) == [second, first]
    assert policy_queries.in_force(other.hall, timezone.now()) == HallPolicy(low_stock=3)
