"""The pages on which a person adds a second factor, and shows one after the password.

Whoever needs one and has none comes here from every page. Recovery codes are shown once, right after
they are made.
"""

from __future__ import annotations

import base64
import io
from typing import Any

import segno
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.urls import URLPattern, path, reverse
from django.utils import timezone
from django.utils.http import url_has_allowed_host_and_scheme
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_http_methods, require_POST

from bingo.rules.refusal import Refusal
from bingo.rules.sign_in_and_pins import LONGEST_NAME
from draws.refusals import text
from draws.web import fresh_proof
from halls.models import Person
from halls.sign_in import factors, links, logins, passkeys, provider
from halls.sign_in.logins import Login
from halls.web.middleware import for_login, login_of

NEW_SECRET = "new_totp"  # nosec B105 - in the browser's session, sealed, until its first code came


def local(request: HttpRequest, address: str) -> str:
    """Return an address to go on to, the person's first page where it is another site's."""
    good = address.startswith("/") and url_has_allowed_host_and_scheme(
        address, allowed_hosts={request.get_host()}, require_https=request.is_secure()
    )
    return address if good else reverse("home")


@sensitive_post_parameters()
@never_cache
@login_required
@require_http_methods(["GET", "POST"])
@for_login
def second_factor_page(request: HttpRequest, person: Person, login: Login) -> HttpResponse:
    """Show the ways, or add a factor and show its recovery codes; 409 where refused."""
    if request.method == "GET":
        return _ways(request, person, login, {})
    # Whoever has one already shows it before there is another.
    asking = fresh_proof.hold(request, person, page="second-factor", verb="", always=True)
    if asking is not None:
        return asking
    try:
        fresh_proof.require_password(request, person, login)
        _add(request, person)
    except Refusal as refusal:
        return _ways(request, person, login, {"notice": text.notice(refusal)}, status=409)
    request.session.pop(NEW_SECRET, None)
    logins.note_factor(request, login, at=timezone.now())
    if factors.codes_left(person):
        return redirect("account")
    return show_codes(request, person, back=local(request, request.POST.get("next", "")))


def show_codes(request: HttpRequest, person: Person, *, back: str) -> HttpResponse:
    """Make recovery codes and show them, this once."""
    codes = factors.make_codes(person=person, at=timezone.now())
    context = {"codes": codes, "back": back, "person": person, "made_at": timezone.now()}
    return render(request, "sign_in/recovery_codes.html", context)


def _add(request: HttpRequest, person: Person) -> None:
    sent, at = request.POST, timezone.now()
    name = sent.get("name", "").strip()
    if sent.get("passkey"):
        factors.add_passkey(
            person=person, name=name, request=request, answer=sent["passkey"], at=at
        )
        return
    secret = _secret_shown(request)
    if secret is None:
        raise Refusal("stale_page")
    factors.add_app(person=person, name=name, secret=secret, code=sent.get("code", ""), at=at)


def _secret_shown(request: HttpRequest) -> str | None:
    return factors.unseal(str(request.session.get(NEW_SECRET, "")), use=NEW_SECRET)


def _ways(
    request: HttpRequest, person: Person, login: Login, told: dict[str, Any], *, status: int = 200
) -> HttpResponse:
    # One of its own each time the page is opened: who photographs a page left open has none that
    # its owner adds later.
    kept = _secret_shown(request) if request.method == "POST" else None
    secret = kept or factors.new_secret()
    if kept is None:
        request.session[NEW_SECRET] = factors.seal(secret, use=NEW_SECRET)
    shown = {
        "has_factor": factors.has(person),
        "must": logins.is_obliged(person) and not factors.has(person),
        "passkeys": bool(passkeys.host_of(request)),
        "code": square_code(factors.app_address(person, secret)),
        "secret": " ".join(secret[at : at + 4] for at in range(0, len(secret), 4)),
        "next": (request.POST or request.GET).get("next", ""),
        "asks_password": fresh_proof.needs_password(request, login),
        "typed_name": request.POST.get("name", "")[:LONGEST_NAME],
    }
    return render(request, "sign_in/add_second_factor.html", shown | told, status=status)


def square_code(says: str) -> str:
    """Return a QR code as the address of a picture, which is nowhere but in the page."""
    out = io.BytesIO()
    segno.make(says, error="m", micro=False).save(
        out, kind="svg", border=4, light="white", omitsize=True
    )
    return "data:image/svg+xml;base64," + base64.b64encode(out.getvalue()).decode("ascii")


@sensitive_post_parameters()
@never_cache
@login_required
@require_http_methods(["GET", "POST"])
@for_login
def ask_second_factor_page(request: HttpRequest, person: Person, login: Login) -> HttpResponse:
    """Ask for a second factor after the password, or go on to where the person wanted to be."""
    sent, at = request.POST, timezone.now()
    back = local(request, (sent or request.GET).get("next", ""))
    if not login.has_factor:
        return redirect(back)
    shown = {
        "next": back,
        "kinds": {one.kind for one in factors.of(person)},
        "provider": provider.label() if links.CAME in request.session else "",
    }
    if request.method == "GET":
        return render(request, "sign_in/ask_second_factor.html", shown)
    try:
        factors.prove(
            person=person, request=request, code=sent.get("code", ""),
            passkey=sent.get("passkey", ""), at=at,
        )  # fmt: skip
    except Refusal as refusal:
        shown["notice"] = text.notice(refusal)
        return render(request, "sign_in/ask_second_factor.html", shown, status=409)
    logins.note_factor(request, login, at=at)
    return redirect(back)


@never_cache
@login_required
@require_POST
def passkey_options(request: HttpRequest) -> HttpResponse:
    """Return what the browser is asked for: to make a passkey, or to show one (404 without any)."""
    person, login = request.user, login_of(request)
    if not isinstance(person, Person) or login is None:
        return HttpResponse(status=403)
    if request.POST.get("for") != "make":
        told = passkeys.to_prove(request, person)
    elif login.lacks_proof:
        return HttpResponse(status=403)
    else:
        try:
            told = passkeys.to_make(request, person)
        except Refusal:
            told = ""
    if not told:
        return JsonResponse({"told": _("There is no passkey for this address.")}, status=404)
    return HttpResponse(told, content_type="application/json")


def urls() -> list[URLPattern]:
    """Return the addresses of second factors asked for, shown and added."""
    return [
        path("sign-in/prove/", ask_second_factor_page, name="ask-second-factor"),
        path("sign-in/passkey/", passkey_options, name="passkey-options"),
        path("second-factor/", second_factor_page, name="second-factor"),
    ]
