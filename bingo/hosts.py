"""Other machines: at which hosts devices of the hall may be, and how an address is asked.

A manager types where a camera or a printer is, and this machine connects there. So that nobody makes
it knock elsewhere, only addresses of a private network are taken: not this machine itself, no public
address, none of a link, which is where a cloud keeps its secrets. A name is asked for once and what
it says is connected to, since a name may change its mind between two questions.

An address is asked by HTTP within so many seconds in all, for so many bytes, and no redirect is
followed.
"""

from __future__ import annotations

import contextlib
import http.client
import ipaddress
import socket
import ssl
import threading
import time
from collections.abc import Mapping
from urllib.parse import urlsplit

Host = ipaddress.IPv4Address | ipaddress.IPv6Address

# A cloud's address for its own secrets: link-local in version 4, a private one in version 6.
METADATA = ipaddress.ip_address("fd00:ec2::254")


class NotAllowed(Exception):
    """A host answers to an address that no device of a hall has."""


def resolve(name: str, port: int, *, loopback: bool) -> str:
    """Return the address of a host as digits; `loopback` lets it be this machine.

    Raises NotAllowed where any of its addresses is none of the hall's network; OSError and
    UnicodeError where nobody knows it.
    """
    found = socket.getaddrinfo(name, port, type=socket.SOCK_STREAM)
    hosts = [str(entry[4][0]).split("%")[0] for entry in found]
    if not all(may_be_asked(ipaddress.ip_address(host), loopback=loopback) for host in hosts):
        raise NotAllowed(name)
    return hosts[0]


def may_be_asked(host: Host, *, loopback: bool) -> bool:
    """Return whether a device may be at an address."""
    if isinstance(host, ipaddress.IPv6Address) and host.ipv4_mapped:
        host = host.ipv4_mapped
    if host.is_loopback:
        return loopback
    strange = host.is_link_local or host.is_multicast or host.is_unspecified or host.is_reserved
    return not strange and not host.is_global and host != METADATA


class TooLarge(ValueError):
    """More was answered than is read."""


def ask(
    url: str,
    *,
    method: str = "GET",
    body: bytes = b"",
    headers: Mapping[str, str],
    seconds: float,
    still: float | None = None,
    most: int,
) -> tuple[int, bytes]:
    """Return the status and the content that an address of http or https answers with.

    It may take `seconds` in all, and be still for `still` of them. Raises TooLarge beyond `most`
    bytes, OSError (TimeoutError among them), http.client.HTTPException, ValueError for what is no
    address.
    """
    address, until = urlsplit(url), time.monotonic() + seconds
    link = _link(address.scheme, address.hostname or "", address.port, still or seconds)
    # A timeout is for each byte; whoever sends one now and then is cut off all the same.
    cut = threading.Timer(seconds, _cut, [link])
    cut.daemon = True
    cut.start()
    try:
        target = f"{address.path or '/'}?{address.query}" if address.query else address.path or "/"
        link.request(method, target, body or None, dict(headers))
        answer = link.getresponse()
        content = answer.read(most + 1)
        if time.monotonic() > until:
            raise TimeoutError
        if len(content) > most:
            raise TooLarge
        return answer.status, content
    finally:
        cut.cancel()
        link.close()


def _link(scheme: str, host: str, port: int | None, seconds: float) -> http.client.HTTPConnection:
    if scheme == "https":
        return http.client.HTTPSConnection(
            host, port, timeout=seconds, context=ssl.create_default_context()
        )
    return http.client.HTTPConnection(host, port, timeout=seconds)


def _cut(link: http.client.HTTPConnection) -> None:
    with contextlib.suppress(OSError, AttributeError):
        link.sock.shutdown(socket.SHUT_RDWR)
