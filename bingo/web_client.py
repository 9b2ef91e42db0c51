"""Another machine asked by HTTP: within so many seconds in all, for so many bytes, following nothing."""

from __future__ import annotations

import contextlib
import http.client
import socket
import ssl
import threading
import time
from collections.abc import Mapping
from urllib.parse import urlsplit


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
