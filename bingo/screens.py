"""The WebSocket protocol of the page server: uvicorn's, with a door for a frame that is made once.

What a thousand screens are told is the same bytes. Packed and written by the usual door, each
screen's costs twice what the network does; so whoever tells them is given, as an extension of the
connection's scope, a function that writes a whole frame as it stands.
"""

from __future__ import annotations

from functools import lru_cache

from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.frames import Frame, Opcode
from websockets.protocol import State

EXTENSION = "bingo.frame"


class ScreenProtocol(WebSocketsSansIOProtocol):
    """A connection that takes whole frames too."""

    async def run_asgi(self) -> None:
        """Run the application, which finds the door in its scope."""
        self.scope["extensions"][EXTENSION] = {"write": self.write}
        await super().run_asgi()

    def write(self, frame: bytes) -> bool:
        """Write a frame, or tell that it cannot be taken now: not open, or the network is slow."""
        if self.conn.state is not State.OPEN or not self.writable.is_set():
            return False
        self.transport.write(frame)
        return True


@lru_cache(maxsize=8)
def framed(text: str) -> bytes:
    """Give the frame (RFC 6455) of a text that a server sends."""
    return Frame(Opcode.TEXT, text.encode()).serialize(mask=False)
