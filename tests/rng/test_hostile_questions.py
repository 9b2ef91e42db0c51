"""The process that draws the numbers, asked what nobody means: it says so, and draws on."""

from __future__ import annotations

import contextlib
import json
import socket
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import settings as hypothesis_settings
from hypothesis import strategies as st

from bingo.rules import rng
from bingo.rules.rng import Draw
from draws.rng import client, server
from tests.support.hostile_frames import broken, frames, json_bytes, values

DRAW = Draw(hall="sala", session=1, game=1, format=90)
HEAD, BEGUN = "0a" * 32, "0c" * 32
VERBS = ("stand", "commit", "ball", "open", "head", "keep_head", "seed", "__class__")
GOOD: Mapping[str, Any] = {
    "do": "ball", "draw": client._game_of_draw(DRAW), "commitment": "0b" * 32, "head": HEAD, "order": 1,
    "begun": BEGUN, "journal": "sala@x", "note": "a\n\nb\n", "before": "0d" * 32,
}  # fmt: skip
# Another hall's game: what is asked about it must not move ours.
OTHER = client._game_of_draw(Draw(hall="outra", session=1, game=1, format=90))


@dataclass
class Drawing:
    """A process with a game of ours that has begun."""

    folder: Path
    commitment: str
    given: list[int]

    def next(self) -> int:
        """Have the next ball drawn."""
        number = client.ball(
            self.folder, DRAW, commitment=self.commitment, head=HEAD, order=len(self.given) + 1
        )
        self.given.append(number)
        return number

    def answer(self, content: bytes) -> object:
        """Send whatever it is, and return the answer; None where it hung up."""
        with (
            server.folder_address(self.folder) as address,
            socket.socket(socket.AF_UNIX) as link,
            contextlib.suppress(ConnectionError),
        ):
            link.settimeout(10)
            link.connect(address)
            link.sendall(content)
            link.shutdown(socket.SHUT_WR)
            told = b""
            while part := link.recv(65_536):
                told += part
            return json.loads(told)
        return None


@pytest.fixture
def drawing(tmp_path: Path) -> Iterator[Drawing]:
    folder = tmp_path / "rng"
    with client.running(folder):
        yield Drawing(folder, client.commit(folder, DRAW, begun=BEGUN), [])


def twisted() -> st.SearchStrategy[dict[str, Any]]:
    """Draw a question of a known kind about another hall's game, with fields missing or of any kind."""

    def question(drawn: tuple[str, dict[str, Any], set[str]]) -> dict[str, Any]:
        verb, changed, left_out = drawn
        asked = {**GOOD, "draw": OTHER, "do": verb, **changed}
        return {name: value for name, value in asked.items() if name not in left_out}

    names = st.sampled_from(sorted(GOOD.keys() - {"do"}))
    draws = st.fixed_dictionaries(
        {
            "hall": st.just("outra") | values(),
            "session": values(),
            "game": values(),
            "format": values(),
        }
    )
    changed = st.dictionaries(names, values(), max_size=3) | draws.map(lambda one: {"draw": one})
    return st.tuples(st.sampled_from(VERBS), changed, st.sets(names, max_size=2)).map(question)


@pytest.mark.slow
def test_whatever_is_asked_is_answered_and_our_game_goes_on(
    drawing: Drawing, capfd: pytest.CaptureFixture[str]
) -> None:
    asked = [b"".join((json_bytes({**GOOD, "do": verb, "order": order}), b"\n"))
             for verb in VERBS for order in (float("inf"), float("nan"), 2**70, "1", None, [1])]  # fmt: skip
    for line in asked:
        told = drawing.answer(line)
        assert isinstance(told, dict), line
    drawing.next()

    @hypothesis_settings(deadline=None)
    @given(
        twisted().map(lambda one: json_bytes(one) + b"\n")
        | frames().map(lambda frame: frame + b"\n")
        | broken(json_bytes(dict(GOOD) | {"draw": OTHER}) + b"\n")
    )
    def hostile(content: bytes) -> None:
        told = drawing.answer(content)
        # Who sends more than a line of the longest is hung up on before all of it is read.
        assert isinstance(told, dict) or len(content) > server.LONGEST
        if told is not None:
            assert "seed" not in json.dumps(told.get("opening", "")) or b"outra" in content  # type: ignore[attr-defined]

    hostile()
    assert client.failure(drawing.folder) == ""
    while len(drawing.given) < 90:
        drawing.next()
    opened = client.opening(drawing.folder, DRAW, commitment=drawing.commitment)
    assert list(rng.balls(opened, head=HEAD, format=90)) == drawing.given
    assert capfd.readouterr().err == "", "nothing has gone wrong in it"


def test_many_at_once_that_say_nothing_keep_nobody_waiting(drawing: Drawing) -> None:
    with contextlib.ExitStack() as opened, server.folder_address(drawing.folder) as address:
        for _each in range(150):
            link = opened.enter_context(socket.socket(socket.AF_UNIX))
            link.connect(address)
            link.sendall(b'{"do"')
        # Within the client's patience, or it raises.
        drawing.next()
    drawing.next()
