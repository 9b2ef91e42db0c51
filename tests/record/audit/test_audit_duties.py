"""Roll calls, sets and approvals that an entry tells otherwise than the books have them are found."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta
from typing import Any

import pytest
from django.db import transaction
from pytest_django import DjangoDbBlocker

from draws.balls import draw
from draws.games import services as games_services
from draws.prizes import services as prizes_services
from halls import sessions, tills
from halls.equipment import services as equipment_services
from halls.models import BallSet, JournalEntry, Role
from halls.policy.services import set_policy
from tests.support import database, planting
from tests.support.ball_sets import checked
from tests.support.evening import Evening, authorise, tonight
from tests.support.planting import rewrite

pytestmark = [pytest.mark.rule(23), pytest.mark.rule(4)]


@pytest.fixture(scope="module")
def drawn_by_hand(template_database: str, django_db_blocker: DjangoDbBlocker) -> Iterator[Evening]:
    """A hall that draws by hand, its first game on sale in a second session; its owner is connected."""
    with (
        database.copy(template_database, blocker=django_db_blocker) as fresh,
        django_db_blocker.unblock(),
    ):
        evening = Evening().reach("session").equip().reach("drawing")
        games_services.void(
            game=evening.game,
            cause="announcement_error",
            reason="x",
            **evening.who(Role.TABLE_CHIEF),
        )
        prizes_services.refund(
            game=evening.game, issue=evening.issue(), first=1, last=6, shift=evening.shift,
            **evening.who(Role.CASHIER),
        )  # fmt: skip
        games_services.complete(game=evening.game, **evening.who(Role.TABLE_CHIEF))
        cash = sum(evening.shift.movements.values_list("amount", flat=True))
        cashier = evening.who(Role.CASHIER)
        tills.close_shift(shift=evening.shift, counted=cash, comment="", **cashier)
        evening.close()
        with planting.as_owner_of(fresh):
            yield evening


@pytest.fixture
def played(drawn_by_hand: Evening) -> Iterator[Evening]:
    """The evening, in a transaction of its owner that is rolled back."""
    with transaction.atomic():
        yield drawn_by_hand
        transaction.set_rollback(True)


def numbered(kind: str) -> list[int]:
    """The numbers of the entries of a kind."""
    found = JournalEntry.objects.filter(kind=kind).order_by("number")
    return list(found.values_list("number", flat=True))


@pytest.mark.slow
def test_evening_that_did_its_duties_is_whole(played: Evening) -> None:
    closed = JournalEntry.objects.get(kind="session_closed")
    serial = BallSet.objects.get().serial
    assert closed.data["roll_calls"] == [[serial, numbered("balls_called")[-1]]]
    assert planting.found(played.hall) == []


@pytest.mark.slow
@pytest.mark.parametrize("told", ["opening", "missing", "other", None])
def test_closing_on_a_roll_call_that_there_was_not_is_found(
    played: Evening, told: str | None
) -> None:
    closed = JournalEntry.objects.get(kind="session_closed")
    opening, closing = numbered("balls_called")
    serial = BallSet.objects.get().serial
    calls: dict[str | None, Any] = {
        "opening": [[serial, opening]], "missing": [[serial, 1]], "other": [["X", closing]],
        None: [],
    }  # fmt: skip
    rewrite(closed, closed.data | {"roll_calls": calls[told]})
    assert planting.found(played.hall) == [(closed.number, "rules_refuse")]


def drawing(evening: Evening) -> JournalEntry:
    """Announce the first ball of a game of another session, and return its entry."""
    who = evening.who(Role.HALL_MANAGER)
    sessions.open_session(hall=evening.hall, checked=True, ends_at=tonight(), **who)
    evening.stage = 1
    evening.reach("closed").equip()
    games_services.announce_draw(game=evening.game, **evening.who(Role.CALLER))
    draw.announce_ball(game=evening.game, number=7, **evening.who(Role.CALLER))
    return JournalEntry.objects.latest("number")


@pytest.mark.parametrize("changed", ["roll_call", "unapproved", "ball_set"])
@pytest.mark.slow
def test_first_ball_that_tells_otherwise_is_found(played: Evening, changed: str) -> None:
    ball = drawing(played)
    assert planting.found(played.hall) == []
    told: dict[str, Any] = {
        # The roll call of the session before.
        "roll_call": numbered("balls_called")[0],
        "unapproved": [ball.data["ball_set"]],
        "ball_set": "X",
    }
    rewrite(ball, ball.data | {changed: told[changed]})
    [(number, _code)] = planting.found(played.hall)
    assert number == ball.number


@pytest.mark.slow
@pytest.mark.rule(2)
@pytest.mark.parametrize("required", [["extractor", "board", "sound"], None])
def test_check_that_asked_for_less_than_the_law_is_found(
    played: Evening, required: list[str] | None
) -> None:
    done = checked(played).entry
    assert planting.found(played.hall) == []
    data = {name: value for name, value in done.data.items() if name != "required"}
    rewrite(done, data if required is None else data | {"required": required})
    assert planting.found(played.hall) == [(done.number, "rules_refuse")]


@pytest.mark.rule(2)
@pytest.mark.slow
@pytest.mark.parametrize("item", ["sound", "printer"])
def test_decision_of_one_person_where_law_or_hall_wants_two_is_found(
    played: Evening, item: str
) -> None:
    """The law names the sound (R2); the rest is as the hall has decided."""
    manager, chief = played.who(Role.HALL_MANAGER), played.person(Role.TABLE_CHIEF)
    set_policy(hall=played.hall, four_eyes=["equipment_waived"], **manager)
    checked(played, failed=item)
    done = equipment_services.waive(
        hall=played.hall, kind=item, name="", reason="x", witness=chief, **manager
    )
    assert planting.found(played.hall) == []
    alone = {name: told for name, told in done.data.items() if name != "witness"}
    for data in (alone, alone | {"witness": manager["by"].username}):
        rewrite(done, data)
        assert planting.found(played.hall) == [(done.number, "rules_refuse")]


@pytest.mark.rule(17)
@pytest.mark.slow
def test_session_opened_on_an_authorisation_that_no_longer_held_is_found(
    played: Evening, monkeypatch: pytest.MonkeyPatch
) -> None:
    manager = played.who(Role.HALL_MANAGER)
    begun, until = (played.today - timedelta(days=days) for days in (60, 30))
    old = authorise(played.hall, reference="old", valid_from=begun, valid_until=until)
    monkeypatch.setattr(sessions, "in_force", lambda _hall, _at: old)
    sessions.open_session(hall=played.hall, checked=True, ends_at=tonight(), **manager)
    opened = JournalEntry.objects.latest("number")
    assert planting.found(played.hall) == [(opened.number, "rules_refuse")]
