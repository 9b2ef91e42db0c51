"""The training hall of a hall, where its people practise with accounts of their own.

Real and training halls have nothing to do with each other: no money, no cards, no names
(`require_real`, `require_training`). A training hall is marked on every page and paper, in its
hall's language.
"""

from __future__ import annotations

import secrets
from collections.abc import Callable, Iterable, Mapping
from datetime import datetime
from types import MappingProxyType
from typing import Any

from django.db import IntegrityError, connection, transaction
from django.utils import translation
from django.utils.translation import gettext as _

from bingo.rules import staff
from bingo.rules.game_flow import Fact
from bingo.rules.refusal import Refusal
from halls.journal import head
from halls.journal import services as journal_services
from halls.models import Hall, Person, Role


def require_real(*halls: Hall) -> None:
    """Refuse what only real halls do with each other. Raises Refusal training_is_apart."""
    if any(hall.is_training for hall in halls):
        raise Refusal("training_is_apart")


def require_training(hall: Hall) -> None:
    """Refuse what is done only where nothing is real. Raises Refusal not_in_training."""
    if not hall.is_training:
        raise Refusal("not_in_training")


PARTNER = staff.PARTNER
# What is typed for the second person, in the hall's language; it opens nothing but training.
PASSWORDS = {"pt": "parceiro", "es": "pareja", "gl": "parella", "ca": "parella"}
LONGEST_NAME = 200
LONGEST_USERNAME = 150
HELPS = (Role.CASHIER, Role.SELLER, Role.CALLER, Role.TABLE_CHIEF, Role.HALL_MANAGER)


def hall_of(trained: Hall) -> Hall | None:
    """Return the training hall that a hall's people use now, if there is one."""
    return Hall.objects.filter(trains=trained, trained_until=None).first()


def begin(trained: Hall, *, name: str, licence: str, partner: str, at: datetime) -> Hall:
    """Return a hall's training hall; where it has none, make it: empty, but for its first entry.

    `name` and `licence` say what it is, `partner` how the second person is called. The real hall's
    row is only looked at. Raises Refusal training_is_apart for a training hall.
    """
    require_real(trained)
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
    code = staff.code(trained.code, number=number)
    if Hall.objects.filter(code=code).exists():
        # Of another hall whose long code begins alike, or by chance.
        code = staff.code(f"hall-{trained.pk}", number=number)
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
        password=partner_password(made),
    )
    hall = head.lock(made.pk)
    journal_services.append(
        hall, Fact(staff.BEGUN, staff.begin_training(trained.code)), by=None, at=at
    )
    return hall


def partner(hall: Hall) -> Person:
    """Return the second person of a training hall, whose password everybody may know.

    It opens nothing but an order of that hall that wants two: nobody logs in as them.
    """
    require_training(hall)
    return Person.objects.get(hall=hall, username=partner_name(hall))


def partner_password(hall: Hall) -> str:
    """Return what is typed as their password, a word of the hall's language."""
    return PASSWORDS.get(hall.language, PARTNER)


def partner_name(hall: Hall) -> str:
    """Return the name that is typed for them."""
    return f"{PARTNER}.{hall.code}"


def practise(person: Person, *, hall: Hall) -> Person:
    """Return the account by which somebody practises in their training hall, made at the first time.

    Raises Refusal: training_is_apart (another hall's), not_allowed for whoever is no staff.
    """
    if hall.trains_id != person.hall_id:
        raise Refusal("training_is_apart")
    roles = staff.roles(person.roles)
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
    """Return the account of somebody who practises; None before the first time, and for no staff."""
    found = (
        Person.objects.filter(
            practises=person, hall__trains=person.hall_id, hall__trained_until=None
        )
        .select_related("hall")
        .first()
    )
    roles = staff.roles(person.roles)
    return _in_step(found, person, roles) if found and roles else None


@transaction.atomic
def leave(hall: Hall, *, by: Person, at: datetime) -> None:
    """Leave a training hall and all that was played in it for good; the next to practise begins anew.

    Nothing is deleted: journals of training are append-only as all are. Raises Refusal:
    not_in_training, not_allowed to all but managers.
    """
    require_training(hall)
    if by.hall_id != hall.pk or Role.HALL_MANAGER not in by.roles:
        raise Refusal("not_allowed", roles=[Role.HALL_MANAGER.value])
    Hall.objects.filter(pk=hall.pk, trained_until=None).update(trained_until=at)


def _in_step(account: Person, own: Person, roles: list[str]) -> Person:
    """Let the account be called, speak and do as its owner's, whatever changed since."""
    wanted = {"name": own.name, "language": own.language, "roles": roles, "is_active": True}
    if any(getattr(account, field) != value for field, value in wanted.items()):
        with connection.cursor() as cursor:
            cursor.execute("SELECT keep_in_step(%s, %s)", [account.pk, roles])
        account.refresh_from_db(fields=list(wanted))
    return account


def _username(person: Person, hall: Hall) -> str:
    name = f"{person.username}~{hall.code}"
    return name if len(name) <= LONGEST_USERNAME else f"{person.pk}~{hall.code}"


Data = Mapping[str, Any]


def training_name(hall: Hall) -> str:
    """Return the name of a hall's training hall; it begins with the word, so that nothing cuts it off."""
    with translation.override(hall.language):
        return _("TRAINING - %(hall)s") % {"hall": hall.name}


def mark_training(language: str) -> str:
    """Return what stands across every page, and where the licence would be."""
    with translation.override(language):
        return _("TRAINING - NOT A RECORD")


def marks(languages: Iterable[str], *, training: bool) -> tuple[str, ...]:
    """Return what stands across each sheet of a document of training, once a language; else nothing."""
    return tuple(dict.fromkeys(map(mark_training, languages))) if training else ()


def training_partner(hall: Hall) -> str:
    """Return the name of the second person of training."""
    with translation.override(hall.language):
        return _("Training partner")


def till(hall: Hall, number: int) -> str:
    """Return the name of a training hall's till."""
    with translation.override(hall.language):
        return _("Training till %(number)s") % {"number": number}


def lesson_goes_on(hall: Hall) -> str:
    """Return why the end of a session of lessons is moved, in the hall's language."""
    with translation.override(hall.language):
        return _("The lessons go on")


def _begun(data: Data, _money: Callable[[int], str]) -> str:
    return _("for %(hall)s: nothing here is real") % {"hall": data["trains"]}


TELLERS: Mapping[str, Callable[[Data, Callable[[int], str]], str]] = MappingProxyType(
    {staff.BEGUN: _begun}
)
