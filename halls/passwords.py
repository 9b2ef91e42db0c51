"""Passwords: hashed by turns, few at once; those too easily guessed refused; some drawn by the hall.

Argon2 takes the memory and the time that it is told to, for each password that anybody sends. Were
as many hashed as are sent, whoever sends two hundred at once would have the machine, and the sales
would wait. So a hash has its turn; a queue that is full says so at once.

Whoever guesses at a hall tries its name, "bingo" and the year. Such words count for nothing here:
what is left of a password without them must still be one. A list of passwords that were published
after breaches lies beside this file (decision 43), so that no network is asked.

What the hall gives somebody is drawn by chance, and good for 72 hours: nobody types it for another.
Until when one holds is the time of the first entry that tells of it by its digest: the journal is
never changed, and no row can be written to make it longer.
"""

from __future__ import annotations

import hashlib
import mmap
import os
import re
import secrets
import threading
import unicodedata
from collections.abc import Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import datetime
from functools import cache
from pathlib import Path

from django.conf import settings
from django.contrib.auth.hashers import Argon2PasswordHasher
from django.contrib.auth.password_validation import CommonPasswordValidator, validate_password
from django.core.exceptions import ValidationError

from bingo.rules import sign_in_and_pins, staff
from bingo.rules.refusal import Refusal
from halls.models import Hall, JournalEntry, Person

NICENESS = 10  # of 19, of threads that hash
LONGEST = 1000  # characters; hashing a longer one would only keep the hall waiting
DRAWS = 100  # one in nine thousand is refused by chance; a name may stand in many
AGAIN = 3  # seconds after which whoever finds the queue full may try again


class Turns:
    """So many at once, so many more in the queue, none of whom waits longer than `patience` seconds."""

    def __init__(self, *, at_once: int, queue: int, patience: float) -> None:
        self._room = threading.BoundedSemaphore(at_once + queue)
        self._turn = threading.BoundedSemaphore(at_once)
        self._patience = patience
        self._own = threading.local()

    @contextmanager
    def turn(self) -> Iterator[None]:
        """Wait for a turn and keep it while the block runs; within it there is no other to wait for.

        Raises Refusal passwords_busy where the queue is full, or moves too slowly.
        """
        if getattr(self._own, "has", False):
            yield
            return
        if not self._room.acquire(blocking=False):
            raise Refusal("passwords_busy", seconds=AGAIN)
        try:
            if not self._turn.acquire(timeout=self._patience):
                raise Refusal("passwords_busy", seconds=AGAIN)
            try:
                self._own.has = True
                yield
            finally:
                self._own.has = False
                self._turn.release()
        finally:
            self._room.release()


_turns = Turns(
    at_once=settings.PASSWORDS_AT_ONCE,
    queue=settings.PASSWORDS_WAITING,
    patience=settings.PASSWORDS_PATIENCE,
)
turn = _turns.turn


def _give_way() -> None:
    """Let this thread have what the others leave: a password may take longer, a sale may not."""
    os.setpriority(os.PRIO_PROCESS, threading.get_native_id(), NICENESS)


_hashing = ThreadPoolExecutor(settings.PASSWORDS_AT_ONCE, "hashing", initializer=_give_way)


class Argon2(Argon2PasswordHasher):
    """Argon2id by turns, each with 64 MiB in one thread and three passes.

    RFC 9106 recommends that memory and those passes (4, second choice) with four lanes; lanes are
    threads, and on a machine of two processors four of them would be taken from the sales.
    """

    time_cost = 3
    memory_cost = 64 * 1024
    parallelism = 1

    def encode(self, password: str, salt: str) -> str:
        """Hash a password in its turn. Raises Refusal passwords_busy."""
        with turn():
            return str(_hashing.submit(super().encode, password, salt).result())

    def verify(self, password: str, encoded: str) -> bool:
        """Return whether a password is the one of a hash, in its turn. Raises Refusal passwords_busy."""
        with turn():
            return bool(_hashing.submit(super().verify, password, encoded).result())

    def must_update(self, encoded: str) -> bool:
        """Leave a hash of earlier settings as it is: a new one would end its owner's other logins."""
        return False


LEAST_LEFT = 6  # letters and digits beside the words that count for nothing
LEAST_WORD = 4  # letters of a part of the hall's name: a shorter one stands in many words

# Without accents and capitals, of the five languages; a plural where it is another word.
WORDS = """
bingo bingos linha linhas linea lineas lina linia linies quina fila cartao cartoes carton
cartones carto cartons cartro cartela cartelas cartilla cartolina bola bolas bolo boles bombo
esfera tombola loto loteria lotaria rifa sorteio sorteo sorteig sorte suerte premio premios
premi premis jackpot acumulado bote pote pozo sala casa caixa caja mesa taula balcao porta
puerta jogo jogos juego juegos xogo joc jocs jogada jugada xogada partida serie series numero
numeros locutor locutora chefe jefe xefe gerente gestor manager director diretor inspector
inspetor cashier caller seller door vendedor vendedora venda venta ficha fichas dinheiro dinero
diners money ganhar ganar guanyar acta extraccao extracao extraccion hall board card cards line
lines ball balls game games full house till prize portugues portuguese espanol espanhol spanish
castelhano castellano galego gallego galician catala catalan catalao english ingles angles
portugal espana espanha spain caboverde admin administrador administrator password senha
contrasena contrasinal contrasenya palavra clave demonstracao demonstracion training treino
formacao
"""
TRADE = frozenset(WORDS.split())


def is_guessable(password: str, *, hall: str = "") -> bool:
    """Return whether others would guess a password of somebody in a hall of that name."""
    return is_breached(password) or _is_of_the_trade(password, hall)


def is_breached(password: str) -> bool:
    """Return whether a password is among those that breaches made known; capitals do not matter.

    The list holds the first four bytes of each SHA-256, so one password in nine thousand is taken
    for a breached one that is none.
    """
    head = hashlib.sha256(password.casefold().encode("utf-8", "surrogatepass")).digest()[:WIDTH]
    heads = _heads()
    low, high = 0, len(heads) // WIDTH
    while low < high:
        middle = (low + high) // 2
        if heads[middle * WIDTH : (middle + 1) * WIDTH] < head:
            low = middle + 1
        else:
            high = middle
    return heads[low * WIDTH : (low + 1) * WIDTH] == head


WIDTH = 4  # bytes of a digest that are kept
BREACHED = Path(__file__).with_name("breached_passwords.bin")


@cache
def _heads() -> mmap.mmap:
    with BREACHED.open("rb") as file:
        return mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)


def _is_of_the_trade(password: str, hall: str) -> bool:
    plain = _plain(password)
    own = {word for word in re.findall(r"\w+", _plain(hall)) if len(word) >= LEAST_WORD}
    words = sorted(TRADE | own, key=len, reverse=True)
    left, found = re.subn("|".join(map(re.escape, words)), " ", plain)
    if not found:
        return False
    rest = "".join(sign for sign in left if sign.isalnum())
    return len(rest) < LEAST_LEFT or _is_common(rest)


def _plain(text: str) -> str:
    """Return a text without capitals and accents."""
    apart = unicodedata.normalize("NFKD", text.casefold())
    return "".join(sign for sign in apart if not unicodedata.combining(sign))


@cache
def _common() -> CommonPasswordValidator:
    return CommonPasswordValidator()


def _is_common(text: str) -> bool:
    try:
        _common().validate(text)
    except ValidationError:
        return True
    return False


# Written alike in Portuguese and Spanish, without accents; none is a word of the trade, which would
# count for nothing.
DRAWN_OF = """
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
CHOICES = tuple(DRAWN_OF.split())
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


def require_good(password: str, *, username: str, name: str, hall: str = "") -> None:
    """Refuse a password that others would guess, in a hall of that name: password_weak."""
    if len(password) > LONGEST:
        raise Refusal("password_weak")
    if _holds_a_name(password, username, *name.split(), *username.split(".")):
        raise Refusal("password_weak")
    if is_guessable(password, hall=hall):
        raise Refusal("password_weak")
    try:
        validate_password(password)
    except ValidationError:
        raise Refusal("password_weak") from None


def draw_good(*, username: str, name: str, hall: str) -> str:
    """Return a password drawn by chance that `require_good` takes. Raises Refusal password_weak.

    It is refused where none can be good, as for somebody whose name stands in each.
    """
    for _one in range(DRAWS):
        password = draw()
        try:
            require_good(password, username=username, name=name, hall=hall)
        except Refusal:
            continue
        return password
    raise Refusal("password_weak")


def _holds_a_name(password: str, *names: str) -> bool:
    """Return whether a password holds what its owner is called; a name of two letters tells nothing."""
    plain = _plain(password)
    return any(len(one) > 2 and _plain(one) in plain for one in names)


def given_until(hall: Hall, people: Iterable[Person]) -> dict[int, datetime]:
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
    ends = given_until(person.hall, [person]).get(person.pk)
    return ends is None or at >= ends
