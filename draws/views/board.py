"""The wall board, open to all: it shows what the whole hall may see."""

from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.utils import translation
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET

from draws.queries.board import board
from halls.models import Hall


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


def _board(code: str) -> tuple[int, dict]:  # type: ignore[type-arg]
    try:
        return board(code)
    except Hall.DoesNotExist:
        raise Http404 from None
