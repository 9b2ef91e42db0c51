"""Sellers and attackers, each in a process of its own: python -m tests.support.besiegers < orders.

Reads one JSON object: `role`, host, port, seconds, `source` (the address it comes from), the
cookies of whoever is logged in, and `count`. Writes one JSON object: how many answers came of each
status (0 where none came), and how long each took in seconds. Sellers take a new connection for
every sale, as a browser does whose last one was closed: a door that is shut keeps them waiting.
"""

from __future__ import annotations

import asyncio
import json
import re
import resource
import sys
import time
from collections import Counter
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import urlencode
from uuid import uuid4

TOKEN = re.compile(r'name="csrfmiddlewaretoken"\s+value="(\w+)"')
COOKIE = re.compile(r"csrftoken=(\w+)", re.IGNORECASE)
LENGTH = re.compile(rb"content-length: *(\d+)", re.IGNORECASE)
PATIENCE = 30.0  # seconds after which an answer counts as none
FAILURES = (OSError, EOFError, TimeoutError, asyncio.IncompleteReadError)


@dataclass(slots=True)
class Side:
    """Who asks, from where, until when, and what came of it."""

    host: str
    port: int
    source: str
    until: float
    waited: list[float] = field(default_factory=list)
    statuses: Counter[int] = field(default_factory=Counter)

    async def connect(self) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        """Open a connection from our own address."""
        return await asyncio.open_connection(
            self.host, self.port, local_addr=(self.source, 0), limit=1 << 20
        )

    async def ask(
        self, method: str, path: str, *, cookie: str = "", token: str = "", body: bytes = b""
    ) -> tuple[int, str, str]:
        """Ask once, on a connection of its own; give status, head and body."""
        head = (
            f"{method} {path} HTTP/1.1\r\nHost: {self.host}:{self.port}\r\nCookie: {cookie}\r\n"
            f"X-CSRFToken: {token}\r\nContent-Length: {len(body)}\r\nConnection: close\r\n"
            "Content-Type: application/x-www-form-urlencoded\r\n\r\n"
        )
        reader, writer = await self.connect()
        try:
            writer.write(head.encode() + body)
            told = await reader.readuntil(b"\r\n\r\n")
            length = LENGTH.search(told)
            page = await reader.readexactly(int(length[1])) if length else await reader.read()
            return int(told[9:12]), told.decode(), page.decode()
        finally:
            writer.close()

    async def timed(self, asking: Awaitable[tuple[int, str, str]], *, due: float) -> int:
        """Wait for an answer and keep its status and how long it took; 0 where there was none."""
        status = 0
        try:
            status = (await asyncio.wait_for(asking, PATIENCE))[0]
        except FAILURES:
            await asyncio.sleep(0.05)
        self.waited.append(time.perf_counter() - due)
        self.statuses[status] += 1
        return status

    async def token(self, path: str, cookie: str = "") -> tuple[str, str]:
        """Return the token of a page's forms and the cookies to send with it."""
        _status, head, page = await self.ask("GET", path, cookie=cookie)
        token, kept = TOKEN.search(page), COOKIE.search(head)
        if token is None or kept is None:
            raise ValueError(head)
        return token[1], f"{cookie}; csrftoken={kept[1]}".lstrip("; ")

    async def repeat(self, path: str, fields: Callable[[], dict[str, Any]], cookie: str) -> None:
        """Send one form again and again until the time is over."""
        token = ""
        while not token:
            try:
                token, cookies = await self.token("/password/" if cookie else "/login/", cookie)
            except (*FAILURES, ValueError):
                self.statuses[0] += 1
                await asyncio.sleep(0.2)
            if time.perf_counter() > self.until:
                return
        while time.perf_counter() < self.until:
            body = urlencode(fields()).encode()
            asking = self.ask("POST", path, cookie=cookies, token=token, body=body)
            await self.timed(asking, due=time.perf_counter())


async def sell(side: Side, cookies: list[str], every: float) -> None:
    """Sell one card at each till, once in `every` seconds."""

    async def till(place: int, cookie: str) -> None:
        token, cookies_ = await side.token("/till/", cookie)
        due = time.perf_counter() + every * place / len(cookies)
        while due < side.until:
            await asyncio.sleep(due - time.perf_counter())
            body = urlencode({"key": uuid4(), "quantity": 1, "given": 100_000}).encode()
            asking = side.ask("POST", "/till/sell/", cookie=cookies_, token=token, body=body)
            await side.timed(asking, due=due)
            due = max(due + every, time.perf_counter())

    await asyncio.gather(*(till(place, one) for place, one in enumerate(cookies)))


async def half_send(side: Side, count: int) -> None:
    """Keep so many requests half sent; one that is closed is begun again a second later."""

    async def one() -> None:
        while time.perf_counter() < side.until:
            try:
                reader, writer = await asyncio.wait_for(side.connect(), PATIENCE)
                writer.write(b"POST /login/ HTTP/1.1\r\nHost: 127.0.0.1\r\n")
                while time.perf_counter() < side.until:
                    writer.write(b"X-Slow: 1\r\n")
                    try:
                        if not await asyncio.wait_for(reader.read(1), 1.0):
                            break
                    except TimeoutError:
                        continue
                side.statuses[0] += 1
                writer.close()
            except FAILURES:
                side.statuses[0] += 1
            await asyncio.sleep(1.0)

    await asyncio.gather(*(one() for _each in range(count)))


async def guess(side: Side, count: int) -> None:
    """Guess the passwords of so many names at once."""

    async def one(name: str) -> None:
        await side.repeat("/login/", lambda: {"username": name, "password": "errada-1357"}, "")

    await asyncio.gather(*(one(f"g{n}") for n in range(count)))


async def open_pages(side: Side, count: int) -> None:
    """Open a page again and again, each time as another browser that says it is logged in."""

    async def one() -> None:
        while time.perf_counter() < side.until:
            asking = side.ask("GET", "/login/", cookie=f"sessionid={uuid4().hex}")
            await side.timed(asking, due=time.perf_counter())

    await asyncio.gather(*(one() for _each in range(count)))


async def name_witnesses(side: Side, count: int, cookies: list[str], name: str) -> None:
    """Close tills with a colleague's wrong password."""

    def fields() -> dict[str, Any]:
        return {
            "key": uuid4(), "counted": "1", "comment": "x", "witness_username": name,
            "witness_password": "errada-1357",
        }  # fmt: skip

    await asyncio.gather(
        *(side.repeat("/till/do/close/", fields, cookies[n % len(cookies)]) for n in range(count))
    )


async def be_refused(side: Side, count: int, cookies: list[str]) -> None:
    """Order what this role may not order, at the longest address there is."""
    path = f"/manager/do/{'a' * 32_000}/"
    await asyncio.gather(
        *(
            side.repeat(path, lambda: {"key": uuid4()}, cookies[n % len(cookies)])
            for n in range(count)
        )
    )


async def work(asked: dict[str, Any]) -> dict[str, Any]:
    """Do what the role does until its time is over."""
    side = Side(
        asked["host"], asked["port"], asked["source"], time.perf_counter() + asked["seconds"]
    )
    count, cookies = asked.get("count", 0), asked.get("cookies", [])
    roles = {
        "sellers": lambda: sell(side, cookies, asked["every"]),
        "half_sent": lambda: half_send(side, count),
        "logins": lambda: guess(side, count),
        "pages": lambda: open_pages(side, count),
        "witnesses": lambda: name_witnesses(side, count, cookies, asked["name"]),
        "refusals": lambda: be_refused(side, count, cookies),
    }
    await roles[asked["role"]]()
    statuses = {str(status): count for status, count in side.statuses.items()}
    return {"statuses": statuses, "waited": side.waited}


if __name__ == "__main__":
    most = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
    json.dump(asyncio.run(work(json.load(sys.stdin))), sys.stdout)
