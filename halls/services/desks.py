"""An inspector's accounts in several halls, joined, changed between, and parted again."""

from __future__ import annotations

import hmac
from datetime import datetime

from django.db import transaction
from django.db.models import Q
from django.http import HttpRequest

from bingo.rules.refusal import Refusal
from halls.models import JoinedDesk, Person, Role
from halls.services import passwords

MOST = 200  # halls of one inspector


def join(
    *, person: Person, username: str, password: str, request: HttpRequest, at: datetime
) -> Person:
    """Join an inspector's account with the one in another hall, known by its own password.

    Raises Refusal: account_unknown (name or password), account_locked (too many failures),
    account_not_an_inspectors, account_of_this_hall, too_many_halls.
    """
    try:
        other = passwords.proven(request, username=username, password=password)
    except passwords.LockedOut:
        raise Refusal("account_locked") from None
    if other is None:
        raise Refusal("account_unknown")
    if not _inspects(person) or not _inspects(other):
        raise Refusal("account_not_an_inspectors")
    if other.hall_id == person.hall_id:
        raise Refusal("account_of_this_hall")
    if JoinedDesk.objects.filter(person=person).count() >= MOST:
        raise Refusal("too_many_halls", most=MOST)
    with transaction.atomic():
        for one, another in ((person, other), (other, person)):
            JoinedDesk.objects.update_or_create(
                person=one,
                other=another,
                defaults={
                    "hall_id": one.hall_id,
                    "proof": one.get_session_auth_hash(),
                    "other_proof": another.get_session_auth_hash(),
                    "joined_at": at,
                },
            )
    return other


def others(person: Person) -> list[Person]:
    """Give the accounts that a person may change to, with their halls, by the halls' names."""
    found = JoinedDesk.objects.filter(person=person).select_related("person", "other__hall")
    good = (one.other for one in found if _holds(one))
    return sorted(good, key=lambda other: (other.hall.name, other.pk))


def other(person: Person, pk: int) -> Person:
    """Give one of them. Raises Refusal desk_not_joined."""
    for one in others(person):
        if one.pk == pk:
            return one
    raise Refusal("desk_not_joined")


def part(person: Person, pk: int) -> None:
    """Part two accounts, both ways. Raises Refusal desk_not_joined."""
    both = Q(person=person, other=pk) | Q(person=pk, other=person)
    if not JoinedDesk.objects.filter(both).delete()[0]:
        raise Refusal("desk_not_joined")


def _holds(one: JoinedDesk) -> bool:
    """Tell whether both are still whom they were proven to be, and still inspectors."""
    return all(
        _inspects(account) and hmac.compare_digest(account.get_session_auth_hash(), proof)
        for account, proof in ((one.person, one.proof), (one.other, one.other_proof))
    )


def _inspects(person: Person) -> bool:
    return person.is_active and Role.INSPECTOR in person.roles
