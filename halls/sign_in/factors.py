"""Second factors of a person: added, shown, given up; and taken away by two others when lost.

An authenticator app shows a code every 30 seconds (RFC 6238). One is used once, and the hall's clock
and the telephone's may differ by one of them. Ten recovery codes on paper stand for both. Small
secrets are sealed with the installation's own key, so that a copy of the database tells none.
"""

from __future__ import annotations

import base64
import hashlib
import hmac
import secrets
from collections.abc import Sequence
from datetime import datetime
from typing import Unpack

import pyotp
from cryptography.fernet import Fernet, InvalidToken
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from django.conf import settings
from django.db import transaction
from django.http import HttpRequest
from django.utils import timezone

from bingo.rules import journal_json_and_chain
from bingo.rules import sign_in_and_pins as rules
from bingo.rules.game_flow import Fact
from bingo.rules.refusal import Refusal
from halls import attempts, permissions, second_person, security_log
from halls.attempts import LockedOut, Question
from halls.journal import head
from halls.journal import services as journal_services
from halls.journal.services import Who, begin_command
from halls.models import Factor, Hall, Person, RecoveryCode, Role, SignIn
from halls.permissions import COMMANDS
from halls.policy import queries as policy_queries
from halls.sign_in import logins, passkeys

SECRET = "totp"  # nosec B105 - what secrets of apps are sealed for
LONGEST = 64  # characters of a typed code


def of(person: Person) -> list[Factor]:
    """Return what a person has, by name."""
    return list(Factor.objects.filter(person=person, removed_at=None).order_by("name", "pk"))


def has(person: Person) -> bool:
    """Return whether a person has a second factor."""
    return Factor.objects.filter(person=person, removed_at=None).exists()


def lacking(hall: Hall) -> list[Person]:
    """Return whoever needs one and has none, by name."""
    if not hall.asks_for_factors(timezone.now()):
        return []
    without = hall.people.filter(is_active=True).exclude(
        factors__removed_at=None, factors__isnull=False
    )
    return [one for one in without.order_by("name") if rules.obliges(one.roles, COMMANDS)]


def waived_from(hall: Hall) -> datetime | None:
    """Return from when on a hall will ask for none, None where it goes on or has stopped."""
    return hall.factor_waived_from if hall.asks_for_factors(timezone.now()) else None


def new_secret() -> str:
    """Return a secret for an authenticator app: 160 bits of chance, in base 32."""
    return pyotp.random_base32()


def app_address(person: Person, secret: str) -> str:
    """Return what the square code for an authenticator app says."""
    return pyotp.TOTP(secret).provisioning_uri(name=person.username, issuer_name=person.hall.name)


def step_of(secret: str, code: str, *, at: datetime) -> int | None:
    """Return the step of time whose code this is, None where it is none of those about now."""
    now = int(at.timestamp()) // rules.STEP
    plain = code.replace(" ", "")
    if not (plain.isascii() and plain.isdecimal()):
        return None
    totp = pyotp.TOTP(secret)
    for step in range(now + rules.DRIFT, now - rules.DRIFT - 1, -1):
        if hmac.compare_digest(totp.generate_otp(step), plain):
            return step
    return None


def add_app(*, person: Person, name: str, secret: str, code: str, at: datetime) -> Factor:
    """Add an authenticator app that shows the right code. Raises Refusal: factor_wrong, those of `_add`."""
    step = step_of(secret, code[:LONGEST], at=at)
    if step is None:
        raise Refusal("factor_wrong")
    sealed = seal(secret, use=SECRET)
    return _add(person, rules.TOTP, name, at=at, secret=sealed, step=step)


def add_passkey(
    *, person: Person, name: str, request: HttpRequest, answer: str, at: datetime
) -> Factor:
    """Add a passkey that a browser has made. Raises Refusal: passkey_refused, passkey_impossible, those of `_add`."""
    made = passkeys.made(request, answer)
    return _add(
        person, rules.PASSKEY, name, at=at, credential=made.credential,
        public_key=made.public_key, count=made.count, host=passkeys.host_of(request),
    )  # fmt: skip


@transaction.atomic
def _add(person: Person, kind: str, name: str, *, at: datetime, **proof: str | int) -> Factor:
    """Raises Refusal: bad_factor_name, too_many_factors, passkey_refused (known already)."""
    new = Factor(person=person, kind=kind, name=name, added_at=at, used_at=at, **proof)
    told = rules.change_own(change=rules.ADDED, factor=kind, name=name, digest=new.digest)
    new.hall = hall = head.lock(person.hall_id)
    if Factor.objects.filter(person=person, removed_at=None).count() >= rules.MOST_FACTORS:
        raise Refusal("too_many_factors", most=rules.MOST_FACTORS)
    if proof.get("credential") and Factor.objects.filter(credential=proof["credential"]).exists():
        raise Refusal("passkey_refused")
    journal_services.append(hall, Fact(rules.CHANGED, told), by=person, at=at)
    new.save()
    return new


@transaction.atomic
def give_up(*, person: Person, pk: int, at: datetime) -> Factor:
    """Let somebody go without one of theirs. Raises Refusal: factor_unknown, last_factor."""
    hall = head.lock(person.hall_id)
    theirs = of(person)
    found = next((one for one in theirs if one.pk == pk), None)
    if found is None:
        raise Refusal("factor_unknown")
    if len(theirs) == 1 and logins.is_obliged(person):
        raise Refusal("last_factor")
    told = rules.change_own(
        change=rules.DROPPED, factor=found.kind, name=found.name, digest=found.digest
    )
    journal_services.append(hall, Fact(rules.CHANGED, told), by=person, at=at)
    return _removed(found, by=person, at=at)


def _removed(factor: Factor, *, by: Person | None, at: datetime) -> Factor:
    factor.removed_at, factor.removed_by = at, by
    factor.told_at = at if by and by.pk == factor.person_id else None
    proofs = ("secret", "public_key", "credential")
    for proof in proofs:
        setattr(factor, proof, "")
    factor.save(update_fields=["removed_at", "removed_by", "told_at", *proofs])
    if not has(factor.person):
        RecoveryCode.objects.filter(person_id=factor.person_id).delete()
    return factor


@transaction.atomic
def remove(*, hall: Hall, pk: int, witness: Person | None, **who: Unpack[Who]) -> Factor:
    """Take a lost factor from somebody, before a second person; their logins end at once.

    An inspector's is taken with another inspector; where there is none, `remove_all`. Raises Refusal:
    not_allowed, key_reused, factor_unknown, own_account, second_person_needed, witness_same_person,
    witness_not_allowed, inspector_needed.
    """
    by, at = who["by"], who["at"]
    permissions.require(by, rules.REMOVED, hall=hall.pk)
    head.lock(hall.pk)
    by.refresh_from_db(fields=["roles", "is_active"])
    found = Factor.objects.select_related("person__hall").filter(pk=pk, hall=hall).first()
    if found is None:
        raise Refusal("factor_unknown")
    owner = found.person
    inputs = {"username": owner.username, "factor": found.kind, "name": found.name}
    locked, done = begin_command(hall.pk, rules.REMOVED, inputs=inputs, **who)
    if done:
        return found
    if found.removed_at is not None:
        raise Refusal("factor_unknown")
    if owner.pk == by.pk:
        raise Refusal("own_account")
    if not may_remove(owner, by):
        raise Refusal("not_allowed", roles=[Role.HALL_MANAGER.value])
    if witness is None:
        raise Refusal("second_person_needed", command=rules.REMOVED)
    # An inspector stands beside whoever takes an inspector's, and for nobody of the hall.
    may = Role.INSPECTOR in owner.roles or set(second_person.ROLES) & set(witness.roles)
    if owner.pk == witness.pk or not may:
        raise Refusal("witness_not_allowed", roles=[one.value for one in second_person.ROLES])
    second = second_person.second(witness, by=by, kind=rules.REMOVED, hall=hall, at=at)
    _require_inspector(owner, by, witness)
    told = rules.remove(**inputs, digest=found.digest)
    journal_services.append(locked, Fact(rules.REMOVED, {**told, **second}), **who)
    SignIn.objects.filter(person=owner, ended_at=None).update(ended_at=at)
    return _removed(found, by=by, at=at)


def may_remove(owner: Person, by: Person) -> bool:
    """Return whether somebody may take the factor of another: inspectors those of inspectors alone."""
    return Role.INSPECTOR in owner.roles or Role.INSPECTOR not in by.roles


def _require_inspector(owner: Person, *two: Person) -> None:
    """Refuse to take an inspector's factor without another inspector: inspector_needed."""
    if Role.INSPECTOR in owner.roles and not any(Role.INSPECTOR in one.roles for one in two):
        raise Refusal("inspector_needed")


def remove_all(person: Person, *, at: datetime) -> None:
    """Take every factor from somebody, whose entry whoever calls this has written; their logins end.

    Raises Refusal factor_unknown where there is none.
    """
    found = of(person)
    if not found:
        raise Refusal("factor_unknown")
    SignIn.objects.filter(person=person, ended_at=None).update(ended_at=at)
    for one in found:
        _removed(one, by=None, at=at)


@transaction.atomic
def tell_removed(person: Person, *, at: datetime) -> list[Factor]:
    """Return what others took from a person and they were not told of yet; it is told once."""
    untold = Factor.objects.select_for_update(of=("self",)).select_related("removed_by")
    found = list(untold.filter(person=person, removed_at__isnull=False, told_at=None))
    Factor.objects.filter(pk__in=[one.pk for one in found]).update(told_at=at)
    return found


def prove(*, person: Person, request: HttpRequest, code: str, passkey: str, at: datetime) -> None:
    """Prove that it is the person, by a code or a passkey. Raises Refusal: factor_locked, factor_wrong."""
    place = str(request.META.get("REMOTE_ADDR") or "")
    try:
        # By the person alone: whoever guesses has the password, and changes addresses as they like.
        attempt = attempts.begin(
            Question.FACTOR, name=person.username, asker=person.pk, place=place, at=at
        )
    except LockedOut as locked:
        security_log.record("locked_out", request=request, person=person)
        raise Refusal("factor_locked", seconds=locked.seconds) from None
    way = ""
    if passkey:
        way = rules.PASSKEY if passkeys.proves(request, person, passkey, at=at) else ""
    elif _use_code(person, code[:LONGEST], at=at):
        way = rules.TOTP
    elif _use_recovery(person, code, at=at):
        way = rules.CODE
    if not way:
        security_log.record("factor_failed", request=request, person=person)
        raise Refusal("factor_wrong")
    attempts.succeeded(attempt)
    security_log.record("factor_shown", request=request, person=person, by=way)


def _use_code(person: Person, code: str, *, at: datetime) -> bool:
    """Use a code of an app; of two who send the same at once, one has it."""
    for factor in Factor.objects.filter(person=person, kind=rules.TOTP, removed_at=None):
        secret = unseal(factor.secret, use=SECRET)
        step = step_of(secret, code, at=at) if secret else None
        if step is None:
            continue
        unused = Factor.objects.filter(pk=factor.pk, removed_at=None, step__lt=step)
        if unused.update(step=step, used_at=at):
            return True
    return False


def _digest(code: str) -> str:
    plain = "".join(code[:LONGEST].lower().replace("-", " ").split())
    return hashlib.sha256(plain.encode()).hexdigest()


@transaction.atomic
def _use_recovery(person: Person, code: str, *, at: datetime) -> bool:
    theirs = RecoveryCode.objects.filter(person=person, digest=_digest(code), used_at=None)
    if not theirs.exists():
        return False
    hall = head.lock(person.hall_id)
    if not theirs.update(used_at=at):
        return False
    told = rules.change_own(change=rules.CODE_USED, digest=_digest(code))
    journal_services.append(hall, Fact(rules.CHANGED, told), by=person, at=at)
    return True


@transaction.atomic
def make_codes(*, person: Person, at: datetime) -> Sequence[str]:
    """Make ten recovery codes in the place of those before; they are told here and nowhere again.

    Raises Refusal factor_missing for whoever has no factor that they would stand for.
    """
    hall = head.lock(person.hall_id)
    if not has(person):
        raise Refusal("factor_missing")
    codes = [secrets.token_hex(16) for _code in range(rules.RECOVERY_CODES)]
    digests = [_digest(code) for code in codes]
    told = rules.change_own(change=rules.CODES_MADE, codes=digests)
    journal_services.append(hall, Fact(rules.CHANGED, told), by=person, at=at)
    RecoveryCode.objects.filter(person=person).delete()
    RecoveryCode.objects.bulk_create(
        RecoveryCode(hall=hall, person=person, digest=digest) for digest in digests
    )
    return ["-".join(code[at : at + 5] for at in range(0, len(code), 5)) for code in codes]


def codes_left(person: Person) -> int:
    """Return how many recovery codes are still good."""
    return RecoveryCode.objects.filter(person=person, used_at=None).count()


@transaction.atomic
def set_duty(
    *, hall: Hall, required: bool, reason: str, witness: Person | None, **who: Unpack[Who]
) -> Hall:
    """Let a hall ask for second factors, or no more: that on the word of two, and a day later.

    What waits is withdrawn by asking again, by one person. Until a hall has opened its first session
    it holds at once, as all its rules. Raises Refusal: not_allowed, key_reused, nothing_changed,
    reason_missing, second_person_needed, witness_same_person, witness_not_allowed, witness_too_soon.
    """
    inputs = {"required": required, "reason": reason}
    locked, done = begin_command(hall.pk, rules.DUTY, inputs=inputs, **who)
    if done:
        return hall
    by, at = who["by"], who["at"]
    moment, settled = head.stamp(at, locked.head_at), policy_queries.settled(hall)
    told = rules.set_duty(required=required, reason=reason, at=moment, settled=settled)
    if required == (locked.second_factor and locked.factor_waived_from is None):
        raise Refusal("nothing_changed")
    if witness is None and not required:
        raise Refusal("second_person_needed", command=rules.DUTY)
    second = second_person.second(witness, by=by, kind=rules.DUTY, hall=hall, at=at)
    journal_services.append(locked, Fact(rules.DUTY, {**told, **second}), **who)
    waived = journal_json_and_chain.read_moment(told["from"]) if "from" in told else None
    hall.second_factor, hall.factor_waived_from = required or waived is not None, waived
    hall.save(update_fields=["second_factor", "factor_waived_from"])
    return hall


def seal(text: str, *, use: str) -> str:
    """Return a text sealed for one use: what was sealed for another does not open it."""
    return _box(use).encrypt(text.encode()).decode()


def unseal(sealed: str, *, use: str, seconds: int | None = None) -> str | None:
    """Return a sealed text, None where it is of another key or use, changed, or older than `seconds`."""
    try:
        return _box(use).decrypt(sealed.encode(), ttl=seconds).decode()
    except (InvalidToken, UnicodeError):
        return None


def _box(use: str) -> Fernet:
    derived = HKDF(SHA256(), length=32, salt=None, info=f"sign-in {use}".encode())
    key: bytes = derived.derive(settings.SECRET_KEY.encode())
    return Fernet(base64.urlsafe_b64encode(key))
