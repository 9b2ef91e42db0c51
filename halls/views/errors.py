"""Pages for what cannot be shown."""

from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import translation
from django.utils.translation import gettext as _


def not_found(request: HttpRequest, exception: Exception) -> HttpResponse:
    """There is no such page."""
    return render(request, "refusal.html", {"title": _("Page not found")}, status=404)


def forbidden(request: HttpRequest, exception: Exception) -> HttpResponse:
    """This page is not for this person."""
    return render(request, "refusal.html", status=403)


def stale_form(request: HttpRequest, reason: str = "") -> HttpResponse:
    """The form was made before this person logged in, or by another site."""
    context = {
        "title": _("This form is no longer good"),
        "text": _("Open the page again and repeat what you did. Nothing was changed."),
    }
    return render(request, "refusal.html", context, status=403)


def failed(request: HttpRequest) -> HttpResponse:
    """Something is broken in the system itself."""
    context = {
        "title": _("Something went wrong"),
        "text": _("Try again. If it stays, tell the operator."),
    }
    return render(request, "refusal.html", context, status=500)


def locked(request: HttpRequest, response: HttpResponse, credentials: Any) -> HttpResponse:
    """Somebody has tried too many passwords for a name."""
    context = {
        "title": _("Too many attempts"),
        "text": _("Wait a quarter of an hour, then try again."),
    }
    return render(request, "refusal.html", context, status=429)


def too_large(request: HttpRequest) -> HttpResponse:
    """More was sent than the address takes; nobody is known yet but by the browser's language."""
    with translation.override(translation.get_language_from_request(request)):
        context = {
            "title": _("This is too large"),
            "text": _("Nothing was kept. Go back, and send a smaller file or a shorter text."),
        }
        return render(request, "refusal.html", context, status=413)
