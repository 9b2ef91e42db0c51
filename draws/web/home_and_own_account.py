"""The pages of one's own account: the first one, a password of one's own, and the sign-in.

A password that was given is replaced by one that nobody else knows. The page of the sign-in shows
where one is logged in, second factors, recovery codes, PIN.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from django.contrib import messages
from django.contrib.auth import update_session_auth_hash
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_http_methods

from bingo.money_and_dates import Whole
from bingo.rules import sign_in_and_pins as rules
from bingo.rules.refusal import Refusal
from draws.record import journal_text
from draws.refusals import text
from draws.web import fresh_proof, provider
from draws.web.second_factor import show_codes
from halls import setup, staff
from halls.models import Person, Pin
from halls.sign_in import changes, factors, labels, links, logins, pins
from halls.sign_in import provider as chain
from halls.sign_in.logins import Login
from halls.web.menu_and_theme import pages_of
from halls.web.middleware import for_login, login_of

MOST_SHOWN = 100  # changes of the last days; all of them are in the journal


@sensitive_post_parameters()
@never_cache
@login_required
@require_http_methods(["GET", "POST"])
@for_login
def account_page(request: HttpRequest, person: Person, login: Login) -> HttpResponse:
    """Show the page, or carry out what it asks; 409 where refused."""
    if request.method == "GET":
        return _render(request, person, login, {})
    asking = fresh_proof.hold(
        request, person, page="account", verb="", always=request.POST.get("do") in VERBS
    )
    if asking is not None:
        return asking
    try:
        done = VERBS.get(request.POST.get("do", ""), _nothing)(request, person, login)
    except Refusal as refusal:
        told = {"notice": text.notice(refusal), "refused": request.POST.get("do", "")}
        return _render(request, person, login, told, status=409)
    if isinstance(done, HttpResponse):
        return done
    messages.success(request, done)
    return redirect("account")


def _nothing(_request: HttpRequest, _person: Person, _login: Login) -> str:
    raise Refusal("bad_input", field="verb")


def _end(request: HttpRequest, person: Person, login: Login) -> str:
    typed = request.POST.get("login", "")
    if not (typed.isascii() and typed.isdecimal() and len(typed) < 19):
        raise Refusal("bad_input", field="login")
    fresh_proof.require_password(request, person, login)
    if not logins.end(person, at=timezone.now(), only=int(typed)):
        raise Refusal("login_unknown")
    return _("That login is ended")


def _end_others(request: HttpRequest, person: Person, login: Login) -> str:
    fresh_proof.require_password(request, person, login)
    ended = logins.end(person, at=timezone.now(), but=login.pk)
    return _("Logins ended: %(number)s") % {"number": Whole(ended)}


def _drop(request: HttpRequest, person: Person, _login: Login) -> str:
    typed = request.POST.get("factor", "")
    if not (typed.isascii() and typed.isdecimal() and len(typed) < 19):
        raise Refusal("factor_unknown")
    gone = factors.give_up(person=person, pk=int(typed), at=timezone.now())
    return _("%(name)s is good for nothing any more") % {"name": gone.name}


def _codes(request: HttpRequest, person: Person, _login: Login) -> HttpResponse:
    return show_codes(request, person, back=reverse("account"))


def _pin(request: HttpRequest, person: Person, login: Login) -> str:
    sent = request.POST
    fresh_proof.require_password(request, person, login)
    pins.set_pin(
        person=person, pin=sent.get("pin", ""), again=sent.get("pin_again", ""), at=timezone.now()
    )
    return _("The PIN is set: it is enough at browsers of tills")


def _drop_pin(_request: HttpRequest, person: Person, _login: Login) -> str:
    pins.drop(person=person, at=timezone.now())
    return _("There is no PIN any more")


def _link(request: HttpRequest, person: Person, _login: Login) -> HttpResponse:
    chain.issuer()
    links.require_may(person)
    if links.of(person) is not None:
        raise Refusal("provider_linked_already")
    fresh_proof.require_own(request, person, request.POST.get("password", ""))
    return provider.allow_link(request)


def _unlink(request: HttpRequest, person: Person, _login: Login) -> str:
    fresh_proof.require_own(request, person, request.POST.get("password", ""))
    links.unlink(person=person, at=timezone.now())
    return _("You are linked no more: the password signs you in")


# Each opens a way in or shuts one, and asks for a fresh factor from whoever has one.
VERBS: Mapping[str, Callable[[HttpRequest, Person, Login], str | HttpResponse]] = {
    "end": _end,
    "end-others": _end_others,
    "drop": _drop,
    "codes": _codes,
    "pin": _pin,
    "drop-pin": _drop_pin,
    "link": _link,
    "unlink": _unlink,
}


def _render(
    request: HttpRequest, person: Person, login: Login, told: dict[str, Any], *, status: int = 200
) -> HttpResponse:
    at, link = timezone.now(), links.of(person)
    lasts = rules.lasting(person.roles)
    open_ones = [
        {"row": one, "browser": logins.browser_name(one.told), "here": one.pk == login.pk}
        for one in logins.open_ones(person, at=at)
    ]
    shown = {
        "logins": open_ones,
        "others": len(open_ones) > 1,
        "factors": [{"row": one, "kind": labels.kind(one.kind)} for one in factors.of(person)],
        "obliged": logins.is_obliged(person),
        "codes_left": factors.codes_left(person),
        "codes": rules.RECOVERY_CODES,
        "may_pin": pins.may_have(person),
        "asks_password": fresh_proof.needs_password(request, login),
        "pin": Pin.objects.filter(person=person).first(),
        "provider": chain.label() or (link.issuer if link else ""),
        "may_link": rules.may_use_provider(person.roles),
        "link": link,
        "changes": [
            (one, journal_text.describe_entry(one))
            for one in changes.of(person, at=at)[:MOST_SHOWN]
        ],
        "idle": int(lasts.idle.total_seconds() // 60),
        "whole": int(lasts.whole.total_seconds() // 3600),
    }
    # What a form of its own was refused is said in its panel.
    panels = {"pin": shown["may_pin"] and "pin"}
    panels |= dict.fromkeys(("link", "unlink"), shown["provider"] and "provider")
    shown["panel"] = panels.get(told.get("refused", ""), "")
    return render(request, "sign_in/account.html", shown | told, status=status)


@sensitive_post_parameters()
@never_cache
@login_required
@require_http_methods(["GET", "POST"])
def own_password_page(request: HttpRequest) -> HttpResponse:
    """Show the form, or set the password and go on to the person's page; 409 where refused."""
    person = request.user
    if not isinstance(person, Person):
        return render(request, "web/refusal.html", status=403)
    if request.method == "GET":
        return render(request, "web/own_password.html", {"given": person.password_given})
    try:
        _change(request, person)
    except Refusal as refusal:
        notice = text.notice(refusal)
        shown = {"given": person.password_given, "notice": notice}
        return render(request, "web/own_password.html", shown, status=409)
    return redirect("home")


def _change(request: HttpRequest, person: Person) -> None:
    """Set it. Raises Refusal: own_password_wrong, account_locked, passwords_differ, those of the service.

    Who was just given a password has typed it to come here; anybody else shows that it is them, so
    that a page left open is no way to take an account.
    """
    typed = request.POST
    if not person.password_given:
        fresh_proof.require_own(request, person, typed.get("before", ""))
    password = typed.get("password", "")
    if password != typed.get("password_again", ""):
        raise Refusal("passwords_differ")
    login = login_of(request)
    changed = staff.change_password(
        person=person, password=password, at=timezone.now(), login=login.pk if login else None
    )
    update_session_auth_hash(request, changed)


def home(request: HttpRequest) -> HttpResponse:
    """Send a person to their own page; where there is no hall yet, everybody to where it is opened."""
    if not request.user.is_authenticated and not setup.own_halls().exists():
        return redirect("first")
    return _own(request)


@login_required
def _own(request: HttpRequest) -> HttpResponse:
    """Send a person to their own page; somebody with none sees the board."""
    person = request.user
    if not isinstance(person, Person):
        return render(request, "web/refusal.html", status=403)
    pages = pages_of(person)
    return redirect(pages[0]) if pages else redirect("board", code=person.hall.code)
