"""What each person's browser keeps: dark or light, and whether letters are keys by themselves."""

from collections.abc import Mapping
from types import MappingProxyType

from django.conf import settings
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.utils.functional import Promise
from django.utils.http import url_has_allowed_host_and_scheme
from django.utils.translation import gettext_lazy as _
from django.views.decorators.http import require_POST

Choices = Mapping[str, Promise | str]

YEAR = 365 * 24 * 3600
# Without a choice each page has its own: dark at the desks of the hall, light in the office.
THEMES: Choices = MappingProxyType(
    {
        "": _("As each page has it"),
        "machine": _("As the machine has it"),
        "dark": _("Dark colours"),
        "light": _("Light colours"),
    }
)
# A screen reader and a voice that types need the letters for themselves (WCAG 2.1.4).
LETTERS: Choices = MappingProxyType(
    {"": _("Letters are keys by themselves"), "alt": _("Letters are keys only with Alt")}
)
# What is kept, each in a cookie of this name.
KEPT: Mapping[str, Choices] = MappingProxyType({"theme": THEMES, "letters": LETTERS})


def chosen(request: HttpRequest, name: str = "theme") -> str:
    """Give what this browser keeps, empty for nothing; `name` is one of KEPT."""
    kept = request.COOKIES.get(name, "")
    return kept if kept in KEPT[name] else ""


@require_POST
def choose(request: HttpRequest) -> HttpResponse:
    """Keep a choice and go back to the page; what is none of them is forgotten."""
    back = request.POST.get("next", "")
    local = url_has_allowed_host_and_scheme(
        back, allowed_hosts={request.get_host()}, require_https=request.is_secure()
    )
    answer = HttpResponseRedirect(back if local else "/")
    for name, choices in KEPT.items():
        if name in request.POST:
            _keep(answer, name, request.POST[name], choices)
    return answer


def _keep(answer: HttpResponse, name: str, asked: str, choices: Choices) -> None:
    if asked and asked in choices:
        answer.set_cookie(
            name,
            asked,
            max_age=YEAR,
            secure=settings.SESSION_COOKIE_SECURE,
            httponly=True,
            samesite="Lax",
        )
    else:
        answer.delete_cookie(name, samesite="Lax")
