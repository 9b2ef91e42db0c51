"""The pages for what cannot be shown or answered, whichever page was asked for."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.template.loader import render_to_string
from django.utils import translation
from django.utils.html import format_html
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from bingo.money_and_dates import Whole
from halls import security_log
from halls.web.middleware import protected

BUSY = (
    '<!doctype html><html lang="{}"><meta charset="utf-8">'
    '<meta name="viewport" content="width=device-width"><title>{}</title><p role="alert">{}</p></html>'
)


def not_found(request: HttpRequest, exception: Exception) -> HttpResponse:
    """There is no such page."""
    return render(request, "web/refusal.html", {"title": _("Page not found")}, status=404)


def forbidden(request: HttpRequest, exception: Exception) -> HttpResponse:
    """This page is not for this person."""
    return render(request, "web/refusal.html", status=403)


def stale_form(request: HttpRequest, reason: str = "") -> HttpResponse:
    """The form was made before this person logged in, or by another site."""
    security_log.record("form_refused", request=request, path=request.path)
    context = {
        "title": _("This form is no longer good"),
        "text": _("Open the page again and repeat what you did. Nothing was changed."),
    }
    return render(request, "web/refusal.html", context, status=403)


def failed(request: HttpRequest) -> HttpResponse:
    """Something is broken in the system itself, perhaps what tells who is there: nobody is asked."""
    context = {
        "title": _("Something went wrong"),
        "text": _("Try again. If it stays, tell the operator."),
        "bare": True,
    }
    return HttpResponse(render_to_string("web/refusal.html", context), status=500)


def locked(request: HttpRequest, seconds: int) -> HttpResponse:
    """Somebody has tried too many passwords."""
    text = ngettext(
        "Too many wrong passwords were tried. Wait %(n)s second, then try again.",
        "Too many wrong passwords were tried. Wait %(n)s seconds, then try again.",
        seconds,
    )
    context = {"title": _("Too many attempts"), "text": text % {"n": Whole(seconds)}}
    answer = render(request, "web/refusal.html", context, status=429)
    answer["Retry-After"] = str(seconds)
    return answer


def busy(request: HttpRequest, seconds: int) -> HttpResponse:
    """More is asked for than can be answered now; a page of few bytes, for many may be sent."""
    with translation.override(translation.get_language_from_request(request)):
        text = ngettext(
            "The hall is busy. Try again in %(n)s second: nothing was changed.",
            "The hall is busy. Try again in %(n)s seconds: nothing was changed.",
            seconds,
        ) % {"n": Whole(seconds)}
        page = format_html(BUSY, translation.get_language() or "", _("Busy"), text)
    answer = HttpResponse(page, status=503)
    answer["Retry-After"] = str(seconds)
    answer._has_been_logged = True  # type: ignore[attr-defined]  # or a flood would fill the log
    return answer


def too_large(request: HttpRequest) -> HttpResponse:
    """More was sent than the address takes; nobody is known yet but by the browser's language."""
    with translation.override(translation.get_language_from_request(request)):
        context = {
            "title": _("This is too large"),
            "text": _("Nothing was kept. Go back, and send a smaller file or a shorter text."),
        }
        answer = render(request, "web/refusal.html", context, status=413)
        protected(answer)
        return answer
