"""What a check found amiss stands in the way of a session until something is done about it (R32)."""

from __future__ import annotations

from datetime import timedelta
from typing import Any
from uuid import uuid4

import pytest
from django.utils import timezone

from bingo.rules.refusal import Refusal
from draws.record import journal_text
from draws.record.audit import audit
from draws.refusals import text
from halls import jackpots as halls_jackpots
from halls import sessions
from halls.equipment import ball_sets, check_before_session
from halls.equipment import queries as equipment_queries
from halls.equipment import services as equipment_services
from halls.equipment.services import record_approval, register_device
from halls.models import Device, EquipmentCheck, Hall, JournalEntry, Role
from halls.policy.services import set_policy
from tests.support.ball_sets import (
    EXTRACTOR,
    SERIAL,
    ball_set,
    break_down,
    checked,
    device,
    inspect,
    mend,
    own,
    put_away,
    replace_ball,
    retire_device,
    the_set,
    tick_all,
    use_set,
)
from tests.support.evening import APPROVAL, Evening, authorise, tonight
from tests.support.playing import refuses

pytestmark = [pytest.mark.django_db, pytest.mark.rule(32), pytest.mark.rule("BOE IV")]

MANAGER = Role.HALL_MANAGER


def equipped() -> Evening:
    """A hall with an extractor and a set of balls in it."""
    evening = Evening()
    own(device, ball_set, use_set)(evening)
    return evening


def opens(evening: Evening, *, word: bool = False) -> bool:
    """Open the next session."""
    sessions.open_session(
        hall=evening.hall, checked=word, ends_at=tonight(), **evening.who(MANAGER)
    )
    return bool(evening.session.state["terms"]["checked"])


def waive(evening: Evening, *, kind: str = "sound", name: str = "", **changed: Any) -> JournalEntry:
    """Go on without something, which two persons stand for."""
    witness = {"witness": evening.person(Role.TABLE_CHIEF)}
    told = {"reason": "Megafone"} | witness | evening.who(MANAGER) | changed
    return equipment_services.waive(hall=evening.hall, kind=kind, name=name, **told)


def whys(evening: Evening) -> list[tuple[str, str]]:
    """What stands in the way, and why."""
    found = check_before_session.checked(evening.hall, at=evening.who(MANAGER)["at"])
    return [(one.name or one.kind, one.why) for one in found.in_the_way]


def test_failed_check_is_not_outweighed_by_anybody_s_word() -> None:
    evening = Evening()
    checked(evening, failed="sound")
    for word in (False, True):
        with refuses(Refusal("equipment_fails", item=["sound", ""], note="Avariado", left=1)):
            opens(evening, word=word)
    assert not evening.hall.sessions.exists()


def test_refusal_names_the_item_and_says_what_to_do() -> None:
    for why in ("broken", "failing", "fails", "unseen"):
        told = Refusal(f"equipment_{why}", item=["pneumatic", EXTRACTOR], note="Turbina", left=1)
        said = text.refusal(told)
        assert EXTRACTOR in said, why
        assert ("Turbina" in said) == (why != "unseen")
        assert "{" not in said


def test_failing_item_of_a_check_not_ended_stands_in_the_way_too() -> None:
    evening = Evening()
    tick_all(evening, failed="sound")
    assert whys(evening) == [("sound", "failing")]
    with refuses("equipment_failing"):
        opens(evening, word=True)
    with refuses("item_not_failing"):
        waive(evening)


@pytest.mark.slow
def test_item_looked_at_again_alone_opens_the_session() -> None:
    evening = Evening()
    checked(evening, failed="sound")
    who = evening.who(MANAGER)
    with refuses("check_not_complete"):
        equipment_services.finish_check(hall=evening.hall, **who)
    equipment_services.tick(hall=evening.hall, kind="sound", name="", ok=True, **who)
    done = equipment_services.finish_check(hall=evening.hall, **evening.who(MANAGER))
    assert done.passed
    assert [(one["kind"], one["name"]) for one in done.items] == check_before_session.due(
        evening.hall
    )
    assert opens(evening)
    assert audit(Hall.objects.get()) == []


def test_check_that_stands_is_made_anew_from_its_first_item() -> None:
    evening = Evening()
    checked(evening)
    who = evening.who(MANAGER)
    equipment_services.tick(hall=evening.hall, kind="sound", name="", ok=True, **who)
    left = len(check_before_session.due(evening.hall)) - 1
    with refuses(Refusal("check_not_complete", left=left)):
        equipment_services.finish_check(hall=evening.hall, **who)


def test_device_taken_out_of_use_stands_in_nobody_s_way() -> None:
    evening = Evening()
    own(device, lambda e, w: device(e, w, name="Bombo 2"))(evening)
    who = evening.who(MANAGER)
    for kind, name in check_before_session.due(evening.hall):
        ok = name != EXTRACTOR
        equipment_services.tick(
            hall=evening.hall, kind=kind, name=name, ok=ok, note="Turbina", **who
        )
    equipment_services.finish_check(hall=evening.hall, **evening.who(MANAGER))
    assert whys(evening) == [(EXTRACTOR, "fails")]
    own(retire_device)(evening)
    assert opens(evening)


@pytest.mark.slow
def test_breakdown_that_is_over_settles_the_device_and_one_that_goes_on_holds_it() -> None:
    evening = equipped()
    checked(evening, failed="pneumatic")
    own(break_down)(evening)
    assert whys(evening) == [(EXTRACTOR, "broken")]
    with refuses("equipment_broken"):
        opens(evening, word=True)
    own(mend)(evening)
    assert opens(evening)


@pytest.mark.slow
def test_breakdown_since_a_check_that_passed_stands_in_the_way() -> None:
    evening = equipped()
    checked(evening)
    own(break_down)(evening)
    with refuses("equipment_broken"):
        opens(evening)
    waive(evening, kind="pneumatic", name=EXTRACTOR)
    assert opens(evening)


def test_opening_sent_again_is_answered_though_the_check_stands_no_more() -> None:
    evening = equipped()
    checked(evening)
    order = evening.who(MANAGER) | {"key": uuid4(), "checked": False, "ends_at": tonight()}
    session = sessions.open_session(hall=evening.hall, **order)
    own(break_down)(evening)
    assert sessions.open_session(hall=evening.hall, **order) == session


def test_decision_about_a_breakdown_ends_with_it() -> None:
    evening = equipped()
    checked(evening)
    own(break_down)(evening)
    waive(evening, kind="pneumatic", name=EXTRACTOR)
    own(mend, break_down)(evening)
    assert whys(evening) == [(EXTRACTOR, "broken")]
    waive(evening, kind="pneumatic", name=EXTRACTOR)
    assert opens(evening)


@pytest.mark.slow
@pytest.mark.parametrize("remedy", [replace_ball, inspect])
def test_ball_set_repaired_is_no_longer_in_the_way(remedy: Any) -> None:
    evening = equipped()
    checked(evening, failed="ball_set")
    assert whys(evening) == [(SERIAL, "fails")]
    own(remedy)(evening)
    assert opens(evening)


@pytest.mark.parametrize("before", [(), (inspect,)])
def test_ball_set_found_unfit_stays_in_the_way(before: tuple[Any, ...]) -> None:
    evening = equipped()
    checked(evening, failed="ball_set")
    own(*before)(evening)
    own(lambda e, w: inspect(e, w, fit=False))(evening)
    with refuses("equipment_fails"):
        opens(evening)
    own(put_away(ball_sets.put_on_shelf))(evening)
    assert opens(evening)


@pytest.mark.slow
def test_set_that_takes_its_place_is_looked_at_too() -> None:
    evening = equipped()
    checked(evening, failed="ball_set")
    own(
        lambda e, w: ball_set(e, w, serial="B-0018"),
        lambda e, w: use_set(e, w, serial="B-0018"),
    )(evening)
    assert the_set(evening).standing == "kept"
    assert whys(evening) == [("B-0018", "unseen")]
    with refuses("equipment_unseen"):
        opens(evening, word=True)
    with refuses("item_not_failing"):
        waive(evening, kind="ball_set", name="B-0018")
    who = evening.who(MANAGER)
    equipment_services.tick(hall=evening.hall, kind="ball_set", name="B-0018", ok=True, **who)
    equipment_services.finish_check(hall=evening.hall, **evening.who(MANAGER))
    assert opens(evening)


@pytest.mark.slow
def test_decision_to_go_on_without_is_journalled_and_stands_in_the_acta() -> None:
    evening = Evening()
    checked(evening, failed="sound")
    entry = waive(evening)
    told = {
        "kind": "sound", "name": "", "note": "Avariado", "reason": "Megafone",
        "witness": evening.person(Role.TABLE_CHIEF).username,
    }  # fmt: skip
    assert (entry.kind, entry.data, entry.session) == ("equipment_waived", told, None)
    assert not EquipmentCheck.objects.get().passed
    assert opens(evening)
    assert [
        one.kind
        for one in equipment_queries.entries_of_session(evening.session, equipment_queries.BROKEN)
    ] == [entry.kind]
    assert "Megafone" in journal_text.describe_entry(entry)
    assert audit(Hall.objects.get()) == []


@pytest.mark.slow
def test_decision_holds_for_what_was_wrong_and_for_one_session() -> None:
    evening = Evening()
    checked(evening, failed="sound")
    waive(evening)
    # The same fault, found once more with another item, was decided about.
    who = evening.who(MANAGER)
    equipment_services.tick(
        hall=evening.hall, kind="board", name="", ok=False, note="Apagado", **who
    )
    assert whys(evening) == [("board", "failing")]
    equipment_services.tick(hall=evening.hall, kind="sound", name="", ok=False, note="Ardeu", **who)
    assert ("sound", "failing") in whys(evening)
    equipment_services.tick(hall=evening.hall, kind="board", name="", ok=True, **who)
    equipment_services.tick(
        hall=evening.hall, kind="sound", name="", ok=False, note="Avariado", **who
    )
    assert whys(evening) == []
    assert opens(evening)
    evening.close()
    checked(evening, failed="sound")
    assert whys(evening) == [("sound", "fails")]


def test_decision_of_yesterday_is_no_longer_one() -> None:
    evening = Evening()
    checked(evening, failed="sound")
    waive(evening)
    tomorrow = evening.who(MANAGER)["at"] + timedelta(days=1)
    found = check_before_session.checked(evening.hall, at=tomorrow)
    assert (found.check, found.findings, found.stands) == (None, (), False)


def test_decision_is_the_hall_manager_s_and_has_a_reason() -> None:
    evening = Evening()
    checked(evening, failed="sound")
    with refuses("reason_missing"):
        waive(evening, reason=" ")
    with refuses("not_allowed"):
        waive(evening, **evening.who(Role.TABLE_CHIEF) | {"witness": evening.person(MANAGER)})
    with refuses("item_not_failing"):
        waive(evening, kind="camera")


@pytest.mark.rule(2)
@pytest.mark.parametrize(
    ("kind", "hall"), [("sound", []), ("printer", ["equipment_waived"])], ids=["law", "hall"]
)
@pytest.mark.slow
def test_decision_needs_a_second_person_where_law_or_hall_want_one(
    kind: str, hall: list[str]
) -> None:
    evening = Evening()
    own(lambda e, w: set_policy(hall=e.hall, four_eyes=hall, **w))(evening)
    checked(evening, failed=kind)
    with refuses(Refusal("second_person_needed", command="equipment_waived")):
        waive(evening, kind=kind, witness=None)
    with refuses(Refusal("witness_same_person")):
        waive(evening, kind=kind, witness=evening.person(MANAGER))
    chief, key = evening.person(Role.TABLE_CHIEF), uuid4()
    entry = waive(evening, kind=kind, witness=chief, key=key)
    assert entry.data["witness"] == chief.username
    assert waive(evening, kind=kind, witness=chief, key=key) == entry
    assert opens(evening)
    assert audit(Hall.objects.get()) == []


@pytest.mark.slow
def test_what_was_found_amiss_is_not_said_to_work_with_the_rest() -> None:
    evening = Evening()
    checked(evening, failed="sound")
    who = evening.who(MANAGER)
    assert equipment_services.tick_rest(hall=evening.hall, **who) == 0
    own(device)(evening)
    assert equipment_services.tick_rest(hall=evening.hall, **evening.who(MANAGER)) == 1
    with refuses(Refusal("check_not_complete", left=1)):
        equipment_services.finish_check(hall=evening.hall, **evening.who(MANAGER))


def test_all_that_is_left_is_said_to_work_at_once() -> None:
    evening = equipped()
    who = evening.who(MANAGER)
    equipment_services.tick(hall=evening.hall, kind="sound", name="", ok=False, note="Chia", **who)
    left = len(check_before_session.due(evening.hall)) - 2
    assert equipment_services.tick_rest(hall=evening.hall, but=["rng"], **who) == left
    ticked = check_before_session.ticked(evening.hall, at=who["at"] + timedelta(seconds=1))
    assert ("rng", "") not in ticked
    assert ticked["sound", ""].note == "Chia"
    with refuses("not_allowed"):
        equipment_services.tick_rest(hall=evening.hall, **evening.who(Role.CALLER))


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["extractor", "camera", "screen", "board", "sound"])
@pytest.mark.rule(2)
@pytest.mark.rule("BOE II")
def test_nobody_says_that_the_hall_has_none_of_what_the_law_names(kind: str) -> None:
    evening = Evening()
    with refuses(Refusal("equipment_required", item=[kind, ""])):
        equipment_services.tick(
            hall=evening.hall, kind=kind, name="", ok=None, **evening.who(MANAGER)
        )
    who = evening.who(MANAGER)
    equipment_services.tick(hall=evening.hall, kind="printer", name="", ok=None, **who)
    authorise(evening.hall, reference="2/2026", exempt=[kind])
    equipment_services.tick(hall=evening.hall, kind=kind, name="", ok=None, **evening.who(MANAGER))
    assert equipment_services.tick_rest(hall=evening.hall, **evening.who(MANAGER)) == 5
    equipment_services.finish_check(hall=evening.hall, **evening.who(MANAGER))
    entry = JournalEntry.objects.get(kind="equipment_checked")
    assert entry.data["required"] == [
        one for one in ("extractor", "camera", "screen", "board", "sound") if one != kind
    ]
    assert opens(evening)
    assert evening.session.state["terms"]["exempt"] == [kind]
    assert audit(Hall.objects.get()) == []


@pytest.mark.rule(2)
def test_check_ended_while_midnight_passes_asks_for_what_the_new_day_s_authorisation_does() -> None:
    evening = Evening()
    midnight = evening.hall.ends(evening.today)
    tomorrow = evening.today + timedelta(days=1)
    authorise(evening.hall, reference="2/2026", valid_from=tomorrow, exempt=["board"])
    halls_jackpots.fund_jackpot(
        hall=evening.hall, amount=500, reference="base",
        by=evening.person(MANAGER), at=midnight + timedelta(milliseconds=200),
    )  # fmt: skip
    before: dict[str, Any] = {
        "by": evening.person(MANAGER),
        "at": midnight - timedelta(milliseconds=100),
    }
    equipment_services.tick(hall=evening.hall, kind="board", name="", ok=None, **before)
    equipment_services.tick_rest(hall=evening.hall, **before)
    equipment_services.finish_check(hall=evening.hall, **before)
    assert "board" not in JournalEntry.objects.get(kind="equipment_checked").data["required"]
    assert audit(Hall.objects.get()) == []


@pytest.mark.rule(2)
def test_hall_of_the_rng_has_no_balls_to_extract_or_to_film() -> None:
    evening = Evening()
    own(lambda e, w: set_policy(hall=e.hall, source="rng", **w))(evening)
    for kind in ("extractor", "camera"):
        equipment_services.tick(
            hall=evening.hall, kind=kind, name="", ok=None, **evening.who(MANAGER)
        )
    with refuses("equipment_required"):
        equipment_services.tick(
            hall=evening.hall, kind="board", name="", ok=None, **evening.who(MANAGER)
        )


@pytest.mark.rule(2)
def test_hall_that_leaves_the_rng_after_its_check_looks_at_extractor_and_camera_too() -> None:
    evening = Evening()
    own(lambda e, w: set_policy(hall=e.hall, source="rng", **w))(evening)
    who = evening.who(MANAGER)
    for kind in ("extractor", "camera"):
        equipment_services.tick(hall=evening.hall, kind=kind, name="", ok=None, **who)
    equipment_services.tick_rest(hall=evening.hall, **who)
    equipment_services.finish_check(hall=evening.hall, **who)
    assert whys(evening) == []
    own(lambda e, w: set_policy(hall=e.hall, source="camera", **w))(evening)
    assert whys(evening) == [("extractor", "unseen"), ("camera", "unseen")]
    assert equipment_services.tick_rest(hall=evening.hall, **evening.who(MANAGER)) == 2
    equipment_services.finish_check(hall=evening.hall, **evening.who(MANAGER))
    assert opens(evening)
    assert audit(Hall.objects.get()) == []


@pytest.mark.slow
def approved_until_yesterday() -> tuple[Evening, Device]:
    """A hall whose extractor's approval has run out, and that."""
    evening = Evening()
    own(device)(evening)
    machine = Device.objects.get(hall=evening.hall)
    told = APPROVAL | {"approved_until": evening.today - timedelta(days=1)}
    record_approval(of=machine, **told, **evening.who(MANAGER))
    return evening, machine


@pytest.mark.rule(4)
def test_device_without_an_approval_in_force_stands_in_the_way() -> None:
    evening, machine = approved_until_yesterday()
    checked(evening)
    with refuses(
        Refusal("equipment_unapproved", item=["pneumatic", EXTRACTOR], note="unapproved", left=1)
    ):
        opens(evening)
    record_approval(
        of=machine, **(APPROVAL | {"approved_until": evening.today}), **evening.who(MANAGER)
    )
    assert whys(evening) == []
    assert opens(evening)
    assert audit(Hall.objects.get()) == []


@pytest.mark.rule(4)
def test_device_without_an_approval_is_let_pass_by_two_persons() -> None:
    evening = Evening()
    own(lambda e, w: register_device(hall=e.hall, name="Painel", kind="board", **w))(evening)
    checked(evening)
    assert whys(evening) == [("Painel", "unapproved")]
    with refuses("second_person_needed"):
        waive(evening, kind="board", name="Painel", witness=None)
    waive(evening, kind="board", name="Painel")
    assert opens(evening)
    assert audit(Hall.objects.get()) == []


@pytest.mark.rule(4)
@pytest.mark.parametrize("how", ["mended", "waived"])
def test_device_that_failed_still_needs_its_approval_once_it_works_or_is_let_pass(how: str) -> None:
    evening, machine = approved_until_yesterday()
    checked(evening, failed=machine.kind)
    if how == "mended":
        own(break_down, mend)(evening)
    else:
        waive(evening, kind=machine.kind, name=machine.name)
    assert [one for one in whys(evening) if one[0] == machine.name][-1] == (
        machine.name,
        "unapproved",
    )
    with refuses("equipment_unapproved"):
        opens(evening)


@pytest.mark.rule(4)
def test_device_whose_approval_is_let_pass_is_looked_at_again_after_its_repair() -> None:
    evening, machine = approved_until_yesterday()
    checked(evening, failed=machine.kind)
    own(break_down, mend)(evening)
    waive(evening, kind=machine.kind, name=machine.name)
    own(lambda e, w: register_device(hall=e.hall, name="Painel", kind="board", **w))(evening)
    found = check_before_session.checked(evening.hall, at=timezone.now())
    assert [one.name for one in found.in_the_way] == ["Painel"]
    assert (machine.kind, machine.name) not in found.taken_over


@pytest.mark.parametrize("ahead", [timedelta(hours=1), timedelta(days=1)])
def test_only_what_came_after_the_close_counts_where_a_clock_set_back_gives_all_one_time(
    ahead: timedelta,
) -> None:
    evening = Evening().reach("session")
    late = evening.who(MANAGER) | {"at": timezone.now() + ahead}
    ticked = equipment_services.tick(
        hall=evening.hall, kind="board", name="", ok=False, note="Apagado", **late
    )
    sessions.close_session(session=evening.session, **late)

    def as_checked() -> check_before_session.Checked:
        """As a page asks, by the clock that is right again."""
        return check_before_session.checked(Hall.objects.get(), at=timezone.now())

    assert (as_checked().check, as_checked().findings) == (None, ())
    first = checked(evening, failed="sound")
    assert first.at == ticked.at
    assert as_checked().check == first
    waive(evening)
    assert as_checked().stands
    assert opens(evening)
    sessions.close_session(session=evening.session, **evening.who(MANAGER))
    assert as_checked().check is None
    checked(evening, failed="sound")
    assert [one.why for one in as_checked().in_the_way] == ["fails"]
