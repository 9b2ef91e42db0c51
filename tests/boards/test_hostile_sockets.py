"""The sockets of a real page server, to which Hypothesis says what nobody means.

Whatever is sent, no error of ours stands in the server's log, nobody hears of another hall, and the next
who comes is answered.
"""

from __future__ import annotations

import json
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
import redis
from django.conf import settings
from hypothesis import given
from hypothesis import settings as hypothesis_settings
from hypothesis import strategies as st

from draws.balls.vision.jpeg_pictures import CHANNEL, Shot
from halls.management.commands.serve import LARGEST_MESSAGE
from halls.models import Person, Role
from tests.support.authorisation import SOCKETS
from tests.support.database import FreshDatabase
from tests.support.evening import Evening, browser_of
from tests.support.hostile_frames import frames
from tests.support.page_servers import PageServer, serving
from tests.support.raw_sockets import BINARY, CLOSE, TEXT, RawSocket, frame, raw_socket

PATHS = sorted("/" + route.replace("<slug:code>", "sala") for route in SOCKETS)
ELSEWHERE = b"picture of another hall"
OUR_FAULT = ("Traceback", "Error", "Exception", "CRITICAL", "never awaited", "never retrieved")


@dataclass
class Server:
    """A page server for two halls, and the cookies of whoever is logged in at each."""

    pages: PageServer
    cookies: list[str]
    stranger: str


@pytest.fixture
def server(
    fresh_database: FreshDatabase, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> Iterator[Server]:
    ours, theirs = Evening().reach("sold"), Evening("outra")
    cookies = [_cookie(ours.person(role)) for role in Role]
    stranger = _cookie(theirs.person(Role.HALL_MANAGER))
    with serving(fresh_database, tmp_path / "data") as pages:
        capfd.readouterr()
        yield Server(pages, ["", *cookies, stranger], stranger)
    told = "".join(capfd.readouterr())
    assert [word for word in OUR_FAULT if word in told] == [], told


def _cookie(person: Person) -> str:
    browser = browser_of(person)
    browser.get("/")
    return f"{settings.SESSION_COOKIE_NAME}={browser.session.session_key}"


def answers(server: Server) -> None:
    """See that whoever comes next is answered: a page, and the hall's state at a screen and a console."""
    assert " 200 " in server.pages.get().partition("\r\n")[0]
    for path, cookie in (("/live/sala/", ""), ("/live/sala/console/", server.cookies[1])):
        with raw_socket(server.pages.port, path, Cookie=cookie) as one:
            until = time.monotonic() + 10
            while not list(heard(one)):
                assert time.monotonic() < until, path
                one.listen(0.05)
            assert next(heard(one))["board"]["cards"] == 6


def heard(one: RawSocket) -> Iterator[dict[str, Any]]:
    """Return the states that came, and see that nothing came but what a screen of this hall is sent."""
    for opcode, content in one.frames():
        assert opcode != BINARY
        if opcode == TEXT:
            told = json.loads(content)
            assert told["type"] in ("state", "beat")
            if told["type"] == "state":
                yield told


def publish_elsewhere() -> None:
    """Let the other hall's camera show a picture."""
    shot = Shot(1, round(time.time() * 1000), 0, 0, ELSEWHERE)
    with redis.Redis.from_url(settings.REDIS_URL) as client:
        client.publish(CHANNEL.format("outra"), shot.packed())


def framed() -> st.SearchStrategy[bytes]:
    """Draw a frame, good or false in any of its parts, or what is no frame at all."""
    usual = st.tuples(frames(), st.sampled_from([TEXT, BINARY])).map(
        lambda drawn: frame(drawn[0], opcode=drawn[1])
    )
    return usual | frames() | st.builds(
        frame, frames(), opcode=st.integers(0, 15), last=st.booleans(), reserved=st.integers(0, 7),
        masked=st.booleans(), length=st.none() | st.sampled_from([0, 125, 126, 65_536, 2**31, 2**64 - 1]),
    )  # fmt: skip


def begins(server: Server, path: str, cookie: str, sent: list[bytes]) -> None:
    """Send frames to a socket, hang up, and see what was heard."""
    with raw_socket(server.pages.port, path, Cookie=cookie) as one:
        assert one.status == 101
        for content in sent:
            one.send(content)
        publish_elsewhere()
        one.send(frame(b"\x03\xe8", opcode=CLOSE))
        one.listen(0.05)
        states = [told["board"] for told in heard(one)]
        assert ELSEWHERE not in one.told
        if cookie == server.stranger and path.endswith("/console/"):
            assert states == []
        assert all(board["cards"] == 6 for board in states)


def fuzz(server: Server, *, most: int) -> None:
    @hypothesis_settings(deadline=None, max_examples=most)
    @given(
        st.sampled_from(PATHS), st.sampled_from(server.cookies), st.lists(framed(), min_size=1, max_size=4)
    )  # fmt: skip
    def hostile(path: str, cookie: str, sent: list[bytes]) -> None:
        begins(server, path, cookie, sent)

    hostile()
    answers(server)


CODES = (
    "outra",
    "sala%00",
    "sala%2f..",
    "../outra",
    "%ff",
    "x" * 3000,
    "sala/console/../../outra",
    "",
)


def shake_hands(server: Server) -> None:
    """Ask by keys, versions, cookies and addresses that nobody means: refused before anything is open."""
    odd = (
        {"Sec_WebSocket_Key": "x"}, {"Sec_WebSocket_Key": ""}, {"Sec_WebSocket_Version": "99"},
        {"Sec_WebSocket_Version": "-1"}, {"Origin": "http://[::1"}, {"Origin": "\udcff"},
        {"Origin": "http://127.0.0.1:99999999"}, {"Connection": "close"}, {"Upgrade": "h2c"},
    )  # fmt: skip
    for path in PATHS:
        for further in odd:
            with raw_socket(server.pages.port, path, **further) as one:
                assert one.status != 101, further
                assert one.status < 500, further
    kept = (
        {"Sec_WebSocket_Protocol": "\udcff, , x" * 50}, {"Sec_WebSocket_Extensions": "permessage-deflate; a=" + "9" * 900},
        {"Host": "\udcff:x"}, {"Cookie": "sessionid=\udcff\udcfe; =;;="}, {"Cookie": "sessionid=" + "x" * 9000},
    )  # fmt: skip
    for further in kept:
        with raw_socket(server.pages.port, "/live/sala/console/", **further) as one:
            assert one.status in (101, 400), further
            one.listen(0.3)
            assert list(heard(one)) == []
    for code in CODES:
        with raw_socket(
            server.pages.port, f"/live/{code}/console/", Cookie=server.cookies[1]
        ) as one:
            one.listen(0.3)
            assert one.status < 500
            assert list(heard(one)) == []


@pytest.mark.slow
def test_whatever_is_sent_nothing_breaks(server: Server) -> None:
    shake_hands(server)
    begins(server, PATHS[0], "", [frame(b"x" * (LARGEST_MESSAGE + 1), opcode=TEXT)])
    fuzz(server, most=30)


@pytest.mark.slow
def test_whatever_frames_are_sent_for_long_nothing_breaks(server: Server) -> None:
    fuzz(server, most=500)


@pytest.mark.slow
def test_many_frames_at_once_keep_nobody_waiting(server: Server) -> None:
    many = frame(b"{}", opcode=TEXT) * 20_000
    for path in PATHS:
        for cookie in server.cookies:
            begins(server, path, cookie, [many])
    answers(server)
