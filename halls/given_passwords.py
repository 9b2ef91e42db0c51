"""Passwords that the hall gives somebody: drawn by chance, and good for 72 hours.

Nobody types them for another. Until when one holds is the time of the first entry that tells of it
by its digest: the journal is never changed, and no row can be written to make it longer.
"""

from __future__ import annotations

import secrets
from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import datetime

from bingo.rules import sign_in_and_pins, staff
from halls.models import Hall, JournalEntry, Person

# Written alike in Portuguese and Spanish, without accents; none is a word of the trade, which would
# count for nothing (halls/passwords.py).
WORDS = """
abril alga amigo animal arco aroma arroz astro atlas azul balde barba barco barril barro bata
bebida bosque bota brisa broche bruma burro cabra calma camisa campo canela canto capa caramelo
carro casco castor cedro cera cesta ciclo cinta circo cisne clima cobre coco cofre cometa
concha copa coral cubo dardo dedo delta disco drama duna escala espiga espuma farol fauna filtro
flauta flora foca forma fruta gaita galope gato globo goma gruta grupo guitarra hotel lago lata
lente lobo lupa manga manta mapa menta metal monte moto mula mundo muro musgo nave norte oliva
onda palma panda papel parque pato pausa pera piano pico pinta pirata pista pluma poema prisma
prosa puma radar rima ritmo saco salsa salto sapo seda selva sofa sombra sopa tambor tela templo
tigre tinta tomate verde
"""
CHOICES = tuple(WORDS.split())
COUNT, NUMBERS = 3, 10**6


@dataclass(frozen=True, slots=True)
class Given:
    """Somebody with the password that they were given, and until when it holds.

    It is kept nowhere, so it is told once: there is none where the order had been carried out before,
    nor where somebody has one of their own.
    """

    person: Person
    password: str = field(default="", repr=False)
    until: datetime | None = None


def draw() -> str:
    """Return three words and a number, one of 2⁴¹ passwords."""
    words = [secrets.choice(CHOICES) for _one in range(COUNT)]
    return "-".join([*words, f"{secrets.randbelow(NUMBERS):06d}"])


def until(hall: Hall, people: Iterable[Person]) -> dict[int, datetime]:
    """Return until when people of a hall can log in with the password given to them, by their keys.

    Nobody is in it who chose their own, nor of whom no entry tells: theirs has run out.
    """
    digests = {
        sign_in_and_pins.digest_of(one.password): one.pk for one in people if one.password_given
    }
    if not digests:
        return {}
    told = JournalEntry.objects.filter(
        hall=hall, kind__in=staff.BY_OTHERS, data__password_digest__in=list(digests)
    )
    # Whoever could write another entry of the same password makes it hold no longer.
    newest_first = told.order_by("-number").values_list("data__password_digest", "at")
    return {digests[digest]: at + staff.PASSWORD_HOLDS for digest, at in newest_first}


def has_run_out(person: Person, *, at: datetime) -> bool:
    """Return whether the password is one that was given, and too long ago."""
    if not person.password_given:
        return False
    ends = until(person.hall, [person]).get(person.pk)
    return ends is None or at >= ends
