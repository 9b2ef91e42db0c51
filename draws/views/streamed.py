"""A file sent while it is made: the server holds one block of it, not all."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator

from asgiref.sync import sync_to_async
from django.http import StreamingHttpResponse
from django.utils.http import content_disposition_header


def streamed(
    blocks: Iterator[bytes], *, kind: str, name: str, keep: bool = True
) -> StreamingHttpResponse:
    """Answer with a file made of `blocks`, of that media type and name: to keep, or to look at."""
    response = StreamingHttpResponse(_one_by_one(blocks), content_type=kind)
    response["Content-Disposition"] = content_disposition_header(keep, name) or ""
    return response


async def _one_by_one(blocks: Iterator[bytes]) -> AsyncIterator[bytes]:
    """Make each block in the thread that may use the database, when it is wanted."""
    following = sync_to_async(lambda: next(blocks, None))
    while (block := await following()) is not None:
        yield block
