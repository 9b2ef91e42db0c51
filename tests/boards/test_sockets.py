"""The socket of every screen, in this process and in a real server's."""

import asyncio
import json
import os
import socket
import subprocess
import sys
import time
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
import redis
from asgiref.sync import sync_to_async
from channels.testing import WebsocketCommunicator
from django.conf import settings
from websockets.asyncio.client import connect
from websockets.exceptions import InvalidStatus

from bingo.asgi import application
from draws.balls.vision.jpeg_pictures import CHANNEL, Shot, unpacked
from draws.boards import screen_hub
from draws.boards.queries import board
from draws.boards.screen_hub import hub
from draws.boards.sockets import ScreenSocket
from draws.claims.queries import uncalled
from draws.games.queries import get_hall_state
from halls import sessions
from halls.models import Hall, Person, Role
from tests.support.database import FreshDatabase
from tests.support.evening import Evening
from tests.support.listeners import listeners

ROOT = Path(__file__).resolve().parents[2]
ORIGIN = "http://127.0.0.1"


@pytest.fixture
def evening(fresh_database: FreshDatabase) -> Evening:
    """A hall with cards sold, committed."""
    return Evening().reach("sold")


@sync_to_async
def noted(evening: Evening) -> int:
    """Commit one more fact and give its number."""
    by = evening.who(Role.HALL_MANAGER)
    entry = sessions.record_note(
        session=evening.session, category="other", text="x", decision="", **by
    )
    return entry.number


@asynccontextmanager
async def screen(
    code: str = "sala", origin: str | None = ORIGIN, *, of: str = ""
) -> AsyncIterator[WebsocketCommunicator]:
    """A screen of a hall, or `of` its camera, connected, and gone at the end."""
    headers = [(b"host", b"127.0.0.1")]
    if origin is not None:
        headers.append((b"origin", origin.encode()))
    communicator = WebsocketCommunicator(application, f"/live/{code}/{of}", headers=headers)
    try:
        yield communicator
    finally:
        await communicator.disconnect()


async def state_of(
    communicator: WebsocketCommunicator, number: int, *, limit: float
) -> dict[str, Any]:
    """Read until the state of a journal number has come."""
    async with asyncio.timeout(limit):
        while True:
            message: dict[str, Any] = json.loads(await communicator.receive_from(limit))
            if message["type"] == "state" and message["number"] >= number:
                return message


@pytest.mark.slow
async def test_socket_says_nothing_of_what_nobody_has_called(evening: Evening) -> None:
    await sync_to_async(evening.reach)("drawing")
    found = await sync_to_async(get_hall_state)("sala")
    assert found.game
    assert found.game_state
    assert await sync_to_async(uncalled)(found.game, found.game_state)
    async with screen() as wall:
        assert (await wall.connect())[0]
        told = await state_of(wall, found.number, limit=2)
    shown = await sync_to_async(board)("sala")
    sent = json.loads(json.dumps(shown[1]))  # tuples travel as lists
    assert (set(told), told["board"]) == ({"type", "number", "board"}, sent)
    assert "uncalled" not in json.dumps(told)


@pytest.mark.slow
async def test_state_comes_on_connecting_and_after_a_commit(evening: Evening) -> None:
    head = await sync_to_async(lambda: Hall.objects.get().head_number)()
    async with screen() as wall:
        assert (await wall.connect())[0]
        first = await state_of(wall, head, limit=1)
        assert first["number"] == head
        assert first["board"]["cards"] == 6
        await asyncio.sleep(0.3)  # until it listens
        await state_of(wall, await noted(evening), limit=1)


@pytest.mark.slow
async def test_screen_of_no_hall_is_closed_with_4404(evening: Evening) -> None:
    async with screen("nowhere") as wall:
        assert (await wall.connect())[0]
        assert await wall.receive_output(1) == {"type": "websocket.close", "code": 4404}
    assert hub._screens == {}


@pytest.mark.slow
@pytest.mark.parametrize(
    "origin",
    [
        None,
        "http://evil.example",
        "null",
        "http://127.0.0.1.evil.example",
        "http://[::1",
        "http://127.0.0.1:x",
    ],
)
async def test_foreign_origin_is_refused(origin: str | None, evening: Evening) -> None:
    async with screen(origin=origin) as wall:
        assert not (await wall.connect())[0]


@pytest.mark.parametrize(
    "path", ["/", "/live/", "/live/sala/other/", "/nowhere/", "/live/%00/", "/" + "x" * 3000]
)
async def test_socket_of_no_address_is_closed_and_no_error(path: str) -> None:
    headers = [(b"origin", ORIGIN.encode()), (b"host", b"127.0.0.1")]
    stranger = WebsocketCommunicator(application, path, headers=headers)
    opened, _code = await stranger.connect()
    assert not opened
    await stranger.disconnect()


@pytest.mark.slow
async def test_whatever_a_screen_says_is_passed_over(evening: Evening) -> None:
    async with screen() as wall:
        await wall.connect()
        for words in ("{", "x" * 100_000, '{"type": "state", "number": 1e999}'):
            await wall.send_to(text_data=words)
        await wall.send_to(bytes_data=b"\x00\xff")
        await state_of(wall, await noted(evening), limit=2)


@pytest.mark.slow
async def test_nothing_private_goes_over_the_socket(evening: Evening) -> None:
    people = await sync_to_async(
        lambda: [word for one in Person.objects.all() for word in (one.username, one.name)]
    )()
    async with screen() as wall:
        await wall.connect()
        told = await wall.receive_from(1)
    private = [word for word in (*people, "Caixa", "float", "shift", "1/2026") if word in told]
    assert private == []


@pytest.mark.slow
async def test_leaving_cleans_up(evening: Evening) -> None:
    async with screen() as one, screen() as other:
        for wall in (one, other):
            await wall.connect()
            await wall.receive_from(1)
        assert len(hub._screens["sala"]) == 2
    assert (hub._screens, hub._sent, hub._task) == ({}, {}, None)


class Slow:
    """A network that takes a message when it is let, and keeps what it took."""

    def __init__(self, *, gone: bool = False) -> None:
        self.taken: list[str] = []
        self.free, self.gone = asyncio.Event(), gone

    async def send(self, message: dict[str, Any]) -> None:
        """Take a message as a server does: wait for room, then write, or say that nobody is there."""
        await self.free.wait()
        if self.gone:
            raise ConnectionResetError
        self.taken.append(message["text"])


async def test_text_is_sent_in_the_same_turn_where_the_network_takes_it() -> None:
    network = Slow()
    network.free.set()
    shown = ScreenSocket(network.send)
    for text in ("1", "2", "3"):
        shown.offer(text, beat=False)
    assert network.taken == ["1", "2", "3"]


async def test_slow_screen_is_given_the_latest_and_never_a_beat_in_its_place() -> None:
    network = Slow()
    shown = ScreenSocket(network.send)
    for text, beat in (("1", False), ("2", False), ("3", False), ("beat", True)):
        shown.offer(text, beat=beat)
    assert network.taken == []
    network.free.set()
    await asyncio.sleep(0.01)
    assert network.taken == ["1", "3"]
    shown.offer("beat", beat=True)
    assert network.taken[-1] == "beat"
    network.free.clear()
    shown.offer("4", beat=False)
    shown.offer("beat", beat=True)
    shown.offer("5", beat=False)
    network.free.set()
    await asyncio.sleep(0.01)
    assert network.taken[3:] == ["4", "5"]


async def test_frame_is_written_once_made_and_what_is_not_taken_waits_its_turn() -> None:
    network, taken, takes = Slow(), list[bytes](), True

    def write(frame: bytes) -> bool:
        if takes:
            taken.append(frame)
        return takes

    one, other = ScreenSocket(network.send, write=write), ScreenSocket(network.send, write=write)
    for shown in (one, other):
        shown.offer("ção", beat=False)
    assert taken[0] is taken[1]
    assert taken[0] == bytes([0x81, 5]) + "ção".encode()
    takes = False
    for text in ("1", "2", "3"):
        one.offer(text, beat=False)
    takes = True
    one.offer("4", beat=False)  # never before what waits
    network.free.set()
    await asyncio.sleep(0.01)
    assert (len(taken), network.taken) == (2, ["1", "4"])
    one.offer("5", beat=False)
    assert len(taken) == 3


async def test_screen_that_is_gone_or_ended_is_sent_nothing_and_disturbs_nobody() -> None:
    for wait in (True, False):
        network = Slow(gone=True)
        shown = ScreenSocket(network.send)
        if not wait:
            network.free.set()
        shown.offer("1", beat=False)
        network.free.set()
        await asyncio.sleep(0.01)
        assert network.taken == []
    network = Slow()
    shown = ScreenSocket(network.send)
    shown.offer("1", beat=False)
    shown.end()
    network.free.set()
    await asyncio.sleep(0.01)
    assert network.taken == []


@pytest.mark.slow
async def test_screen_that_never_reads_delays_nobody_and_keeps_only_the_newest(
    evening: Evening,
) -> None:
    deaf = Slow()
    kept = ScreenSocket(deaf.send)
    async with screen() as wall:
        await wall.connect()
        await hub.join("sala", kept)
        await asyncio.sleep(0.3)
        for _again in range(4):
            number = await noted(evening)
            await state_of(wall, number, limit=1)
        deaf.free.set()
        await asyncio.sleep(0.05)
        assert json.loads(deaf.taken[1])["number"] == number
        hub.leave("sala", kept)


@pytest.fixture
def server(fresh_database: FreshDatabase, tmp_path: Path) -> Iterator[str]:
    """A real server of the pages, at this address."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    environment = {**os.environ, "DATABASE_URL": fresh_database.url, "BINGO_DATA": str(tmp_path)}
    command = ["-m", "uvicorn", "bingo.asgi:application", "--port", str(port), "--lifespan", "off"]
    command += ["--ws", "bingo.http_server:ScreenProtocol"]
    process = subprocess.Popen(
        [sys.executable, *command, "--log-level", "error"], cwd=ROOT, env=environment
    )
    try:
        _until_open(port)
        yield f"127.0.0.1:{port}"
    finally:
        process.terminate()
        process.wait(timeout=15)


def _until_open(port: int) -> None:
    until = time.monotonic() + 30
    while time.monotonic() < until:
        with socket.socket() as probe:
            if probe.connect_ex(("127.0.0.1", port)) == 0:
                return
        time.sleep(0.1)
    raise TimeoutError(port)


def deaf_client(address: str) -> socket.socket:
    """Connect a screen that reads nothing after its handshake."""
    host, port = address.split(":")
    client = socket.socket()
    client.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 2048)
    client.connect((host, int(port)))
    client.sendall(
        b"GET /live/sala/ HTTP/1.1\r\nHost: 127.0.0.1\r\nOrigin: http://127.0.0.1\r\n"
        b"Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n"
        b"Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n"
    )
    assert client.recv(12) == b"HTTP/1.1 101"
    return client


@pytest.mark.slow
async def test_real_server_tells_every_screen_within_a_second(
    evening: Evening, server: str
) -> None:
    deaf = await asyncio.to_thread(deaf_client, server)
    url = f"ws://{server}/live/sala/"
    async with connect(url, origin=ORIGIN) as one, connect(url, origin=ORIGIN) as other:  # type: ignore[arg-type]
        for wall in (one, other):
            assert json.loads(await wall.recv())["type"] == "state"
        await asyncio.sleep(0.5)
        for _again in range(15):
            number = await noted(evening)
            for wall in (one, other):
                async with asyncio.timeout(1.5):
                    while json.loads(await wall.recv())["number"] < number:
                        pass
        beat = json.loads(await one.recv())
        assert beat == {"type": "beat", "number": number}
    deaf.close()


@pytest.mark.slow
async def test_real_server_refuses_foreign_origins_and_unknown_halls(
    evening: Evening, server: str
) -> None:
    with pytest.raises(InvalidStatus) as refused:
        await connect(f"ws://{server}/live/sala/", origin="http://evil.example")  # type: ignore[arg-type]
    assert refused.value.response.status_code == 403
    async with connect(f"ws://{server}/live/nowhere/", origin=ORIGIN) as wall:  # type: ignore[arg-type]
        await wall.wait_closed()
        assert wall.close_code == 4404


def publish(name: bytes) -> None:
    shot = Shot(1, round(time.time() * 1000), 0, 0, name)
    with redis.Redis.from_url(settings.REDIS_URL) as client:
        client.publish(CHANNEL.format("sala"), shot.packed())


@pytest.mark.rule(27)
@pytest.mark.slow
async def test_camera_s_newest_picture_comes_when_it_is_asked_for(evening: Evening) -> None:
    async with screen(of="camera/") as wall:
        assert (await wall.connect())[0]
        await listeners("sala", many=1)
        for name in (b"first", b"second"):
            publish(name)
        assert await wall.receive_nothing(0.2)
        await wall.send_to(text_data="next")
        shown = unpacked(await wall.receive_from(2))
        assert shown
        assert shown.jpeg == b"second"
        await wall.send_to(text_data="next")
        assert await wall.receive_nothing(0.2)
        publish(b"third")
        assert (await wall.receive_from(2)).endswith(b"third")
    await listeners("sala", many=0)


@pytest.mark.slow
async def test_camera_of_no_hall_and_one_too_many_viewer_are_sent_away(
    evening: Evening, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(screen_hub, "MOST", 1)
    async with screen("nowhere", of="camera/") as lost:
        assert (await lost.connect())[0]
        assert await lost.receive_output(2) == {"type": "websocket.close", "code": 4404}
    async with screen(of="camera/") as first, screen(of="camera/") as second:
        assert (await first.connect())[0]
        await listeners("sala", many=1)
        assert (await second.connect())[0]
        assert await second.receive_output(2) == {"type": "websocket.close", "code": 4429}
    await listeners("sala", many=0)


@pytest.mark.slow
async def test_camera_is_not_shown_to_a_foreign_page(evening: Evening) -> None:
    async with screen(origin="https://elsewhere.example", of="camera/") as foreign:
        assert not (await foreign.connect())[0]
