"""Passkeys (WebAuthn): what a browser is asked for, and whether what it answers is right.

A passkey belongs to the host by which the hall is reached. It needs a name, not an address, and
HTTPS, or this machine itself: elsewhere browsers offer none, and an authenticator app serves.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from datetime import datetime
from typing import Any

import webauthn
from django.http import HttpRequest
from django.utils import timezone
from webauthn.helpers import bytes_to_base64url
from webauthn.helpers.exceptions import WebAuthnException
from webauthn.helpers.structs import (
    AuthenticatorSelectionCriteria,
    PublicKeyCredentialDescriptor,
    ResidentKeyRequirement,
    UserVerificationRequirement,
)

from bingo.rules.refusal import Refusal
from bingo.rules.sign_in_and_pins import PASSKEY
from halls.models import Factor, Person

CHALLENGE = "passkey_challenge"  # in the browser's session, good once
SECONDS = 300
LONGEST = 20_000  # characters of an answer
LONGEST_ID = 1023  # bytes of a passkey's id, by the standard
# What an answer may break, by what it says or by the keys in it.
WRONG = (
    WebAuthnException, ValueError, LookupError, ArithmeticError, TypeError, AttributeError, RecursionError,
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Made:
    """A new passkey: its id and key (base64url), and what its authenticator has counted."""

    credential: str
    public_key: str
    count: int


def host_of(request: HttpRequest) -> str:
    """Return the host that a passkey made now belongs to, empty where none can be made."""
    name = request.get_host().rsplit(":", 1)[0].lower()
    here = name == "localhost" or name.endswith(".localhost")
    is_address = name.replace(".", "").isdigit() or name.startswith("[")
    return name if (request.is_secure() or here) and not is_address else ""


def to_make(request: HttpRequest, person: Person) -> str:
    """Return what a browser is asked for to make a passkey, as JSON; its challenge is good once."""
    known = Factor.objects.filter(person=person, kind=PASSKEY, removed_at=None)
    options = webauthn.generate_registration_options(
        rp_id=_require_host(request),
        rp_name=person.hall.name,
        user_id=f"{person.hall.code}/{person.pk}".encode(),
        user_name=person.username,
        user_display_name=person.name,
        exclude_credentials=_descriptors(known),
        authenticator_selection=AuthenticatorSelectionCriteria(
            resident_key=ResidentKeyRequirement.PREFERRED,
            user_verification=UserVerificationRequirement.REQUIRED,
        ),
    )
    return _kept(request, options)


def to_prove(request: HttpRequest, person: Person) -> str:
    """Return what a browser is asked for to show a passkey, as JSON; empty where it can have none."""
    host = host_of(request)
    known = Factor.objects.filter(person=person, kind=PASSKEY, removed_at=None, host=host)
    if not host or not known:
        return ""
    options = webauthn.generate_authentication_options(
        rp_id=host,
        allow_credentials=_descriptors(known),
        user_verification=UserVerificationRequirement.REQUIRED,
    )
    return _kept(request, options)


def made(request: HttpRequest, answer: str) -> Made:
    """Return the passkey that a browser has made. Raises Refusal: passkey_refused, passkey_impossible."""
    host, challenge = _require_host(request), _challenge(request)
    try:
        found = webauthn.verify_registration_response(
            credential=_read(answer),
            expected_challenge=challenge,
            expected_rp_id=host,
            expected_origin=_origin(request),
            require_user_verification=True,
        )
        if len(found.credential_id) > LONGEST_ID:
            raise ValueError
    except WRONG:
        raise Refusal("passkey_refused") from None
    return Made(
        bytes_to_base64url(found.credential_id),
        bytes_to_base64url(found.credential_public_key),
        found.sign_count,
    )


def proves(request: HttpRequest, person: Person, answer: str, *, at: datetime) -> bool:
    """Return whether a browser has shown a passkey of the person; its count only goes up."""
    host = host_of(request)
    try:
        challenge, read = _challenge(request), _read(answer)
        known = Factor.objects.filter(person=person, kind=PASSKEY, removed_at=None, host=host)
        # The id that was sent is anything: it is looked up here, not by the database.
        factor = {one.credential: one for one in known}[read["id"]]
        found = webauthn.verify_authentication_response(
            credential=read,
            expected_challenge=challenge,
            expected_rp_id=host,
            expected_origin=_origin(request),
            credential_public_key=webauthn.base64url_to_bytes(factor.public_key),
            credential_current_sign_count=factor.count,
            require_user_verification=True,
        )
    except (*WRONG, Refusal):
        return False
    mine = Factor.objects.filter(pk=factor.pk, removed_at=None, count=factor.count)
    return bool(mine.update(count=found.new_sign_count, used_at=at))


def _read(answer: str) -> dict[str, Any]:
    if len(answer) > LONGEST:
        raise ValueError
    read = json.loads(answer)
    if not isinstance(read, dict):
        raise TypeError
    return read


def _descriptors(known: Any) -> list[PublicKeyCredentialDescriptor]:
    return [
        PublicKeyCredentialDescriptor(id=webauthn.base64url_to_bytes(one.credential))
        for one in known
    ]


def _require_host(request: HttpRequest) -> str:
    host = host_of(request)
    if not host:
        raise Refusal("passkey_impossible")
    return host


def _origin(request: HttpRequest) -> str:
    return f"{request.scheme}://{request.get_host()}"


def _kept(request: HttpRequest, options: Any) -> str:
    until = timezone.now().timestamp() + SECONDS
    request.session[CHALLENGE] = [bytes_to_base64url(options.challenge), until]
    text: str = webauthn.options_to_json(options)
    return text


def _challenge(request: HttpRequest) -> bytes:
    """Return the challenge that was asked for last, and forget it. Raises Refusal passkey_refused."""
    kept = request.session.pop(CHALLENGE, None)
    request.session.save()
    if not kept or kept[1] < timezone.now().timestamp():
        raise Refusal("passkey_refused")
    return webauthn.base64url_to_bytes(str(kept[0]))
