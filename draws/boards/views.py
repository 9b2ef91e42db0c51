"""The wall board, open to all, and the page where the hall manager names the wall's screens.

The board shows what the whole hall may see. The manager sees which screens there are, and sets what
each is called and shows.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import get_object_or_404, render
from django.urls import reverse
from django.utils import timezone, translation
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET, require_POST

from bingo import photographs
from bingo.rules import checkpoints_and_clock
from bingo.rules.refusal import Refusal
from draws.boards.queries import board, still
from draws.receipts import documents
from draws.web.forms import CommandForm, for_roles
from draws.web.page_classes import Context, Page, PageRequest, Success
from halls import screens
from halls.checkpoints import queries as checkpoints_queries
from halls.models import Checkpoint, Hall, Person, Role, WallPicture, WallRole, WallScreen
from halls.web.middleware import cookie_name

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
    known = screens.find(hall, request.COOKIES.get(_cookie(code), ""))
    told = {"role": looked_at} if looked_at in WallRole.values else _settings(code, known)
    with translation.override(value["language"]):
        state = {"type": "state", "number": number, "board": value}
        shown = {
            "state": state,
            "hall_code": code,
            "screen": told,
            "training": hall.is_training,
            "is_still": is_still,
        }
        return render(request, "boards/board.html", shown)


@require_GET
@never_cache
def worker(request: HttpRequest, code: str) -> HttpResponse:
    """Return the program by which a screen keeps the still board of a hall."""
    _hall(code)
    return render(request, "boards/board_worker.js", content_type="text/javascript; charset=utf-8")


@require_POST
@never_cache
def screen(request: HttpRequest, code: str) -> JsonResponse:
    """Take a screen's sign of life and tell what it is called and shows; a new one is given a token.

    The token is a right to nothing: what the board shows is open to all. A telephone (`?held`), and a
    browser in which somebody is logged in, only look: they are no screens of the wall.
    """
    hall, now = _hall(code), timezone.now()
    known = screens.find(hall, request.COOKIES.get(_cookie(code), ""))
    if known is not None:
        return JsonResponse(_settings(code, screens.seen(known, at=now)))
    looks = request.user.is_authenticated or "held" in request.GET
    arrived = None if looks else screens.arrive(hall, at=now)
    if arrived is None:
        return JsonResponse(_settings(code, None))
    answer = JsonResponse(_settings(code, arrived[0]))
    answer.set_cookie(
        _cookie(code),
        arrived[1],
        max_age=YEAR,
        path="/" if settings.COOKIE_PREFIX else reverse("board", args=[code]),
        secure=request.is_secure(),
        httponly=True,
        samesite="Strict",
    )
    return answer


def _cookie(code: str) -> str:
    """Return the name of a hall's cookie: over HTTPS its path may not tell halls apart."""
    return cookie_name(f"{COOKIE}_{code}") if settings.COOKIE_PREFIX else COOKIE


def _settings(code: str, known: WallScreen | None) -> dict[str, Any]:
    """Return what a screen is to be; `again` is in how many seconds it is to ask."""
    own = [reverse("board-own", args=[code, digest]) for digest in screens.pictures(code)]
    told = {
        "screens": screens.mark(code),
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
    """Return one of the hall's own pictures, which never changes."""
    found = get_object_or_404(WallPicture, hall__code=code, digest=digest)
    answer = HttpResponse(bytes(found.jpeg), content_type="image/jpeg")
    answer["Cache-Control"] = "public, max-age=86400, immutable"
    return answer


@require_GET
@never_cache
def state(_request: HttpRequest, code: str) -> JsonResponse:
    """Return the board's state, as the socket sends it."""
    number, value = _board(code)
    return JsonResponse({"type": "state", "number": number, "board": value})


@require_GET
@never_cache
def checkpoint(_request: HttpRequest, code: str) -> HttpResponse:
    """Return the newest checkpoint for the board between games: its entry, digits and drawing.

    204 as long as none is signed.
    """
    newest = checkpoints_queries.newest(_hall(code))
    if newest is None:
        return HttpResponse(status=204)
    told = documents.checkpoint_values(newest, note=newest.note)
    with translation.override(told.language):
        entry = documents.entry_words(told)
    drawn = reverse("board-checkpoint-code", args=[code, told.number])
    return JsonResponse(
        {"entry": entry, "short": checkpoints_and_clock.short(told.digest), "code": drawn}
    )


@require_GET
def checkpoint_code(_request: HttpRequest, code: str, number: int) -> HttpResponse:
    """Return a checkpoint as a QR code, which never changes."""
    kept = Checkpoint.objects.filter(hall__code=code, entry__number=number)
    found = get_object_or_404(kept)
    answer = HttpResponse(documents.code_picture(found.note), content_type="image/svg+xml")
    answer["Cache-Control"] = "public, max-age=86400, immutable"
    return answer


def _board(code: str) -> tuple[int, dict]:  # type: ignore[type-arg]
    try:
        return board(code)
    except Hall.DoesNotExist:
        raise Http404 from None


def _hall(code: str) -> Hall:
    return get_object_or_404(Hall, code=code)


LONGEST_NAME, LONGEST_PICTURE_NAME = 40, 80
LARGEST = photographs.LARGEST_FILE + 100_000  # bytes of a form with a picture and little else


def screens_name(order: CommandForm, _asked: PageRequest) -> Success:
    """Return a screen its name and role."""
    called = order.text("name", longest=LONGEST_NAME)
    if not called:
        raise Refusal("bad_input", field="name", wanted="text", most=LONGEST_NAME)
    role = WallRole(order.choice("role", tuple(WallRole.values)))
    made = screens.name(order.hall, order.integer("screen"), name=called, role=role)
    told = _("%(screen)s shows: %(role)s")
    return _done(told % {"screen": made, "role": WallRole(made.role).label})


def find_screens(order: CommandForm, _asked: PageRequest) -> Success:
    """Let a screen show its name for ten seconds."""
    shown = screens.point(order.hall, order.integer("screen"), at=order.at)
    return _done(_("%(screen)s shows its name for ten seconds") % {"screen": shown})


def remove_screens(order: CommandForm, _asked: PageRequest) -> Success:
    """Take a screen off the list."""
    gone = screens.remove(order.hall, order.integer("screen"))
    return _done(_("%(screen)s is off the list") % {"screen": gone})


def add_picture(order: CommandForm, _asked: PageRequest) -> Success:
    """Let the wall show a picture between games."""
    file = order.files.get("picture")
    if file is None:
        raise Refusal("wall_picture_missing")
    if file.size > photographs.LARGEST_FILE:
        raise Refusal("photograph_too_large", most=photographs.LARGEST_FILE // 1_000_000)
    jpeg = _jpeg(bytes(file.read()))
    named = Path(file.name or "").stem[:LONGEST_PICTURE_NAME] or _("Picture")
    made = screens.add_wall_picture(order.hall, name=named, jpeg=jpeg, at=order.at)
    return _done(_("The wall shows %(picture)s between games") % {"picture": made})


def _jpeg(file: bytes) -> bytes:
    return photographs.prepared(
        file, largest=screens.LARGEST, longest=photographs.WALL, drawn=True,
        unfit=Refusal("not_a_wall_picture"),
    )  # fmt: skip


def remove_picture(order: CommandForm, _asked: PageRequest) -> Success:
    """Show a picture no more."""
    gone = screens.remove_wall_picture(order.hall, order.integer("picture"))
    return _done(_("The wall shows %(picture)s no more") % {"picture": gone})


def picture_address() -> str:
    """Return the path that a picture for the wall is sent to."""
    return reverse("screens-do", args=["add-picture"])


def _done(text: str) -> Success:
    return Success(text, reverse("screens"))


def screens_context(asked: PageRequest) -> Context:
    """Return the hall's screens and the roles there are."""
    now = timezone.now()
    return {
        "rows": [
            _row(one, screens.is_connected(one, at=now)) for one in screens.listed(asked.hall)
        ],
        "unnamed": screens.unnamed(asked.hall, at=now),
        "most_unnamed": screens.MOST_UNNAMED,
        "roles": WallRole.choices,
        "board": reverse("board", args=[asked.hall.code]),
        "longest": LONGEST_NAME,
        "pictures": list(asked.hall.wall_pictures.order_by("pk").defer("jpeg")),
        "most": screens.MOST,
        "hall_code": asked.hall.code,
        "known": known_screens(asked.hall),
    }


@require_GET
@never_cache
@for_roles(Role.HALL_MANAGER)
def new_screens(request: HttpRequest, person: Person) -> HttpResponse:
    """Have the page of screens opened anew once there are others than those it knows."""
    answer = HttpResponse(status=204)
    if request.GET.get("known") != known_screens(person.hall):
        answer["HX-Refresh"] = "true"
    return answer


def known_screens(hall: Hall) -> str:
    """Return by what a page knows that no screen has come or gone since."""
    return "-".join(str(one.pk) for one in screens.listed(hall))


def _row(screen: WallScreen, connected: bool) -> dict[str, Any]:
    """Return a screen and since when it is there, or since when it is not."""
    since = screen.connected_at if connected else screen.seen_at
    return {
        "screen": screen,
        "id": f"screen-{screen.pk}",
        "connected": connected,
        "since": since,
    }


PAGE = Page(
    "screens",
    "screens/",
    "boards/screens.html",
    screens_context,
    {
        "name": screens_name,
        "find": find_screens,
        "remove": remove_screens,
        "add-picture": add_picture,
        "remove-picture": remove_picture,
    },
    readers=(Role.HALL_MANAGER,),
)
