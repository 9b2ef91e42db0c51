"""The files of cameras: stills, pictures of balls shown, sheets of certificates."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from django.http import FileResponse, Http404, HttpRequest, HttpResponseBase
from django.urls import URLPattern, path
from django.views.decorators.cache import cache_control, never_cache
from django.views.decorators.http import require_GET

from draws.balls import enrolment_queries
from draws.balls import queries as balls_queries
from draws.balls.enrolment_queries import WITH_BALL, enrolment_shelf
from draws.balls.views.cameras import READERS, camera_of
from draws.models import Certificate
from draws.web.forms import for_roles
from draws.web.page import PageRequest
from halls.models import Person

YEAR = 365 * 24 * 3600
File = Callable[[PageRequest], tuple[Path, str, str]]


def _file(find: File, *, kept: bool) -> Callable[..., HttpResponseBase]:
    """Let whoever sees the cameras have a file; `kept`: its address is its digest, it never changes."""

    @require_GET
    @for_roles(*READERS)
    def bound(request: HttpRequest, person: Person, **place: int) -> HttpResponseBase:
        file, kind, name = find(PageRequest(person, place, request.GET))
        try:
            return FileResponse(file.open("rb"), content_type=kind, filename=name)
        except OSError:
            raise Http404 from None

    return (
        cache_control(private=True, max_age=YEAR, immutable=True)(bound)
        if kept
        else never_cache(bound)
    )


def _still(asked: PageRequest) -> tuple[Path, str, str]:
    shelf = enrolment_shelf(camera_of(asked), WITH_BALL)
    return shelf.still(), "image/jpeg", "still.jpg"


def _picture(asked: PageRequest) -> tuple[Path, str, str]:
    digest = str(asked.place["digest"])
    if not enrolment_queries.is_of(asked.hall, digest):
        raise Http404
    return balls_queries.picture_path(digest), "image/jpeg", f"{digest[:12]}.jpg"


def _sheet(asked: PageRequest) -> tuple[Path, str, str]:
    found = Certificate.objects.filter(hall=asked.hall, pk=asked.place["certificate"]).first()
    if found is None:
        raise Http404
    return (
        enrolment_queries.certificate_path(found.paper),
        "application/pdf",
        f"camera-{found.pk}.pdf",
    )


FILES: list[URLPattern] = [
    path("cameras/<int:camera>/still.jpg", _file(_still, kept=False), name="cameras-still"),
    path("cameras/shown/<slug:digest>.jpg", _file(_picture, kept=True), name="cameras-picture"),
    path(
        "cameras/certificates/<int:certificate>.pdf",
        _file(_sheet, kept=False),
        name="cameras-certificate",
    ),
]
