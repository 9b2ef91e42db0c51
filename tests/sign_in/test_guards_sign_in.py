"""What PostgreSQL itself refuses of sign-ins' rows, each by the constraint named here."""

from __future__ import annotations

import hashlib
from datetime import timedelta

import pytest
from django.db import IntegrityError, models, transaction
from django.utils import timezone

from bingo.rules import sign_in_and_pins as rules
from bingo.rules.game_flow import Fact
from halls.journal import head
from halls.journal import services as journal_services
from halls.models import Factor, Person, ProviderLink, RecoveryCode, Role, SignIn, TillBrowser
from tests.support.evening import Evening

pytestmark = pytest.mark.django_db


def refused(constraint: str, model: type[models.Model], **values: object) -> None:
    with pytest.raises(IntegrityError, match=constraint), transaction.atomic():
        model._default_manager.create(**values)


def test_factor_has_its_proof_and_nobody_elses() -> None:
    evening = Evening()
    whose = {
        "hall": evening.hall,
        "person": evening.person(Role.CASHIER),
        "added_at": timezone.now(),
    }
    passkey = {"kind": "passkey", "credential": "a", "public_key": "b", **whose}
    gone = {"kind": "letter", "removed_at": timezone.now(), **whose}
    refused("factor_kind_known", Factor, **gone)
    refused("factor_has_its_proof_until_removed", Factor, kind="passkey", **whose)
    refused("factor_has_its_proof_until_removed", Factor, kind="totp", **whose)
    Factor.objects.create(**passkey)
    refused("factor_credential_once", Factor, **passkey)


def test_code_and_browser_are_there_once_and_a_login_begins_before_it_is_seen() -> None:
    evening = Evening()
    hall, person, now = evening.hall, evening.person(Role.CASHIER), timezone.now()
    RecoveryCode.objects.create(hall=hall, person=person, digest="a")
    refused("recovery_code_once", RecoveryCode, hall=hall, person=person, digest="a")
    browser = {"hall": hall, "name": "Caixa 1", "enrolled_at": now, "enrolled_by": person}
    TillBrowser.objects.create(digest="a", **browser)
    refused("till_browser_name_once", TillBrowser, digest="b", **browser)
    seen = now - timedelta(seconds=1)
    refused("sign_in_seen_since", SignIn, hall=hall, person=person, since=now, seen_at=seen)


def test_person_has_one_link_and_a_subject_is_one_person() -> None:
    evening = Evening()
    cashier, caller = evening.person(Role.CASHIER), evening.person(Role.CALLER)
    _link(cashier, "ana")
    with pytest.raises(IntegrityError, match="person_has_one_provider_link"), transaction.atomic():
        _link(cashier, "rui")
    with (
        pytest.raises(IntegrityError, match="provider_subject_is_one_person"),
        transaction.atomic(),
    ):
        _link(caller, "ana")
    _link(caller, "rui")


def _link(person: Person, subject: str) -> None:
    """Write the entry and the row of a link, past what the service looks at before."""
    issuer, now = "https://chain.example", timezone.now()
    account = hashlib.sha256(f"{issuer} {subject}".encode()).hexdigest()
    told = rules.change_own(change=rules.LINK_MADE, issuer=issuer, account=account)
    journal_services.append(head.lock(person.hall_id), Fact(rules.CHANGED, told), by=person, at=now)
    ProviderLink.objects.create(
        hall=person.hall, person=person, issuer=issuer, subject=subject, linked_at=now
    )
