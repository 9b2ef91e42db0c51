"""The login before every page: over, locked, or still without its second factor.

Whoever must show a second factor reaches the page that asks for it and no other; whoever needs one
and has none, the page where it is added. While a login is locked nothing is carried out and nothing
shown. What hangs on the wall asks nobody who they are, and is let alone.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any

from django.contrib import messages
from django.contrib.auth import logout
from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.http import urlencode
from django.utils.translation import gettext as _

from halls.models import Person
from halls.sign_in import factors, logins, words
from halls.sign_in.logins import Login, Standing
from halls.web.login import OPEN_TO_ALL, PREFIX

LOCKED = 423
# What a locked login still reaches: to show who one is, to leave, to read in one's own language.
WHILE_LOCKED = ("/sign-in/unlock/", "/sign-in/cover/", "/sign-in/lock/", "/sign-in/passkey/", "/logout/", "/login/", "/login/provider/", "/login/provider/return/", "/login/provider/leave/", "/language/", "/theme/")  # fmt: skip
UNPROVEN = frozenset(["logout", "login", "login-pin", "provider-start", "provider-return", "provider-leave", "set_language", "theme", "prove", "passkey-options", "sign-in-lock", "sign-in-cover", "sign-in-unlock", "sign-in-awake"])  # fmt: skip
ENROLS = frozenset(["second-factor"])


class SignInMiddleware:
    """Holds every request of somebody logged in against their login."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        """Pass on, or log out, or cover the page."""
        path = request.path_info.removeprefix(PREFIX)
        if path.startswith(OPEN_TO_ALL):
            return self.get_response(request)
        person = request.user
        if not isinstance(person, Person):
            return self.get_response(request)
        at = timezone.now()
        login = logins.of(request, person, at=at)
        standing = login.standing(person.roles, at=at)
        if standing is Standing.OVER:
            logout(request)
            return self.get_response(request)
        # In training the page is of another account: the login is this person's all the same.
        request.sign_in, request.signed_in = login, person  # type: ignore[attr-defined]
        if standing is Standing.LOCKED:
            if path not in WHILE_LOCKED:
                return covered(request, person)
        elif is_by_somebody(request):
            logins.touch(login, at=at)
        return self.get_response(request)

    def process_view(
        self, request: HttpRequest, _view: object, _args: Any, _kwargs: Any
    ) -> HttpResponse | None:
        """Send whoever has to show or to add a second factor there; tell what others took."""
        login = login_of(request)
        own = getattr(request, "signed_in", None)
        if login is None or not isinstance(own, Person) or own.password_given:
            return None
        match = request.resolver_match
        where = (match.view_name if match else "") or ""
        if where not in UNPROVEN:
            if login.lacks_proof:
                return _led("prove", request)
            # Also whoever came by a PIN, and was given such a role since.
            if not login.has_factor and factors.is_obliged(own) and where not in ENROLS:
                return _led("second-factor", request)
        if login.untold:
            _tell(request, own)
        return None


def _led(name: str, request: HttpRequest) -> HttpResponse:
    """Lead to a page, and from there to the one that was asked for."""
    back = urlencode({"next": request.get_full_path()}) if request.method == "GET" else ""
    address = {"prove": "/sign-in/prove/", "second-factor": "/second-factor/"}[name]
    return redirect(f"{address}?{back}" if back else address)


def login_of(request: HttpRequest) -> Login | None:
    """Return the login by which a request comes, None where nobody is logged in."""
    found = getattr(request, "sign_in", None)
    return found if isinstance(found, Login) else None


def for_login(
    view: Callable[[HttpRequest, Person, Login], HttpResponse],
) -> Callable[[HttpRequest], HttpResponse]:
    """Give a view the person and the login by which a request comes; 403 where there is none."""

    @wraps(view)
    def answer(request: HttpRequest) -> HttpResponse:
        person, login = request.user, login_of(request)
        if not isinstance(person, Person) or login is None:
            return render(request, "web/refusal.html", status=403)
        return view(request, person, login)

    return answer


def is_by_somebody(request: HttpRequest) -> bool:
    """Return whether a person has done something, and not a page that follows the hall by itself."""
    if request.method not in ("GET", "HEAD"):
        return True
    mode = request.headers.get("Sec-Fetch-Mode")
    if mode is not None:
        return mode == "navigate"
    return "HX-Request" not in request.headers and not request.path_info.endswith("/live/")


def covered(request: HttpRequest, person: Person) -> HttpResponse:
    """Show nothing but the way back: a whole page to who came to one, else 423 alone."""
    whole = request.method == "GET" and "HX-Request" not in request.headers
    if not whole or request.headers.get("Sec-Fetch-Mode", "navigate") != "navigate":
        return HttpResponse(status=LOCKED)
    context = {"next": request.get_full_path(), "person": person, "covered": True}
    return render(request, "sign_in/locked.html", context, status=LOCKED)


def _tell(request: HttpRequest, person: Person) -> None:
    for one in factors.tell_removed(person, at=timezone.now()):
        if one.removed_by is None:
            told = _("%(kind)s “%(name)s” was taken from your account at the hall's machine, with the regulator's key. If you did not ask for it, tell the regulator now.")  # fmt: skip
            messages.warning(request, told % {"kind": words.kind(one.kind), "name": one.name})
            continue
        told = _("%(kind)s “%(name)s” was taken from your account by %(person)s, before a second person. If you did not ask for it, tell the hall manager and the inspector now.")  # fmt: skip
        named = {"kind": words.kind(one.kind), "name": one.name, "person": one.removed_by}
        messages.warning(request, told % named)
