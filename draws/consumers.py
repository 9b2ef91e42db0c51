"""The one socket of every screen: the hall's public state and a beat a second.

It carries nothing that the wall does not show, so it asks nobody who they are; what a console
shows beyond it is fetched over HTTP under its person's rights.
"""

from __future__ import annotations

import asyncio
from typing import Any

from channels.db import database_sync_to_async
from channels.generic.websocket import AsyncWebsocketConsumer
from django.urls import path

from draws.live import hub
from halls.models import Hall


class ScreenConsumer(AsyncWebsocketConsumer):
    """One screen; a slow one is given the latest state, never a queue."""

    async def connect(self) -> None:
        """Join the hall's screens, or close with 4404 when there is no such hall."""
        self._newest: str | None = None
        self._ready = asyncio.Event()
        self._sender: asyncio.Task[None] | None = None
        self._code: str = self.scope["url_route"]["kwargs"]["code"]
        await self.accept()
        if not await _exists(self._code):
            await self.close(code=4404)
            return
        self._sender = asyncio.create_task(self._send_newest())
        await hub.join(self._code, self)

    async def disconnect(self, code: int) -> None:
        """Leave the hall's screens."""
        if self._sender is not None:
            hub.leave(self._code, self)
            self._sender.cancel()

    async def receive(self, text_data: str | None = None, bytes_data: bytes | None = None) -> None:
        """Screens have nothing to say."""

    def offer(self, text: str, *, beat: bool) -> None:
        """Take the newest text; a beat never replaces a state that still waits."""
        if beat and self._newest is not None:
            return
        self._newest = text
        self._ready.set()

    async def _send_newest(self) -> None:
        while True:
            await self._ready.wait()
            self._ready.clear()
            text, self._newest = self._newest, None
            if text is not None:
                await self.send(text_data=text)


@database_sync_to_async
def _exists(code: str) -> bool:
    return Hall.objects.filter(code=code).exists()


sockets: list[Any] = [path("live/<slug:code>/", ScreenConsumer.as_asgi())]
