"""People linked to the chain's provider: by themselves alone, and parted by themselves or by two others.

The provider makes nobody: it says who somebody is whom the hall has taken on. Inspectors are not the
chain's, and are not signed in by it.
"""

from __future__ import annotations

import hashlib
from datetime import datetime
from typing import Unpack

from django.db import IntegrityError, transaction

from bingo.rules import sign_in_and_pins as rules
from bingo.rules.game_flow import Fact
from bingo.rules.refusal import Refusal
from halls import permissions, second_person, security_log
from halls.journal import head
from halls.journal import services as journal_services
from halls.journal.services import Who, begin_command
from halls.models import Hall, Person, ProviderLink
from halls.sign_in import logins

CAME = "came_by_provider"  # in the browser's session: whether one signs out there too


def of(person: Person) -> ProviderLink | None:
    """Return who somebody is at the provider, None where they are not linked."""
    return ProviderLink.objects.filter(person=person, ended_at=None).first()


def require_may(person: Person) -> None:
    """Refuse whom the chain's provider signs in nowhere: provider_not_for_inspectors, training_is_apart."""
    if not rules.may_use_provider(person.roles):
        raise Refusal("provider_not_for_inspectors", cause=person.username)
    if person.hall.is_training:
        raise Refusal("training_is_apart")


def link(*, person: Person, issuer: str, subject: str, at: datetime) -> ProviderLink:
    """Link a person who has shown who they are, here and at the provider.

    Raises Refusal: those of `require_may`, provider_linked_already, provider_account_taken.
    """
    try:
        with transaction.atomic():
            return _link(person, issuer, subject, at=at)
    except IntegrityError:  # another one at the same moment
        raise Refusal("provider_account_taken") from None


def _link(person: Person, issuer: str, subject: str, *, at: datetime) -> ProviderLink:
    hall = head.lock(person.hall_id)
    person.refresh_from_db(fields=["roles", "is_active"])
    require_may(person)
    if of(person) is not None:
        raise Refusal("provider_linked_already")
    if _known(issuer, subject) is not None:
        raise Refusal("provider_account_taken")
    told = rules.change_own(change=rules.LINK_MADE, issuer=issuer, account=_digest(issuer, subject))
    journal_services.append(hall, Fact(rules.CHANGED, told), by=person, at=at)
    security_log.record_later("provider_linked", person=person)
    return ProviderLink.objects.create(
        hall=hall, person=person, issuer=issuer, subject=subject, linked_at=at
    )


@transaction.atomic
def unlink(*, person: Person, at: datetime) -> None:
    """Part a person from the provider, by themself. Raises Refusal provider_link_unknown."""
    hall = head.lock(person.hall_id)
    found = of(person)
    if found is None:
        raise Refusal("provider_link_unknown")
    told = rules.change_own(change=rules.LINK_ENDED, **_told(found))
    journal_services.append(hall, Fact(rules.CHANGED, told), by=person, at=at)
    security_log.record_later("provider_unlinked", person=person, of=person.username)
    _end(found, by=person, at=at)


@transaction.atomic
def unlink_other(*, hall: Hall, pk: int, witness: Person | None, **who: Unpack[Who]) -> Person:
    """Part somebody from the provider, before a second person; their logins end at once.

    Raises Refusal: not_allowed, key_reused, provider_link_unknown, own_account,
    second_person_needed, or those of `second_person.second`.
    """
    by, at = who["by"], who["at"]
    permissions.require(by, rules.UNLINKED, hall=hall.pk)
    head.lock(hall.pk)
    by.refresh_from_db(fields=["roles", "is_active"])
    links = ProviderLink.objects.select_related("person__hall")
    found = links.filter(pk=pk, hall=hall).first()
    if found is None:
        raise Refusal("provider_link_unknown")
    owner = found.person
    told = rules.unlink(username=owner.username, **_told(found))
    locked, done = begin_command(hall.pk, rules.UNLINKED, inputs=told, **who)
    if done:
        return owner
    if found.ended_at is not None:
        raise Refusal("provider_link_unknown")
    if owner.pk == by.pk:
        raise Refusal("own_account")
    if witness is None:
        raise Refusal("second_person_needed", command=rules.UNLINKED)
    second = second_person.second(witness, by=by, kind=rules.UNLINKED, hall=hall, at=at)
    journal_services.append(locked, Fact(rules.UNLINKED, {**told, **second}), **who)
    security_log.record_later("provider_unlinked", person=by, of=owner.username, **second)
    logins.end(owner, at=at)
    _end(found, by=by, at=at)
    return owner


def signed_in(*, issuer: str, subject: str, at: datetime) -> Person:
    """Return whom the provider has told of. Raises Refusal: provider_not_linked, those of `require_may`."""
    found = _known(issuer, subject)
    if found is None or not found.person.is_active:
        raise Refusal("provider_not_linked")
    require_may(found.person)
    ProviderLink.objects.filter(pk=found.pk).update(used_at=at)
    return found.person


def _known(issuer: str, subject: str) -> ProviderLink | None:
    links = ProviderLink.objects.select_related("person__hall")
    return links.filter(issuer=issuer, subject=subject, ended_at=None).first()


def _end(found: ProviderLink, *, by: Person, at: datetime) -> None:
    ProviderLink.objects.filter(pk=found.pk).update(ended_at=at, ended_by=by)


def _told(found: ProviderLink) -> dict[str, str]:
    return {"issuer": found.issuer, "account": _digest(found.issuer, found.subject)}


def _digest(issuer: str, subject: str) -> str:
    """Return what the journal knows an account by: it tells nobody's name at the provider."""
    return hashlib.sha256(f"{issuer} {subject}".encode()).hexdigest()
