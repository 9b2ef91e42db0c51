"""From which pages a WebSocket may be opened: those of the hall's own hosts alone."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any
from urllib.parse import urlsplit

from channels.security.websocket import AllowedHostsOriginValidator

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
