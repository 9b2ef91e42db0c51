"""What holds of every command alike: who may give it, what it records, and that it happens once."""

from pathlib import Path
from typing import Any
from uuid import uuid4

import pytest
from django.conf import LazySettings
from django.utils import timezone

from draws.games import services as games_services
from draws.record.audit import audit
from halls import sessions
from halls.models import Hall, JournalEntry, Person, Role
from halls.permissions import COMMANDS as ALLOWED
from tests.support.evening import Evening
from tests.support.playing import everything, refuses, shown
from tests.support.service_commands import COMMANDS
from tests.support.service_commands.command import Command

pytestmark = pytest.mark.django_db

every_command = pytest.mark.parametrize("command", COMMANDS, ids=lambda command: command.kind)
# A cashier's command at somebody else's till is refused before the role is looked at.
FORBIDDEN = ("not_allowed", "inspectors_account", "not_your_shift")


def stranger(evening: Evening, role: Role) -> Person:
    """Return somebody of the right role in another hall."""
    hall = evening.hall
    hall = Hall.objects.create(
        code="outra", name="Outra", licence="2", language="pt", currency="CVE",
        time_zone=hall.time_zone, rulebook=hall.rulebook,
    )  # fmt: skip
    return Person.objects.create(hall=hall, username="x", name="X", roles=[role], language="pt")


def heads() -> dict[int, int]:
    """Return the number of each hall's last entry."""
    return dict(Hall.objects.values_list("pk", "head_number"))


@pytest.fixture(autouse=True)
def own_keys(settings: LazySettings, tmp_path: Path) -> None:
    """Let what a command signs be signed with keys that no other test meets."""
    settings.KEYS_DIR = tmp_path / "keys"


# Sent a second time they find nothing left to do; tests/sign_in tries who may give them.
OF_SIGN_IN = {"factor_removed", "provider_unlinked", "till_browser_changed", "second_factor_set"}


def test_every_command_there_is_is_tried() -> None:
    assert {command.kind for command in COMMANDS} | OF_SIGN_IN == set(ALLOWED)


@pytest.mark.rule("BOE III")
@every_command
def test_command_is_refused_to_whoever_may_not_give_it(command: Command) -> None:
    evening = command.ready()
    people = [evening.person(role) for role in Role if role not in ALLOWED[command.kind]]
    inactive = evening.person(command.role)
    inactive.is_active = False
    for person in (*people, inactive, stranger(evening, command.role)):
        with refuses(*FORBIDDEN):
            command.act(evening, {"by": person, "at": timezone.now(), "key": uuid4()})


@every_command
def test_command_happens_once_for_each_key_which_no_other_may_use(command: Command) -> None:
    evening = command.ready()
    _refuse_key_of_a_note(evening, command)
    halls = Hall.objects.order_by("pk")
    before, who = heads(), _who(evening, command)
    given = shown(command.act(evening, who))
    number = before[evening.hall.pk] + 1
    entry = JournalEntry.objects.get(hall=evening.hall, number=number)
    assert (entry.kind, entry.by, entry.at) == (command.kind, who["by"], who["at"])
    assert heads() == before | {evening.hall.pk: before[evening.hall.pk] + command.entries}
    assert [finding for hall in halls for finding in audit(hall)] == []
    after = everything()
    assert shown(command.act(evening, who)) == given
    assert everything() == after
    if command.other:
        with refuses("key_reused"):
            command.other(evening, who)


def _refuse_key_of_a_note(evening: Evening, command: Command) -> None:
    """Where a session is open, write a note under a key, and give the command under it in vain."""
    noted = {**_who(evening, command), "by": evening.person(Role.HALL_MANAGER)}
    session = evening.hall.sessions.first()
    if session and session.closed_at is None and command.kind != "note_recorded":
        sessions.record_note(session=session, category="other", text="nota", decision="", **noted)
        with refuses("key_reused"):
            command.act(evening, {**_who(evening, command), "key": noted["key"]})


def test_key_of_an_earlier_game_is_refused() -> None:
    command = next(one for one in COMMANDS if one.kind == "sale_announced")
    evening = command.ready()
    who = _who(evening, command)
    games_services.announce_sale(game=evening.game, **who)
    chief = evening.who(Role.TABLE_CHIEF)
    games_services.void(game=evening.game, cause="nothing_sold", reason="Ninguém comprou", **chief)
    games_services.complete(game=evening.game, **chief)
    games_services.open_game(session=evening.session, issue=evening.issue(), **chief)
    with refuses("key_reused"):
        games_services.announce_sale(game=evening.game, **who)


def _who(evening: Evening, command: Command) -> dict[str, Any]:
    at = timezone.now() + command.later
    return {"by": evening.person(command.role), "at": at, "key": uuid4()}
