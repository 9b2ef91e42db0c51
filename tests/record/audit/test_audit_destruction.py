"""A destruction of kept cards that the rules would not have let be written is found by the audit."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest

from halls.models import Role
from tests.support import custody_hall
from tests.support.database import FreshDatabase
from tests.support.evening import Evening
from tests.support.planting import as_owner_of, found, plant, rewrite


@pytest.mark.slow
@pytest.mark.rule(52)
def test_destruction_written_against_the_rules_is_named(fresh_database: FreshDatabase) -> None:
    evening = Evening()
    custody_hall.over(evening)
    manager = evening.who(Role.HALL_MANAGER)
    entry = custody_hall.destroy(evening, manager | {"at": custody_hall.after(custody_hall.NINTH)})
    data, at = entry.data, entry.at
    [card] = data["cards"]
    forged: list[tuple[dict[str, Any], timedelta, str]] = [
        (data | {"witness": manager["by"].username}, timedelta(), "rules_refuse"),
        ({"cards": [card]}, timedelta(), "rules_refuse"),
        (data | {"cards": [card | {"paid": "2020-01-01"}]}, timedelta(), "rules_refuse"),
        (data | {"cards": [card | {"card": 2}]}, timedelta(), "rules_refuse"),
        (data, timedelta(days=1), "rules_refuse"),
    ]
    with as_owner_of(fresh_database):
        for told, earlier, code in forged:
            entry.at = at - earlier
            statement = "UPDATE halls_journalentry SET at = %s WHERE id = %s"
            plant("halls_journalentry", statement, entry.at, entry.pk)
            rewrite(entry, told)
            assert found(evening.hall)[0] == (entry.number, code), (told, earlier)
