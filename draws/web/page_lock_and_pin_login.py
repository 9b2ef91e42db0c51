"""The lock: a page covered until its person shows who they are, and nothing lost beneath it.

A password, a passkey, or at an enrolled browser a PIN opens it again, without the page being loaded
anew. Also the login by a PIN.
"""

from __future__ import annotations

from django.contrib.auth import login as django_login
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import URLPattern, path
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from bingo.rules.refusal import Refusal
from draws.refusals import text
from draws.web import fresh_proof
from draws.web.second_factor import NEW_SECRET, local
from halls import security_log
from halls.models import Person, Pin
from halls.sign_in import factors, logins, passkeys, pins
from halls.web.fields import LONGEST_USERNAME
from halls.web.login import own_login_context
from halls.web.middleware import login_of

BACKEND = "halls.web.middleware.Backend"


def _way_back(request: HttpRequest, person: Person) -> dict[str, object]:
    """Return the ways by which somebody may open the lock here."""
    browser = pins.browser_of(request)
    here = browser is not None and browser.hall_id == person.hall_id
    host = passkeys.host_of(request)
    return {
        "person": person,
        "by_pin": here and pins.may_have(person) and Pin.objects.filter(person=person).exists(),
        "by_passkey": bool(host) and any(one.host == host for one in factors.of(person)),
    }


@never_cache
@require_POST
def lock(request: HttpRequest) -> HttpResponse:
    """Lock the login."""
    login = login_of(request)
    if login is not None:
        logins.lock(login, at=timezone.now())
    if request.headers.get("X-Requested-With"):
        return HttpResponse(status=204 if login else 401)
    return redirect(local(request, request.POST.get("next", "")))


@never_cache
@require_GET
def cover(request: HttpRequest) -> HttpResponse:
    """Return what covers a page: the way back; 401 where the login is over."""
    person, login = request.user, login_of(request)
    if not isinstance(person, Person) or login is None:
        return HttpResponse(status=401)
    return render(request, "sign_in/cover.html", _way_back(request, person))


@sensitive_post_parameters()
@never_cache
@require_POST
def unlock(request: HttpRequest) -> HttpResponse:
    """Open the lock: 204 to the page beneath, or on to the page asked for; 409 where refused."""
    person, login = request.user, login_of(request)
    in_place = bool(request.headers.get("X-Requested-With"))
    if not isinstance(person, Person) or login is None:
        return HttpResponse(status=401) if in_place else redirect("login")
    at = timezone.now()
    try:
        by = _require_theirs(request, person)
    except Refusal as refusal:
        shown = {**_way_back(request, person), "notice": text.notice(refusal), "covered": True}
        shown["next"] = local(request, request.POST.get("next", ""))
        name = "cover" if in_place else "locked"
        return render(request, f"sign_in/{name}.html", shown, status=409)
    if request.POST.get("passkey"):
        logins.note_factor(request, login, at=at)
    logins.unlock(login, at=at)
    request.session.pop(NEW_SECRET, None)  # the page beneath was left alone with it
    security_log.record("unlocked", request=request, person=person, by=by)
    return (
        HttpResponse(status=204)
        if in_place
        else redirect(local(request, request.POST.get("next", "")))
    )


def _require_theirs(request: HttpRequest, person: Person) -> str:
    """Return by what somebody has shown that it is them.

    Raises Refusal: factor_wrong, factor_locked, pin_wrong, pin_closed, own_password_wrong, account_locked.
    """
    sent = request.POST
    if sent.get("passkey"):
        factors.prove(
            person=person, request=request, code="", passkey=sent["passkey"], at=timezone.now()
        )
        return "passkey"
    if sent.get("pin"):
        if _by_pin(request, person.username, sent["pin"]).pk != person.pk:
            raise Refusal("pin_wrong")
        return "pin"
    fresh_proof.require_own(request, person, sent.get("password", ""))
    pins.reopen(person)
    return "password"


def _by_pin(request: HttpRequest, username: str, pin: str) -> Person:
    """Return whose PIN this is. Raises Refusal: browser_not_enrolled, pin_wrong, pin_closed."""
    browser = pins.browser_of(request)
    if browser is None:
        raise Refusal("browser_not_enrolled")
    try:
        return pins.proven(hall=browser.hall, username=username, pin=pin)
    except Refusal:
        security_log.record("pin_failed", request=request, hall=browser.hall, anybody=False)
        raise


@never_cache
@require_POST
def awake(request: HttpRequest) -> HttpResponse:
    """Note that somebody types; the login was held against the hall before this."""
    return HttpResponse(status=204 if login_of(request) else 401)


@sensitive_post_parameters()
@never_cache
@require_http_methods(["GET", "POST"])
def pin_login(request: HttpRequest) -> HttpResponse:
    """Let somebody in by a PIN at an enrolled browser: two factors, one of which stands there.

    A browser that opens the address anew comes to the login.
    """
    if request.method == "GET":
        return redirect("login")
    sent = request.POST
    username = sent.get("username", "").replace("\x00", "").strip()[:LONGEST_USERNAME]
    try:
        person = _by_pin(request, username, sent.get("pin", ""))
    except Refusal as refusal:
        shown = own_login_context(request) | {"notice": text.notice(refusal)}
        shown["pin_name"] = username
        return render(request, "web/login.html", shown, status=409)
    django_login(request, person, backend=BACKEND)
    request.session[logins.PIN_OR_PROVIDER] = logins.PIN
    security_log.record("factor_shown", request=request, person=person, by="pin")
    at = timezone.now()
    logins.note_proven(request, logins.of(request, person, at=at), at=at)
    return redirect(local(request, sent.get("next", "")))


def urls() -> list[URLPattern]:
    """Return the addresses of the lock and of the PIN."""
    return [
        path("sign-in/lock/", lock, name="page-lock"),
        path("sign-in/cover/", cover, name="page-cover"),
        path("sign-in/unlock/", unlock, name="page-unlock"),
        path("sign-in/awake/", awake, name="page-awake"),
        path("login/pin/", pin_login, name="login-pin"),
    ]
