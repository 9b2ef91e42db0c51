"""The one connection to a network camera: to the address that was judged, and to no other.

The video library goes where a camera sends it, and nothing tells it not to. So it is given a place
on this machine instead, and what it says there goes to the camera; before the camera's first word
comes back, the process loses the right to connect to anything.
"""

from __future__ import annotations

import contextlib
import re
import socket
import ssl
from select import select
from threading import Thread
from urllib.parse import SplitResult, urlsplit

from draws.vision import addresses, wall

HERE = "127.0.0.1"
AT_ONCE = 65_536  # bytes carried at a time
SENT_ON = re.compile(rb"RTSP/\d\.\d[ \t]+3\d\d\b")
HEAD = 32  # bytes of an answer's first line that may have come before


class Relay:
    """Carries what the video library and one camera say to each other, in a thread of its own.

    `words` is what the library opens; `sends_on` tells whether the camera sent it elsewhere.
    """

    def __init__(self, address: str, *, timeout: float) -> None:
        """Connect to the camera within so many seconds. Raises OSError."""
        parts = urlsplit(address)
        self.sends_on = False
        self._camera = _connected(parts, timeout)
        self._listener = socket.create_server((HERE, 0))
        self._listener.settimeout(timeout)
        # The library need not speak TLS: this does, and so an answer can be read here too.
        port = self._listener.getsockname()[1]
        self.words = addresses.with_host(parts._replace(scheme="rtsp"), HERE, port)
        Thread(target=self._run, daemon=True).start()

    def _run(self) -> None:
        with contextlib.suppress(OSError), self._camera:
            with self._listener:
                library = self._listener.accept()[0]
            with library:
                library.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
                wall.put_up()
                self._carry(library)

    def _carry(self, library: socket.socket) -> None:
        """Carry until either ends, or the camera sends on. Raises OSError."""
        plays, heard = False, b""
        while True:
            for end in self._speaking(library):
                words = end.recv(AT_ONCE) if end is library else self._heard()
                if words is None:
                    continue
                if not words:
                    return
                if end is library:
                    plays = plays or words.startswith(b"PLAY ")
                    self._camera.sendall(words)
                    continue
                heard = heard[-HEAD:] + words
                if not plays and SENT_ON.search(heard):
                    self.sends_on = True
                    return
                library.sendall(words)

    def _heard(self) -> bytes | None:
        """Give what the camera says; None where what came was a word of TLS alone."""
        patience = self._camera.gettimeout()
        self._camera.settimeout(0)
        try:
            return self._camera.recv(AT_ONCE)
        except (BlockingIOError, ssl.SSLWantReadError):
            return None
        finally:
            self._camera.settimeout(patience)

    def _speaking(self, library: socket.socket) -> list[socket.socket]:
        # What TLS has taken from the socket already, no waiting would show.
        if isinstance(self._camera, ssl.SSLSocket) and self._camera.pending():
            return [self._camera]
        return select([library, self._camera], [], [])[0]


def _connected(parts: SplitResult, timeout: float) -> socket.socket:
    port = parts.port or addresses.SCHEMES[parts.scheme]
    camera = socket.create_connection((parts.hostname, port), timeout)
    camera.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    return camera if parts.scheme == "rtsp" else _tls().wrap_socket(camera)


def _tls() -> ssl.SSLContext:
    """Give what a camera's TLS needs: it signs for itself, and may be as old as it is."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
    context.minimum_version = ssl.TLSVersion.MINIMUM_SUPPORTED
    context.set_ciphers("DEFAULT@SECLEVEL=0")
    return context
