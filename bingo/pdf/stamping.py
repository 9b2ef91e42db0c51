"""A time-stamp authority asked over HTTP (RFC 3161)."""

import asyncio
import http.client
import ssl
from dataclasses import dataclass
from urllib.parse import urlsplit

from asn1crypto import tsp
from pyhanko.sign.timestamps import TimeStamper

from bingo.pdf.fault import SealError

PATIENCE = 10.0  # seconds for each of two answers
LARGEST = 256 * 1024  # bytes; a token with its certificates is some 6 KB
ASKED, ANSWERED = "application/timestamp-query", "application/timestamp-reply"


@dataclass(frozen=True, slots=True)
class Authority:
    """Where a time-stamp authority answers, and the PEM certificates its stamps are trusted under."""

    url: str
    trust: bytes
    patience: float = PATIENCE


class Asking(TimeStamper):
    """Asks an authority; its answer is checked by pyHanko and once more in the sealed document."""

    def __init__(self, authority: Authority) -> None:
        super().__init__()  # type: ignore[no-untyped-call]
        self.authority = authority

    async def async_request_tsa_response(self, req: tsp.TimeStampReq) -> tsp.TimeStampResp:
        """Give the answer. Raises SealError: timestamp_unanswered, timestamp_refused."""
        content = await asyncio.to_thread(post, self.authority, req.dump())
        try:
            answer = tsp.TimeStampResp.load(content, strict=True)
            # It is read where it is asked: a refusal carries no token.
            _ = answer["time_stamp_token"]["content"]["encap_content_info"]
            return answer
        except (ValueError, TypeError) as error:
            raise SealError("timestamp_refused", url=self.authority.url) from error


def post(authority: Authority, query: bytes) -> bytes:
    """Send a query and give the answer's bytes. Raises SealError: timestamp_unanswered, timestamp_refused."""
    address = urlsplit(authority.url)
    path = f"{address.path or '/'}{'?' + address.query if address.query else ''}"
    try:
        link = _link(authority)
        try:
            link.request("POST", path, query, {"Content-Type": ASKED, "Accept": ANSWERED})
            answer = link.getresponse()
            content = answer.read(LARGEST + 1)
        finally:
            link.close()
    except (OSError, http.client.HTTPException, ValueError) as error:
        cause = type(error).__name__
        raise SealError("timestamp_unanswered", url=authority.url, cause=cause) from error
    kind = (answer.getheader("Content-Type") or "").partition(";")[0].strip().lower()
    if answer.status != 200 or kind != ANSWERED or len(content) > LARGEST:
        raise SealError("timestamp_refused", url=authority.url)
    return content


def _link(authority: Authority) -> http.client.HTTPConnection:
    address = urlsplit(authority.url)
    host, port = address.hostname or "", address.port
    if address.scheme == "https":
        context = ssl.create_default_context()
        return http.client.HTTPSConnection(host, port, timeout=authority.patience, context=context)
    if address.scheme == "http" and host:
        return http.client.HTTPConnection(host, port, timeout=authority.patience)
    raise ValueError(authority.url)
