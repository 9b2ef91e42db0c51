"""Second factors: codes by RFC 6238, used once, recovered on paper, removed by two."""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta
from typing import Any
from uuid import uuid4

import pyotp
import pytest
from django.db import DatabaseError, transaction
from django.test import Client, RequestFactory
from django.utils import timezone

from bingo.rules import journal_json_and_chain
from bingo.rules.refusal import Refusal
from halls.models import Factor, Hall, JournalEntry, Person, RecoveryCode, Role
from halls.sign_in import factors, logins
from tests.support.evening import BACKEND, Evening, browser_of
from tests.support.factors import add_app, add_by_page, asking, code_of, show
from tests.support.planting_rows import plant

pytestmark = pytest.mark.django_db

# RFC 6238, appendix B, SHA-1: the last six of its eight digits.
RFC_SECRET = "GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ"
RFC_CODES = {
    59: "287082", 1111111109: "081804", 1111111111: "050471", 1234567890: "005924",
    2000000000: "279037", 20000000000: "353130",
}  # fmt: skip


@pytest.fixture
def manager() -> Person:
    """A manager of a hall that asks for second factors."""
    person = Evening().person(Role.HALL_MANAGER)
    asking(person.hall)
    return person


def prove(person: Person, code: str) -> None:
    """Show a code."""
    request = RequestFactory().post("/sign-in/prove/")
    factors.prove(person=person, request=request, code=code, passkey="", at=timezone.now())


def refused(person: Person, code: str) -> str:
    """Show a code that is refused, and return why."""
    with pytest.raises(Refusal) as refusal:
        prove(person, code)
    return refusal.value.code


@pytest.mark.parametrize("moment", RFC_CODES)
def test_codes_are_those_of_rfc_6238(moment: int) -> None:
    at = datetime.fromtimestamp(moment, UTC)
    assert factors.step_of(RFC_SECRET, RFC_CODES[moment], at=at) == moment // 30
    assert factors.step_of(RFC_SECRET, "000000", at=at) is None


@pytest.mark.parametrize(
    ("steps", "good"), [(-2, False), (-1, True), (0, True), (1, True), (2, False)]
)
def test_a_clock_may_be_one_step_off(steps: int, good: bool) -> None:
    at = datetime(2026, 11, 27, 20, tzinfo=UTC)
    code = pyotp.TOTP(RFC_SECRET).at(int(at.timestamp()) + 30 * steps)
    assert (factors.step_of(RFC_SECRET, code, at=at) is not None) == good


@pytest.mark.parametrize("typed", ["", " ", "abcdef", "١٢٣٤٥٦", "1" * 64, "-12345", "12345\x00"])
def test_what_is_no_code_is_refused(typed: str, manager: Person) -> None:
    add_app(manager)
    assert refused(manager, typed) == "factor_wrong"


def test_a_code_is_used_once_and_never_an_older_one_after_it(manager: Person) -> None:
    secret = add_app(manager)
    prove(manager, code_of(secret))
    assert refused(manager, code_of(secret)) == "factor_wrong"
    assert refused(manager, code_of(secret, steps=-1)) == "factor_wrong"


def test_five_wrong_codes_close_it_for_that_person_alone(manager: Person) -> None:
    secret = add_app(manager)
    other = Person.objects.get(username="sala-hall_manager-2")
    second = add_app(other)
    assert [refused(manager, "000000") for _try in range(5)] == ["factor_wrong"] * 5
    assert refused(manager, code_of(secret)) == "factor_locked"
    prove(other, code_of(second))


def test_the_secret_is_sealed_in_the_database(manager: Person) -> None:
    secret = add_app(manager)
    kept = Factor.objects.get(person=manager).secret
    assert secret not in kept
    assert factors.unseal(kept, use=factors.SECRET) == secret
    assert factors.unseal(kept, use="another") is None
    assert factors.unseal(kept[:-2] + "AA", use=factors.SECRET) is None


def test_each_of_ten_recovery_codes_is_good_once(manager: Person) -> None:
    with pytest.raises(Refusal, match="factor_missing"):
        factors.make_codes(person=manager, at=timezone.now())
    add_app(manager)
    codes = factors.make_codes(person=manager, at=timezone.now())
    assert len(set(codes)) == 10
    assert {4 * len(code.replace("-", "")) for code in codes} == {128}  # bits
    assert not set(RecoveryCode.objects.values_list("digest", flat=True)) & set(codes)
    prove(manager, codes[0].upper().replace("-", " "))
    assert refused(manager, codes[0]) == "factor_wrong"
    assert factors.codes_left(manager) == 9
    factors.make_codes(person=manager, at=timezone.now())
    assert refused(manager, codes[1]) == "factor_wrong"
    used = JournalEntry.objects.filter(kind="sign_in_changed", data__change="code_used")
    assert used.get().by == manager


@pytest.mark.slow
def test_whoever_needs_one_is_led_to_add_it_before_anything_else(manager: Person) -> None:
    client = Client()
    client.force_login(manager, backend=BACKEND)
    for path in ("/", "/manager/", "/policy/", "/account/", "/practise/", "/password/"):
        answer = client.get(path)
        assert answer.status_code == 302, path
        assert answer["Location"].startswith("/second-factor/"), path
    sent = client.post("/manager/do/note/", {"key": "x"})
    assert sent["Location"] == "/second-factor/"
    assert client.get("/board/sala/").status_code == 200
    codes = add_by_page(client).content.decode()
    assert codes.count("<li>") == 10
    assert client.get("/manager/").status_code == 200


def test_whoever_needs_none_is_let_in_and_asked_once_they_have_one() -> None:
    person = Evening().person(Role.CASHIER)
    asking(person.hall)
    assert browser_of(person).get("/till/").status_code == 200
    secret = add_app(person)
    client = browser_of(person)
    assert client.get("/till/")["Location"] == "/sign-in/prove/?next=%2Ftill%2F"
    assert client.get("/second-factor/")["Location"].startswith("/sign-in/prove/")
    assert client.get("/password/")["Location"].startswith("/sign-in/prove/")
    wrong = client.post("/sign-in/prove/", {"code": "000000", "next": "/till/"})
    assert (wrong.status_code, b'data-code="factor_wrong"' in wrong.content) == (409, True)
    right = client.post("/sign-in/prove/", {"code": code_of(secret), "next": "/till/"})
    assert right["Location"] == "/till/"
    assert client.get("/till/").status_code == 200


@pytest.mark.slow
def test_a_password_given_anew_passes_no_second_factor(manager: Person) -> None:
    secret = add_app(manager)
    manager.password_given = True
    manager.save(update_fields=["password_given"])
    client = Client()
    client.force_login(manager, backend=BACKEND)
    assert client.get("/manager/")["Location"] == "/password/"
    typed = {"password": "vento pedra 8642", "password_again": "vento pedra 8642"}
    assert client.post("/password/", typed)["Location"] == "/"
    assert client.get("/manager/")["Location"] == "/sign-in/prove/?next=%2Fmanager%2F"
    assert client.post("/sign-in/prove/", {"code": code_of(secret)}).status_code == 302
    assert client.get("/manager/").status_code == 200


def test_the_way_back_is_to_no_other_site() -> None:
    person = Evening().person(Role.CASHIER)
    secret = add_app(person)
    client = browser_of(person)
    sent = {"code": code_of(secret), "next": "https://example.org/"}
    assert client.post("/sign-in/prove/", sent)["Location"] == "/"


@pytest.mark.slow
def test_a_hall_that_is_exempt_asks_nobody() -> None:
    person = Evening().person(Role.HALL_MANAGER)
    assert browser_of(person).get("/manager/").status_code == 200


def test_the_only_factor_of_whoever_needs_one_stays(manager: Person) -> None:
    add_app(manager)
    only = factors.of(manager)[0]
    with pytest.raises(Refusal, match="last_factor"):
        factors.give_up(person=manager, pk=only.pk, at=timezone.now())
    add_app(manager, name="Outro")
    gone = factors.give_up(person=manager, pk=only.pk, at=timezone.now())
    assert (gone.secret, [one.name for one in factors.of(manager)]) == ("", ["Outro"])


def remove(of: Person, by: Person, witness: Person | None) -> Factor:
    """Remove the one factor of somebody."""
    return factors.remove(
        hall=of.hall, pk=factors.of(of)[0].pk, witness=witness, by=by, at=timezone.now()
    )


@pytest.mark.slow
def test_a_lost_factor_is_removed_by_two_and_told_at_the_next_login(manager: Person) -> None:
    chief = Person.objects.get(username="sala-table_chief-1")
    other = Person.objects.get(username="sala-hall_manager-2")
    secret = add_app(manager)
    client = Client()
    client.force_login(manager, backend=BACKEND)
    client.get("/")
    assert client.post("/sign-in/prove/", {"code": code_of(secret)}).status_code == 302
    for witness, code in (
        (None, "second_person_needed"), (other, "witness_same_person"),
        (manager, "witness_not_allowed"),
        (Person.objects.get(username="sala-cashier-1"), "witness_not_allowed"),
    ):  # fmt: skip
        with pytest.raises(Refusal, match=code):
            remove(manager, other, witness)
    with pytest.raises(Refusal, match="own_account"):
        remove(manager, manager, chief)
    with pytest.raises(Refusal, match="not_allowed"):
        remove(manager, chief, other)
    [factor] = factors.of(manager)
    remove(manager, other, chief)
    entry = JournalEntry.objects.get(kind="factor_removed")
    assert entry.data == {
        "username": manager.username, "factor": "totp", "name": "Telefone",
        "digest": factor.digest, "witness": chief.username,
    }  # fmt: skip
    assert client.get("/manager/")["Location"].startswith("/login/")
    again = Client()
    again.force_login(manager, backend=BACKEND)
    page = again.get("/manager/", follow=True).content.decode()
    assert "Telefone" in page
    assert str(other.name) in page
    assert "Telefone" not in again.get("/second-factor/").content.decode().split("<main")[0]


def test_factor_and_duty_taken_by_a_form_sent_twice_are_taken_once(manager: Person) -> None:
    chief = Person.objects.get(username="sala-table_chief-1")
    by = Person.objects.get(username="sala-hall_manager-2")
    add_app(manager)
    pk, hall = factors.of(manager)[0].pk, manager.hall
    who: dict[str, Any] = {"hall": hall, "witness": chief, "by": by, "at": timezone.now()}
    first, second = uuid4(), uuid4()
    for _press in range(2):
        assert factors.remove(pk=pk, key=first, **who).person == manager
        factors.set_duty(required=False, reason="Ensaio", key=second, **who)
    with pytest.raises(Refusal, match="factor_unknown"):
        factors.remove(pk=pk, key=uuid4(), **who)
    with pytest.raises(Refusal, match="key_reused"):
        factors.set_duty(required=True, reason="Ensaio", key=second, **who)
    kinds = ("factor_removed", "second_factor_set")
    assert [JournalEntry.objects.filter(kind=one).count() for one in kinds] == [1, 1]


def test_an_inspectors_factor_is_removed_with_another_inspector(manager: Person) -> None:
    inspector = Person.objects.get(username="sala-inspector-1")
    other = Person.objects.get(username="sala-inspector-2")
    chief = Person.objects.get(username="sala-table_chief-1")
    add_app(inspector)
    with pytest.raises(Refusal, match="inspector_needed"):
        remove(inspector, manager, chief)
    remove(inspector, manager, other)
    add_app(inspector)
    remove(inspector, other, manager)
    add_app(inspector)
    # Nor where the hall has no other: two of it do not open the inspector's account.
    plant(Person.objects.filter(pk=other.pk), is_active=False)
    with pytest.raises(Refusal, match="inspector_needed"):
        remove(inspector, manager, chief)
    add_app(manager)
    with pytest.raises(Refusal, match="not_allowed"):
        remove(manager, inspector, chief)
    # An inspector is no second person for somebody of the hall.
    with pytest.raises(Refusal, match="witness_not_allowed"):
        remove(manager, Person.objects.get(username="sala-hall_manager-2"), inspector)


def test_the_duty_goes_only_before_two(manager: Person) -> None:
    hall, chief = manager.hall, Person.objects.get(username="sala-table_chief-1")
    given: dict[str, Any] = {"hall": hall, "reason": "Ensaio", "by": manager, "at": timezone.now()}
    with pytest.raises(Refusal, match="second_person_needed"):
        factors.set_duty(required=False, witness=None, **given)
    with pytest.raises(DatabaseError, match="two persons"), transaction.atomic():
        Hall.objects.filter(pk=hall.pk).update(second_factor=False)
    factors.set_duty(required=False, witness=chief, **given)
    assert not Hall.objects.get(pk=hall.pk).second_factor
    with pytest.raises(Refusal, match="nothing_changed"):
        factors.set_duty(required=False, witness=chief, **given)
    factors.set_duty(required=True, witness=None, **given)
    # The entry of before opens nothing again.
    with pytest.raises(DatabaseError, match="two persons"), transaction.atomic():
        Hall.objects.filter(pk=hall.pk).update(second_factor=False)


@pytest.mark.slow
def test_a_hall_that_plays_asks_for_none_only_a_day_later(
    manager: Person, monkeypatch: pytest.MonkeyPatch
) -> None:
    evening = Evening(hall=manager.hall).reach("session")
    hall, chief = manager.hall, evening.person(Role.TABLE_CHIEF)
    now = timezone.now()
    given: dict[str, Any] = {"hall": hall, "reason": "Ensaio", "by": manager, "at": now}
    factors.set_duty(required=False, witness=chief, **given)
    entry = JournalEntry.objects.get(kind="second_factor_set")
    hall = Hall.objects.get(pk=hall.pk)
    assert journal_json_and_chain.read_moment(entry.data["from"]) == hall.factor_waived_from
    assert hall.factor_waived_from is not None
    assert hall.factor_waived_from >= entry.at + timedelta(hours=24)
    assert logins.is_obliged(Person.objects.get(pk=manager.pk))
    with pytest.raises(Refusal, match="nothing_changed"):
        factors.set_duty(required=False, witness=chief, **given)
    # Nor does PostgreSQL let it hold sooner.
    for changed in (
        {"second_factor": False},
        {"factor_waived_from": now},
        {"factor_waived_from": now + timedelta(days=2)},
    ):
        with pytest.raises(DatabaseError, match="a day later"), transaction.atomic():
            Hall.objects.filter(pk=hall.pk).update(**changed)
    inspector = evening.person(Role.INSPECTOR)
    secret = add_app(inspector)
    client = browser_of(inspector)
    show(client, secret)
    assert 'id="factor-waived"' in client.get("/inspector/").content.decode()
    # One person withdraws it; what waited comes back by nothing.
    waived = hall.factor_waived_from
    factors.set_duty(required=True, witness=None, **given)
    assert Hall.objects.get(pk=hall.pk).factor_waived_from is None
    with pytest.raises(DatabaseError, match="a day later"), transaction.atomic():
        Hall.objects.filter(pk=hall.pk).update(factor_waived_from=waived)
    factors.set_duty(required=False, witness=chief, **given)
    monkeypatch.setattr(timezone, "now", lambda: now + timedelta(hours=25))
    assert not logins.is_obliged(Person.objects.get(pk=manager.pk))


def test_postgresql_keeps_a_factor_its_persons_and_a_code_used(manager: Person) -> None:
    add_app(manager)
    mine = Factor.objects.filter(person=manager)
    step = mine.get().step
    other = Person.objects.get(username="sala-hall_manager-2")
    for changed in ({"person": other}, {"step": step - 1}, {"kind": "passkey"}):
        with pytest.raises(DatabaseError), transaction.atomic():
            mine.update(**changed)
    with pytest.raises(DatabaseError), transaction.atomic():
        mine.update(secret="")


@pytest.mark.slow
def test_a_lost_factor_is_offered_to_whoever_may_remove_it_alone() -> None:
    evening = Evening()
    colleague = Person.objects.get(username="sala-inspector-2")
    chief = Person.objects.get(username="sala-table_chief-1")
    for one in (colleague, chief):
        add_app(one)
    of_colleague, of_chief = (factors.of(one)[0].pk for one in (colleague, chief))
    for desk, offered in (("manager", {of_colleague, of_chief}), ("inspector", {of_colleague})):
        client = evening.at(desk)
        page = client.get("/sign-ins/").content.decode()
        assert {int(pk) for pk in re.findall(r'"\?factor=(\d+)#remove"', page)} == offered
        for pk in (of_colleague, of_chief):
            chosen = client.get("/sign-ins/", {"factor": pk}).content.decode()
            assert ("/sign-ins/do/remove/" in chosen) == (pk in offered)
