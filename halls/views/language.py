"""Pages speak the language a person works in, until they choose another on the page."""

from collections.abc import Callable

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.utils import translation


class PersonLanguageMiddleware:
    """Uses a person's own language unless a language cookie says otherwise."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self._get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        """Answer in the person's language."""
        chosen = settings.LANGUAGE_COOKIE_NAME in request.COOKIES
        if request.user.is_authenticated and not chosen:
            translation.activate(request.user.language)
            request.LANGUAGE_CODE = translation.get_language()
        return self._get_response(request)
