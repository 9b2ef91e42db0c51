"""Django's answers to HTTP, each made from beginning to end in one thread of a few that stay.

Django's own handler starts a thread for every request and goes between it and the event loop at
each middleware, although every view and nearly every middleware here is synchronous: at a full
till that costs more than the sale.
"""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from typing import Any

from asgiref.sync import sync_to_async
from django.core import signals
from django.core.exceptions import RequestAborted
from django.core.handlers.asgi import ASGIHandler, ASGIRequest, get_script_prefix
from django.core.handlers.base import BaseHandler
from django.db import close_old_connections
from django.http import FileResponse, HttpResponseBadRequest
from django.http.response import HttpResponseBase
from django.urls import set_script_prefix

THREADS = 32  # as many requests may be under way; settings.py has a connection for each


class Handler(ASGIHandler):
    """The ASGI application of the pages, with a wholly synchronous chain of middleware."""

    def __init__(self) -> None:
        """Load the middleware, and have threads ready to answer."""
        BaseHandler.__init__(self)  # ASGIHandler's own loads the middleware for the event loop
        self.load_middleware(is_async=False)
        threads = ThreadPoolExecutor(THREADS, thread_name_prefix="pages")
        self._answer = sync_to_async(self._answered, thread_sensitive=False, executor=threads)

    async def handle(self, scope: dict[str, Any], receive: Any, send: Any) -> None:
        """Answer a request; whoever hangs up meanwhile is answered in vain."""
        try:
            body = await self.read_body(receive)
        except RequestAborted:
            return
        try:
            response = await self._answer(scope, body)
            await self.send_response(response, send)
            if response.streaming:
                await sync_to_async(response.close)()
        finally:
            body.close()

    def _answered(self, scope: dict[str, Any], body: Any) -> HttpResponseBase:
        set_script_prefix(get_script_prefix(scope))
        signals.request_started.send(sender=self.__class__, scope=scope)
        request, refused = self.create_request(scope, body)
        response = self._made(request) if request else refused or HttpResponseBadRequest()
        # What has been made is in memory, and what is still to stream reads for itself: this thread
        # gives its connection back before the network takes its time.
        if response.streaming:
            close_old_connections()
        else:
            response.close()
        return response

    def _made(self, request: ASGIRequest) -> HttpResponseBase:
        response = self.get_response(request)
        response._handler_class = self.__class__  # type: ignore[attr-defined]  # as Django's own does
        if isinstance(response, FileResponse):
            response.block_size = self.chunk_size
        return response
