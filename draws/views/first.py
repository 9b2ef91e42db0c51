"""The page of a server that has no hall yet: whoever has the word of its terminal opens the first."""

from __future__ import annotations

import contextlib
from typing import Any
from zoneinfo import available_timezones

from django.conf import settings
from django.contrib import messages
from django.contrib.auth import login
from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import redirect, render
from django.utils import timezone, translation
from django.utils.translation import get_language_info
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_http_methods

from bingo.pdf.fault import SealError
from bingo.rules import halls as rules
from bingo.rules import rulebooks
from bingo.rules.refusal import Refusal
from draws.documents import words
from draws.queries import seals
from halls.models import Hall
from halls.services import halls, setup_words

LONGEST = 500
LANGUAGES = tuple(code for code, _name in settings.LANGUAGES)
# Longer ones than any rule allows are as wrong as those just too long.
FIELDS = ("code", "name", "licence", "currency", "time_zone", "manager_name")


@sensitive_post_parameters("word", "password", "password_again")
@never_cache
@require_http_methods(["GET", "POST"])
def page(request: HttpRequest) -> HttpResponse:
    """Show the form, or open the first hall and let its manager in; 409 where that is refused."""
    if Hall.objects.exists():
        return redirect("home")
    if request.method == "GET":
        return _shown(request, QueryDict(), {})
    typed = request.POST
    try:
        hall = _open(request, typed)
    except Refusal as refusal:
        notice = {
            "kind": "error",
            "title": _("Not done"),
            "text": words.refusal(refusal),
            "code": refusal.code,
        }
        return _shown(request, typed, {"notice": notice}, status=409)
    _warn(request, hall)
    return _enter(request, hall)


def _warn(request: HttpRequest, hall: Hall) -> None:
    usual = rules.unusual_currency(currency=hall.currency, rulebook=hall.rulebook)
    if usual is not None:
        told = _("Halls of this rule book use %(usual)s; this one was opened with %(currency)s.")
        messages.warning(request, told % {"usual": usual, "currency": hall.currency})


def _open(request: HttpRequest, typed: QueryDict) -> Hall:
    """Open the hall. Raises Refusal: those of the word first, so that a stranger learns nothing."""
    setup_words.require(typed.get("word", ""), request=request)
    if typed.get("password", "") != typed.get("password_again", ""):
        raise Refusal("passwords_differ")
    fields = {name: typed.get(name, "")[:LONGEST].strip() for name in FIELDS}
    language = typed.get("language", "")
    hall = halls.open_hall(
        **fields,
        language=language,
        rulebook=typed.get("rulebook", "")[:LONGEST],
        tills=halls.numbered_tills(_count(typed.get("tills", "")), language=language),
        manager=typed.get("manager", "")[:LONGEST].strip().lower(),
        password=typed.get("password", ""),
        first=True,
        at=timezone.now(),
    )
    setup_words.forget()
    # A folder that cannot be written to keeps no hall shut: its first steps make the key then.
    with contextlib.suppress(SealError):
        seals.signing_key(hall, at=timezone.now())
    return hall


def _count(written: str) -> int:
    """Give a number of tills; what is none is as wrong as none at all."""
    plain = written.strip()
    good = plain.isascii() and plain.isdecimal() and len(plain) <= len(str(rules.MOST_TILLS))
    return min(int(plain), rules.MOST_TILLS + 1) if good else 0


def _enter(request: HttpRequest, hall: Hall) -> HttpResponse:
    """Log the first manager in."""
    person = hall.people.get()
    login(request, person, backend="halls.logins.Backend")
    return redirect("first-steps")


def _shown(
    request: HttpRequest, typed: QueryDict, told: dict[str, Any], *, status: int = 200
) -> HttpResponse:
    language = typed.get("language") or translation.get_language() or settings.LANGUAGE_CODE
    shown = {
        "typed": typed,
        "languages": [(code, get_language_info(code)["name_local"]) for code in LANGUAGES],
        "language": language,
        "rulebooks": rulebooks.RULEBOOKS.values(),
        "rulebook": typed.get("rulebook") or next(iter(rulebooks.RULEBOOKS)),
        "currencies": sorted({book.currency for book in rulebooks.RULEBOOKS.values()}),
        "time_zones": sorted(available_timezones()),
        "most_tills": rules.MOST_TILLS,
    }
    return render(request, "first.html", shown | told, status=status)
