"""Passkeys that no browser would answer with: refused in words, and told in the security log."""

from __future__ import annotations

import hashlib
import json
import os
import struct
from typing import Any

import cbor2
import pytest
from django.test import Client
from django.utils import timezone
from webauthn.helpers import bytes_to_base64url

from halls.models import Factor, Person, Role
from tests.support.evening import Evening, browser_of

pytestmark = pytest.mark.django_db

HERE = {"host": "localhost"}
UP_VERIFIED_WITH_KEY = 0x45


@pytest.fixture
def person(settings: Any) -> Person:
    """A cashier, where a passkey can be made."""
    settings.ALLOWED_HOSTS = ["localhost", "127.0.0.1"]
    return Evening().person(Role.CASHIER)


def asked(client: Client, what: str) -> dict[str, Any]:
    """What a browser is asked for."""
    answer = client.post("/sign-in/passkey/", {"for": what}, headers=HERE)
    assert answer.status_code == 200
    return dict(answer.json())


@pytest.mark.parametrize("told", ["\0", "\ud800", "BBBB", ["AAAA"], None])
def test_passkey_that_is_nobodys_is_a_wrong_one(
    told: Any, person: Person, caplog: pytest.LogCaptureFixture
) -> None:
    Factor.objects.create(
        hall=person.hall, person=person, kind="passkey", name="a", credential="AAAA",
        public_key="AAAA", host="localhost", added_at=timezone.now(),
    )  # fmt: skip
    client = browser_of(person)
    for page in ("prove", "unlock"):
        asked(client, "show")
        sent = {"passkey": json.dumps({"id": told})}
        assert client.post(f"/sign-in/{page}/", sent, headers=HERE).status_code == 409, page
    assert caplog.text.count("factor_failed") == 2


@pytest.mark.parametrize(
    ("key", "size"),
    [([1], 4), ([], 4), ({}, 4), ("a", 4), ({1: 2, 3: -7, -1: 1, -2: b"a", -3: b"b"}, 3000)],
)
def test_new_passkey_that_cannot_be_one_is_refused(key: Any, size: int, person: Person) -> None:
    client, named = browser_of(person), os.urandom(size)
    challenge = asked(client, "make")["challenge"]
    found = hashlib.sha256(b"localhost").digest() + struct.pack(">BI", UP_VERIFIED_WITH_KEY, 0)
    found += b"\0" * 16 + struct.pack(">H", size) + named + cbor2.dumps(key)
    client_data = {"type": "webauthn.create", "challenge": challenge, "origin": "http://localhost"}
    made = {
        "id": bytes_to_base64url(named), "rawId": bytes_to_base64url(named), "type": "public-key",
        "response": {
            "clientDataJSON": bytes_to_base64url(json.dumps(client_data).encode()),
            "attestationObject": bytes_to_base64url(
                cbor2.dumps({"fmt": "none", "attStmt": {}, "authData": found})
            ),
        },
    }  # fmt: skip
    sent = {"passkey": json.dumps(made), "name": "Chave"}
    answer = client.post("/second-factor/", sent, headers=HERE)
    assert answer.status_code == 409
    assert 'data-code="passkey_refused"' in answer.content.decode()
