"""The wall board, open to all: it shows what the whole hall may see."""

from typing import Any

from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import get_object_or_404, render
from django.urls import reverse
from django.utils import timezone, translation
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET, require_POST

from draws.documents import checkpoint_code as checkpoint_image
from draws.documents import checkpoint_values
from draws.queries import checkpoints as papers
from draws.queries.board import board, still
from halls.models import Checkpoint, Hall, WallPicture, WallRole, WallScreen
from halls.queries import checkpoints
from halls.queries import screens as queries
from halls.services import screens

COOKIE = "bingo_screen"
YEAR = 365 * 24 * 3600  # seconds
NOTHING = -1  # older than any state
PATIENT = 60  # seconds until a browser asks again that there was no room for


@require_GET
@never_cache
def page(request: HttpRequest, code: str) -> HttpResponse:
    """Show the board in the hall's language, by the role of this screen; `?as=` only looks at one.

    `?still` is the board without a number, which a screen keeps for when nobody answers.
    """
    is_still = "still" in request.GET
    number, value = (NOTHING, still(_hall(code))) if is_still else _board(code)
    looked_at = request.GET.get("as", "")
    hall = _hall(code)
    known = screens.find(hall, request.COOKIES.get(COOKIE, ""))
    settings = {"role": looked_at} if looked_at in WallRole.values else _settings(code, known)
    with translation.override(value["language"]):
        state = {"type": "state", "number": number, "board": value}
        shown = {
            "state": state,
            "hall_code": code,
            "screen": settings,
            "training": hall.is_training,
            "is_still": is_still,
        }
        return render(request, "board.html", shown)


@require_GET
@never_cache
def worker(request: HttpRequest, code: str) -> HttpResponse:
    """Give the program by which a screen keeps the still board of a hall."""
    _hall(code)
    return render(request, "board_worker.js", content_type="text/javascript")


@require_POST
@never_cache
def screen(request: HttpRequest, code: str) -> JsonResponse:
    """Take a screen's sign of life and tell what it is called and shows; a new one is given a token.

    The token is a right to nothing: what the board shows is open to all. A browser in which somebody
    is logged in only looks: it is no screen of the wall.
    """
    hall, now = _hall(code), timezone.now()
    known = screens.find(hall, request.COOKIES.get(COOKIE, ""))
    if known is not None:
        return JsonResponse(_settings(code, screens.seen(known, at=now)))
    arrived = None if request.user.is_authenticated else screens.arrive(hall, at=now)
    if arrived is None:
        return JsonResponse(_settings(code, None))
    answer = JsonResponse(_settings(code, arrived[0]))
    answer.set_cookie(
        COOKIE,
        arrived[1],
        max_age=YEAR,
        path=reverse("board", args=[code]),
        secure=request.is_secure(),
        httponly=True,
        samesite="Strict",
    )
    return answer


def _settings(code: str, known: WallScreen | None) -> dict[str, Any]:
    """Give what a screen is to be; `again` is in how many seconds it is to ask."""
    own = [reverse("board-own", args=[code, digest]) for digest in queries.pictures(code)]
    told = {
        "screens": queries.mark(code),
        "again": PATIENT,
        "role": WallRole.EVERYTHING.value,
        "own": own,
    }
    if known is None:
        return told
    left = (known.pointed_until - timezone.now()).total_seconds() if known.pointed_until else 0
    return told | {
        "again": screens.AGAIN,
        "role": known.role,
        "name": known.name,
        "code": known.code,
        "point": max(0, round(left, 1)),
    }


@require_GET
def own_picture(_request: HttpRequest, code: str, digest: str) -> HttpResponse:
    """Give one of the hall's own pictures, which never changes."""
    found = get_object_or_404(WallPicture, hall__code=code, digest=digest)
    answer = HttpResponse(bytes(found.jpeg), content_type="image/jpeg")
    answer["Cache-Control"] = "public, max-age=86400, immutable"
    return answer


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


def _hall(code: str) -> Hall:
    return get_object_or_404(Hall, code=code)
