"""Inspectors' accounts belong to inspectors: made at the machine, by an inspector, or by the regulator's key."""

from __future__ import annotations

import json
from datetime import datetime, timedelta
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from django.conf import LazySettings
from django.core.management import CommandError, call_command
from django.utils import timezone

from bingo import signed_notes
from bingo.rules.game_flow import Fact
from bingo.rules.refusal import Refusal
from bingo.rules.sign_in_and_pins import digest_of
from draws.record.audit import audit
from halls import accounts, staff, training
from halls.accounts import Voucher
from halls.journal import head, services
from halls.models import Hall, JournalEntry, Person, Role
from halls.passwords import Given
from halls.sign_in import factors
from tests.support.evening import Evening, browser_of
from tests.support.factors import add_app
from tests.support.opening_halls import MANAGER, open_one
from tests.support.planting_rows import plant
from tests.support.playing import refuses
from tests.support.staff import manager, take_on, take_on_inspector

pytestmark = pytest.mark.django_db

REGULATOR = "bingo-regulator"


@pytest.fixture
def regulator(tmp_path: Path) -> signed_notes.NoteKey:
    """The regulator's key."""
    return signed_notes.ensure(tmp_path / "regulator", name=REGULATOR)[1]


def signed(hall: Hall, key: signed_notes.NoteKey, *, change: str, username: str) -> Voucher:
    text = accounts.text_to_sign(hall, change=change, username=username)
    return Voucher(key.vkey, signed_notes.sign_note(text, [key]))


def codes() -> list[str]:
    return [one.code for one in audit(Hall.objects.get())]


def recover(hall: Hall, voucher: Voucher = accounts.NOBODY) -> Given:
    return accounts.give_password_at_machine(
        hall=hall, username="inspetor", voucher=voucher, at=timezone.now()
    )


def change(hall: Hall, voucher: Voucher, change: str) -> Person:
    return accounts.change_at_machine(
        hall=hall, change=change, username="inspetor", voucher=voucher, at=timezone.now()
    )


@pytest.mark.slow
def test_first_inspector_is_made_at_the_machine_and_everybody_is_told() -> None:
    hall = open_one()
    take_on_inspector(hall)
    entry = JournalEntry.objects.latest("number")
    assert (entry.kind, entry.by) == ("account_changed", None)
    kept = Person.objects.get(username="inspetor").password
    assert entry.data == {
        "change": "enrolled", "username": "inspetor", "name": "Carlos Lima",
        "roles": ["inspector"], "language": "pt", "password_digest": digest_of(kept),
    }  # fmt: skip
    assert codes() == []
    # No second one comes about so, nor is the first one's password set.
    with refuses("regulator_needed"):
        take_on_inspector(hall, "inspetor2")
    with refuses("regulator_needed"):
        recover(hall)


@pytest.mark.slow
def test_manager_changes_no_inspector_even_while_the_hall_is_set_up() -> None:
    hall = open_one()
    with refuses("inspectors_account"):
        take_on(hall, username="inspetor", roles=["inspector"])
    take_on_inspector(hall)
    with refuses("inspectors_account"):
        staff.set_active(username="inspetor", active=False, **manager(hall))
    take_on(hall, username="caixa", roles=["cashier"])
    with refuses("inspectors_account"):
        staff.set_roles(username="caixa", name="X", roles=["inspector"], **manager(hall))


@pytest.mark.slow
def test_inspector_takes_on_and_recovers_inspectors_and_nobody_else() -> None:
    hall = open_one()
    first = take_on_inspector(hall)
    who: dict[str, Any] = {"hall": hall, "by": first, "at": timezone.now()}
    take_on(username="inspetor2", roles=["inspector"], where=hall, by=first)
    staff.give_password(username="inspetor2", **who)
    staff.set_active(username="inspetor2", active=False, **who)
    staff.set_active(username="inspetor2", active=True, **who)
    assert [one.kind for one in JournalEntry.objects.order_by("-number")[:4]] == [
        "inspector_changed"
    ] * 4
    with refuses("own_account"):
        staff.give_password(username="inspetor", **who)
    with refuses(Refusal("not_allowed", roles=["hall_manager"])):
        take_on(hall, username="caixa", roles=["cashier"], by=first)
    take_on(hall, username="eva", name="Eva", roles=["hall_manager"])
    with refuses(Refusal("not_allowed", roles=["hall_manager"])):
        staff.set_active(username="eva", active=False, **who)
    with refuses(Refusal("not_allowed", roles=["hall_manager"])):
        staff.set_roles(username="inspetor2", name="X", roles=["hall_manager"], **who)
    plant(Person.objects.filter(pk=first.pk), is_active=False)
    with refuses("not_allowed"):
        staff.set_active(username="inspetor2", active=False, **who)


@pytest.mark.slow
def test_regulators_note_recovers_an_inspector_once(regulator: signed_notes.NoteKey) -> None:
    hall = open_one()
    take_on_inspector(hall)
    voucher = signed(hall, regulator, change="password", username="inspetor")
    given = recover(hall, voucher)
    assert given.person.password_given
    assert given.person.check_password(given.password)
    assert JournalEntry.objects.latest("number").data["note"] == voucher.note
    with refuses("regulator_note_wrong"):
        recover(hall, voucher)
    change(hall, signed(hall, regulator, change="disabled", username="inspetor"), "disabled")
    assert codes() == []


def test_the_only_inspectors_factor_goes_by_the_regulators_key_alone(
    regulator: signed_notes.NoteKey,
) -> None:
    hall = open_one()
    person = take_on_inspector(hall)
    add_app(person)
    for voucher in (accounts.NOBODY, Voucher(regulator.vkey)):
        with refuses("regulator_needed"):
            change(hall, voucher, "factor")
    assert factors.has(person)
    change(hall, signed(hall, regulator, change="factor", username="inspetor"), "factor")
    assert not factors.has(person)
    assert [one.removed_by for one in factors.tell_removed(person, at=timezone.now())] == [None]
    assert codes() == []
    with refuses("factor_unknown"):
        change(hall, signed(hall, regulator, change="factor", username="inspetor"), "factor")
    # A manager's is a matter of two of the hall, whoever signs.
    note = signed(hall, regulator, change="factor", username=MANAGER)
    with refuses(Refusal("not_allowed", roles=["hall_manager"])):
        accounts.change_at_machine(
            hall=hall, change="factor", username=MANAGER, voucher=note, at=timezone.now()
        )


@pytest.mark.slow
def test_note_for_something_else_or_of_another_key_is_refused(
    regulator: signed_notes.NoteKey, tmp_path: Path, subtests: pytest.Subtests
) -> None:
    hall, other = open_one(), open_one(code="outra", manager="outra.pessoa")
    take_on_inspector(hall)
    take_on_inspector(other, "inspetor2")
    stranger = signed_notes.ensure(tmp_path / "stranger", name=REGULATOR)[1]
    right = signed(hall, regulator, change="password", username="inspetor")
    for name, voucher in {
        "another person": signed(hall, regulator, change="password", username="inspetor2"),
        "another change": signed(hall, regulator, change="enabled", username="inspetor"),
        "another hall": signed(other, regulator, change="password", username="inspetor"),
        "another key": Voucher(
            regulator.vkey, signed(hall, stranger, change="password", username="inspetor").note
        ),
        "no key known": Voucher("", right.note),
        "no key at all": Voucher("nonsense", right.note),
        "no note": Voucher(regulator.vkey, "\x00\n\n\N{EM DASH} x y\n"),
        "changed": Voucher(regulator.vkey, right.note.replace("password", "disabled")),
    }.items():
        with subtests.test(name), refuses("regulator_note_wrong"):
            recover(hall, voucher)
    with refuses("regulator_needed"):
        recover(hall, Voucher(regulator.vkey, ""))


def test_with_a_regulators_key_the_first_inspector_needs_it_too(
    regulator: signed_notes.NoteKey,
) -> None:
    hall = open_one()
    with refuses("regulator_needed"):
        take_on_inspector(hall, voucher=Voucher(regulator.vkey))
    voucher = signed(hall, regulator, change="enrolled", username="inspetor")
    take_on_inspector(hall, voucher=voucher)
    assert codes() == []


def test_inspector_whom_a_manager_changed_is_found_in_the_record() -> None:
    hall = open_one(four_eyes=("staff_changed",))
    take_on_inspector(hall)

    who = manager(hall)
    told = Fact("staff_changed", {"change": "password", "username": "inspetor"})
    services.append(head.lock(hall.pk), told, by=who["by"], at=who["at"])
    assert codes() == ["rules_refuse"]


@pytest.mark.slow
def test_what_is_stuck_in_the_staff_is_put_right_at_the_machine() -> None:
    evening = Evening().reach("session")
    made = accounts.enrol_at_machine(
        hall=evening.hall, username="novo.chefe", name="Rui Pires", roles=["table_chief"],
        language="pt", at=timezone.now(),
    ).person  # fmt: skip
    assert made.witness_from is not None
    assert codes() == []


def test_nobody_is_taken_on_in_a_language_that_no_page_is_written_in() -> None:
    hall = open_one()
    refused = Refusal("unknown_language", known="pt, es, gl, ca, en")
    with refuses(refused):
        take_on_inspector(hall, language="xx")
    with refuses(refused):
        take_on(hall, language="xx")
    assert hall.people.count() == 1


def test_whoever_an_older_journal_took_on_in_such_a_language_reads_in_the_browsers(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    evening = Evening()
    with monkeypatch.context() as before:
        before.setattr("bingo.rules.staff.require_language", lambda *_a, **_k: None)
        person = take_on(evening.hall, roles=["hall_manager"], language="xx")
    plant(Person.objects.filter(pk=person.pk), password_given=False)
    client = browser_of(person)
    answer = client.get("/staff/", headers={"accept-language": "es"})
    assert (answer.status_code, answer["Content-Language"]) == (200, "es")
    assert codes() == []


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["enrol", "eva", "--name", "Eva", "--role", "cashier", "--language", "xx"], "choose one of pt"),
        (["enrol", "eva", "--name", "Eva", "--role", "cashier", "--role", "inspector"], "no other work"),
        (["enrol", "eva", "--name", "Eva ", "--role", "cashier"], "at most 200 characters"),
        (["enrol", MANAGER, "--name", "Eva", "--role", "cashier"], f"{MANAGER} is somebody's name"),
        (["enable", MANAGER], "nothing was changed"),
        (["disable", MANAGER], "Somebody must manage the hall"),
        (["disable", "eva"], "nobody is called so here"),
        (["factor", MANAGER], "on the page Sign-in"),
    ],
)  # fmt: skip
def test_command_says_in_a_sentence_why_it_is_refused(words: list[str], said: str) -> None:
    open_one()
    with pytest.raises(CommandError, match=said):
        call_command("account", *words)


def test_command_says_in_a_sentence_that_a_hall_of_training_has_no_accounts_of_its_own() -> None:
    hall = open_one()
    made = training.begin(hall, name="T", licence="T", partner="P", at=timezone.now())
    with pytest.raises(CommandError, match="has nothing to do with real ones"):
        call_command("account", "disable", "eva", hall=made.code)


@pytest.mark.slow
def test_commands_print_sign_and_change(tmp_path: Path, settings: LazySettings) -> None:
    def run(*words: str) -> str:
        out = StringIO()
        call_command(*words, stdout=out)
        return out.getvalue()

    hall = open_one()
    key = run("regulator_key", str(tmp_path / "key")).strip()
    settings.REGULATOR_KEY = key
    text, note = tmp_path / "text", tmp_path / "note"
    text.write_text(run("account", "enrol", "inspetor", "--text"))
    note.write_text(run("regulator_key", str(tmp_path / "key"), "--sign", str(text)))
    with pytest.raises(CommandError, match="sign what --text prints"):
        run("account", "enrol", "inspetor", "--name", "Carlos Lima")
    told = run("account", "enrol", "inspetor", "--name", "Carlos Lima", "--note", str(note))
    assert "done at the machine" in told
    with pytest.raises(CommandError, match="used before"):
        run("account", "password", "inspetor", "--note", str(note))
    inspector = hall.people.get(username="inspetor")
    assert inspector.roles == [Role.INSPECTOR]
    # The password that it prints is the one that opens the account, and holds for 72 hours.
    assert inspector.check_password(told.partition("    inspetor  ")[2].split()[0])
    assert inspector.password_given
    run("account", "enrol", "eva", "--name", "Eva", "--role", "cashier")
    given = json.loads(run("account", "password", "eva", "--json"))
    eva = hall.people.get(username="eva")
    assert eva.check_password(given["password"])
    assert datetime.fromisoformat(given["until"]) > timezone.now() + timedelta(hours=71)
    assert codes() == []
    text.write_text("bingo-checkpoint/x\n")
    with pytest.raises(CommandError, match="is not what account"):
        run("regulator_key", str(tmp_path / "key"), "--sign", str(text))
