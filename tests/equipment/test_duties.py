"""Sets, approvals and roll calls are asked for where balls are drawn by hand or read, and left out by two."""

from __future__ import annotations

import re
from datetime import timedelta
from pathlib import Path
from typing import Any
from uuid import uuid4
from zoneinfo import ZoneInfo

import pytest
from django.conf import LazySettings
from django.db import transaction

from bingo.rules.refusal import Refusal
from draws.balls import draw
from draws.games import progress
from draws.games import services as games_services
from draws.record.acta import queries as acta_queries
from draws.record.audit import audit
from draws.rng import client
from halls import sessions
from halls.equipment import approvals_and_roll_calls_due, ball_sets
from halls.equipment import services as equipment_services
from halls.journal import head
from halls.models import BallSet, Device, Hall, JournalEntry, Role
from halls.policy.services import set_policy
from tests.support.ball_sets import SERIAL, ball_set, call_balls, device, own, use_set
from tests.support.evening import APPROVAL, Evening, tonight
from tests.support.planting_rows import plant
from tests.support.playing import refuses
from tests.support.service_commands.games import void
from tests.support.service_commands.prizes import refund
from tests.support.service_commands.sessions import counted

pytestmark = pytest.mark.django_db

MANAGER, CHIEF, CALLER = Role.HALL_MANAGER, Role.TABLE_CHIEF, Role.CALLER
WHOLE = list(range(1, 91))


def by_hand(*acts: Any, source: str = "by_hand") -> Evening:
    """A game about to be sold in a hall that draws by hand, with an approved set in use."""
    evening = Evening()
    set_policy(hall=evening.hall, source=source, **evening.who(MANAGER))
    own(device, ball_set, use_set, *acts)(evening)
    return evening.reach("prepared")


@pytest.mark.slow
def test_duty_left_out_for_one_session_is_not_left_out_of_the_next() -> None:
    evening = Evening()
    set_policy(hall=evening.hall, source="by_hand", **evening.who(MANAGER))
    own(device, ball_set, use_set)(evening)
    evening.reach("session")
    manager, chief = evening.at("manager"), evening.person(CHIEF)
    chief.set_password("janela-verde-2468")
    chief.save(update_fields=["password"])
    page = manager.get("/equipment/").content.decode()
    sent = {
        **dict(re.findall(r'name="(session|duty|subject)" value="([^"]*)"', page)),
        "reason": "Avariado", "witness_username": chief.username,
        "witness_password": "janela-verde-2468",
    }  # fmt: skip
    assert (sent["session"], sent["duty"]) == ("1", "opening_call")
    sessions.close_session(session=evening.session, **evening.who(MANAGER))
    sessions.open_session(
        hall=evening.hall, checked=True, ends_at=tonight(), **evening.who(MANAGER)
    )
    for session, status in (("1", 409), ("2", 302)):
        order = sent | {"session": session, "key": str(uuid4())}
        assert manager.post("/equipment/do/leave-out/", order).status_code == status


def announce(evening: Evening, **given: Any) -> None:
    games_services.announce_sale(game=evening.game, **(evening.who(CALLER) | given))


def called(evening: Evening, when: str = "opening", **changed: Any) -> JournalEntry:
    return call_balls(evening, evening.who(CHIEF), when=when, **({"seen": WHOLE} | changed))


def leave_out(evening: Evening, duty: str, subject: str = SERIAL, **changed: Any) -> JournalEntry:
    told: dict[str, Any] = {"reason": "Avariado", "witness": evening.person(CHIEF)}
    told |= evening.who(MANAGER)
    return approvals_and_roll_calls_due.leave_out(
        session=evening.session, duty=duty, subject=subject, **(told | changed)
    )


@pytest.mark.rule(22)
def test_sale_by_hand_needs_a_registered_set() -> None:
    evening = Evening()
    set_policy(hall=evening.hall, source="by_hand", **evening.who(MANAGER))
    evening.reach("prepared")
    with refuses(Refusal("ball_set_missing", format=90)):
        announce(evening)
    evening.equip()
    announce(evening)
    told = JournalEntry.objects.get(kind="sale_announced").data
    calls = JournalEntry.objects.get(kind="balls_called")
    assert (told["ball_set"], told["roll_call"]) == (BallSet.objects.get().serial, calls.number)
    assert audit(Hall.objects.get()) == []


@pytest.mark.rule(23)
@pytest.mark.parametrize("source", ["by_hand", "camera"])
@pytest.mark.slow
def test_first_sale_waits_for_the_roll_call(source: str) -> None:
    evening = by_hand(source=source)
    with refuses(Refusal("roll_call_missing", ball_set=SERIAL)):
        announce(evening)
    # One at the end is none at the start, and one of another set is none of this one.
    called(evening, "closing")
    ball_set(evening, evening.who(MANAGER), serial="B-0018")
    other = BallSet.objects.get(serial="B-0018")
    equipment_services.call_balls(ball_set=other, when="opening", seen=WHOLE, **evening.who(CHIEF))
    with refuses(Refusal("roll_call_missing", ball_set=SERIAL)):
        announce(evening)
    called(evening)
    announce(evening)
    assert audit(Hall.objects.get()) == []


@pytest.mark.rule(21)
@pytest.mark.rule(23)
@pytest.mark.slow
def test_roll_call_with_a_ball_missing_or_a_foreign_one_does_not_count() -> None:
    evening = by_hand()
    called(evening)
    for seen, missing, foreign in ((WHOLE[:-1], [90], []), ([*WHOLE, 91], [], [91])):
        called(evening, seen=seen)
        amiss = Refusal("roll_call_amiss", ball_set=SERIAL, missing=missing, foreign=foreign)
        with refuses(amiss):
            announce(evening)
    leave_out(evening, "opening_call")
    announce(evening)
    assert "roll_call" not in JournalEntry.objects.get(kind="sale_announced").data
    assert audit(Hall.objects.get()) == []


@pytest.mark.slow
@pytest.mark.rule(23)
@pytest.mark.rule(26)
def test_ball_put_in_after_the_roll_call_has_to_run_past_too() -> None:
    evening = by_hand()
    called(evening)
    worn = BallSet.objects.get(hall=evening.hall, serial=SERIAL)
    ball_sets.replace_ball(ball_set=worn, number=7, reason="Gasta", **evening.who(MANAGER))
    with refuses(Refusal("roll_call_missing", ball_set=SERIAL)):
        announce(evening)
    called(evening)
    evening.reach("sold")
    ball_sets.replace_ball(ball_set=worn, number=8, reason="Gasta", **evening.who(MANAGER))
    games_services.close_sale(game=evening.game, **evening.who(CALLER))
    games_services.announce_draw(game=evening.game, **evening.who(CALLER))
    ball: dict[str, Any] = {"game": evening.game, "number": 8} | evening.who(CALLER)
    with refuses(Refusal("roll_call_missing", ball_set=SERIAL)):
        draw.announce_ball(**ball)
    called(evening)
    draw.announce_ball(**ball)
    assert audit(Hall.objects.get()) == []


@pytest.mark.rule(23)
def test_roll_call_of_yesterday_or_of_the_session_before_does_not_count() -> None:
    evening = Evening()
    set_policy(hall=evening.hall, source="by_hand", **evening.who(MANAGER))
    own(device, ball_set, use_set)(evening)
    who = evening.who(CHIEF)
    yesterday = who | {"at": who["at"] - timedelta(days=1)}
    call_balls(evening, yesterday, when="opening", seen=WHOLE)
    JournalEntry.objects.filter(kind="balls_called")
    evening.reach("session")
    called(evening)
    evening.close()
    evening.stage = 0
    evening.reach("prepared")
    with refuses(Refusal("roll_call_missing", ball_set=SERIAL)):
        announce(evening)


@pytest.mark.rule(4)
@pytest.mark.rule(20)
def test_approval_that_ends_while_a_sale_waits_at_midnight_is_no_longer_in_force() -> None:
    evening = by_hand()
    called(evening)
    until_today = APPROVAL | {"approved_until": evening.today}
    equipment_services.record_approval(
        of=BallSet.objects.get(), **until_today, **evening.who(MANAGER)
    )
    midnight = evening.hall.ends(evening.today)
    # Whatever hour the test runs at, the sale is not within the session's last ten minutes (R53).
    sessions.plan_session_end(
        session=evening.session, ends_at=midnight + timedelta(hours=8), reason="Até tarde",
        by=evening.person(MANAGER), at=midnight - timedelta(hours=1),
    )  # fmt: skip
    sessions.record_note(
        session=evening.session, category="occurrence", text="Luz", decision="Esperar",
        by=evening.person(MANAGER), at=midnight + timedelta(milliseconds=200),
    )  # fmt: skip
    before = midnight - timedelta(milliseconds=100)
    with refuses(Refusal("not_approved", name=SERIAL)):
        announce(evening, at=before)
    leave_out(evening, "approval", at=before)
    announce(evening, at=before)
    assert JournalEntry.objects.get(kind="sale_announced").data["unapproved"] == [SERIAL]
    assert audit(Hall.objects.get()) == []


@pytest.mark.slow
@pytest.mark.rule(4)
@pytest.mark.rule(20)
def test_set_approved_until_yesterday_is_not_drawn_from() -> None:
    evening = by_hand()
    called(evening)
    used, machine = BallSet.objects.get(), Device.objects.get()
    yesterday = evening.today - timedelta(days=1)
    ended = APPROVAL | {"approved_until": yesterday}
    equipment_services.record_approval(of=used, **ended, **evening.who(MANAGER))
    equipment_services.record_approval(of=machine, **ended, **evening.who(MANAGER))
    with refuses(Refusal("not_approved", name=SERIAL)):
        announce(evening)
    until_today = APPROVAL | {"approved_until": evening.today}
    equipment_services.record_approval(of=used, **until_today, **evening.who(MANAGER))
    with refuses(Refusal("not_approved", name=str(machine))):
        announce(evening)
    leave_out(evening, "approval", str(machine))
    announce(evening)
    assert JournalEntry.objects.get(kind="sale_announced").data["unapproved"] == [str(machine)]
    assert audit(Hall.objects.get()) == []


@pytest.mark.rule(20)
def test_approval_without_its_authority_or_its_day_is_none() -> None:
    evening = Evening()
    who = evening.who(MANAGER)
    only_number = dict.fromkeys(("authority",), "") | {"approved_on": None}
    ball_set(evening, who, approval="7/2026", **only_number)
    used = BallSet.objects.get()
    assert not used.is_approved(evening.today)
    for missing in ({"approval": " "}, {"authority": ""}, {"approved_on": None}):
        with refuses("approval_incomplete"):
            equipment_services.record_approval(
                of=used, **(APPROVAL | missing), **evening.who(MANAGER)
            )
    early = {"approved_until": APPROVAL["approved_on"] - timedelta(days=1)}
    with refuses("approval_ends_early"):
        equipment_services.record_approval(of=used, **(APPROVAL | early), **evening.who(MANAGER))
    equipment_services.record_approval(of=used, **APPROVAL, **evening.who(MANAGER))
    assert BallSet.objects.get().is_approved(evening.today)
    assert not BallSet.objects.get().is_approved(APPROVAL["approved_on"] - timedelta(days=1))
    assert audit(Hall.objects.get()) == []


@pytest.mark.rule(4)
@pytest.mark.rule(20)
def test_approval_that_holds_from_a_later_day_does_not_take_the_place_of_the_present_one() -> None:
    evening = by_hand()
    machine, used = Device.objects.get(), BallSet.objects.get()
    tomorrow = evening.today + timedelta(days=1)
    for one in (machine, used):
        with refuses(Refusal("approval_not_yet", day=tomorrow.isoformat())):
            equipment_services.record_approval(
                of=one, **(APPROVAL | {"approved_on": tomorrow}), **evening.who(MANAGER)
            )
    called(evening)
    announce(evening)
    assert "unapproved" not in JournalEntry.objects.get(kind="sale_announced").data


@pytest.mark.rule(23)
@pytest.mark.slow
def test_session_closes_after_the_second_roll_call() -> None:
    evening = by_hand()
    called(evening)
    early = called(evening, "closing")
    evening.stage += 1
    announce(evening)
    evening.reach("drawing")
    void(evening, evening.who(CHIEF))
    refund(evening, evening.who(Role.CASHIER))
    games_services.complete(game=evening.game, **evening.who(CHIEF))
    counted(evening)
    manager = evening.who(MANAGER)
    closing = re.compile(r'id="close-session-dialog".*?</dialog>', re.DOTALL)
    asked = closing.search(evening.at("manager").get("/manager/").content.decode())
    assert asked
    assert SERIAL in asked[0]
    assert "disabled" in asked[0]
    # The one before the last ball is none.
    with refuses(Refusal("closing_call_missing", ball_set=SERIAL, left=1)):
        sessions.close_session(session=evening.session, **manager)
    called(evening, "closing", seen=WHOLE[1:])
    amiss = Refusal("closing_call_amiss", ball_set=SERIAL, missing=[1], foreign=[])
    with refuses(amiss):
        sessions.close_session(session=evening.session, **evening.who(MANAGER))
    done, key = called(evening, "closing"), uuid4()
    for _time in range(2):
        session = evening.hall.sessions.get()
        closed = sessions.close_session(session=session, key=key, **evening.who(MANAGER))
    assert closed.closed_at
    entry = JournalEntry.objects.get(kind="session_closed")
    assert entry.data["roll_calls"] == [[SERIAL, done.number]]
    assert done.number > early.number
    assert audit(Hall.objects.get()) == []


@pytest.mark.rule(23)
@pytest.mark.slow
def test_what_is_left_out_is_what_is_due_by_the_manager_and_another_person() -> None:
    evening = by_hand()
    with refuses(Refusal("second_person_needed", command="duty_left_out")):
        leave_out(evening, "opening_call", witness=None)
    with refuses("witness_same_person"):
        leave_out(evening, "opening_call", witness=evening.person(MANAGER))
    with refuses("witness_not_allowed"):
        leave_out(evening, "opening_call", witness=evening.person(Role.CASHIER))
    with refuses("not_allowed"):
        leave_out(evening, "opening_call", **evening.who(CHIEF))
    for duty, subject in (
        ("ball_set", "90"), ("ball_set", "91"), ("approval", SERIAL), ("closing_call", SERIAL),
        ("opening_call", "B-0018"), ("approval", "x' OR 1=1"),
    ):  # fmt: skip
        with refuses("duty_not_due"):
            leave_out(evening, duty, subject)
    with refuses("bad_text"):
        leave_out(evening, "opening_call", "")
    with refuses("unknown_duty"):
        leave_out(evening, "acta")
    key = uuid4()
    entry = leave_out(evening, "opening_call", key=key)
    assert leave_out(evening, "opening_call", key=key) == entry
    with refuses("duty_left_out"):
        leave_out(evening, "opening_call")
    announce(evening)
    evening.stage += 1
    told = acta_queries.waivers(evening.session, ZoneInfo(evening.hall.time_zone))
    assert [(one.reason, one.by, one.witness) for one in told] == [
        ("Avariado", evening.person(MANAGER).name, evening.person(CHIEF).name)
    ]
    assert SERIAL in told[0].item
    assert audit(Hall.objects.get()) == []


@pytest.mark.rule(23)
def test_hall_of_the_rng_is_asked_nothing() -> None:
    evening = Evening()
    set_policy(hall=evening.hall, source="rng", **evening.who(MANAGER))
    own(device, lambda e, w: ball_set(e, w, approval="", authority="", approved_on=None), use_set)(
        evening
    )
    evening.reach("prepared")
    due = approvals_and_roll_calls_due.due(
        evening.session, at=evening.who(MANAGER)["at"], rng_draws=bool
    )
    assert due == []
    announce(evening)


@pytest.mark.slow
def test_desks_say_what_is_due_and_lead_there() -> None:
    evening = by_hand()
    used = BallSet.objects.get()
    place = f"/equipment/sets/{used.pk}/?when=opening#call-form"
    for desk, link in (("manager", True), ("table", True), ("caller", False)):
        text = evening.at(desk).get(f"/{desk}/").content.decode()
        assert 'id="duties-due"' in text, desk
        assert (place in text) == link, desk
    page = evening.at("table").get(place.split("#", maxsplit=1)[0]).content.decode()
    assert "selected" in page.split('<option value="opening"')[1].split(">")[0]
    called(evening)
    for desk in ("manager", "table", "caller"):
        assert 'id="duties-due"' not in evening.at(desk).get(f"/{desk}/").content.decode()


def failed_rng(*acts: Any) -> Evening:
    """A game of the RNG that goes on by hand after its first ball, in a hall with what it was given."""
    evening = Evening()
    set_policy(hall=evening.hall, source="rng", **evening.who(MANAGER))
    own(*acts)(evening)
    evening.reach("sold")
    games_services.close_sale(game=evening.game, **evening.who(CALLER))
    games_services.announce_draw(game=evening.game, **evening.who(CALLER))
    draw.draw_ball(game=evening.game, **evening.who(CALLER))
    draw.change_source(game=evening.game, source="by_hand", reason="Parou", **evening.who(CALLER))
    return evening


def announce_by_hand(evening: Evening) -> None:
    """Announce a ball that has not come, before the table chief."""
    out = set(evening.game.balls.values_list("number", flat=True))
    draw.announce_ball(
        game=evening.game, number=min(set(WHOLE) - out), witness=evening.person(CHIEF),
        **evening.who(CALLER),
    )  # fmt: skip


def told_on_desks(evening: Evening) -> list[str]:
    """Return the desks that say that something is due of the balls."""
    return [
        desk
        for desk in ("manager", "table", "caller")
        if 'id="duties-due"' in evening.at(desk).get(f"/{desk}/").content.decode()
    ]


@pytest.mark.slow
@pytest.mark.rule(22)
@pytest.mark.rule(55)
def test_desks_ask_for_the_set_where_the_rng_fails_in_the_draw() -> None:
    evening = failed_rng()
    with refuses(Refusal("ball_set_missing", format=90)):
        announce_by_hand(evening)
    assert told_on_desks(evening) == ["manager", "table", "caller"]
    leave_out(evening, "ball_set", "90")
    announce_by_hand(evening)
    assert told_on_desks(evening) == []
    assert audit(Hall.objects.get()) == []


def offered(evening: Evening) -> bool:
    """Return whether the hall manager may leave out the set of balls under Equipment."""
    return 'value="ball_set"' in evening.at("manager").get("/equipment/").content.decode()


@pytest.mark.slow
@pytest.mark.rule(22)
def test_undecided_hall_whose_rng_is_down_before_the_sale_is_asked_for_a_set(
    tmp_path: Path, settings: LazySettings
) -> None:
    evening = Evening().reach("prepared")
    assert not offered(evening)
    settings.RNG_DIR = tmp_path / "rng"
    with refuses(Refusal("ball_set_missing", format=90)):
        announce(evening)
    assert told_on_desks(evening) == ["manager", "table", "caller"]
    assert offered(evening)
    leave_out(evening, "ball_set", "90")
    announce(evening)


@pytest.mark.slow
@pytest.mark.rule(22)
def test_undecided_hall_whose_rng_is_lost_before_the_first_ball_is_asked_for_a_set(
    tmp_path: Path, settings: LazySettings
) -> None:
    evening = Evening().reach("sold")
    games_services.close_sale(game=evening.game, **evening.who(CALLER))
    games_services.announce_draw(game=evening.game, **evening.who(CALLER))
    assert not offered(evening)
    folder = tmp_path / "rng"
    settings.RNG_DIR = folder
    assert offered(evening)
    # Another process answers, and does not know the game.
    with client.running(folder):
        with refuses("rng_lost"):
            draw.draw_ball(game=evening.game, **evening.who(CALLER))
        assert told_on_desks(evening) == ["manager", "table", "caller"]
        leave_out(evening, "ball_set", "90")
        announce_by_hand(evening)
    assert audit(Hall.objects.get()) == []


@pytest.mark.slow
@pytest.mark.rule(15)
@pytest.mark.rule(22)
def test_second_half_that_the_rng_did_not_bind_itself_to_is_asked_for_a_set(
    tmp_path: Path, settings: LazySettings
) -> None:
    evening = Evening()
    plant(evening.hall.issues.filter(pk=evening.issue().pk), double=True)
    evening.reach("sold")
    games_services.close_sale(game=evening.game, **evening.who(CALLER))
    games_services.announce_draw(game=evening.game, **evening.who(CALLER))
    with transaction.atomic():
        book = head.open_book(evening.session, [])
        for number in evening.numbers():
            progress.post(evening.game, number, "rng", book=book, **evening.who(CALLER))
    evening.stage += 2
    evening.reach("paying")
    games_services.complete(game=evening.game, **evening.who(CHIEF))
    settings.RNG_DIR, here = tmp_path / "rng", settings.RNG_DIR
    games_services.open_second_half(session=evening.session, **evening.who(CHIEF))
    settings.RNG_DIR = here
    games_services.announce_draw(game=evening.game, **evening.who(CALLER))
    with refuses("rng_not_bound"):
        draw.draw_ball(game=evening.game, **evening.who(CALLER))
    with refuses(Refusal("ball_set_missing", format=90)):
        announce_by_hand(evening)
    assert offered(evening)


@pytest.mark.slow
@pytest.mark.rule(23)
@pytest.mark.rule(55)
def test_roll_call_that_went_amiss_does_not_hold_a_draw_whose_rng_failed() -> None:
    evening = failed_rng(device, ball_set, use_set, lambda e, _who: called(e, seen=WHOLE[1:]))
    assert told_on_desks(evening) == []
    announce_by_hand(evening)
    assert audit(Hall.objects.get()) == []


@pytest.mark.slow
@pytest.mark.rule(23)
def test_set_retired_in_its_session_is_called_at_the_end_on_its_page() -> None:
    evening = Evening().reach("session").equip().reach("drawing")
    used = BallSet.objects.get()
    void(evening, evening.who(CHIEF))
    ball_sets.retire(ball_set=used, reason="Gasto", **evening.who(MANAGER))
    with refuses(Refusal("ball_set_retired", ball_set=used.serial)):
        equipment_services.call_balls(
            ball_set=used, when="opening", seen=WHOLE, **evening.who(CHIEF)
        )
    path = f"/equipment/sets/{used.pk}/"
    page = evening.at("table").get(path, {"when": "closing"}).content.decode()
    assert re.findall(r'<option value="(\w+)"', page.split('id="call-form"')[1]) == ["closing"]
    told = {"when": "closing", "missing": "", "foreign": "", "key": str(uuid4())}
    assert evening.at("table").post(f"{path}do/call/", told).status_code == 302
    assert approvals_and_roll_calls_due.closing_calls(evening.session)
    assert audit(Hall.objects.get()) == []


@pytest.mark.rule(23)
@pytest.mark.rule(55)
def test_hall_of_the_rng_that_drew_once_by_hand_owes_the_closing_roll_call_alone() -> None:
    evening = failed_rng(device, ball_set, use_set)
    announce_by_hand(evening)
    void(evening, evening.who(CHIEF))
    refund(evening, evening.who(Role.CASHIER))
    games_services.complete(game=evening.game, **evening.who(CHIEF))
    due = approvals_and_roll_calls_due.due(
        evening.session, at=evening.who(MANAGER)["at"], rng_draws=bool
    )
    assert [(one.duty, one.subject) for one in due] == [("closing_call", SERIAL)]
