"""The inspector's page of checkpoints: to keep, to hold earlier ones against, and the verifier."""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.urls import path
from django.utils.safestring import mark_safe

from bingo.rules import checkpoints as rules
from bingo.rules.checkpoints import Comparison
from bingo.rules.refusal import Refusal
from draws.documents import checkpoint_code, checkpoint_words, words
from draws.queries import verifier
from draws.views.inspector import PER_PAGE, reader
from halls.models import Checkpoint, Person
from halls.queries import checkpoints as query
from halls.queries.checkpoints import Held
from halls.services import checkpoints as services

LONGEST = 100_000  # signs pasted


@reader
def page(request: HttpRequest, person: Person) -> HttpResponse:
    """Show the key, the newest checkpoint, and what those pasted say of the journal."""
    hall, newest = person.hall, query.newest(person.hall)
    pasted = request.GET.get("kept", "")[:LONGEST]
    vkeys, fault = _vkeys(person)
    held = query.hold(hall, pasted, vkeys) if pasted.strip() else []
    context = {
        "vkeys": vkeys,
        "key_fault": fault,
        "newest": newest,
        "short": rules.short(newest.entry.digest) if newest else "",
        # The code is drawn here from a note of ours: nothing of it was typed by anybody.
        "code": mark_safe(checkpoint_code.drawn(newest.note)) if newest else "",  # nosec B308 B703
        "faults": [checkpoint_words.fault(one) for one in query.faults(hall)],
        "set_back": [(one, checkpoint_words.set_back(one.data)) for one in query.set_back(hall)],
        "pasted": pasted,
        "held": [_told(one) for one in held],
        "recent": query.of_hall(hall)[:PER_PAGE],
    }
    return render(request, "checkpoints.html", context)


def _vkeys(person: Person) -> tuple[list[str], str]:
    try:
        return services.vkeys(person.hall), ""
    except Refusal as refused:
        return [], words.refusal(refused)


def _told(held: Held) -> dict[str, Any]:
    if held.refusal is not None:
        return {"good": False, "words": words.refusal(held.refusal), "head": None}
    assert held.comparison is not None
    told = checkpoint_words.COMPARISONS[held.comparison]
    return {"good": held.comparison == Comparison.SAME, "words": told, "head": held.head}


@reader
def one(_request: HttpRequest, person: Person, number: int) -> HttpResponse:
    """Give one checkpoint as it was signed."""
    found = get_object_or_404(Checkpoint, hall=person.hall, number=number)
    name = f"{person.hall.code}-{number:010d}.checkpoint"
    return _file(found.note.encode(), "text/plain; charset=utf-8", name)


@reader
def program(_request: HttpRequest, _person: Person) -> HttpResponse:
    """Give the offline verifier."""
    return _file(verifier.packed(), "application/octet-stream", verifier.NAME)


def _file(content: bytes, kind: str, name: str) -> HttpResponse:
    response = HttpResponse(content, content_type=kind)
    response["Content-Disposition"] = f'attachment; filename="{name}"'
    return response


def urls() -> list[Any]:
    """Give the addresses of checkpoints."""
    return [
        path("inspector/checkpoints/", page, name="checkpoints"),
        path("inspector/checkpoints/<int:number>/", one, name="checkpoint"),
        path(f"inspector/{verifier.NAME}", program, name="verifier"),
    ]
