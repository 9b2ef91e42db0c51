"""The first page after login, the page to choose one's own password, and the page of components.

A password that was given is replaced by one that nobody else knows. The components are what every
page is made of, in one place: colours with their contrast, type, keys, notices.
"""

from __future__ import annotations

from typing import Any

from django.conf import settings
from django.contrib.auth import update_session_auth_hash
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import URLPattern
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_http_methods

from bingo import pictures
from bingo.rules.refusal import Refusal
from draws.refusals import text
from draws.web.page import Context, Page, PageRequest
from halls import second_person, staff
from halls.models import Hall, Person, Role
from halls.web.frame import pages_of


def home(request: HttpRequest) -> HttpResponse:
    """Send a person to their own page; where there is no hall yet, everybody to where it is opened."""
    if not request.user.is_authenticated and not Hall.objects.exists():
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
        notice = {
            "kind": "error",
            "title": _("Not done"),
            "text": text.refusal(refusal),
            "code": refusal.code,
        }
        shown = {"given": person.password_given, "notice": notice}
        return render(request, "web/own_password.html", shown, status=409)
    return redirect("home")


def _change(request: HttpRequest, person: Person) -> None:
    """Set it. Raises Refusal: own_password_wrong, account_locked, passwords_differ, those of the service.

    Who was just given a password has typed it to come here; anybody else shows that it is them, so
    that a page left open is no way to take an account.
    """
    typed = request.POST
    if not person.password_given and not _is_theirs(request, person):
        raise Refusal("own_password_wrong")
    password = typed.get("password", "")
    if password != typed.get("password_again", ""):
        raise Refusal("passwords_differ")
    changed = staff.change_password(person=person, password=password, at=timezone.now())
    update_session_auth_hash(request, changed)


def _is_theirs(request: HttpRequest, person: Person) -> bool:
    before = request.POST.get("before", "")
    if len(before) > second_person.LONGEST:
        return False
    try:
        found = second_person.proven(request, username=person.username, password=before)
    except second_person.LockedOut:
        raise Refusal("account_locked") from None
    return found is not None and found.pk == person.pk


WORDS, EDGES = 4.5, 3.0  # WCAG 2.2: 1.4.3 for words, 1.4.11 for edges of controls
PAIRS = (
    ("ink", "ground", WORDS),
    ("ink", "surface", WORDS),
    ("ink-soft", "surface", WORDS),
    ("ink-soft", "surface-sunk", WORDS),
    ("accent", "surface", WORDS),
    ("on-accent", "accent", WORDS),
    ("gold", "surface", WORDS),
    ("on-gold", "gold", WORDS),
    ("ok", "ok-wash", WORDS),
    ("warning", "warning-wash", WORDS),
    ("danger", "danger-wash", WORDS),
    ("on-danger", "danger", WORDS),
    ("info", "info-wash", WORDS),
    ("on-called", "called", WORDS),
    ("ball-ink", "ivory", WORDS),
    ("edge-strong", "surface", EDGES),
    ("focus", "ground", EDGES),
)
KINDS = ("ok", "info", "warning", "error")
ICONS = (
    "ok", "error", "warning", "info", "ball", "card", "till", "acta", "board", "voice", "stop",
    "go", "print", "person", "leave", "language", "theme",
)  # fmt: skip


def pairs() -> list[dict[str, Any]]:
    """Return each colour with what it stands on, its contrast in both themes, and the least."""
    sheet = (settings.BASE_DIR / "static/css/tokens.css").read_text()
    light, dark = pictures.themes(sheet)
    return [
        {
            "front": front,
            "back": back,
            "least": least,
            "light": pictures.ratio(light[front], light[back]),
            "dark": pictures.ratio(dark[front], dark[back]),
        }
        for front, back, least in PAIRS
    ]


def components_context(_asked: PageRequest) -> Context:
    """Return the pieces to show."""
    return {"pairs": pairs(), "kinds": KINDS, "icons": ICONS}


def components_urls() -> list[URLPattern]:
    """Return the address of the page."""
    page = Page(
        "components",
        "components/",
        "web/components.html",
        components_context,
        readers=(Role.HALL_MANAGER,),
    )
    return page.urls()
