"""The hall while somebody attacks it: no sale is lost, and the door stays open.

How long sales take meanwhile is measured by `make bench ONLY=attack`.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from django.test import Client

from draws.models import Sale
from halls.journal.services import FEW
from halls.models import JournalEntry, Person, Role
from tests.bench import attack, busy
from tests.support.database import FreshDatabase
from tests.support.page_servers import PageServer, serving

PASSWORD = "janela-verde-2468"
SECONDS = 10.0


class Besieged:
    """The hall, its page server, and who sits at its tills."""

    def __init__(self, server: PageServer, hall: Any) -> None:
        self.server, self.hall = server, hall
        *self.selling, self.taken = [_cookie(one.shift.cashier) for one in self._seats()]
        self.chief: Person = hall.people.get(roles=[Role.TABLE_CHIEF])

    def _seats(self) -> list[busy.Seat]:
        return busy.seats(self.hall.sessions.get())

    def attacked(self, role: str, count: int) -> dict[str, int]:
        """Let the tills sell while this goes on, see that all is well, and say what attackers heard."""
        order = {"role": role, "count": count, "cookies": [self.taken], "name": self.chief.username}
        attackers = attack.Attack(self.server.port, order, seconds=SECONDS)
        with attack.Watch(self.server.port) as watch:
            sold = attack.sold(self.server.port, self.selling, seconds=SECONDS, attackers=attackers)
        assert sold["lost"] == 0
        assert sold["all"] >= len(self.selling)
        assert Sale.objects.count() == sold["all"]
        assert watch.tried > 3
        assert watch.failed == 0
        return attackers.told


@pytest.fixture
def besieged(fresh_database: FreshDatabase, tmp_path: Path) -> Iterator[Besieged]:
    """A hall whose tills sell."""
    hall = busy.hall("attack", cashiers=5, cards=3000)
    with serving(fresh_database, tmp_path / "data") as server:
        yield Besieged(server, hall)


def _cookie(person: Person) -> str:
    client = Client()
    client.force_login(person, backend="halls.web.middleware.Backend")
    return f"sessionid={client.cookies['sessionid'].value}"


@pytest.mark.slow
def test_half_sent_requests(besieged: Besieged) -> None:
    besieged.attacked("half_sent", 1200)


@pytest.mark.slow
def test_two_hundred_logins_at_once(besieged: Besieged) -> None:
    told = besieged.attacked("logins", 200)
    assert told.get("503", 0) > 0, "whoever finds the queue full is told so"


@pytest.mark.slow
def test_pages_of_browsers_that_only_say_they_are_logged_in(besieged: Besieged) -> None:
    assert set(besieged.attacked("pages", 200)) <= {"200", "503"}


@pytest.mark.slow
def test_wrong_witnesses_without_end(besieged: Besieged) -> None:
    chief = besieged.chief
    chief.set_password(PASSWORD)
    chief.save(update_fields=["password"])
    assert set(besieged.attacked("witnesses", 16)) <= {"409", "503"}
    sent = Client().post("/login/", {"username": chief.username, "password": PASSWORD})
    assert sent.status_code == 302, "the colleague still logs in"
    # Whoever typed them still sells.
    again = attack.sold(besieged.server.port, [besieged.taken], seconds=2.0)
    assert again["lost"] == 0
    refused = JournalEntry.objects.filter(kind="command_refused").count()
    assert refused <= 2 * FEW, "the first few of a minute, in two minutes at most"


@pytest.mark.slow
def test_refused_commands_without_end(besieged: Besieged) -> None:
    assert sum(besieged.attacked("refusals", 16).values()) > 2 * FEW
    noted = JournalEntry.objects.filter(kind="command_refused")
    assert noted.count() <= 2 * FEW
    assert max(len(str(one.data)) for one in noted) < 500


def test_attackers_have_a_hall_to_attack(db: None) -> None:
    hall = busy.hall("quiet", cashiers=1, cards=12)
    assert len(busy.seats(hall.sessions.get())) == 1
