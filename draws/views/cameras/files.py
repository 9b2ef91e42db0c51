"""The files of cameras: stills, pictures of balls shown, sheets of certificates."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from django.contrib.auth.decorators import login_required
from django.http import FileResponse, Http404, HttpRequest, HttpResponseBase
from django.urls import URLPattern, path
from django.views.decorators.cache import cache_control, never_cache
from django.views.decorators.http import require_GET

from draws.models import Certificate
from draws.queries import certificates, enrolments, pictures
from draws.views import refused
from draws.views.cameras import meant
from draws.views.cameras.roles import READERS
from draws.views.page import Asked
from halls.models import Person

YEAR = 365 * 24 * 3600
File = Callable[[Asked], tuple[Path, str, str]]


def _file(find: File, *, kept: bool) -> Callable[..., HttpResponseBase]:
    """Let whoever sees the cameras have a file; `kept`: its address is its digest, it never changes."""

    @require_GET
    @login_required
    def bound(request: HttpRequest, **place: int) -> HttpResponseBase:
        person = request.user
        if not isinstance(person, Person) or not set(READERS) & set(person.roles):
            return refused.forbidden(request, READERS)
        file, kind, name = find(Asked(person, place, request.GET))
        try:
            return FileResponse(file.open("rb"), content_type=kind, filename=name)
        except OSError:
            raise Http404 from None

    return cache_control(private=True, max_age=YEAR)(bound) if kept else never_cache(bound)


def _still(asked: Asked) -> tuple[Path, str, str]:
    shelf = enrolments.shelf(meant.camera_of(asked), enrolments.WITH_BALL)
    return shelf.still(), "image/jpeg", "still.jpg"


def _picture(asked: Asked) -> tuple[Path, str, str]:
    digest = str(asked.place["digest"])
    if not enrolments.is_of(asked.hall, digest):
        raise Http404
    return pictures.path(digest), "image/jpeg", f"{digest[:12]}.jpg"


def _sheet(asked: Asked) -> tuple[Path, str, str]:
    found = Certificate.objects.filter(hall=asked.hall, pk=asked.place["certificate"]).first()
    if found is None:
        raise Http404
    return certificates.path(found.paper), "application/pdf", f"camera-{found.pk}.pdf"


FILES: list[URLPattern] = [
    path("cameras/<int:camera>/still.jpg", _file(_still, kept=False), name="cameras-still"),
    path("cameras/shown/<slug:digest>.jpg", _file(_picture, kept=True), name="cameras-picture"),
    path(
        "cameras/certificates/<int:certificate>.pdf",
        _file(_sheet, kept=False),
        name="cameras-certificate",
    ),
]
