"""Dark for the dim hall, light for the office: a person's own choice, kept by their browser."""

from collections.abc import Mapping
from types import MappingProxyType

from django.conf import settings
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.utils.functional import Promise
from django.utils.http import url_has_allowed_host_and_scheme
from django.utils.translation import gettext_lazy as _
from django.views.decorators.http import require_POST

COOKIE = "theme"
YEAR = 365 * 24 * 3600
# Without a choice each page has its own: dark at the desks of the hall, light in the office.
THEMES: Mapping[str, Promise | str] = MappingProxyType(
    {
        "": _("As each page has it"),
        "machine": _("As the machine has it"),
        "dark": _("Dark colours"),
        "light": _("Light colours"),
    }
)


def chosen(request: HttpRequest) -> str:
    """Give the theme that this browser keeps, empty for each page's own."""
    kept = request.COOKIES.get(COOKIE, "")
    return kept if kept in THEMES else ""


@require_POST
def choose(request: HttpRequest) -> HttpResponse:
    """Keep a theme and go back to the page; what is no theme leaves each page its own."""
    asked = request.POST.get("theme", "")
    back = request.POST.get("next", "")
    local = url_has_allowed_host_and_scheme(
        back, allowed_hosts={request.get_host()}, require_https=request.is_secure()
    )
    answer = HttpResponseRedirect(back if local else "/")
    if asked and asked in THEMES:
        answer.set_cookie(
            COOKIE,
            asked,
            max_age=YEAR,
            secure=settings.SESSION_COOKIE_SECURE,
            httponly=True,
            samesite="Lax",
        )
    else:
        answer.delete_cookie(COOKIE, samesite="Lax")
    return answer
