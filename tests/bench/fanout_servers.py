"""python -m tests.bench.fanout_servers ours|bare|layer: sends a text to whoever is connected.

Prints its port; then reads a text a line from its input, and answers with the seconds of processor
time that it took to send it.
"""

from __future__ import annotations

import asyncio
import base64
import hashlib
import json
import os
import socket
import sys
import time
from collections.abc import Callable
from typing import Any

import uvloop

KEY = b"258EAFA5-E914-47DA-95CA-C5AB0DC85B11"  # RFC 6455, 1.3
GROUP = "screens"
QUIET = 0.05  # seconds in which what was begun ends
SERVING: set[asyncio.Task[None]] = set()  # held, so that none is collected
Tell = Callable[[str], Any]


class Bare(asyncio.Protocol):
    """The least that can be done: bytes that were framed once are written to every transport."""

    all: set[Any] = set()

    def connection_made(self, transport: Any) -> None:
        """Keep it."""
        self.transport = transport
        self.all.add(transport)

    def connection_lost(self, _error: Exception | None) -> None:
        """Forget it."""
        self.all.discard(self.transport)

    def data_received(self, data: bytes) -> None:
        """Answer the handshake."""
        key = next(
            line.split(b": ")[1]
            for line in data.split(b"\r\n")
            if line.startswith(b"Sec-WebSocket-Key")
        )
        accept = base64.b64encode(hashlib.sha1(key + KEY, usedforsecurity=False).digest())
        self.transport.write(
            b"HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
            b"Sec-WebSocket-Accept: " + accept + b"\r\n\r\n"
        )


def tell_bare(text: str) -> None:
    """Frame once, write to all."""
    body = text.encode()
    frame = bytes([0x81, 126]) + len(body).to_bytes(2, "big") + body
    for transport in Bare.all:
        transport.write(frame)


async def serve(kind: str) -> None:
    """Listen, then send what is asked for."""
    listening = socket.socket()
    listening.bind(("127.0.0.1", 0))
    listening.listen(4096)
    tell: Tell
    if kind == "bare":
        await asyncio.get_running_loop().create_server(Bare, sock=listening)
        tell = tell_bare
    else:
        tell = await _served(kind, listening)
    print(listening.getsockname()[1], flush=True)
    while line := await asyncio.to_thread(sys.stdin.readline):
        text, before = json.loads(line), time.process_time()
        told = tell(text)
        if asyncio.iscoroutine(told):
            await told
        await asyncio.sleep(QUIET)
        print(time.process_time() - before, flush=True)


async def _served(kind: str, listening: socket.socket) -> Tell:
    import uvicorn

    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "bingo.settings")
    if kind == "ours":
        from bingo.asgi import application
    else:
        application = _layered()
    config = uvicorn.Config(
        application,
        log_level="error",
        lifespan="off",
        ws_per_message_deflate=False,
        ws_ping_interval=None,
        ws="bingo.http_server:ScreenProtocol" if kind == "ours" else "auto",
    )
    server = uvicorn.Server(config)
    SERVING.add(asyncio.create_task(server.serve(sockets=[listening])))
    if kind == "layer":
        from channels.layers import get_channel_layer

        return lambda text: get_channel_layer().group_send(GROUP, {"type": "told", "text": text})
    from draws.boards.screen_hub import hub

    def tell(text: str) -> None:
        for code in hub._screens:
            hub._offer(code, text, beat=False)

    return tell


def _layered() -> Any:
    """Channels as its manual has it: a consumer in a group of channels_redis' layer."""
    import django
    from channels.generic.websocket import AsyncWebsocketConsumer
    from django.conf import settings

    django.setup()
    settings.CHANNEL_LAYERS = {
        "default": {
            "BACKEND": "channels_redis.core.RedisChannelLayer",
            # Its own wait for a message is as long as redis-py waits for an answer by itself.
            "CONFIG": {
                "hosts": [{"address": settings.REDIS_URL, "socket_timeout": 60}],
                "capacity": 10_000,
            },
        }
    }

    class Consumer(AsyncWebsocketConsumer):
        async def connect(self) -> None:
            await self.channel_layer.group_add(GROUP, self.channel_name)
            await self.accept()

        async def told(self, event: dict[str, str]) -> None:
            await self.send(text_data=event["text"])

    return Consumer.as_asgi()


if __name__ == "__main__":
    uvloop.install()
    asyncio.run(serve(sys.argv[1]))
