"""What is answered to whoever may not, and what a refused order leaves in the journal."""

from __future__ import annotations

from collections.abc import Iterable

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone

from bingo.rules.refusal import Refusal
from draws.documents import words
from halls.models import Person, Role
from halls.queries import sessions
from halls.services import journal


def forbidden(request: HttpRequest, roles: Iterable[Role]) -> HttpResponse:
    """Say that a page or an order is for others; an order is journalled too (BOE III)."""
    refusal = Refusal("not_allowed", roles=[role.value for role in roles])
    if request.method == "POST":
        note(request, refusal, command=request.path)
    context = {"text": words.refusal(refusal), "code": refusal.code}
    return render(request, "refusal.html", context, status=403)


# What carrying out an order can itself have brought about, so that a repeat of it is refused.
ITS_OWN_DOING = frozenset(
    ["no_session", "no_shift", "no_game", "session_closed", "unknown_transfer"]
)


def done_before(request: HttpRequest, person: Person, refusal: Refusal) -> bool:
    """Tell whether this very order was carried out, and its answer lost on the way back."""
    if refusal.code not in ITS_OWN_DOING:
        return False
    return journal.knows(person.hall, by=person, key=request.POST.get("key", ""))


def note(request: HttpRequest, refusal: Refusal, *, command: str) -> None:
    """Journal a person's refused order, where law or the hall's safety care."""
    person = request.user
    if isinstance(person, Person):
        journal.refused(
            person.hall,
            command=command,
            refusal=refusal,
            by=person,
            at=timezone.now(),
            session=sessions.open_session(person.hall),
        )
