"""What every answer tells the browser, whoever made it: what not to keep, to share and to allow.

Django's own middleware adds HSTS (where HTTPS is on), nosniff, Referrer-Policy and
Cross-Origin-Opener-Policy; django-csp the policy of content.
"""

from __future__ import annotations

from collections.abc import Callable

from django.conf import settings
from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.utils.cache import add_never_cache_headers

# The ball's trial takes a photograph; nothing else of a browser's is used.
ALLOWED = "camera=(self), fullscreen=(self), screen-wake-lock=(self)"
DENIED = (
    "accelerometer", "display-capture", "geolocation", "gyroscope", "hid",
    "magnetometer", "microphone", "midi", "payment", "serial", "usb",
)  # fmt: skip
PERMISSIONS = ", ".join([ALLOWED, *(f"{name}=()" for name in DENIED)])


def cookie_name(name: str) -> str:
    """Return what a cookie is called; over HTTPS its path is / and no other host can set it."""
    return f"{settings.COOKIE_PREFIX}{name}"


class ProtectionMiddleware:
    """Forbids browsers and proxies to keep what does not say it may be, and others to embed it."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        """Answer, with the headers."""
        return protected(self.get_response(request))


def protected(response: HttpResponseBase) -> HttpResponseBase:
    """Return an answer with the headers of all answers.

    A browser may keep what is public, and what is immutable: a ball's picture under its digest, of
    which a page shows ninety at a time and which says nothing of anybody.
    """
    kept = response.get("Cache-Control", "")
    if "public" not in kept and "immutable" not in kept:
        del response["Cache-Control"]
        add_never_cache_headers(response)
    response["Cross-Origin-Resource-Policy"] = "same-origin"
    response["Permissions-Policy"] = PERMISSIONS
    return response
