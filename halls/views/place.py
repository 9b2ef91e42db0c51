"""Pages speak a person's language and tell the time of their hall."""

from collections.abc import Callable
from zoneinfo import ZoneInfo

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.utils import timezone, translation


class PlaceMiddleware:
    """Uses a person's own language, unless a cookie says otherwise, and their hall's clock."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self._get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        """Answer in the person's language and at the hall's hour."""
        person = request.user
        if not person.is_authenticated:
            return self._get_response(request)
        if settings.LANGUAGE_COOKIE_NAME not in request.COOKIES:
            translation.activate(person.language)
            request.LANGUAGE_CODE = translation.get_language()
        with timezone.override(ZoneInfo(person.hall.time_zone)):
            return self._get_response(request)
