"""The picture of a ball: to the people of its hall, and to all once the ball is posted."""

from __future__ import annotations

from django.http import FileResponse, Http404, HttpRequest, HttpResponseBase
from django.urls import re_path
from django.views.decorators.http import require_GET

from draws.queries import pictures
from halls.models import Person

A_YEAR = 365 * 24 * 3600  # seconds; a picture's name is what it shows


@require_GET
def picture(request: HttpRequest, digest: str) -> HttpResponseBase:
    """Send a picture; whoever may not see it hears no more than that there is none."""
    public = pictures.is_public(digest)
    if not public and not _may_see(request, digest):
        raise Http404
    try:
        file = pictures.path(digest).open("rb")
    except FileNotFoundError:
        raise Http404 from None
    answer = FileResponse(file, content_type="image/jpeg")
    kept = "public" if public else "private"
    answer["Cache-Control"] = f"{kept}, max-age={A_YEAR}, immutable"
    answer["X-Content-Type-Options"] = "nosniff"
    return answer


def _may_see(request: HttpRequest, digest: str) -> bool:
    person = request.user
    return isinstance(person, Person) and pictures.is_of(person.hall, digest)


urls = [re_path(r"^pictures/(?P<digest>[0-9a-f]{64})\.jpg$", picture, name="picture")]
