"""The ASGI application: HTTP and WebSocket, from one process."""

import gc
import os
from collections.abc import Awaitable, Callable
from typing import Any
from urllib.parse import urlsplit

import django
from channels.routing import ProtocolTypeRouter, URLRouter
from channels.security.websocket import AllowedHostsOriginValidator
from django.urls import get_resolver

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "bingo.settings")
django.setup(set_prefix=False)

# Django must be set up before models load.
from bingo.connection_limits import door  # noqa: E402
from bingo.http_server import Bounded, Handler  # noqa: E402
from bingo.proxies import Behind  # noqa: E402
from draws.balls.views import ball_trial  # noqa: E402
from draws.boards import views as boards_views  # noqa: E402
from draws.boards.sockets import sockets  # noqa: E402
from draws.cards.views import series  # noqa: E402
from draws.desks.table import claims  # noqa: E402
from halls.web import error_pages, middleware  # noqa: E402

Scope = dict[str, Any]
Application = Callable[..., Awaitable[None]]


class OwnOrigins:
    """An ASGI application behind a look at the Origin: 403 for foreign ones, none, and what is no address.

    The library's own look breaks at what cannot be read as an address.
    """

    def __init__(self, application: Application) -> None:
        self._looked_at = AllowedHostsOriginValidator(application)

    async def __call__(self, scope: Scope, receive: Any, send: Any) -> None:
        """Pass the connection on, or close it before it is open."""
        if all(_is_address(value) for name, value in scope["headers"] if name == b"origin"):
            await self._looked_at(scope, receive, send)
            return
        await receive()  # that somebody wants to connect
        await send({"type": "websocket.close"})


def _is_address(value: bytes) -> bool:
    """Return whether host and port of an address can be read."""
    try:
        _port = urlsplit(value.decode("latin-1")).port
    except ValueError:
        return False
    return True


halls = ("", middleware.PREFIX)
# What is posted there is hashed.
PASSWORDS = ("login", "login/pin", "sign-in/unlock", "password", "first")
# Where files are sent, and the bytes that a request may carry there.
larger = {
    f"{hall}{address}": largest
    for hall in halls
    for address, largest in (
        (series.take_in_address(), series.LARGEST),
        (claims.showing_address(), claims.LARGEST),
        (boards_views.picture_address(), boards_views.LARGEST),
        (ball_trial.address(), ball_trial.LARGEST),
    )
}
application = Behind(
    ProtocolTypeRouter(
        {
            "http": Bounded(
                Handler(
                    passwords=[f"{hall}/{one}/" for hall in halls for one in PASSWORDS],
                    busy=error_pages.busy,
                ),
                larger=larger,
                answer=error_pages.too_large,
            ),
            "websocket": OwnOrigins(URLRouter(sockets)),
        }
    ),
    door.proxies,
)

# What is loaded stays. Looked through for what is unused, it would hold every thread for more than
# a tenth of a second, a few times a minute.
_patterns = get_resolver().url_patterns  # loads what the addresses lead to
gc.collect()
gc.freeze()
