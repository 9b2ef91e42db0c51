"""The page that says how other devices reach the hall: its address, a code to photograph, and HTTPS."""

from __future__ import annotations

import base64
import ipaddress
import socket
from dataclasses import dataclass
from io import BytesIO
from urllib.parse import urlsplit

import segno
from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import path
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET

from draws.web.forms import for_roles
from halls.models import Person, Role

# Nothing is sent to it: a route to somewhere else tells by which address this machine would go there.
ELSEWHERE = ("192.0.2.1", 9)


@dataclass(frozen=True, slots=True)
class Reach:
    """An address of the hall, and its code as a picture."""

    url: str
    code: str


@require_GET
@never_cache
@for_roles(Role.HALL_MANAGER)
def devices(request: HttpRequest, _person: Person) -> HttpResponse:
    """Show the addresses of this hall, and what is still to be done before a telephone opens it."""
    found = [Reach(url, _code(url)) for url in addresses(request)]
    shown = {
        "reached": found,
        "secure": request.is_secure(),
        "own": own_address(),
        "port": request.get_port(),
        "allowed": ",".join(settings.ALLOWED_HOSTS),
    }
    return render(request, "setup/devices.html", shown)


def addresses(request: HttpRequest) -> list[str]:
    """Return the addresses by which others open the hall: as this was opened, and as the settings say.

    The hall itself answers this machine alone; others come through the proxy that is named there.
    """
    here = request.build_absolute_uri("/")
    origins = [f"{one.rstrip('/')}/" for one in settings.CSRF_TRUSTED_ORIGINS if "*" not in one]
    found = [one for one in (here, *origins) if not _is_local(urlsplit(one).hostname or "")]
    return list(dict.fromkeys(found))


def _is_local(host: str) -> bool:
    """Return whether only this machine itself can open that name."""
    if host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


def own_address() -> str:
    """Return this machine's address in the hall's network, empty where it is in none."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as link:
        try:
            link.connect(ELSEWHERE)
        except OSError:
            return ""
        return str(link.getsockname()[0])


def _code(url: str) -> str:
    out = BytesIO()
    segno.make(url, error="m", micro=False).save(
        out, kind="svg", border=4, light="white", omitsize=True
    )
    return "data:image/svg+xml;base64," + base64.b64encode(out.getvalue()).decode("ascii")


DEVICES = [path("devices/", devices, name="devices")]
