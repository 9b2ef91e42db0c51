"""What the web's role of the database may not do, and what the journal lets go in its place."""

from __future__ import annotations

from contextlib import suppress
from datetime import datetime, timedelta
from typing import Any
from uuid import uuid4

import psycopg
import pytest
from django.contrib.auth.hashers import make_password
from django.db import DatabaseError, IntegrityError, ProgrammingError, connection, transaction
from django.utils.timezone import now

from bingo.rules.game_flow import Fact
from bingo.rules.sign_in_and_pins import digest_of
from draws.balls import draw
from draws.models import Ball, Prize
from halls import staff
from halls.journal import head
from halls.journal import services as journal_services
from halls.models import JournalEntry, Person, Role
from tests.support.evening import Evening
from tests.support.opening_halls import open_one

REFUSED = (
    "DELETE FROM draws_ball",
    "UPDATE draws_ball SET number = number",
    "DELETE FROM draws_prize",
    "UPDATE draws_prize SET amount = amount + 1",
    "UPDATE halls_person SET roles = roles || '{hall_manager}'",
    "UPDATE halls_person SET is_active = true",
    "UPDATE halls_person SET name = 'x'",
    "UPDATE halls_hall SET code = 'x'",
    "UPDATE draws_game SET issue_id = issue_id",
    "UPDATE halls_shift SET cashier_id = cashier_id",
    "DELETE FROM draws_game_further",
    "UPDATE auth_permission SET name = 'x'",
)


@pytest.mark.django_db
@pytest.mark.parametrize("statement", REFUSED)
def test_web_role_is_refused_by_the_database(statement: str) -> None:
    with (
        pytest.raises(ProgrammingError, match="permission denied"),
        transaction.atomic(),
        connection.cursor() as cursor,
    ):
        cursor.execute(statement)


@pytest.mark.slow
def test_owner_is_not_refused_what_the_web_role_is(
    owner_connection: psycopg.Connection[Any],
) -> None:
    for statement in REFUSED:
        with suppress(psycopg.Rollback), owner_connection.transaction() as here:
            owner_connection.execute(statement)
            raise psycopg.Rollback(here)


def calls(function: str, told: int) -> int | None:
    """What one of the functions says that run as the owner."""
    with connection.cursor() as cursor:
        cursor.execute(f"SELECT {function}(%s)", [told])
        found: int | None = cursor.fetchone()[0]
        return found


@pytest.mark.slow
@pytest.mark.django_db
def test_ball_goes_by_its_recall_alone_and_an_old_recall_takes_no_other() -> None:
    evening = Evening().reach("drawing")
    who = evening.who(Role.CALLER)
    ball = Ball.objects.filter(game=evening.game).latest("order")
    announced = JournalEntry.objects.filter(kind="ball_announced").latest("number")
    assert calls("take_back_ball", announced.pk) == 0
    assert Ball.objects.filter(pk=ball.pk).exists()

    draw.recall_ball(game=evening.game, number=ball.number, **who, key=uuid4())
    assert not Ball.objects.filter(pk=ball.pk).exists()
    recalled = JournalEntry.objects.filter(kind="ball_recalled").latest("number")
    draw.announce_ball(
        game=evening.game, number=ball.number, **evening.who(Role.CALLER), key=uuid4()
    )
    assert calls("take_back_ball", recalled.pk) == 0
    assert Ball.objects.filter(game=evening.game, number=ball.number).exists()


@pytest.mark.django_db
def test_an_entry_comes_after_the_last_of_its_hall() -> None:
    hall = Evening().reach("drawing").hall
    last = JournalEntry.objects.filter(hall=hall).latest("number")

    def add(number: int, at: datetime) -> None:
        with transaction.atomic():
            JournalEntry.objects.create(
                hall=hall, number=number, kind="note_recorded", data={}, at=at, digest="0" * 64
            )

    for number, at in (
        (last.number + 2, last.at),
        (last.number + 10**6, last.at),
        (last.number + 1, last.at - timedelta(seconds=1)),
    ):
        with pytest.raises(IntegrityError, match="comes after the last one"):
            add(number, at)
    add(last.number + 1, last.at)


@pytest.mark.slow
@pytest.mark.django_db
def test_nothing_is_carried_out_but_by_the_newest_entry() -> None:
    """Not even what an earlier one tells rightly: it was carried out, or refused."""
    evening = Evening().reach("drawing")
    ball = Ball.objects.filter(game=evening.game).latest("order")
    cashier = evening.person(Role.CASHIER)
    manager = evening.who(Role.HALL_MANAGER)
    hall = evening.hall
    roles = [Role.CASHIER.value, Role.SELLER.value]
    change = {"change": "set", "username": cashier.username, "name": "X", "roles": roles}
    told = (
        ("take_back_ball", Fact("ball_recalled", {"number": ball.number, "count": ball.order}), 1),
        ("apply_staff_change", Fact("staff_changed", change), cashier.pk),
    )
    for function, fact, done in told:
        for late in (True, False):
            entry = journal_services.append(
                head.lock(hall.pk), fact, session=evening.session, game=evening.game.number,
                **manager,
            )  # fmt: skip
            if late:
                note = Fact("note_recorded", {})
                journal_services.append(head.lock(hall.pk), note, by=None, at=manager["at"])
                with suppress(DatabaseError), transaction.atomic():
                    assert calls(function, entry.pk) == 0
            else:
                assert calls(function, entry.pk) == done


@pytest.mark.django_db
def test_nobody_is_added_to_a_hall_but_as_its_journal_tells() -> None:
    hall = open_one()
    hashed = "a hash"
    intruder = {"username": "intruso", "name": "X", "roles": ["inspector"]}

    def add(**changed: Any) -> None:
        with transaction.atomic():
            values = {"language": "pt", "password": hashed, **intruder, **changed}
            Person.objects.create(hall=hall, **values)

    with pytest.raises(IntegrityError, match="tells of this person"):
        add()
    told = intruder | {
        "change": "enrolled", "roles": ["cashier"], "password_digest": digest_of(hashed),
    }  # fmt: skip
    for username in ("intruso", "regressado"):
        told = told | {"username": username}
        journal_services.append(head.lock(hall.pk), Fact("staff_changed", told), by=None, at=now())
    for wrong in (
        {},
        {"roles": ["cashier", "hall_manager"]},
        {"username": "outro", "roles": ["cashier"]},
        {"name": "Y", "roles": ["cashier"]},
        {"is_active": False, "roles": ["cashier"]},
        {"witness_from": now(), "roles": ["cashier"]},
        {"password": "another hash", "roles": ["cashier"]},
    ):
        with pytest.raises(IntegrityError, match="tells of this person"):
            add(**wrong)
    add(roles=["cashier"])
    # Whom an archive brings back has no password: nobody comes in as them.
    add(username="regressado", roles=["cashier"], password=make_password(None))


@pytest.mark.slow
@pytest.mark.django_db
def test_prizes_go_with_a_void_game_alone() -> None:
    evening = Evening().reach("paying")
    kept = Prize.objects.filter(game=evening.game).count()
    assert kept
    for entry in JournalEntry.objects.filter(game=evening.game.number):
        assert calls("drop_prizes", entry.pk) == 0
    assert Prize.objects.filter(game=evening.game).count() == kept


@pytest.mark.django_db
def test_roles_follow_the_newest_entry_about_somebody_alone() -> None:
    evening = Evening()
    hall = evening.hall
    manager = next(one for one in hall.people.all() if Role.HALL_MANAGER in one.roles)
    other = next(one for one in hall.people.all() if one.roles == [Role.CALLER.value])
    for roles in ([Role.CASHIER], [Role.CALLER]):
        staff.set_roles(
            hall=hall, username=other.username, name=other.name, roles=roles,
            **evening.who(Role.HALL_MANAGER), key=uuid4(),
        )  # fmt: skip
        assert Person.objects.get(pk=other.pk).roles == [role.value for role in roles]
    earlier = JournalEntry.objects.filter(kind="staff_changed").order_by("number")
    with pytest.raises(DatabaseError, match="no entry of the journal"), transaction.atomic():
        calls("apply_staff_change", earlier[len(earlier) - 2].pk)
    with pytest.raises(DatabaseError, match="no entry of the journal"), transaction.atomic():
        calls("apply_staff_change", 0)
    assert Person.objects.get(pk=other.pk).roles == [Role.CALLER.value]
    assert manager.roles == Person.objects.get(pk=manager.pk).roles


@pytest.mark.django_db
def test_account_that_practises_nothing_is_kept_in_step_with_nobody() -> None:
    person = Evening().person(Role.CASHIER)
    with connection.cursor() as cursor:
        cursor.execute("SELECT keep_in_step(%s, %s)", [person.pk, ["hall_manager", "inspector"]])
        assert cursor.fetchone() == (None,)
    assert Person.objects.get(pk=person.pk).roles == person.roles
