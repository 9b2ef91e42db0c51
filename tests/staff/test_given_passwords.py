"""A password that the hall gives somebody is drawn by chance, told once, and runs out after 72 hours."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from datetime import datetime, timedelta
from math import log2
from pathlib import Path
from typing import Any
from uuid import uuid4

import pytest
from django.contrib.auth.hashers import make_password
from django.contrib.sessions.models import Session
from django.core.management import CommandError, call_command
from django.test import Client, RequestFactory
from django.utils import timezone

from bingo.rules import staff as rules
from bingo.rules.game_flow import Fact
from bingo.rules.sign_in_and_pins import digest_of
from draws.management.commands import accept_history
from draws.record.audit import audit
from halls import passwords, second_person, security_log, staff
from halls.attempts import Question
from halls.journal import head, services
from halls.models import Hall, JournalEntry, Person, Role
from halls.passwords import Given
from tests.support.evening import browser_of
from tests.support.opening_halls import MANAGER, PASSWORD, open_one
from tests.support.planting_rows import plant
from tests.support.playing import refuses
from tests.support.staff import give, manager, shown_password, take_on_inspector

OWN = "nuvem lenta 5521"


@pytest.fixture
def long_ago() -> datetime:
    """A moment before which a password given then runs out."""
    return timezone.now() - rules.PASSWORD_HOLDS - timedelta(minutes=1)


@pytest.fixture(autouse=True)
def data(settings: Any, tmp_path: Path) -> Iterator[None]:
    """A folder of data of this test alone."""
    settings.DATA_DIR = tmp_path
    yield
    for handler in logging.getLogger("bingo.security").handlers:
        handler.flush()


def log_in(username: str, password: str, language: str = "en") -> Any:
    sent = {"username": username, "password": password, "next": ""}
    return Client(HTTP_ACCEPT_LANGUAGE=language).post("/login/", sent)


def is_proven(person: Person, password: str, at: datetime) -> bool:
    found = second_person.identified(
        RequestFactory().post("/login/"), Question.LOGIN, username=person.username,
        password=password, at=at,
    )  # fmt: skip
    return found == person


def test_one_of_two_to_the_forty_is_drawn_and_no_word_counts_for_nothing() -> None:
    words = passwords.CHOICES
    assert len(set(words)) == len(words)
    assert log2(len(words) ** passwords.COUNT * passwords.NUMBERS) > 41
    assert all(word.isascii() and word.isalpha() and word.islower() for word in words)
    assert not any(trade in word for trade in passwords.TRADE for word in words)
    drawn = [passwords.draw() for _one in range(2_000)]
    assert len(set(drawn)) == len(drawn)
    assert {part for one in drawn for part in one.split("-")[:-1]} == set(words)
    assert len({one.rpartition("-")[2] for one in drawn}) > 1_900


@pytest.mark.django_db
def test_what_is_drawn_is_good_and_holds_nobodys_name() -> None:
    owner = {"username": "pera.lobo", "name": "Mundo Pato", "hall": "Sala Monte"}
    for _one in range(200):
        drawn = passwords.draw_good(**owner)
        passwords.require_good(drawn, **owner)
        assert not any(name in drawn for name in ("pera", "lobo", "mundo", "pato"))
    # Of whose name stands in each there is none, and no end without this.
    with refuses("password_weak"):
        passwords.draw_good(username="x", name="\u0301" * 3, hall="Sala")


@pytest.mark.django_db
def test_it_holds_for_72_hours_from_its_entry() -> None:
    hall = open_one()
    given = give(hall)
    at = JournalEntry.objects.latest("number").at
    assert given.until == at + timedelta(hours=72)
    assert is_proven(given.person, given.password, given.until - timedelta(seconds=1))
    with pytest.raises(second_person.RunOut):
        is_proven(given.person, given.password, given.until)


@pytest.mark.slow
@pytest.mark.django_db
def test_one_given_anew_holds_again_and_ones_own_runs_never_out(long_ago: datetime) -> None:
    hall = open_one(at=long_ago)
    given = give(hall, at=long_ago)
    at = timezone.now()
    with pytest.raises(second_person.RunOut):
        is_proven(given.person, given.password, at)
    anew = staff.give_password(username="rui.pires", **manager(hall))
    assert is_proven(anew.person, anew.password, at)
    assert not is_proven(anew.person, given.password, at)
    owner = staff.change_password(person=anew.person, password=OWN, at=at)
    assert is_proven(owner, OWN, at + timedelta(days=3_000))
    # The manager has chosen theirs as the hall was opened.
    assert is_proven(Person.objects.get(username=MANAGER), PASSWORD, at + timedelta(days=3_000))
    assert audit(Hall.objects.get()) == []


@pytest.mark.django_db
def test_another_entry_of_the_same_password_makes_it_hold_no_longer(long_ago: datetime) -> None:
    hall = open_one(at=long_ago)
    given = give(hall, at=long_ago)
    told = {
        "change": "password", "username": "rui.pires",
        "password_digest": digest_of(given.person.password),
    }  # fmt: skip
    who = manager(hall)
    services.append(head.lock(hall.pk), Fact("staff_changed", told), by=who["by"], at=who["at"])
    with pytest.raises(second_person.RunOut):
        is_proven(given.person, given.password, timezone.now())


@pytest.mark.django_db
def test_one_that_no_entry_tells_of_has_run_out() -> None:
    given = give(open_one())
    plant(Person.objects.filter(pk=given.person.pk), password=make_password(OWN))
    with pytest.raises(second_person.RunOut):
        is_proven(given.person, OWN, timezone.now())


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("role", "who"),
    [
        ("cashier", "A hall manager gives you a new one."),
        ("hall_manager", "Another hall manager gives you a new one"),
        ("inspector", "Another inspector gives you a new one"),
    ],
)
def test_whoever_types_the_right_one_too_late_is_told_who_gives_another(
    role: str, who: str, long_ago: datetime
) -> None:
    hall = open_one(at=long_ago)
    inspects = role == "inspector"
    by = take_on_inspector(hall, at=long_ago) if inspects else manager(hall)["by"]
    given = give(hall, roles=[role], by=by, at=long_ago)
    answer = log_in("rui.pires", given.password)
    page = answer.content.decode()
    assert (answer.status_code, who in page, "72 hours" in page) == (200, True, True)
    assert not Session.objects.exists()
    # Whoever types another one learns nothing.
    other = log_in("rui.pires", OWN)
    assert (other.status_code, "run out" in other.content.decode()) == (200, False)
    assert '"event": "password_run_out"' in security_log.file().read_text()
    assert given.password not in security_log.file().read_text()


@pytest.mark.django_db
def test_tries_with_one_that_has_run_out_wait_as_wrong_ones_do(long_ago: datetime) -> None:
    given = give(open_one(at=long_ago), at=long_ago)
    told = [log_in("rui.pires", given.password).status_code for _time in range(7)]
    assert told == [200] * 5 + [429] * 2


@pytest.mark.django_db
def test_it_proves_nobody_elsewhere_either(
    long_ago: datetime, monkeypatch: pytest.MonkeyPatch
) -> None:
    hall = open_one(at=long_ago)
    given = give(hall, roles=["table_chief"], at=long_ago)
    proven = second_person.proven(
        RequestFactory().post("/"), Question.WITNESS, username="rui.pires",
        password=given.password, at=timezone.now(),
    )  # fmt: skip
    assert proven is None
    monkeypatch.setattr(accept_history, "_typed", lambda *_asked: given.password)
    with pytest.raises(CommandError, match="is wrong, or it was tried too often"):
        accept_history._known(hall, "rui.pires")


@pytest.mark.slow
@pytest.mark.django_db
@pytest.mark.parametrize(
    ("address", "verb"),
    [("/staff/", "enrol"), ("/staff/", "password"),
     ("/inspector/accounts/", "enrol"), ("/inspector/accounts/", "password")],
)  # fmt: skip
def test_answer_shows_it_once_and_nothing_after_it(address: str, verb: str) -> None:
    hall = open_one(second_factor=False, language="en")
    inspects = address != "/staff/"
    by = (
        take_on_inspector(hall, own_password=OWN, language="en")
        if inspects
        else manager(hall)["by"]
    )
    if verb == "password":
        give(hall, roles=["inspector" if inspects else "cashier"], by=by)
    client = browser_of(by)
    order = {"key": str(uuid4()), "username": "rui.pires", "name": "Rui Pires", "language": "pt"}
    order["role-cashier"] = "on"
    answer = client.post(f"{address}do/{verb}/", order)
    shown = shown_password(answer)
    assert Person.objects.get(username="rui.pires").check_password(shown)
    assert "no-store" in answer["Cache-Control"]
    assert answer.content.decode().count(shown) == 1
    before = JournalEntry.objects.count(), Person.objects.get(username="rui.pires").password
    # The page loaded anew sends the order again.
    again = client.post(f"{address}do/{verb}/", order, follow=True)
    assert again.redirect_chain == [(address, 302)]
    assert "the password of Rui Pires was shown then" in again.content.decode()
    after = JournalEntry.objects.count(), Person.objects.get(username="rui.pires").password
    assert after == before
    pages = [again.content.decode(), client.get(address).content.decode()]
    kept = str([entry.data for entry in JournalEntry.objects.all()])
    kept += str([one.get_decoded() for one in Session.objects.all()]) + str(client.cookies)
    kept += security_log.file().read_text() if security_log.file().exists() else ""
    assert not any(shown in one for one in [*pages, kept])
    assert audit(Hall.objects.get()) == []


@pytest.mark.slow
@pytest.mark.django_db
def test_nobody_types_a_password_for_another() -> None:
    hall = open_one(second_factor=False)
    client = browser_of(manager(hall)["by"])
    given = give(hall)
    for address in ("/staff/", "/staff/?person=rui.pires"):
        assert 'type="password"' not in client.get(address).content.decode()
    # What a form of before sends is not taken.
    typed = {"key": str(uuid4()), "username": "rui.pires", "password": OWN, "password_again": OWN}
    client.post("/staff/do/password/", typed)
    rui = Person.objects.get(username="rui.pires")
    assert not rui.check_password(OWN)
    assert not rui.check_password(given.password)


@pytest.mark.django_db
def test_page_of_the_staff_says_until_when_it_holds(long_ago: datetime) -> None:
    hall = open_one(second_factor=False, at=long_ago, language="en")
    give(hall, "velha", name="Eva", at=long_ago)
    give(hall, "nova", name="Nora")
    inspector = take_on_inspector(hall, own_password=OWN, language="en")
    for reader in (manager(hall)["by"], inspector):
        page = browser_of(reader).get("/staff/").content.decode()
        rows = {
            name: page.partition(f'id="person-{name}"')[2].partition("</tr>")[0]
            for name in ("velha", "nova", MANAGER)
        }
        assert "has run out: give another" in rows["velha"]
        assert "the one given holds until" in rows["nova"]
        assert "given" not in rows[MANAGER]


@pytest.mark.django_db
def test_at_the_machine_it_is_drawn_too(capsys: pytest.CaptureFixture[str]) -> None:
    hall = open_one()
    call_command("account", "enrol", "eva", "--name", "Eva", "--role", Role.CASHIER)
    told = capsys.readouterr().out
    assert "shown this once" in told
    eva = hall.people.get(username="eva")
    assert eva.check_password(told.partition("    eva  ")[2].split()[0])
    # Of disabling somebody no password comes.
    call_command("account", "disable", "eva")
    assert "password" not in capsys.readouterr().out


def test_it_is_not_in_what_programs_print_of_it() -> None:
    assert "pera-lobo" not in repr(Given(Person(name="Rui"), "pera-lobo-pato-123456"))
