"""The regulator's word on a sealed acta is an entry of the journal, by the inspector alone."""

from collections.abc import Callable

import pytest

from bingo.rules.refusal import Refusal
from draws.models import Acta
from draws.record import queries as record_queries
from draws.record import rectifications
from draws.record.audit import audit
from halls.models import Hall, JournalEntry, Role
from tests.support import database
from tests.support.evening import Evening
from tests.support.planting import as_owner_of, found, rewrite
from tests.support.remarks import acknowledge, answer, remark, seal


def state(evening: Evening) -> str:
    """How the newest session stands in the list."""
    return record_queries.sessions(evening.hall).held[0].state


@pytest.mark.slow
@pytest.mark.django_db
@pytest.mark.rule(61)
def test_acta_goes_from_sealed_to_remarked_to_acknowledged() -> None:
    evening = Evening().reach("shift")
    acta = seal(evening)
    assert state(evening) == record_queries.SEALED
    inspector, manager = evening.who(Role.INSPECTOR), evening.who(Role.HALL_MANAGER)
    entry = acknowledge(evening, inspector)
    assert (entry.data, entry.session) == ({"session": 1, "acta": acta.digest}, acta.session)
    assert state(evening) == record_queries.ACKNOWLEDGED
    remark(evening, inspector)
    assert state(evening) == record_queries.REMARKED
    assert [one.data["text"] for one in rectifications.unanswered(evening.hall)]
    answer(evening, manager)
    assert state(evening) == record_queries.ACKNOWLEDGED
    assert not rectifications.unanswered(evening.hall)
    assert not audit(Hall.objects.get())


@pytest.mark.slow
@pytest.mark.django_db
@pytest.mark.rule("BOE III")
@pytest.mark.parametrize(
    ("act", "role"),
    [(acknowledge, Role.INSPECTOR), (remark, Role.INSPECTOR), (answer, Role.HALL_MANAGER)],
)
def test_each_is_for_one_role_alone(act: Callable[..., object], role: Role) -> None:
    evening = Evening().reach("shift")
    seal(evening)
    remark(evening, evening.who(Role.INSPECTOR))
    for other in set(Role) - {role}:
        with pytest.raises(Refusal, match="not_allowed"):
            act(evening, evening.who(other))
    act(evening, evening.who(role))


@pytest.mark.django_db
@pytest.mark.slow
def test_what_cannot_be_said_is_refused() -> None:
    evening = Evening().reach("shift")
    inspector, manager = evening.who(Role.INSPECTOR), evening.who(Role.HALL_MANAGER)
    with pytest.raises(Refusal, match="acta_not_sealed"):
        rectifications.remark(session=evening.session, text="x", **inspector)
    seal(evening)
    session = Acta.objects.get().session
    with pytest.raises(Refusal, match="acta_replaced"):
        rectifications.acknowledge(session=session, acta="0" * 64, **inspector)
    with pytest.raises(Refusal, match="unknown_remark"):
        rectifications.answer(session=session, remark=1, text="x", **manager)
    acknowledge(evening, inspector)
    with pytest.raises(Refusal, match="acta_acknowledged_already"):
        acknowledge(evening, inspector)
    remark(evening, inspector)
    answer(evening, manager)
    with pytest.raises(Refusal, match="remark_answered_already"):
        answer(evening, manager, text="Outra")
    stranger = Evening("vizinha")
    with pytest.raises(Refusal, match="not_allowed"):
        remark(evening, stranger.who(Role.INSPECTOR))


@pytest.mark.slow
def test_audit_finds_what_was_said_of_another_file(
    fresh_database: database.FreshDatabase,
) -> None:
    evening = Evening().reach("shift")
    seal(evening)
    acknowledge(evening, evening.who(Role.INSPECTOR))
    last = JournalEntry.objects.latest("number")
    assert not found(evening.hall)
    with as_owner_of(fresh_database):
        rewrite(last, last.data | {"acta": "0" * 64})
        assert found(evening.hall) == [(last.number, "rules_refuse")]


@pytest.mark.slow
def test_audit_finds_an_answer_to_nothing(fresh_database: database.FreshDatabase) -> None:
    evening = Evening().reach("shift")
    seal(evening)
    remark(evening, evening.who(Role.INSPECTOR))
    answer(evening, evening.who(Role.HALL_MANAGER))
    last = JournalEntry.objects.latest("number")
    with as_owner_of(fresh_database):
        rewrite(last, last.data | {"remark": 1})
        assert found(evening.hall) == [(last.number, "rules_refuse")]
