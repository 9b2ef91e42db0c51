"""Opening a new hall: its row, its first manager and its tills, told by its journal's first entry."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from types import MappingProxyType
from typing import Any
from zoneinfo import available_timezones

from babel import Locale
from django.conf import settings
from django.db import connection, transaction

from bingo.rules import halls as rules
from bingo.rules.game import Fact
from bingo.rules.refusal import Refusal
from halls.models import Hall, Person, Till
from halls.services import journal, passwords

PLAYED = "demo-"  # halls made to play one session in begin with this
DEMONSTRATED = "demonstracao"  # the code of the hall that is there to look around in
ONE_AT_A_TIME = 0x62696E676F  # the lock of whoever opens a hall: any number that nobody else takes
# What a till is called, by the hall's language, before its number.
TILL: Mapping[str, str] = MappingProxyType(
    {"pt": "Caixa", "es": "Caja", "gl": "Caixa", "ca": "Caixa", "en": "Till"}
)


def numbered_tills(count: int, *, language: str) -> list[str]:
    """Name so many tills in a hall's language."""
    return [f"{TILL.get(language, TILL['en'])} {number + 1}" for number in range(count)]


@transaction.atomic
def open_hall(
    *,
    code: str,
    name: str,
    licence: str,
    language: str,
    currency: str,
    time_zone: str,
    rulebook: str,
    tills: Sequence[str],
    manager: str,
    manager_name: str,
    password: str,
    reserved: str = PLAYED,
    first: bool = False,
    at: datetime,
) -> Hall:
    """Open a hall; its code begins with `reserved` only where that is empty.

    With `first` it must be the first of the database. Raises Refusal: hall_exists, username_taken,
    password_weak, or what `bingo.rules.halls.open_hall` refuses.
    """
    _one_at_a_time()
    if first and Hall.objects.exists():
        raise Refusal("hall_exists")
    told = require_good(
        code=code,
        name=name,
        licence=licence,
        language=language,
        currency=currency,
        time_zone=time_zone,
        rulebook=rulebook,
        tills=tills,
        manager=manager,
        manager_name=manager_name,
        reserved=reserved,
    )
    passwords.require_good(password, username=manager, name=manager_name)
    fields = ("name", "licence", "language", "currency", "time_zone", "rulebook")
    hall = Hall.objects.create(code=code, **{field: told[field] for field in fields})
    person = Person.objects.enrol(hall=hall, password=password, **told["manager"])
    Till.objects.bulk_create([Till(hall=hall, name=till) for till in tills])
    journal.append(journal.lock(hall.pk), Fact(rules.OPENED, told), by=person, at=at)
    hall.refresh_from_db()
    return hall


def require_good(
    *, code: str, manager: str, reserved: str = PLAYED, **asked: Any
) -> dict[str, Any]:
    """Judge what is said of a new hall, before a password is asked for; give its first fact.

    Raises Refusal: username_taken, or what `bingo.rules.halls.open_hall` refuses.
    """
    told = rules.open_hall(
        code=code,
        manager=manager,
        **asked,
        known=rules.Known(
            languages=[one for one, _name in settings.LANGUAGES],
            currencies=Locale("en").currencies,
            time_zones=available_timezones(),
            taken=list(Hall.objects.values_list("code", flat=True)),
            reserved=reserved,
        ),
    )
    if Person.objects.filter(username=manager).exists():
        raise Refusal("username_taken", username=manager)
    return told


def _one_at_a_time() -> None:
    """Let whoever else opens a hall wait: of two that each find no hall, one would take the other's."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_advisory_xact_lock(%s)", [ONE_AT_A_TIME])
