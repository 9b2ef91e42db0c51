"""The ways of a sale and of a ball in docs/ways.md are those that the interpreter walks.

Each locks the hall once and reads the session's state once.
"""

import re
from uuid import uuid4

import pytest
from asgiref.sync import async_to_sync
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from draws.balls.camera_outbox import Outbox
from draws.balls.vision.values import BallReading
from draws.boards.screen_hub import Hub
from draws.boards.sockets import ScreenSocket
from draws.models import Ball
from tests.support.evening import Evening
from tests.support.filmed_balls import camera_of, filmed, picture
from tests.support.walks import ROOT, walking

pytestmark = pytest.mark.usefixtures("fresh_database")

# Of a sale three stand before every page: whether the login is good, and has its second factor.
MOST_OF_A_SALE, MOST_OF_A_BALL = 18, 21  # files
STATE = "bingo/rules/session_state.py"


def documented(way: str) -> set[str]:
    """Return the files that the page lists for a way."""
    page = (ROOT / "docs/ways.md").read_text(encoding="utf-8")
    section = page.split(f"## The way of a {way}\n", 1)[1].split("\n## ", 1)[0]
    return set(re.findall(r"^\d+\. `((?:bingo|halls|draws)/[\w/]+\.py)`", section, re.MULTILINE))


def locks(asked: CaptureQueriesContext) -> int:
    """Return how many statements locked a hall."""
    told = [one["sql"] for one in asked.captured_queries]
    return sum("FOR UPDATE" in sql and "halls_hall" in sql for sql in told)


def test_sale_walks_the_way_that_the_page_shows() -> None:
    client = Evening().reach("sold").at("till")

    def sell() -> None:
        sent = {"key": str(uuid4()), "quantity": "1", "given": "1000"}
        assert client.post("/till/sell/", sent).status_code == 200

    sell()  # what is made once is made
    with CaptureQueriesContext(connection) as asked, walking() as walk:
        sell()
    assert set(walk.files) == documented("sale")
    assert len(walk.files) <= MOST_OF_A_SALE
    assert (locks(asked), walk.calls(STATE, "load"), walk.calls(STATE, "dump")) == (1, 1, 1)


def _seen(number: int) -> BallReading:
    return BallReading(
        number=number, confidence=0.99, runner_up=None, candidates=((number, 0.99),), reason="",
        at=1.0, frame=3, rested=0.5, picture=picture(number),
    )  # fmt: skip


def test_ball_walks_the_way_that_the_page_shows() -> None:
    evening = filmed(Evening(), automatic=900)
    outbox, hub, sent = Outbox(camera_of(evening), lambda _words: None), Hub(), list[bytes]()

    async def nobody(_message: object) -> None:
        raise AssertionError("a screen that takes frames is sent nothing else")

    def write(frame: bytes) -> bool:
        sent.append(frame)
        return True

    hub._screens["sala"].add(ScreenSocket(nobody, write=write))
    show = async_to_sync(hub._send_board)

    def announce(number: int) -> None:
        outbox.put(_seen(number), game=game, seen_at=timezone.now(), at_start=False)
        outbox.send(game)

    game = evening.game
    for number in (17, 4):  # the first one decides of the ball set
        announce(number)
        show("sala", beat=False)
    with CaptureQueriesContext(connection) as asked, walking() as announced:
        announce(90)
    with walking() as shown:
        show("sala", beat=False)
    assert Ball.objects.latest("pk").number == 90
    assert b'"last": 90' in sent[-1]
    walked = announced.files | shown.files
    assert set(walked) == documented("ball")
    assert len(walked) <= MOST_OF_A_BALL
    assert (locks(asked), announced.calls(STATE, "load"), announced.calls(STATE, "dump")) == (
        1,
        1,
        1,
    )
    assert shown.calls(STATE, "load") == 1
