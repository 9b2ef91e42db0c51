"""Nobody comes in as somebody else by what is written into the database.

The web's role changes no password, factor, code, PIN or link but as the newest entry of the journal
tells; what the owner writes past that is named by the audit.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from django.contrib.auth.hashers import make_password
from django.db import IntegrityError, models, transaction
from django.utils import timezone

from bingo.rules import sign_in_and_pins as rules
from bingo.rules.game_flow import Fact
from draws.record.audit import audit
from halls import accounts, staff
from halls.journal import head
from halls.journal import services as journal_services
from halls.journal.queries import Finding
from halls.models import Factor, Hall, Person, Pin, ProviderLink, RecoveryCode
from halls.sign_in import factors, links, pins
from tests.support.factors import add_app
from tests.support.opening_halls import MANAGER, open_one
from tests.support.planting_rows import allowed

pytestmark = pytest.mark.django_db

CHAIN = "https://chain.example"
CASHIER = "rui.dias"
PASSWORD = "chapeu-verde-77"
OTHER = "janela-azul-91"


@pytest.fixture
def hall() -> Hall:
    """A hall whose manager has a factor and codes, whose cashier has a PIN and a link."""
    opened, at = open_one(), timezone.now()
    manager = Person.objects.get(username=MANAGER)
    add_app(manager)
    factors.make_codes(person=manager, at=at)
    cashier = staff.enrol(
        hall=opened, username=CASHIER, name="Rui Dias", roles=["cashier"], language="pt",
        by=manager, at=at,
    ).person  # fmt: skip
    cashier = staff.change_password(person=cashier, password=OTHER, at=at)
    pins.set_pin(person=cashier, pin="482915", again="482915", at=at)
    links.link(person=cashier, issuer=CHAIN, subject="rui", at=at)
    assert audit(Hall.objects.get()) == []
    return opened


def findings(hall: Hall) -> list[Finding]:
    """What the audit finds, by the head as it is now."""
    return audit(Hall.objects.get(pk=hall.pk))


def manager_of(hall: Hall) -> Person:
    return Person.objects.get(hall=hall, username=MANAGER)


def cashier_of(hall: Hall) -> Person:
    return Person.objects.get(hall=hall, username=CASHIER)


def password(hall: Hall) -> None:
    Person.objects.filter(pk=manager_of(hall).pk).update(password=make_password(OTHER))


def new_factor(hall: Hall) -> None:
    secret = factors.seal(factors.new_secret(), use=factors.SECRET)
    Factor.objects.create(
        hall=hall, person=manager_of(hall), kind=rules.TOTP, name="Outro", secret=secret,
        added_at=timezone.now(),
    )  # fmt: skip


def factor_gone(hall: Hall) -> None:
    at = timezone.now()
    kept = Factor.objects.filter(person=manager_of(hall))
    kept.update(removed_at=at, told_at=at, secret="")


def new_code(hall: Hall) -> None:
    RecoveryCode.objects.create(hall=hall, person=manager_of(hall), digest="a" * 64)


def codes_gone(hall: Hall) -> None:
    RecoveryCode.objects.filter(person=manager_of(hall)).delete()


def pin(hall: Hall) -> None:
    Pin.objects.filter(person=cashier_of(hall)).update(hashed=make_password("739164"))


def new_pin(hall: Hall) -> None:
    Pin.objects.create(
        hall=hall, person=manager_of(hall), hashed=make_password("739164"), set_at=timezone.now()
    )


def pin_gone(hall: Hall) -> None:
    Pin.objects.all().delete()


def link_ended(hall: Hall) -> None:
    ProviderLink.objects.update(ended_at=timezone.now())


WAYS: tuple[tuple[Callable[[Hall], None], type[models.Model], str], ...] = (
    (password, Person, f"'{MANAGER}': password"),
    (new_factor, Factor, f"'{MANAGER}': second factor Outro"),
    (factor_gone, Factor, f"'{MANAGER}': second factor Telefone"),
    (new_code, RecoveryCode, f"'{MANAGER}': recovery codes"),
    (codes_gone, RecoveryCode, f"'{MANAGER}': recovery codes"),
    (pin, Pin, f"'{CASHIER}': PIN"),
    (new_pin, Pin, f"'{MANAGER}': PIN"),
    (pin_gone, Pin, f"'{CASHIER}': PIN"),
    (link_ended, ProviderLink, f"'{CASHIER}': link to the provider"),
)
NAMED = [way.__name__ for way, _model, _said in WAYS]


@pytest.mark.slow
@pytest.mark.parametrize(("way", "model", "said"), WAYS, ids=NAMED)
def test_web_role_is_refused_and_what_the_owner_writes_is_named(
    hall: Hall, way: Callable[[Hall], None], model: type[models.Model], said: str
) -> None:
    with pytest.raises(IntegrityError, match="no entry of the journal tells"), transaction.atomic():
        way(hall)
    assert findings(hall) == []
    with allowed(model):
        way(hall)
    assert [(one.code, one.detail) for one in findings(hall)] == [("sign_in_differs", said)]


@pytest.mark.slow
def test_a_link_is_neither_made_nor_brought_back_without_an_entry(hall: Hall) -> None:
    values: dict[str, Any] = {"issuer": CHAIN, "subject": "x", "linked_at": timezone.now()}
    with pytest.raises(IntegrityError, match="their own entry"), transaction.atomic():
        ProviderLink.objects.create(hall=hall, person=manager_of(hall), **values)
    links.unlink(person=cashier_of(hall), at=timezone.now())
    with pytest.raises(IntegrityError, match="does not come back"), transaction.atomic():
        ProviderLink.objects.update(ended_at=None)
    assert findings(hall) == []


def test_an_entry_lets_in_its_own_value_and_no_other(hall: Hall) -> None:
    """Whoever waits for somebody's new password has none of their own let in by its entry."""
    manager = staff.change_password(
        person=manager_of(hall), password="nuvem-alta-35", at=timezone.now()
    )
    for attack in (password, new_factor, factor_gone, new_code):
        with (
            pytest.raises(IntegrityError, match="no entry of the journal tells"),
            transaction.atomic(),
        ):
            attack(hall)
    assert Person.objects.get(pk=manager.pk).check_password("nuvem-alta-35")


def test_an_entry_of_one_person_is_none_of_another(hall: Hall) -> None:
    hashed, cashier = make_password(OTHER), cashier_of(hall)
    told = {"password_digest": rules.digest_of(hashed)}
    journal_services.append(
        head.lock(hall.pk), Fact("password_changed", told), by=cashier, at=timezone.now()
    )
    with pytest.raises(IntegrityError, match="tells of this password"), transaction.atomic():
        Person.objects.filter(username=MANAGER).update(password=hashed)
    Person.objects.filter(pk=cashier.pk).update(password=hashed)


def test_another_halls_number_in_a_row_leads_past_nothing(hall: Hall) -> None:
    """The journal that is asked is the one of the person's hall, whatever hall the row names."""
    elsewhere = Hall.objects.create(
        code="outra", name="Outra", licence="1", language="pt", currency="CVE",
        time_zone="Atlantic/Cape_Verde", rulebook="cape-verde-2017",
    )  # fmt: skip
    with pytest.raises(IntegrityError, match="tells of this recovery code"), transaction.atomic():
        RecoveryCode.objects.create(hall=elsewhere, person=manager_of(hall), digest="b" * 64)


def test_a_factor_keeps_its_secret_and_nobody_is_told_of_what_is_still_there(hall: Hall) -> None:
    manager, at = manager_of(hall), timezone.now()
    kept = Factor.objects.filter(person=manager)
    with pytest.raises(IntegrityError, match="proves a factor never changes"), transaction.atomic():
        kept.update(secret=factors.seal(factors.new_secret(), use=factors.SECRET))
    with pytest.raises(IntegrityError, match="is told once"), transaction.atomic():
        kept.update(told_at=at)


def test_what_others_take_away_is_never_told_at_once(hall: Hall) -> None:
    """Even with the entry that takes it: its owner is told at the next login, by the page."""
    manager, at = manager_of(hall), timezone.now()
    [factor] = factors.of(manager)
    told = rules.remove(
        username=manager.username, factor=factor.kind, name=factor.name, digest=factor.digest
    )
    entry = {**told, "witness": CASHIER}
    giver = cashier_of(hall)
    journal_services.append(
        head.lock(hall.pk), Fact("factor_removed", entry), by=giver, at=at
    )  # by whoever writes: what it says is for people to judge
    taken = {"removed_at": at, "removed_by": giver, "secret": ""}
    kept = Factor.objects.filter(pk=factor.pk)
    with pytest.raises(IntegrityError, match="tells of this factor"), transaction.atomic():
        kept.update(**taken, told_at=at)
    assert kept.update(**taken) == 1
    assert factors.tell_removed(manager, at=at) == [factor]


@pytest.mark.slow
def test_used_code_is_used_for_good_and_a_use_that_nothing_tells_is_named(hall: Hall) -> None:
    code = RecoveryCode.objects.first()
    assert code is not None
    RecoveryCode.objects.filter(pk=code.pk).update(used_at=timezone.now())
    assert [one.code for one in findings(hall)] == ["sign_in_differs"]
    with pytest.raises(IntegrityError, match="used once"), transaction.atomic():
        RecoveryCode.objects.filter(pk=code.pk).update(used_at=None)


@pytest.mark.slow
def test_what_an_archive_brought_back_differs_in_nothing_until_it_opens_something(
    hall: Hall,
) -> None:
    """It holds no password, factor, code, PIN or link; a password given then begins anew."""
    gone = (Factor, RecoveryCode, Pin, ProviderLink)
    with allowed(Person, *gone):
        Person.objects.update(password=make_password(None))
        for model in gone:
            model._default_manager.all().delete()
    assert findings(hall) == []
    accounts.give_password_at_machine(hall=hall, username=MANAGER, at=timezone.now())
    assert findings(hall) == []
    add_app(manager_of(hall), name="Novo")
    assert findings(hall) == []
