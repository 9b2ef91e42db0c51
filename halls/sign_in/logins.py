"""Logins: begun, locked and unlocked, proven, ended; which ones a person has, and in what browser.

A login is a row beside what Django keeps of a browser, which names it. So whatever ends a row ends
the login, wherever its browser is.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import Enum
from http.cookies import CookieError, SimpleCookie
from importlib import import_module
from typing import Any

from django.conf import settings
from django.contrib.auth import SESSION_KEY
from django.contrib.auth.signals import user_logged_in
from django.db import connection
from django.db.models import Count, F, Max, Q
from django.db.models.functions import Greatest
from django.dispatch import receiver
from django.http import HttpRequest
from django.utils import timezone

from bingo.rules import sign_in_and_pins as rules
from bingo.rules.refusal import Refusal
from halls import security_log
from halls.models import Hall, Person, Role, SignIn
from halls.permissions import COMMANDS

KEY = "sign_in"  # in the browser's session: its row
PIN_OR_PROVIDER = "pin_or_provider"  # in the browser's session: by which of these it came
PIN, PROVIDER = "pin", "provider"
UNTOLD = "changes_untold"  # in the browser's session, until its first page has told them
TOUCHED = timedelta(seconds=30)  # how exactly it is known when a login was last used
KEPT = timedelta(days=30)  # how long a login is remembered after its last use
LONGEST_TOLD, LONGEST_ADDRESS = 300, 45


class Standing(Enum):
    """Whether a login is good now."""

    OPEN = "open"
    LOCKED = "locked"
    OVER = "over"


@dataclass(slots=True)
class Login:
    """A login as it stands: its row, and what its person has."""

    pk: int
    since: datetime
    seen_at: datetime
    locked_at: datetime | None = None
    proven_at: datetime | None = None
    ended_at: datetime | None = None
    has_factor: bool = False
    untold: bool = False
    vouched: bool = False

    @property
    def lacks_proof(self) -> bool:
        """Whether its person has a second factor, and neither the hall nor the provider was shown one."""
        return self.has_factor and self.proven_at is None and not self.vouched

    def standing(self, roles: Iterable[str], *, at: datetime) -> Standing:
        """Return whether it is good for somebody with these roles at a moment."""
        lasts = rules.lasting(roles)
        if self.ended_at is not None or at - self.since >= lasts.whole:
            return Standing.OVER
        locked = self.locked_at is not None or at - self.seen_at >= lasts.idle
        return Standing.LOCKED if locked else Standing.OPEN

    def is_fresh(self, *, at: datetime) -> bool:
        """Return whether a second factor was shown a moment ago."""
        return self.proven_at is not None and rules.is_fresh(self.proven_at, at=at)


# Written out, since it is asked before every page.
FIND = """
SELECT s.id, s.since, s.seen_at, s.locked_at, s.proven_at, s.ended_at,
       EXISTS (SELECT 1 FROM halls_factor f WHERE f.person_id = s.person_id AND f.removed_at IS NULL),
       EXISTS (SELECT 1 FROM halls_factor f WHERE f.person_id = s.person_id
                AND f.removed_at IS NOT NULL AND f.told_at IS NULL),
       s.vouched
  FROM halls_signin s WHERE s.id = %s AND s.person_id = %s
"""


def of(request: HttpRequest, person: Person, *, at: datetime) -> Login:
    """Return the login of the browser that asks; the first time it is begun.

    It is over where its person was given a role since for which it takes more than what it came by.
    """
    kept = request.session.get(KEY)
    if not isinstance(kept, int):
        return _begin(request, person, at=at)
    # A row that is gone ended long ago.
    login = _find(kept, person.pk) or Login(kept, at, at, ended_at=at)
    if login.ended_at is None and not _is_enough(request.session.get(PIN_OR_PROVIDER), person):
        end(person, at=at, only=login.pk)
        login.ended_at = at
    return login


def _is_enough(came_by: str | None, person: Person) -> bool:
    if came_by == PIN:
        return rules.may_use_pin(person.roles, COMMANDS)
    return came_by != PROVIDER or rules.may_use_provider(person.roles)


def _find(pk: int, person: int) -> Login | None:
    with connection.cursor() as cursor:
        cursor.execute(FIND, [pk, person])
        row = cursor.fetchone()
    return Login(*row) if row else None


def _begin(request: HttpRequest, person: Person, *, at: datetime) -> Login:
    row = SignIn.objects.create(
        hall_id=person.hall_id,
        person=person,
        since=at,
        seen_at=at,
        told=request.headers.get("User-Agent", "").replace("\x00", "")[:LONGEST_TOLD],
        address=(request.META.get("REMOTE_ADDR") or "")[:LONGEST_ADDRESS],
    )
    request.session[KEY], request.session[UNTOLD] = row.pk, True
    return _find(row.pk, person.pk) or Login(row.pk, at, at)


@receiver(user_logged_in)
def _replace(request: HttpRequest, **_signal: Any) -> None:
    """End the login that a browser had: whoever comes in, by whatever way, begins a new one."""
    before = getattr(request, "sign_in", None)
    if isinstance(before, Login):
        SignIn.objects.filter(pk=before.pk, ended_at=None).update(ended_at=timezone.now())
    for kept in (KEY, PIN_OR_PROVIDER, UNTOLD):
        request.session.pop(kept, None)


def is_obliged(person: Person) -> bool:
    """Return whether a person needs a second factor before anything else."""
    return rules.obliges(person.roles, COMMANDS) and person.hall.asks_for_factors(timezone.now())


def touch(login: Login, *, at: datetime) -> None:
    """Note that somebody is there."""
    if at - login.seen_at >= TOUCHED:
        SignIn.objects.filter(pk=login.pk, locked_at=None, ended_at=None).update(seen_at=at)


def lock(login: Login, *, at: datetime) -> None:
    """Cover every page of a login until its person shows who they are."""
    SignIn.objects.filter(pk=login.pk, locked_at=None).update(locked_at=at)


def unlock(login: Login, *, at: datetime) -> None:
    """Go on with a login."""
    open_still = SignIn.objects.filter(pk=login.pk, ended_at=None)
    open_still.update(locked_at=None, seen_at=_seen_at(at))


def note_proven(request: HttpRequest, login: Login, *, at: datetime) -> None:
    """Note that a second factor was shown, or a PIN at its browser; from the first on the browser is known by another key."""
    SignIn.objects.filter(pk=login.pk).update(proven_at=at, seen_at=_seen_at(at))
    if login.proven_at is None:
        request.session.cycle_key()
    login.proven_at = at


def _seen_at(at: datetime) -> Greatest:
    """Return when a login is seen at a moment: never before it began, also by a clock set back."""
    return Greatest(F("since"), at)


def note_factor(request: HttpRequest, login: Login, *, at: datetime) -> None:
    """Note that a second factor was shown here, whatever the login came by."""
    note_proven(request, login, at=at)
    request.session.pop(PIN_OR_PROVIDER, None)


def note_vouched(login: Login) -> None:
    """Note that the chain's provider was shown a second factor; it stands for no fresh proof."""
    SignIn.objects.filter(pk=login.pk).update(vouched=True)
    login.vouched = True


def open_ones(person: Person, *, at: datetime) -> list[SignIn]:
    """Return the logins of a person that are not over, those used last first."""
    whole = rules.lasting(person.roles).whole
    found = SignIn.objects.filter(person=person, ended_at=None, since__gt=at - whole)
    return list(found.order_by("-seen_at", "-pk"))


def end(person: Person, *, at: datetime, only: int | None = None, but: int | None = None) -> int:
    """End a person's logins: one, or all but one; return how many it were."""
    found = SignIn.objects.filter(person=person, ended_at=None)
    if only is not None:
        found = found.filter(pk=only)
    if but is not None:
        found = found.exclude(pk=but)
    return found.update(ended_at=at)


def forget(*, at: datetime) -> None:
    """Remove what is known of logins last used too long ago, of whoever has left too."""
    SignIn.objects.filter(seen_at__lt=at - KEPT).delete()


def who_ends(owner: Person) -> Role:
    """Return the role that may end the logins of somebody else."""
    return Role.INSPECTOR if Role.INSPECTOR in owner.roles else Role.HALL_MANAGER


def end_of_other(*, hall: Hall, username: str, by: Person, at: datetime) -> Person:
    """End all logins of somebody else, as `who_ends` says, and do nothing more.

    Raises Refusal: person_unknown, own_account, not_allowed, login_unknown where there is none.
    """
    owner = Person.objects.filter(hall=hall, username=username).first()
    if owner is None:
        raise Refusal("person_unknown")
    if owner.pk == by.pk:
        raise Refusal("own_account")
    allowed = who_ends(owner)
    if allowed not in by.roles:
        raise Refusal("not_allowed", roles=[allowed.value])
    if not end(owner, at=at):
        raise Refusal("login_unknown")
    security_log.record_later("logins_ended", person=by, of=owner.username)
    return owner


def counted(hall: Hall, *, at: datetime) -> list[Person]:
    """Return whoever of a hall is logged in, by name, with how many `logins` and when `last` used."""
    longest = at - max(one.whole for one in rules.LASTING.values())
    good = Q(sign_ins__ended_at=None, sign_ins__since__gt=longest)
    found = Person.objects.filter(good, hall=hall)
    return list(
        found.annotate(logins=Count("sign_ins"), last=Max("sign_ins__seen_at")).order_by("name")
    )


STANDINGS = """
SELECT s.id, p.roles, p.is_active, s.since, s.seen_at, s.locked_at, s.proven_at, s.ended_at
  FROM halls_signin s JOIN halls_person p ON p.id = s.person_id WHERE s.id = ANY(%s)
"""


def standings(keys: Collection[int], *, at: datetime) -> dict[int, Standing]:
    """Return how logins stand now, by their keys; one that is not there is over."""
    with connection.cursor() as cursor:
        cursor.execute(STANDINGS, [list(keys)])
        rows = cursor.fetchall()
    found = dict.fromkeys(keys, Standing.OVER)
    for pk, roles, active, *times in rows:
        if active:
            found[pk] = Login(pk, *times).standing(_roles(roles), at=at)
    return found


def _roles(told: Any) -> list[str]:
    return list(told) if isinstance(told, list) else str(told).strip("{}").split(",")


def of_cookies(header: str, *, hall: str) -> int | None:
    """Return the key of the login that a browser's cookies name, where its person is of that hall.

    A training hall is its people's too. For sockets, which no middleware stands before.
    """
    try:
        morsel = SimpleCookie(header).get(settings.SESSION_COOKIE_NAME)
    except CookieError:
        return None
    if morsel is None:
        return None
    kept: Mapping[str, Any] = (
        import_module(settings.SESSION_ENGINE).SessionStore(morsel.value).load()
    )
    pk, person = kept.get(KEY), kept.get(SESSION_KEY)
    if not isinstance(pk, int) or not str(person).isdecimal():
        return None
    of_hall = SignIn.objects.filter(pk=pk, person_id=int(str(person)))
    trained = of_hall.filter(hall__in=_trained(hall))
    return pk if of_hall.filter(hall__code=hall).exists() or trained.exists() else None


def _trained(code: str) -> Any:
    return Hall.objects.filter(code=code).values("trains")


BROWSERS = (
    ("Edg", "Edge"), ("OPR", "Opera"), ("Firefox", "Firefox"), ("Chrome", "Chrome"),
    ("Safari", "Safari"),
)  # fmt: skip
SYSTEMS = (
    ("Android", "Android"), ("iPhone", "iPhone"), ("iPad", "iPad"), ("Windows", "Windows"),
    ("Mac OS", "macOS"), ("Linux", "Linux"),
)  # fmt: skip


def browser_name(told: str) -> str:
    """Name a browser and its system by what it tells of itself; empty where that says nothing."""
    browser = next((name for sign, name in BROWSERS if sign in told), "")
    system = next((name for sign, name in SYSTEMS if sign in told), "")
    return " · ".join(filter(None, (browser, system)))
