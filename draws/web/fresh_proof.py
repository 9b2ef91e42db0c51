"""A fresh second factor before what cannot be undone, without losing what was typed.

Whoever has none types the password anew before the first one, or a PIN, is theirs: a page that
somebody left open makes nobody a way in.

The order is held: it goes to the browser and back sealed, so that neither its passwords nor its
meaning lie open on the page, and is carried out as it was once the factor is shown. A role's page
asks in a dialog that leaves the page as it is behind it; a page of the office asks on a page.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from types import MappingProxyType

from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import render
from django.utils import timezone

from bingo.rules import sign_in_and_pins as rules
from bingo.rules.refusal import Refusal
from draws.refusals import text
from halls import second_person
from halls.attempts import LockedOut, Question
from halls.models import Person
from halls.sign_in import factors, logins
from halls.sign_in.logins import Login
from halls.web.middleware import login_of

HELD = "held_order"
SECONDS = 900  # for so long an order is held
# What cannot be undone, or opens the hall to others, by page and order.
FRESH: Mapping[str, frozenset[str]] = MappingProxyType(
    {
        "manager": frozenset(["close-session"]),
        "policy": frozenset(["set"]),
        "retention": frozenset(["set"]),
        "cards-authorise": frozenset(["record"]),
        "jackpot": frozenset(["fund", "move", "end", "take_part", "fund_link", "move_link", "end_link"]),
        "staff": frozenset(["enrol", "set", "disable", "enable", "password"]),
        "inspector-accounts": frozenset(["enrol", "disable", "enable", "password"]),
        "tills": frozenset(["retire"]),
        "cards-issue": frozenset(["retire", "withdraw", "send"]),
        "custody": frozenset(["destroy-used", "destroy", "lose"]),
        "unclaimed": frozenset(["expire"]),
        "equipment": frozenset(["retire-device", "leave-out"]),
        "equipment-set": frozenset(["retire"]),
        "rectify": frozenset(["rectify"]),
        "exclusions": frozenset(["lift"]),
        "checkpoint-folder": frozenset(["choose"]),
        "inspector-halls": frozenset(["join"]),
        "sign-ins": frozenset(["remove", "require", "waive", "end-browser", "unlink"]),
    }
)  # fmt: skip


def hold(
    request: HttpRequest, person: Person, *, page: str, verb: str, always: bool = False
) -> HttpResponse | None:
    """Return the question for a second factor, or None where the order may be carried out.

    `always` asks where the table does not. An order that was held is put back into the request.
    """
    login = login_of(request)
    if login is None or person.practises_id is not None:
        return None
    at = timezone.now()
    if HELD in request.POST:
        return _go_on(request, person, login, at=at)
    asked = (always or verb in FRESH.get(page, ())) and login.has_factor
    if not asked or _is_fresh(request, login, at=at):
        return None
    sealed = factors.seal(request.POST.urlencode(), use=_use(request, login))
    return _ask(request, person, sealed)


def _is_fresh(request: HttpRequest, login: Login, *, at: datetime) -> bool:
    # A PIN and its browser stand for no factor: whoever has one shows it.
    return login.is_fresh(at=at) and logins.PIN_OR_PROVIDER not in request.session


def needs_password(request: HttpRequest, login: Login) -> bool:
    """Return whether whoever has no factor types the password anew before there is another way in.

    Always where they came by a PIN or by the chain's provider: neither shows that they know it.
    """
    if login.has_factor:
        return False
    at = timezone.now()
    recent = login.is_fresh(at=at) or rules.is_fresh(login.since, at=at)
    return not recent or logins.PIN_OR_PROVIDER in request.session


def require_password(request: HttpRequest, person: Person, login: Login) -> None:
    """Hold what a form says against the password, where that is needed. Raises as `require_own`."""
    if needs_password(request, login):
        require_own(request, person, request.POST.get("own_password", ""))


def require_own(request: HttpRequest, person: Person, password: str) -> None:
    """Refuse what is not somebody's own password: own_password_wrong, account_locked.

    A password given to them is good too, as it was for the login: with it the lock alone is reached.
    """
    try:
        found = second_person.identified(
            request, Question.OWN, username=person.username, password=password, asker=person,
            at=timezone.now(),
        )  # fmt: skip
    except LockedOut as locked:
        raise Refusal("account_locked", seconds=locked.seconds) from None
    except second_person.RunOut:
        raise Refusal("own_password_wrong") from None
    if found is None or found.pk != person.pk:
        raise Refusal("own_password_wrong")


def _go_on(
    request: HttpRequest, person: Person, login: Login, *, at: datetime
) -> HttpResponse | None:
    sealed = request.POST[HELD]
    order = factors.unseal(sealed, use=_use(request, login), seconds=SECONDS)
    if order is None:
        notice = text.notice(Refusal("stale_page"))
        return render(request, "web/refusal.html", {"text": notice["text"]}, status=409)
    # Sent twice, its code is used up: it was shown a moment ago.
    if not _is_fresh(request, login, at=at):
        try:
            factors.prove(
                person=person, request=request, code=request.POST.get("code", ""),
                passkey=request.POST.get("passkey", ""), at=at,
            )  # fmt: skip
        except Refusal as refusal:
            return _ask(request, person, sealed, refusal=refusal)
        logins.note_factor(request, login, at=at)
    request.POST = QueryDict(order)
    return None


def _ask(
    request: HttpRequest, person: Person, sealed: str, *, refusal: Refusal | None = None
) -> HttpResponse:
    """Ask: 409, as nothing was done yet."""
    in_place = "HX-Request" in request.headers
    context = {
        "held": sealed,
        "address": request.get_full_path(),
        "notice": text.notice(refusal) if refusal else None,
        "kinds": {one.kind for one in factors.of(person)},
        "in_place": in_place,
    }
    template = (
        "sign_in/show_that_it_is_you_form.html" if in_place else "sign_in/show_that_it_is_you.html"
    )
    answer = render(request, template, context, status=409)
    if in_place:
        answer["HX-Retarget"], answer["HX-Reswap"] = "#proof", "innerHTML"
    return answer


def _use(request: HttpRequest, login: Login) -> str:
    return f"order {login.pk} {request.path}"
