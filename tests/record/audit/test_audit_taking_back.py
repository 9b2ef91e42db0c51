"""A sale that the journal takes back otherwise than the rules and the sale allow is named."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone

from halls.models import Role
from tests.support.database import FreshDatabase
from tests.support.evening import Evening
from tests.support.planting import as_owner_of, found, rewrite
from tests.support.service_commands.sales import sell, take_back


@pytest.mark.slow
@pytest.mark.rule(36)
@pytest.mark.parametrize("told", [{"sale": 1}, {"seconds": 0}, {"till": "Caixa 2"}])
def test_audit_names_what_was_taken_back_otherwise(
    fresh_database: FreshDatabase, told: dict[str, Any]
) -> None:
    evening = Evening().reach("sold")
    sell(evening, evening.who(Role.CASHIER), quantity=2)
    who = {"by": evening.person(Role.CASHIER), "at": timezone.now() + timedelta(seconds=50)}
    entry = take_back(evening, who)
    assert found(evening.hall) == []
    with as_owner_of(fresh_database):
        rewrite(entry, entry.data | told)
        assert entry.number in [number for number, _code in found(evening.hall)]
