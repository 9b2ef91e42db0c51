"""Cashiers who sell over HTTP, in a process of their own: python -m tests.bench.cashiers < orders.

Reads one JSON object: host, port, seconds, quantity, `every` and the session cookie of each
cashier. Every cashier keeps one connection, fetches the page for its token, and sells: once in
`every` seconds, or with 0 again as soon as the answer has come. Writes one JSON object: how long
each answer took (seconds, from when the sale was due, so that whoever is kept waiting counts the
next player's waiting too), how many came of each status, and how long all of it lasted.
"""

from __future__ import annotations

import asyncio
import json
import re
import sys
import time
from collections import Counter
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import urlencode
from uuid import uuid4

TOKEN = re.compile(r'name="csrfmiddlewaretoken"\s+value="(\w+)"')
COOKIE = re.compile(r"csrftoken=(\w+)", re.IGNORECASE)
LENGTH = re.compile(rb"content-length: *(\d+)", re.IGNORECASE)


@dataclass(slots=True)
class Cashier:
    """One cashier's browser: a connection and its cookies."""

    host: str
    cookie: str
    reader: asyncio.StreamReader
    writer: asyncio.StreamWriter
    token: str = ""
    waited: list[float] = field(default_factory=list)
    statuses: Counter[int] = field(default_factory=Counter)

    async def ask(self, method: str, path: str, body: bytes = b"") -> tuple[int, bytes, bytes]:
        """Send a request; give status, head and body of its answer."""
        head = (
            f"{method} {path} HTTP/1.1\r\nHost: {self.host}\r\nCookie: {self.cookie}\r\n"
            f"X-CSRFToken: {self.token}\r\nContent-Length: {len(body)}\r\n"
            "Content-Type: application/x-www-form-urlencoded\r\n\r\n"
        )
        self.writer.write(head.encode() + body)
        told = await self.reader.readuntil(b"\r\n\r\n")
        length = LENGTH.search(told)
        if length is None:
            raise ValueError(told)
        return int(told[9:12]), told, await self.reader.readexactly(int(length[1]))

    async def sit_down(self) -> None:
        """Open the page, as a browser does, and keep its token."""
        status, head, page = await self.ask("GET", "/till/")
        token, cookie = TOKEN.search(page.decode()), COOKIE.search(head.decode())
        if status != 200 or token is None or cookie is None:
            raise ValueError(f"{status}: {page[:200]!r}")
        self.token, self.cookie = token[1], f"{self.cookie}; csrftoken={cookie[1]}"

    async def sell(self, *, quantity: int, every: float, first: float, until: float) -> None:
        """Sell until that moment."""
        due = first
        while due < until:
            await asyncio.sleep(due - time.perf_counter())
            fields = {"key": uuid4(), "quantity": quantity, "given": 1000 * quantity}
            status, _head, _piece = await self.ask(
                "POST", "/till/sell/", urlencode(fields).encode()
            )
            self.waited.append(time.perf_counter() - due)
            self.statuses[status] += 1
            due = due + every if every else time.perf_counter()


async def work(asked: dict[str, Any]) -> dict[str, Any]:
    """Let everybody sit down, then sell at once."""
    host = f"{asked['host']}:{asked['port']}"
    cashiers = [
        Cashier(host, cookie, *await asyncio.open_connection(asked["host"], asked["port"]))
        for cookie in asked["cookies"]
    ]
    for cashier in cashiers:
        await cashier.sit_down()
    began, every = time.perf_counter(), asked["every"]
    until = began + asked["seconds"]
    await asyncio.gather(
        *(
            # Those who sell by the clock do not all sell at the same moment of it.
            one.sell(
                quantity=asked["quantity"],
                every=every,
                first=began + every * place / len(cashiers),
                until=until,
            )
            for place, one in enumerate(cashiers)
        )
    )
    lasted = time.perf_counter() - began
    statuses = sum((one.statuses for one in cashiers), Counter[int]())
    return {
        "seconds": lasted,
        "statuses": {str(status): count for status, count in statuses.items()},
        "waited": [waited for one in cashiers for waited in one.waited],
    }


if __name__ == "__main__":
    json.dump(asyncio.run(work(json.load(sys.stdin))), sys.stdout)
