"""Two consoles take and decide complaints at once: numbers without a gap, one decision (R61 j)."""

from __future__ import annotations

from uuid import uuid4

import pytest

from draws.models import Complaint
from draws.record.audit import audit
from halls.models import Hall, JournalEntry, Role
from tests.support.complaints import decided, opened, with_complaint
from tests.support.consoles import outcomes
from tests.support.evening import Evening
from tests.support.threads import at_once

pytestmark = [pytest.mark.usefixtures("fresh_database"), pytest.mark.rule(61)]


@pytest.mark.slow
def test_two_consoles_number_their_complaints_one_after_another() -> None:
    evening = Evening().reach("window")
    key, chief = uuid4(), evening.who(Role.TABLE_CHIEF)
    # The same form sent twice, and four others.
    takings = [lambda: opened(evening, chief | {"key": key}, text="A mesma")] * 2
    takings += [lambda: opened(evening, chief | {"key": uuid4()})] * 4
    assert outcomes(at_once(takings)) == ["done"] * 6
    assert sorted(Complaint.objects.values_list("number", flat=True)) == [1, 2, 3, 4, 5]
    assert audit(Hall.objects.get()) == []


@pytest.mark.slow
def test_complaint_is_decided_once_whoever_is_first() -> None:
    evening = Evening().reach("window")
    with_complaint(evening)
    chief, manager = evening.who(Role.TABLE_CHIEF), evening.who(Role.HALL_MANAGER)
    done = at_once(
        [
            lambda: decided(evening, chief | {"key": uuid4()}, decision="upheld"),
            lambda: decided(evening, manager | {"key": uuid4()}, decision="rejected"),
        ]
    )
    assert outcomes(done) == ["complaint_decided", "done"]
    told = JournalEntry.objects.get(kind="complaint_decided").data
    assert Complaint.objects.get().decision == told["decision"]
    assert audit(Hall.objects.get()) == []
