"""Open a new hall: its row, first manager and tills, told by its journal's first entry.

The first hall needs a word, shown on the server's own terminal and good once: whoever reaches a new
server first over the network does not have it. Only its digest is kept, in a file of the server's
data; the word has 128 bits of chance, so that no guess at its digest finds it.

Also the words of a new hall's first steps: what each is, why, and where it is done.
"""

from __future__ import annotations

import contextlib
import hashlib
import hmac
import os
import secrets
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from types import MappingProxyType
from typing import Any, Unpack
from zoneinfo import available_timezones

from babel import Locale
from django.conf import settings
from django.db import connection, transaction
from django.db.models import QuerySet
from django.http import HttpRequest
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from bingo.rules import policies, setup, sign_in_and_pins
from bingo.rules.game_flow import Fact
from bingo.rules.refusal import Refusal
from bingo.rules.setup import NewHall
from bingo.rules.staff import TRAINS
from halls import attempts, passwords
from halls.journal import head
from halls.journal import services as journal_services
from halls.models import Hall, Person, Till

PLAYED = "demo-"  # halls made to play one session in begin with this
DEMONSTRATED = "demonstracao"  # the code of the hall that is there to look around in
# Codes of what is no real hall: papers say so by them.
RESERVED = rf"{PLAYED}.*|{DEMONSTRATED}|{TRAINS}"
ONE_AT_A_TIME = 0x62696E676F  # the lock of whoever opens a hall: any number that nobody else takes
# What a till is called, by the hall's language, before its number.
TILL: Mapping[str, str] = MappingProxyType(
    {"pt": "Caixa", "es": "Caja", "gl": "Caixa", "ca": "Caixa", "en": "Till"}
)


def numbered_tills(count: int, *, language: str) -> list[str]:
    """Name so many tills in a hall's language."""
    return [f"{TILL.get(language, TILL['en'])} {number + 1}" for number in range(count)]


def own_halls() -> QuerySet[Hall]:
    """Return the halls in which people work or look around, the oldest first.

    A database has no hall yet where there is none of these: training halls belong to one, and
    nobody can log in to those that are made to play one session in (`make demo`).
    """
    return Hall.objects.filter(trains=None).exclude(code__startswith=PLAYED).order_by("pk")


@passwords.turn()
@transaction.atomic
def open_hall(
    *,
    code: str,
    password: str,
    reserved: str = RESERVED,
    first: bool = False,
    four_eyes: Sequence[str] = (),
    second_factor: bool = True,
    at: datetime,
    **asked: Unpack[NewHall],
) -> Hall:
    """Open a hall, whose code is none of those `reserved`.

    With `first` it must be the first of the database (`own_halls`). What needs a second person from its first
    session on is `four_eyes`, until the hall sets its rules. Only a hall to look around in is opened
    without `second_factor`, and its journal says so. Raises Refusal: hall_exists, username_taken,
    password_weak, or what `bingo.rules.setup.open_hall` refuses.
    """
    _one_at_a_time()
    if first and own_halls().exists():
        raise Refusal("hall_exists")
    told = require_good(code=code, reserved=reserved, **asked)
    told["policy"] = policies.record(tills=asked["tills"], four_eyes=four_eyes)
    manager, name = asked["manager"], asked["manager_name"]
    passwords.require_good(password, username=manager, name=name, hall=f"{told['name']} {code}")
    fields = ("name", "licence", "language", "currency", "time_zone", "rulebook")
    if not second_factor:
        told["second_factor"] = False
    hall = Hall.objects.create(
        code=code, second_factor=second_factor, **{field: told[field] for field in fields}
    )
    person = Person.objects.enrol(hall=hall, password=password, **told["manager"])
    Till.objects.bulk_create([Till(hall=hall, name=till) for till in asked["tills"]])
    told["password_digest"] = sign_in_and_pins.digest_of(person.password)
    journal_services.append(head.lock(hall.pk), Fact(setup.OPENED, told), by=person, at=at)
    hall.refresh_from_db()
    return hall


def require_good(
    *, code: str, reserved: str = RESERVED, **asked: Unpack[NewHall]
) -> dict[str, Any]:
    """Judge what is said of a new hall, before a password is asked for; return its first fact.

    Raises Refusal: username_taken, or what `bingo.rules.setup.open_hall` refuses.
    """
    told = setup.open_hall(
        code=code,
        **asked,
        known=setup.Known(
            languages=[one for one, _name in settings.LANGUAGES],
            currencies=Locale("en").currencies,
            time_zones=available_timezones(),
            taken=list(Hall.objects.values_list("code", flat=True)),
            reserved=reserved,
        ),
    )
    if Person.objects.filter(username=asked["manager"]).exists():
        raise Refusal("username_taken", username=asked["manager"])
    return told


def _one_at_a_time() -> None:
    """Let whoever else opens a hall wait: of two that each find no hall, one would take the other's."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_advisory_xact_lock(%s)", [ONE_AT_A_TIME])


BYTES = 16
PART = 4  # signs between two hyphens
LONGEST = 100  # signs of what is typed


def give() -> str:
    """Make a new word, in the place of any before, and keep its digest."""
    word = secrets.token_hex(BYTES)
    kept, new = _file(), _file().with_suffix(".new")
    kept.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    new.unlink(missing_ok=True)
    descriptor = os.open(new, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with os.fdopen(descriptor, "w") as out:
        out.write(_digest(word))
    new.replace(kept)
    return "-".join(word[start : start + PART] for start in range(0, len(word), PART))


def require(typed: str, *, request: HttpRequest, at: datetime) -> None:
    """Refuse whoever does not know the word; too many failures close it for a while, as the login's.

    Raises Refusal: setup_word_wrong, setup_word_locked.
    """
    try:
        attempt = attempts.begin(
            attempts.Question.FIRST, place=str(request.META.get("REMOTE_ADDR") or ""), at=at
        )
    except attempts.LockedOut as locked:
        raise Refusal("setup_word_locked", seconds=locked.seconds) from None
    if not _is_right(typed):
        raise Refusal("setup_word_wrong")
    attempts.succeeded(attempt)


def forget() -> None:
    """Let the word be good for nothing any more."""
    _file().unlink(missing_ok=True)


def _is_right(typed: str) -> bool:
    kept = ""
    with contextlib.suppress(FileNotFoundError):
        kept = _file().read_text()
    plain = "".join(typed[:LONGEST].lower().replace("-", " ").split())
    return hmac.compare_digest(kept, _digest(plain)) and bool(kept)


def _digest(word: str) -> str:
    return hashlib.sha256(word.encode()).hexdigest()


def _file() -> Path:
    # In a folder of the pages' own: they remove it once a hall is opened.
    return Path(settings.DATA_DIR) / "first" / "setup_word.sha256"


@dataclass(frozen=True, slots=True)
class Words:
    """A step's name and why it is there; `address` of its page and what leads there, if it has one."""

    name: Promise
    why: Promise
    address: str = ""
    leads: Promise | str = ""


STEPS: Mapping[str, Words] = {
    "hall": Words(_("Hall and licence"), _("Every acta carries the hall's name and its licence.")),
    "rulebook": Words(
        _("Rule book and currency"),
        _("They say what is played, how prizes are shared, and in what money."),
    ),
    "staff": Words(
        _("Staff"),
        _("Each function of the law has its person, who logs in under their own name."),
        "staff", _("Add the staff"),
    ),
    "factors": Words(
        _("Second factor"),
        _("Hall managers show a passkey or a code of their telephone beside the password, so that a stolen password opens nothing."),
        "sign-ins", _("See who has one"),
    ),
    "authorisation": Words(
        _("Authorisation of the prizes"),
        _("It names the formats, the prices and the shares that the hall may use."),
        "cards-authorise", _("Record an authorisation"),
    ),
    "policy": Words(
        _("Rules of the hall"),
        _("How tills are counted, what needs two persons, and where the balls come from."),
        "policy", _("Set the rules"),
    ),
    "jackpot": Words(
        _("Base of the jackpot"),
        _("The authorisation grants a jackpot: its base is put in before the first game (R11)."),
        "jackpot", _("Put the base in"),
    ),
    "series": Words(
        _("Matrix"),
        _("The matrix of the cards: made here, or taken in from a file."),
        "cards-publish", _("Publish a series"),
    ),
    "stock": Words(
        _("Cards in stock"),
        _("The cards of a series with a number, a price and their colours."),
        "cards-receive", _("Receive an issue"),
    ),
    "balls": Words(
        _("Ball set"),
        _("Each set is known by its serial number, and how many games it has served is counted (R22, R25)."),
        "equipment", _("Register a ball set"),
    ),
    "approval": Words(
        _("Approval of balls and extractor"),
        _("No card is sold before the set in use, and its extractor, have an approval in force (R4, R20)."),
        "equipment", _("Record the approval"),
    ),
    "source": Words(
        _("Extractor and camera"),
        _("A camera reads the balls. Without one, say in the rules of the hall that they come from the RNG or are keyed by hand."),
        "cameras", _("Set up a camera"),
    ),
    "seal": Words(
        _("Key of the seal"),
        _("Each acta is sealed with the hall's own key. Keep a copy of its folder elsewhere."),
    ),
    "checkpoints": Words(
        _("Folder of the checkpoints"),
        _("The signed head of the journal is written outside of this machine, so that nobody can rewrite the past unseen."),
        "checkpoint-folder", _("Choose the folder"),
    ),
    "board": Words(
        _("Board on the wall"),
        _("Players see numbers, prices and prizes on a screen of the hall (R28, R29)."),
        "screens", _("Pair a screen"),
    ),
    "check": Words(
        _("Check of the equipment"),
        _("All equipment is checked before each session (R32)."),
        "equipment-check", _("Check the equipment item by item"),
    ),
    "roll_call": Words(
        _("Roll call of the balls"),
        _("Before the first sale of the day every ball of the set in use runs past, and is written down (R23)."),
        "equipment", _("Call the balls"),
    ),
    "session": Words(
        _("First session"),
        _("Everything is there: open the session, then the first game."),
        "manager", _("Open the first session"),
    ),
}  # fmt: skip

# What is said of a step that is done, or not, in its own way.
FURTHER: Mapping[tuple[str, str], Promise] = {
    ("factors", "waived"): _("This hall asks for none."),
    ("balls", "rng"): _("None is needed: the RNG draws the numbers."),
    ("balls", "kept"): _("A set is registered, and none is in use yet."),
    ("approval", "rng"): _("None is needed: the RNG draws the numbers."),
    ("roll_call", "rng"): _("None is needed: the RNG draws the numbers."),
    ("source", "rng"): _("No camera: the RNG draws the numbers."),
    ("source", "by_hand"): _("No camera: the numbers are keyed by hand."),
    ("jackpot", "whole"): _("Nothing is to be put in."),
    ("stock", "received"): _("It has come, but it was neither counted nor printed yet."),
    ("series", "demonstration"): _("A series made for demonstration must not be played for money."),
}

# Where a step goes on that was begun elsewhere.
ELSEWHERE: Mapping[tuple[str, str], tuple[str, Promise]] = {
    ("balls", "kept"): ("equipment", _("Put a set in use")),
    ("stock", "received"): ("cards", _("Count the cards")),
}
