"""The training hall of a hall, and the accounts by which its people practise there."""

from __future__ import annotations

import secrets
from datetime import datetime

from django.db import IntegrityError, transaction

from bingo.rules import training as rules
from bingo.rules.game import Fact
from bingo.rules.refusal import Refusal
from halls.models import Hall, Person, Role
from halls.services import apart, journal

PARTNER = rules.PARTNER
LONGEST_NAME = 200
LONGEST_USERNAME = 150
HELPS = (Role.CASHIER, Role.SELLER, Role.CALLER, Role.TABLE_CHIEF, Role.HALL_MANAGER)


def hall_of(trained: Hall) -> Hall | None:
    """Give the training hall that a hall's people use now, if there is one."""
    return Hall.objects.filter(trains=trained, trained_until=None).first()


def begin(trained: Hall, *, name: str, licence: str, partner: str, at: datetime) -> Hall:
    """Give a hall's training hall; where it has none, make it: empty, but for its first entry.

    `name` and `licence` say what it is, `partner` how the second person is called. The real hall's
    row is only looked at. Raises Refusal training_is_apart for a training hall.
    """
    apart.require_real(trained)
    try:
        return hall_of(trained) or _made(trained, name, licence, partner, at=at)
    except IntegrityError:
        # Somebody else was quicker by a moment.
        found = hall_of(trained)
        if found is None:
            raise
        return found


@transaction.atomic
def _made(trained: Hall, name: str, licence: str, partner: str, *, at: datetime) -> Hall:
    number = 1 + Hall.objects.filter(trains=trained).count()
    code = rules.code(trained.code, number=number)
    if Hall.objects.filter(code=code).exists():
        # Of another hall whose long code begins alike, or by chance.
        code = rules.code(f"hall-{trained.pk}", number=number)
    made = Hall.objects.create(
        code=code,
        name=name[:LONGEST_NAME],
        licence=licence,
        language=trained.language,
        currency=trained.currency,
        time_zone=trained.time_zone,
        rulebook=trained.rulebook,
        trains=trained,
    )
    Person.objects.enrol(
        hall=made,
        username=partner_name(made),
        name=partner,
        roles=[role.value for role in HELPS],
        language=made.language,
        password=PARTNER,
    )
    hall = journal.lock(made.pk)
    journal.append(hall, Fact(rules.BEGUN, rules.begin(trained.code)), by=None, at=at)
    return hall


def partner(hall: Hall) -> Person:
    """Give the second person of a training hall, whose password, PARTNER, everybody may know.

    It opens nothing but an order of that hall that wants two: nobody logs in as them.
    """
    apart.require_training(hall)
    return Person.objects.get(hall=hall, username=partner_name(hall))


def partner_name(hall: Hall) -> str:
    """Give the name that is typed for them."""
    return f"{PARTNER}.{hall.code}"


def practise(person: Person, *, hall: Hall) -> Person:
    """Give the account by which somebody practises in their training hall, made at the first time.

    Raises Refusal: training_is_apart (another hall's), not_allowed for whoever is no staff.
    """
    if hall.trains_id != person.hall_id:
        raise Refusal("training_is_apart")
    roles = rules.roles(person.roles)
    if not roles or not person.is_active:
        raise Refusal("not_allowed", roles=[role.value for role in HELPS])
    found, _new = Person.objects.get_or_create(
        hall=hall,
        practises=person,
        defaults={
            "username": _username(person, hall),
            "name": person.name,
            "roles": roles,
            "language": person.language,
            "password": f"!{secrets.token_urlsafe(24)}",  # as Django marks what opens nothing
        },
    )
    return _in_step(found, person, roles)


def seat(person: Person) -> Person | None:
    """Give the account of somebody who practises; None before the first time, and for no staff."""
    found = (
        Person.objects.filter(
            practises=person, hall__trains=person.hall_id, hall__trained_until=None
        )
        .select_related("hall")
        .first()
    )
    roles = rules.roles(person.roles)
    return _in_step(found, person, roles) if found and roles else None


@transaction.atomic
def leave(hall: Hall, *, by: Person, at: datetime) -> None:
    """Leave a training hall and all that was played in it for good; the next to practise begins anew.

    Nothing is deleted: journals of training are append-only as all are. Raises Refusal:
    not_in_training, not_allowed to all but managers.
    """
    apart.require_training(hall)
    if by.hall_id != hall.pk or Role.HALL_MANAGER not in by.roles:
        raise Refusal("not_allowed", roles=[Role.HALL_MANAGER.value])
    Hall.objects.filter(pk=hall.pk, trained_until=None).update(trained_until=at)


def _in_step(account: Person, own: Person, roles: list[str]) -> Person:
    """Let the account be called, speak and do as its owner's, whatever changed since."""
    wanted = {"name": own.name, "language": own.language, "roles": roles, "is_active": True}
    changed = [field for field, value in wanted.items() if getattr(account, field) != value]
    for field in changed:
        setattr(account, field, wanted[field])
    if changed:
        account.save(update_fields=changed)
    return account


def _username(person: Person, hall: Hall) -> str:
    name = f"{person.username}~{hall.code}"
    return name if len(name) <= LONGEST_USERNAME else f"{person.pk}~{hall.code}"
