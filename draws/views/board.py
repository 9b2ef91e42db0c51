"""The wall board, open to all: it shows what the whole hall may see."""

from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import get_object_or_404, render
from django.urls import reverse
from django.utils import translation
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET

from draws.documents import checkpoint_code as checkpoint_image
from draws.documents import checkpoint_values
from draws.queries import checkpoints as papers
from draws.queries.board import board
from halls.models import Checkpoint, Hall
from halls.queries import checkpoints


@require_GET
@never_cache
def page(request: HttpRequest, code: str) -> HttpResponse:
    """Show the board in the hall's language."""
    number, value = _board(code)
    with translation.override(value["language"]):
        state = {"type": "state", "number": number, "board": value}
        return render(request, "board.html", {"state": state, "hall_code": code})


@require_GET
@never_cache
def state(_request: HttpRequest, code: str) -> JsonResponse:
    """Give the board's state, as the socket sends it."""
    number, value = _board(code)
    return JsonResponse({"type": "state", "number": number, "board": value})


@require_GET
@never_cache
def checkpoint(_request: HttpRequest, code: str) -> JsonResponse:
    """Give the newest checkpoint for the board between games: its entry, digits and drawing."""
    hall = Hall.objects.filter(code=code).first()
    newest = checkpoints.newest(hall) if hall else None
    if newest is None:
        raise Http404
    told = papers.values(newest, note=newest.note)
    with translation.override(told.language):
        entry = checkpoint_values.entry(told)
    drawn = reverse("board-checkpoint-code", args=[code, told.number])
    return JsonResponse({"entry": entry, "short": checkpoint_values.short(told), "code": drawn})


@require_GET
def checkpoint_code(_request: HttpRequest, code: str, number: int) -> HttpResponse:
    """Give a checkpoint as a QR code, which never changes."""
    kept = Checkpoint.objects.filter(hall__code=code, entry__number=number)
    found = get_object_or_404(kept)
    answer = HttpResponse(checkpoint_image.picture(found.note), content_type="image/svg+xml")
    answer["Cache-Control"] = "public, max-age=86400, immutable"
    return answer


def _board(code: str) -> tuple[int, dict]:  # type: ignore[type-arg]
    try:
        return board(code)
    except Hall.DoesNotExist:
        raise Http404 from None
