"""Money held of a jackpot moves only by entries, between sessions, and the audit proves it (R9-R11)."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone

from bingo.rules import jackpots
from bingo.rules.refusal import Refusal
from draws.jackpots import queries as jackpots_queries
from draws.record.audit import audit
from draws.record.audit.engine import second_person_of_entry
from draws.record.audit.expected_rows import Books
from draws.record.audit.whole_hall import _witnessed
from halls import jackpots as halls_jackpots
from halls import sessions
from halls.models import Hall, JournalEntry, Role, Session
from halls.policy.services import set_policy
from tests.support.evening import FLOAT, Evening, authorise, tonight, within
from tests.support.opening_halls import open_one
from tests.support.playing import refuses

pytestmark = pytest.mark.django_db


def fund(evening: Evening, **changed: Any) -> JournalEntry:
    who = evening.who(Role.HALL_MANAGER)
    asked: dict[str, Any] = {"hall": evening.hall, "amount": 500, "reference": "base"}
    return halls_jackpots.fund_jackpot(**(asked | who | changed))


def held(evening: Evening) -> list[int]:
    return halls_jackpots.list_balances(Hall.objects.get(pk=evening.hall.pk))


def whole(evening: Evening) -> bool:
    return jackpots_queries.statement(Hall.objects.get(pk=evening.hall.pk)).whole


@pytest.mark.slow
@pytest.mark.rule(11)
def test_base_is_put_in_moved_and_handed_over_and_every_step_is_proven() -> None:
    evening, who = Evening(), Evening.who
    assert whole(evening) is False  # the tests' hall held something before its journal said so
    assert fund(evening).data["balance"] == FLOAT + 500
    fund(evening, level=2, amount=70)
    assert held(evening) == [FLOAT + 500, 0, 70]
    halls_jackpots.move_jackpot(
        hall=evening.hall, level=2, to=evening.hall, to_level=1, reference="12/2026",
        **who(evening, Role.HALL_MANAGER),
    )  # fmt: skip
    assert held(evening) == [FLOAT + 500, 70, 0]
    halls_jackpots.end_jackpot(
        hall=evening.hall, level=0, to="Cruz Vermelha", reference="13/2026",
        **who(evening, Role.HALL_MANAGER),
    )  # fmt: skip
    assert held(evening) == [0, 70, 0]
    assert whole(evening)
    assert audit(Hall.objects.get()) == []
    told = jackpots_queries.statement(Hall.objects.get())
    assert [line.movement.kind for line in told.lines] == [
        "carried", "jackpot_funded", "jackpot_funded", "jackpot_moved", "jackpot_received",
        "jackpot_ended",
    ]  # fmt: skip
    assert [sum(one.values()) for one in told.sums] == [0, 70, 0]


@pytest.mark.rule(9)
def test_nothing_moves_while_a_session_plays_for_it() -> None:
    evening = Evening()
    evening.reach("session")
    with refuses("jackpot_in_play"):
        fund(evening)
    for service in (halls_jackpots.end_jackpot, halls_jackpots.move_jackpot):
        named = (
            {"to": evening.hall, "to_level": 1}
            if service is halls_jackpots.move_jackpot
            else {"to": "x"}
        )
        with refuses("jackpot_in_play"):
            service(hall=evening.hall, reference="1", **named, **evening.who(Role.HALL_MANAGER))


@pytest.mark.rule(11)
def test_level_is_not_moved_to_itself() -> None:
    evening = Evening()
    with refuses("level_is_its_own"):
        halls_jackpots.move_jackpot(
            hall=evening.hall, to=evening.hall, reference="1", **evening.who(Role.HALL_MANAGER)
        )
    assert held(evening) == [FLOAT]


@pytest.mark.slow
@pytest.mark.rule(10)
def test_jackpot_moves_to_another_hall_in_both_journals() -> None:
    here, there = Evening(), Evening(code="outra")
    halls_jackpots.move_jackpot(
        hall=here.hall, to=there.hall, reference="12/2026", **here.who(Role.HALL_MANAGER)
    )
    assert (held(here), held(there)) == ([0], [2 * FLOAT])
    assert audit(Hall.objects.get(pk=here.hall.pk)) == []
    assert audit(Hall.objects.get(pk=there.hall.pk)) == []


@pytest.mark.slow
def test_hall_may_want_two_persons_for_the_jackpots_money() -> None:
    evening = Evening()
    kinds = ["jackpot_funded", "jackpot_moved", "jackpot_ended"]
    set_policy(hall=evening.hall, four_eyes=kinds, **evening.who(Role.HALL_MANAGER))
    chief = evening.person(Role.TABLE_CHIEF)
    asked: dict[str, Any] = {"hall": evening.hall, "reference": "12/2026"}
    with refuses("second_person_needed"):
        fund(evening)
    with refuses("witness_same_person"):
        fund(evening, witness=evening.person(Role.HALL_MANAGER))
    assert fund(evening, witness=chief).data["witness"] == chief.username
    for service, named in (
        (halls_jackpots.move_jackpot, {"to": evening.hall, "to_level": 1}),
        (halls_jackpots.end_jackpot, {"to": "x"}),
    ):
        who = evening.who(Role.HALL_MANAGER)
        level: dict[str, Any] = {"level": 1} if service is halls_jackpots.end_jackpot else {}
        with refuses("second_person_needed"):
            service(**asked, **named, **level, **who)
        assert service(**asked, **named, **level, witness=chief, **who).data["witness"]
    assert audit(Hall.objects.get()) == []


@pytest.mark.parametrize("witness", [{}, {"witness": "gestor"}])
def test_audit_finds_jackpot_money_moved_by_one_where_the_hall_wants_two(
    witness: dict[str, str],
) -> None:
    evening = Evening()
    set_policy(hall=evening.hall, four_eyes=["jackpot_funded"], **evening.who(Role.HALL_MANAGER))
    entry = fund(evening, witness=evening.person(Role.TABLE_CHIEF))
    books = Books(policy={"four_eyes": ["jackpot_funded"]})
    told = {name: one for name, one in entry.data.items() if name != "witness"}
    if witness:
        witness = {"witness": entry.by.username if entry.by else ""}
    entry.data = told | witness
    with pytest.raises(Refusal, match="second_person_needed"):
        second_person_of_entry(books, entry)


@pytest.mark.slow
def test_entry_that_tells_more_than_there_was_is_found() -> None:
    evening = Evening()
    fund(evening)
    fund(evening)
    Hall.objects.filter(pk=evening.hall.pk).update(jackpot_balance=1)
    assert [finding.code for finding in audit(Hall.objects.get())] == ["jackpot_differs"]
    assert whole(evening) is False


@pytest.mark.rule(11)
@pytest.mark.parametrize("held", [{"jackpot_balance": 5_000_000}, {"level_balances": [5_000]}])
def test_money_in_a_new_hall_that_no_entry_tells_of_is_found(held: dict[str, Any]) -> None:
    hall = open_one()
    assert audit(hall) == []
    Hall.objects.filter(pk=hall.pk).update(**held)
    hall.refresh_from_db()
    assert [finding.code for finding in audit(hall)] == ["jackpot_differs"]
    assert jackpots_queries.statement(hall).whole is False


@pytest.mark.rule(11)
def test_new_hall_s_first_session_opens_with_no_money_that_no_entry_tells_of() -> None:
    hall = open_one()
    authorise(hall)
    Hall.objects.filter(pk=hall.pk).update(jackpot_balance=5_000_000)
    sessions.open_session(
        hall=hall, checked=True, ends_at=tonight(), by=hall.people.get(), at=timezone.now()
    )
    hall.refresh_from_db()
    assert [finding.code for finding in audit(hall)] == ["jackpot_differs"]
    account = jackpots_queries.statement(hall)
    assert (account.lines, account.whole) == ([], False)


@pytest.mark.slow
@pytest.mark.rule(9)
@pytest.mark.rule(12)
def test_session_opens_on_every_level_with_what_it_holds() -> None:
    evening = Evening()
    terms = {
        "ceiling": 10**9, "until": "2999-12-31", "schedule": {"every": 1, "by": 1},
        "limits": within(40, most=42),
    }  # fmt: skip
    authorise(
        evening.hall, reference="2/2026", jackpot_rate=200, jackpot_terms=terms,
        jackpot_levels=[{"rate": 100, "limits": within(30), "base": 1_00}],
    )  # fmt: skip
    fund(evening)
    fund(evening, level=1, amount=7)
    evening.reach("session")
    opened = Session.objects.latest("number").state["terms"]
    assert opened["until"] == "2999-12-31"
    assert opened["jackpot"]["balance"] == FLOAT + 500
    assert opened["levels"] == [{"rate": 100, "base": 1_00, "balance": 7, "limits": within(30)}]
    evening.close()
    sessions.open_session(
        hall=evening.hall, checked=True, ends_at=tonight(), **evening.who(Role.HALL_MANAGER)
    )
    assert Session.objects.latest("number").state["terms"]["jackpot"]["dry"] == 1
    assert audit(Hall.objects.get()) == []


@pytest.mark.rule(12)
def test_no_session_opens_after_the_jackpots_last_day() -> None:
    evening = Evening()
    first = timezone.now().date().replace(month=1, day=1)
    authorise(
        evening.hall, reference="2/2026", valid_from=first,
        jackpot_terms={"until": first.isoformat()},
    )  # fmt: skip
    with refuses("jackpot_time_over"):
        evening.reach("session")


@pytest.mark.rule(12)
def test_session_asked_for_before_midnight_and_written_after_it_is_of_the_new_day() -> None:
    evening = Evening()
    midnight = evening.hall.ends(evening.today)
    last = {"until": evening.today.isoformat()}
    authorise(evening.hall, reference="2/2026", jackpot_terms=last)
    fund(evening, at=midnight + timedelta(milliseconds=200))
    with refuses("jackpot_time_over"):
        sessions.open_session(
            hall=evening.hall, checked=True, ends_at=tonight(midnight),
            by=evening.person(Role.HALL_MANAGER), at=midnight - timedelta(milliseconds=100),
        )  # fmt: skip
    assert audit(Hall.objects.get()) == []


@pytest.mark.slow
def test_levels_no_longer_authorised_keep_what_they_hold() -> None:
    evening = Evening()
    fund(evening)
    fund(evening, level=1, amount=7)
    evening.reach("paying")
    assert held(evening)[1] == 7
    assert audit(Hall.objects.get()) == []


@pytest.mark.rule(9)
def test_limit_raised_for_sessions_that_never_were_is_found(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    evening = Evening()
    fund(evening)
    rising = {"schedule": {"every": 1, "by": 1}, "limits": within(40, most=50)}
    authorise(evening.hall, reference="2/2026", jackpot_terms=rising)
    monkeypatch.setattr(jackpots, "dry", lambda _level, _before: 40)
    evening.reach("session")
    monkeypatch.undo()
    assert Session.objects.latest("number").state["terms"]["jackpot"]["dry"] == 40
    assert [finding.code for finding in audit(Hall.objects.get())] == ["jackpot_differs"]


@pytest.mark.slow
@pytest.mark.rule(9)
def test_sessions_without_a_winner_are_counted_across_one_without_a_jackpot() -> None:
    evening = Evening()
    fund(evening)
    schedule = {"every": 1, "by": 1}
    rising: dict[str, Any] = {
        "jackpot_terms": {"schedule": schedule, "limits": within(40, most=50)}
    }
    none = {"jackpot_rate": 0, "jackpot_base": 0}
    for number, granted in enumerate((rising, rising, none, rising), start=2):
        authorise(evening.hall, reference=f"{number}/2026", **granted)
        sessions.open_session(
            hall=evening.hall, checked=True, ends_at=tonight(), **evening.who(Role.HALL_MANAGER)
        )
        evening.close()
    last = Session.objects.latest("number").state["terms"]["jackpot"]
    assert last["dry"] == 2
    assert audit(Hall.objects.get()) == []


@pytest.mark.slow
@pytest.mark.rule(9)
def test_level_that_nothing_has_come_to_is_no_finding() -> None:
    evening = Evening()
    authorise(
        evening.hall, reference="2/2026", jackpot_rate=200,
        jackpot_levels=[{"rate": 100, "limits": within(30), "base": 100}],
    )  # fmt: skip
    evening.reach("session")
    assert audit(Hall.objects.get()) == []
    evening.close()
    assert audit(Hall.objects.get()) == []
    Hall.objects.update(level_balances=[5])
    assert [finding.code for finding in audit(Hall.objects.get())] == ["jackpot_differs"]


@pytest.mark.parametrize("witness", ["nobody at all", "", 7, ["x"]])
def test_audit_finds_a_second_person_that_is_nobody_of_the_hall(witness: object) -> None:
    evening = Evening()
    entry = fund(evening, witness=evening.person(Role.TABLE_CHIEF))
    assert list(_witnessed(entry, frozenset([entry.data["witness"]]))) == []
    entry.data["witness"] = witness
    [finding] = _witnessed(entry, frozenset(evening.hall.people.values_list("username", flat=True)))
    assert finding.code == "witness_unknown"
