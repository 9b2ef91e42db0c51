"""Every address that the resolver knows, posted to by every role with values that nobody means.

None ends in an error of ours; nothing is journalled by whoever may not come there, in another hall, or
by a role that the table of commands does not name.
"""

from __future__ import annotations

import copy
import random
import re
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from uuid import uuid4

import pytest
from django.conf import settings
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import transaction
from django.test import Client
from hypothesis import HealthCheck, given
from hypothesis import settings as hypothesis_settings
from hypothesis import strategies as st

from bingo.asgi import larger
from draws.balls.views import ball_trial
from draws.boards import views as boards_views
from draws.cards.views import series
from draws.desks.table import claims
from halls.models import JournalEntry, Person, Role
from halls.permissions import COMMANDS
from tests.support.addresses import Address, addresses
from tests.support.authorisation import NOBODY, may
from tests.support.evening import Evening, browser_of
from tests.support.hostile_forms import ODD, fields_of, quiet, typed
from tests.support.hostile_frames import broken, frames
from tests.support.photographs import photograph
from tests.support.planting_rows import plant

pytestmark = pytest.mark.django_db
ELSEWHERE = "another hall"
# What is answered to whoever may not come: to log in, that it is for others, that it is no address here.
SHUT = frozenset([302, 401, 403, 404, 405])


@dataclass
class Siege:
    """Two halls, who asks, the fields of all pages, and what went wrong."""

    evening: Evening
    other: Evening
    fields: dict[str, set[str]]
    askers: dict[str, tuple[Person | None, Client]] = field(init=False)
    wrong: list[tuple[object, ...]] = field(default_factory=list)
    came: Counter[bool] = field(default_factory=Counter)

    def __post_init__(self) -> None:
        """Let everybody log in."""
        stranger = self.other.person(Role.HALL_MANAGER)
        plant(Person.objects.filter(pk=stranger.pk), roles=[role.value for role in Role])
        stranger.refresh_from_db()
        people = {role.value: self.evening.person(role) for role in Role} | {ELSEWHERE: stranger}
        self.askers = {name: (one, quiet(browser_of(one))) for name, one in people.items()}
        self.askers[NOBODY] = (None, quiet(Client()))

    def log_in(self, asker: str) -> None:
        """Let somebody log in anew: who waits for the others' orders would find the page locked."""
        person, _browser = self.askers[asker]
        if person is not None:
            self.askers[asker] = (person, quiet(browser_of(person)))

    def addresses(self) -> list[Address]:
        """Return every address, with the numbers of what our hall has, and of what the other has."""
        found: set[Address] = set()
        for hall in (self.evening, self.other):
            issue = hall.issue()
            found.update(addresses(issue=issue.pk, series=issue.series_id))
        return sorted(found, key=lambda one: (one.route, one.verb, one.path))

    def order(self, asker: str, address: Address, data: dict[str, object]) -> None:
        """Post, note what ought not to be, and undo whatever was done."""
        person, browser = self.askers[asker]
        kept, last = copy.deepcopy(browser.cookies), _last()
        allowed = asker == ELSEWHERE or asker in may(address.route)
        with transaction.atomic():
            answer = browser.post(address.path, data | {"key": str(uuid4())})
            if answer.status_code >= 500:
                self.wrong.append((asker, address.path, answer.status_code, data))
            else:
                if not allowed and answer.status_code not in SHUT:
                    self.wrong.append((asker, address.path, answer.status_code))
                for entry in JournalEntry.objects.filter(pk__gt=last).exclude(
                    kind="command_refused"
                ):
                    self.came[True] += 1
                    if not allowed or not _may_have_made(entry, person):
                        self.wrong.append((asker, address.path, entry.kind))
            transaction.set_rollback(True)
        browser.cookies = kept
        self.came[False] += 1


def _may_have_made(entry: JournalEntry, person: Person | None) -> bool:
    if person is None:
        return False
    if entry.hall.trains_id == person.hall_id:
        # Whoever comes to practise first has the hall for it made, with all that it begins with.
        return True
    if entry.hall_id != person.hall_id:
        return False
    allowed = COMMANDS.get(entry.kind)
    return allowed is None or entry.by_id != person.pk or bool(set(allowed) & set(person.roles))


def _last() -> int:
    newest = JournalEntry.objects.order_by("-pk").first()
    return newest.pk if newest else 0


def siege(stage: str, *, roles: Iterable[Role] = Role) -> Siege:
    """Return a hall that stands there, and forms as the pages of some roles show them."""
    evening = Evening().reach(stage)
    return Siege(evening, Evening("outra"), fields_of(evening, roles))


def test_some_orders_of_every_role_do_nothing_that_they_may_not() -> None:
    found = siege("selling", roles=[Role.CASHIER, Role.TABLE_CHIEF])
    chance = random.Random("some")
    assert len(found.fields) > 20
    for asker in found.askers:
        for address in chance.sample(found.addresses(), 12):
            found.order(asker, address, dict(typed(chance, found.fields)))
    assert found.wrong == []
    assert found.came[False] == 12 * len(found.askers)


@pytest.mark.slow
@pytest.mark.parametrize("stage", ["session", "selling", "drawing", "stopped"])
def test_no_order_of_any_role_does_what_it_may_not(stage: str) -> None:
    found, chance = siege(stage), random.Random(stage)
    for asker in found.askers:
        found.log_in(asker)
        for address in found.addresses():
            found.order(asker, address, dict(typed(chance, found.fields)))
    assert found.wrong == []
    assert found.came[False] > 2000
    assert found.came[True] > 0, "some orders come to something, or nothing was tried"


@pytest.mark.slow
@pytest.mark.parametrize("method", ["PUT", "PATCH", "DELETE", "OPTIONS", "PROPFIND", "GET "])
def test_no_other_method_does_anything(method: str) -> None:
    found, last = siege("selling"), _last()
    for asker in (NOBODY, Role.HALL_MANAGER.value, Role.CASHIER.value):
        for address in found.addresses():
            answer = found.askers[asker][1].generic(method, address.path, b"key=1")
            assert answer.status_code < 500, (method, address.path)
            assert answer.status_code in {*SHUT, 400, 200}, (method, address.path)
    assert _last() == last


UPLOADS = {
    boards_views.picture_address(): ("picture", "boards/screens.html"),
    ball_trial.address(): ("photograph", "balls/try_your_balls.html"),
    series.take_in_address(): ("file", "cards/take_in.html"),
    claims.showing_address(): ("photograph", "desks/table/show_card.html"),
}
FILE_FIELD = re.compile(r'{% field "(\w+)" [^%]*"file" ')


def file_fields() -> Iterator[tuple[str, str]]:
    """Return the name of every field for a file, and the template that shows it."""
    folder = Path(settings.BASE_DIR) / "templates"
    for file in folder.rglob("*.html"):
        for name in FILE_FIELD.findall(file.read_text(encoding="utf-8")):
            yield name, file.relative_to(folder).as_posix()


def test_every_field_for_a_file_is_tried_here() -> None:
    assert sorted(file_fields()) == sorted(UPLOADS.values())
    assert set(larger) >= set(UPLOADS)


@pytest.mark.slow
def test_whatever_file_any_role_sends_nothing_breaks() -> None:
    found = siege("session", roles=[])
    route = {one.path: one for one in found.addresses() if one.path in UPLOADS}
    assert set(route) == set(UPLOADS)
    documents = [
        photograph(size=(40, 30)),
        b'{"format": 90, "cards": [[1, 2]]}',
        b"card,numbers\n1,1 2 3\n",
    ]

    @hypothesis_settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])
    @given(
        st.sampled_from(sorted(UPLOADS)), st.sampled_from(sorted(found.askers)),
        st.one_of(frames(), *(broken(one) for one in documents)), st.sampled_from(ODD),
    )  # fmt: skip
    def hostile(path: str, asker: str, content: bytes, name: str) -> None:
        file = SimpleUploadedFile(name[:80] or "x", content, content_type="image/jpeg")
        found.order(asker, route[path], {UPLOADS[path][0]: file, "format": "90"})

    hostile()
    assert found.wrong == []
