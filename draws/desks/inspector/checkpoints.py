"""The inspector's page and files of checkpoints: the newest one, and what those pasted say of the journal."""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.urls import path
from django.utils.safestring import mark_safe

from bingo.rules import checkpoints_and_clock
from bingo.rules.checkpoints_and_clock import Comparison
from bingo.rules.refusal import Refusal
from draws.desks.inspector.acta_journal_and_verifier_downloads import (
    VERIFIER,
    WITNESS,
    program,
    witness_program,
)
from draws.desks.inspector.search_and_access_log import PER_PAGE
from draws.receipts import documents
from draws.refusals import text
from draws.web.page_classes import PageRequest, file_response, reading
from halls.checkpoints import queries as checkpoints_queries
from halls.checkpoints import services as checkpoints_services
from halls.checkpoints.queries import CheckpointCopy
from halls.models import Checkpoint, Person

LONGEST = 100_000  # signs pasted


@reading
def page(request: HttpRequest, asked: PageRequest) -> HttpResponse:
    """Show the key, the newest checkpoint, and what those pasted say of the journal."""
    hall, newest = asked.hall, checkpoints_queries.newest(asked.hall)
    pasted = asked.query.get("kept", "")[:LONGEST]
    vkeys, fault = _vkeys(asked.person)
    held = checkpoints_queries.hold(hall, pasted, vkeys) if pasted.strip() else []
    context = {
        "vkeys": vkeys,
        "key_fault": fault,
        "newest": newest,
        "short": checkpoints_and_clock.short(newest.entry.digest) if newest else "",
        # The code is drawn here from a note of ours: nothing of it was typed by anybody.
        "code": mark_safe(documents.code_drawing(newest.note)) if newest else "",  # nosec B308 B703
        "note": checkpoints_queries.cosigned(newest) if newest else "",
        "witnesses": checkpoints_queries.witness_stands(hall),
        "faults": [
            checkpoints_queries.checkpoint_fault(one) for one in checkpoints_queries.faults(hall)
        ],
        "signing_stopped": checkpoints_queries.stopped(hall),
        "set_back": [
            (one, checkpoints_queries.describe_set_back(one.data))
            for one in checkpoints_queries.set_back(hall)
        ],
        "pasted": pasted,
        "held": [_comparison_context(one) for one in held],
        "recent": checkpoints_queries.of_hall(hall)[:PER_PAGE],
    }
    return render(request, "checkpoints/checkpoints.html", context)


@reading
def checkpoint_file(_request: HttpRequest, asked: PageRequest) -> HttpResponse:
    """Return one checkpoint as it was signed, with the lines of witnesses that cosigned it."""
    number = asked.place["number"]
    found = get_object_or_404(Checkpoint, hall=asked.hall, number=number)
    name = f"{asked.hall.code}-{number:010d}.checkpoint"
    note = checkpoints_queries.cosigned(found)
    return file_response(note, kind="text/plain; charset=utf-8", name=name)


def _vkeys(person: Person) -> tuple[list[str], str]:
    try:
        return checkpoints_services.vkeys(person.hall), ""
    except Refusal as refused:
        return [], text.refusal(refused)


def _comparison_context(held: CheckpointCopy) -> dict[str, Any]:
    if held.refusal is not None:
        return {"good": False, "words": text.refusal(held.refusal), "head": None}
    assert held.comparison is not None
    told = checkpoints_queries.COMPARISONS[held.comparison]
    return {"good": held.comparison == Comparison.SAME, "words": told, "head": held.head}


def urls() -> list[Any]:
    """Return the addresses of checkpoints."""
    return [
        path("inspector/checkpoints/", page, name="checkpoints"),
        path("inspector/checkpoints/<int:number>/", checkpoint_file, name="checkpoint"),
        path(f"inspector/{VERIFIER.name}", program, name="verifier"),
        path(f"inspector/{WITNESS.name}", witness_program, name="witness"),
    ]
