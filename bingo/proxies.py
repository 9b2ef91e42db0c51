"""For whom a request asks: the address at the other end, or what a proxy that is named says of it.

Anybody may write `X-Forwarded-For` into a request. It is believed of the addresses in
`TRUSTED_PROXIES` alone, and of a row of addresses only the part that such proxies have added. What
was read is then removed, so that nothing behind it believes the same words again; `Forwarded`
(RFC 7239) and the names of hosts and ports are believed of nobody.
"""

from __future__ import annotations

import ipaddress
import logging
from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from typing import Any

log = logging.getLogger(__name__)

Headers = Sequence[tuple[bytes, bytes]]
Application = Callable[..., Awaitable[None]]

FOR, PROTOCOL = b"x-forwarded-for", b"x-forwarded-proto"
SCHEMES: Mapping[str, Mapping[bytes, str]] = {
    "http": {b"http": "http", b"https": "https"},
    "websocket": {b"http": "ws", b"https": "wss", b"ws": "ws", b"wss": "wss"},
}


class Proxies:
    """The proxies that are believed: addresses and networks. Raises ValueError for anything else."""

    def __init__(self, named: Iterable[str]) -> None:
        self._networks = [ipaddress.ip_network(one.strip()) for one in named]
        self._warned = False

    def __contains__(self, address: str) -> bool:
        """Return whether an address is one of theirs."""
        found = _address(address)
        return found is not None and any(found in one for one in self._networks)

    def client_of(self, peer: str, headers: Headers) -> str:
        """Return the address that a request of `peer` comes from.

        Each proxy adds whom it heard at the end: the last one that is none of ours is the client.
        """
        if peer not in self:
            return peer
        told = b",".join(value for name, value in headers if name.lower() == FOR)
        for one in reversed(told.decode("latin-1").split(",")):
            client = _address(one.strip())
            if client is None:
                return peer
            if str(client) not in self:
                return str(client)
        return peer

    def read(self, scope: dict[str, Any]) -> None:
        """Let a request's scope say where it comes from and by which scheme, and drop those headers."""
        peer, port = scope.get("client") or ("", 0)
        headers: Headers = scope["headers"]
        if peer in self:
            client = self.client_of(peer, headers)
            scope["client"] = (client, port if client == peer else 0)
            told = [value.strip() for name, value in headers if name == PROTOCOL]
            schemes = SCHEMES[scope["type"]]
            if len(told) == 1 and told[0] in schemes:
                scope["scheme"] = schemes[told[0]]
        elif not self._warned and any(name == FOR for name, _value in headers):
            self._warned = True
            log.warning(
                "a proxy at %s is not named in TRUSTED_PROXIES: all who come through it count as"
                " one (docs/operations.md, Other devices)",
                peer,
            )
        scope["headers"] = [one for one in headers if not _forwarded(one[0])]


class Behind:
    """An ASGI application behind proxies."""

    def __init__(self, application: Application, proxies: Proxies) -> None:
        self.application, self._proxies = application, proxies

    async def __call__(self, scope: dict[str, Any], receive: Any, send: Any) -> None:
        """Pass a request on with the address it truly comes from."""
        if scope["type"] in SCHEMES:
            self._proxies.read(scope)
        await self.application(scope, receive, send)


def place_of(address: str) -> str:
    """Return what counts as one place: an address of IPv4, a network of IPv6 (one machine has a /64)."""
    found = _address(address)
    if found is None:
        return address[:100]
    return str(found if found.version == 4 else ipaddress.ip_network((found, 64), strict=False))


def _address(text: str) -> ipaddress.IPv4Address | ipaddress.IPv6Address | None:
    try:
        found = ipaddress.ip_address(text)
    except ValueError:
        return None
    return getattr(found, "ipv4_mapped", None) or found


def _forwarded(name: bytes) -> bool:
    return name == b"forwarded" or name.startswith(b"x-forwarded-") or name == b"x-real-ip"
