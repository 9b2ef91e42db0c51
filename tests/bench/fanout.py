"""One text to a thousand screens: what our hub costs a message beside a bare loop and group_send.

Servers run in processes of their own (`tests.bench.fanout_servers`), each on the event loop that
the hall's pages run on; what is told is their processor time alone. Every server sends the same
text as often, and every client counts what came, so that nothing is lost in silence.
"""

from __future__ import annotations

import asyncio
import json
import os
import resource
import statistics
import subprocess
import sys
from contextlib import ExitStack
from pathlib import Path
from typing import Any

from tests.bench import busy
from tests.bench.measure import Row

ROOT = Path(__file__).resolve().parents[2]
SCREENS, MANY = 1_000, 5_000
TIMES, ROUNDS = 50, 3
FEW = 10  # times that group_send is asked to, which takes so much longer
MOST = 1.6  # times the bare loop
HANDSHAKE = (
    "GET {path} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nOrigin: http://127.0.0.1:{port}\r\n"
    "Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n"
    "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n"
)
LOSES = "layer"  # of a thousand, group_send forgets some: what came is what is counted
HEAD = 4  # bytes before a text of this length
PATIENCE, OPENING = 10.0, 120.0  # seconds until everybody has a text, and is connected


class Server:
    """A process that sends a text to whoever is connected, when it is asked to."""

    def __init__(self, kind: str, path: str) -> None:
        """Start it and wait until it listens."""
        command = [sys.executable, "-m", "tests.bench.fanout_servers", kind]
        self.kind, self.path = kind, path
        self.process = subprocess.Popen(
            command, cwd=ROOT, text=True, stdin=subprocess.PIPE, stdout=subprocess.PIPE
        )
        self.port = int(self.answer())

    def __enter__(self) -> Server:
        return self

    def __exit__(self, *_error: object) -> None:
        self.process.terminate()
        self.process.wait(timeout=15)

    def answer(self) -> str:
        """Return the next line that it prints."""
        assert self.process.stdout
        line = self.process.stdout.readline()
        if not line:
            raise RuntimeError("the server has ended")
        return line.strip()

    def ask(self, text: str) -> float:
        """Have it send a text to everybody; return its processor time in seconds."""
        assert self.process.stdin
        print(json.dumps(text), file=self.process.stdin, flush=True)
        return float(self.answer())


class Screen(asyncio.Protocol):
    """A client that counts bytes, and says so when as many have come as it waits for."""

    def __init__(self, server: Server) -> None:
        """Connect to this server's screens."""
        self._server = server
        self.opened: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self.greeted: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self.count, self._wanted = 0, 0
        self.whole: asyncio.Future[None] = asyncio.get_running_loop().create_future()

    def connection_made(self, transport: Any) -> None:
        """Ask for the socket."""
        self._transport = transport
        asked = HANDSHAKE.format(path=self._server.path, port=self._server.port)
        transport.write(asked.encode())

    def data_received(self, data: bytes) -> None:
        """Count what comes after the handshake."""
        if not self.opened.done():
            self.opened.set_result(None)
            _head, _end, data = data.partition(b"\r\n\r\n")
        self.count += len(data)
        if data and not self.greeted.done():
            self.greeted.set_result(None)
        if self._wanted and self.count >= self._wanted and not self.whole.done():
            self.whole.set_result(None)

    def wait_for(self, size: int) -> asyncio.Future[None]:
        """Count anew, up to so many bytes."""
        self.count, self._wanted = 0, size
        self.whole = asyncio.get_running_loop().create_future()
        return self.whole

    def close(self) -> None:
        """Leave."""
        self._transport.abort()


def rows() -> list[Row]:
    """Measure a thousand screens in turns with the others; five thousand by themselves."""
    _allow_files(2 * MANY)
    hall = busy.hall("screens", cashiers=1, cards=10)
    path = f"/live/{hall.code}/"
    text = json.dumps({"type": "state", "number": 1, "board": "x" * 1_500})
    with ExitStack() as stack:
        ours, bare, layer = (
            stack.enter_context(Server(kind, path)) for kind in ("ours", "bare", "layer")
        )
        costs = asyncio.run(_in_turns([(ours, TIMES), (bare, TIMES), (layer, FEW)], text))
    with Server("ours", path) as alone:
        many = asyncio.run(_in_turns([(alone, TIMES // 5)], text, screens=MANY))
    mine, loop, group = (statistics.median(one) for one in zip(*costs, strict=True))
    ratio = statistics.median(one[0] / one[1] for one in costs)
    five = statistics.median(one[0] for one in many)
    name = f"a text to {SCREENS:,} screens, processor time a message"
    return [
        Row(f"{name}, of a bare loop (at most {MOST})", mine, loop, ratio, None, ratio <= MOST, "µs"),
        Row(f"{name}, of group_send", mine, group, mine / group, None, None, "µs"),
        Row(f"a text to {MANY:,} screens of one process, none lost", five, mine, five / mine, None, None, "µs"),
    ]  # fmt: skip


async def _in_turns(
    servers: list[tuple[Server, int]], text: str, *, screens: int = SCREENS
) -> list[tuple[float, ...]]:
    """Return each round's microseconds a message, server by server."""
    found = [(server, times, await _connected(server, screens)) for server, times in servers]
    rounds = []
    for _round in range(ROUNDS):
        costs = [await _sent(server, clients, times, text) for server, times, clients in found]
        rounds.append(tuple(costs))
    for _server, _times, clients in found:
        for client in clients:
            client.close()
    return rounds


async def _connected(server: Server, screens: int) -> list[Screen]:
    loop, clients = asyncio.get_running_loop(), []
    for _client in range(screens):
        _transport, client = await loop.create_connection(
            lambda: Screen(server), "127.0.0.1", server.port
        )
        clients.append(client)
    async with asyncio.timeout(OPENING):
        await asyncio.gather(*(client.opened for client in clients))
        if server.kind == "ours":
            await asyncio.gather(*(client.greeted for client in clients))
    return clients


async def _sent(server: Server, clients: list[Screen], times: int, text: str) -> float:
    """Send so often, each time when all have what was sent before."""
    size, spent, told = len(text) + HEAD, 0.0, 0
    for _time in range(times):
        waits = [client.wait_for(size) for client in clients]
        spent += await asyncio.to_thread(server.ask, text)
        done, late = await asyncio.wait(waits, timeout=PATIENCE)
        if late and server.kind != LOSES:
            raise RuntimeError(f"{server.kind}: {len(late)} of {len(clients)} did not get the text")
        told += len(done)
    return spent / told * 1e6


def _allow_files(count: int) -> None:
    _soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (min(max(count, 4_096), hard), hard))
    os.environ["BINGO_BENCH_FILES"] = str(count)
