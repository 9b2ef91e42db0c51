"""A forger who makes the whole chain anew is found by what the RNG was bound to."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from bingo.rules.journal_json_and_chain import START, chain_digest
from bingo.rules.rng import Opening, commitment
from draws.games import randomness
from draws.models import Game
from halls.journal.head import as_value
from halls.models import JournalEntry
from tests.support import database, rng_games
from tests.support.evening import Evening
from tests.support.planting import as_owner_of, found, plant

Data = dict[str, Any]


@pytest.fixture
def played(fresh_database: database.FreshDatabase) -> Iterator[Evening]:
    """An evening with two games of the RNG, which its owner forges."""
    with as_owner_of(fresh_database):
        evening = Evening().reach("shift")
        for balls in (10, 12):
            rng_games.played(evening, balls)
        yield evening


def entry(kind: str, game: int) -> JournalEntry:
    """The first entry of a kind in a game."""
    return JournalEntry.objects.filter(kind=kind, game=game).earliest("number")


def forge(evening: Evening, change: Callable[[JournalEntry], None]) -> None:
    """Change entries as nobody may, and make every digest and the head anew."""
    previous = START
    for one in JournalEntry.objects.order_by("number"):
        change(one)
        previous = chain_digest(previous, as_value(one))
        statement = "UPDATE halls_journalentry SET data = %s, digest = %s WHERE id = %s"
        plant("halls_journalentry", statement, json.dumps(one.data), previous, one.pk)
    plant("halls_hall", "UPDATE halls_hall SET head_digest = %s", previous)


@pytest.mark.slow
def test_evening_as_it_was_is_whole(played: Evening) -> None:
    assert found(played.hall) == []


@pytest.mark.slow
def test_changed_ball_is_named(played: Evening) -> None:
    """Journal, chain and row all agree on another ball."""
    taken = {ball.number for ball in played.game.balls.all()}
    ball = played.game.balls.get(order=12)
    other = next(number for number in range(1, 91) if number not in taken)
    wrong = JournalEntry.objects.filter(kind="ball_announced", game=2).latest("number")

    def change(one: JournalEntry) -> None:
        if one.pk == wrong.pk:
            one.data["number"] = other

    forge(played, change)
    plant("draws_ball", "UPDATE draws_ball SET number = %s WHERE id = %s", other, ball.pk)
    plant("halls_session", "UPDATE halls_session SET state = %s", json.dumps(_state(played, other)))
    codes = found(played.hall)
    assert (wrong.number, "ball_not_committed") in codes


def _state(evening: Evening, number: int) -> Data:
    state: Data = evening.session.state
    state["game"]["balls"][11] = number
    return state


@pytest.mark.slow
@pytest.mark.parametrize("name", ["seed", "nonce"])
def test_changed_opening_is_named(played: Evening, name: str) -> None:
    wrong = entry("entry_completed", 2)

    def change(one: JournalEntry) -> None:
        if one.pk == wrong.pk:
            one.data["opening"][name] = "00" * (len(one.data["opening"][name]) // 2)

    forge(played, change)
    assert (wrong.number, "opening_differs") in found(played.hall)


@pytest.mark.slow
def test_changed_commitment_is_named(played: Evening) -> None:
    wrong = entry("sale_announced", 2)

    def change(one: JournalEntry) -> None:
        if one.pk == wrong.pk:
            one.data["commitment"] = "00" * 32

    forge(played, change)
    found_now = found(played.hall)
    assert (wrong.number, "commitment_differs") in found_now
    assert (entry("entry_completed", 2).number, "opening_differs") in found_now


@pytest.mark.slow
def test_commitment_taken_away_is_named(played: Evening) -> None:
    def change(one: JournalEntry) -> None:
        if one.kind == "sale_announced":
            one.data.pop("commitment")
        if one.kind == "entry_completed":
            one.data.pop("opening")

    forge(played, change)
    plant("draws_game", "UPDATE draws_game SET commitment = NULL")
    # Balls that are not the RNG's come from a set, which this sale does not name (R22).
    assert found(played.hall) == [(entry("sale_announced", 1).number, "rules_refuse")]


@pytest.mark.slow
def test_changed_row_is_named(played: Evening) -> None:
    plant("draws_game", "UPDATE draws_game SET commitment = %s WHERE number = 2", "ab" * 32)
    assert found(played.hall) == [(entry("sale_announced", 2).number, "commitment_differs")]


@pytest.mark.slow
def test_seed_used_again_is_named(played: Evening) -> None:
    """The second game is opened with the seed of the first, and all that follows is made to agree."""
    told = entry("entry_completed", 1).data["opening"]
    opened = Opening(bytes.fromhex(told["seed"]), bytes.fromhex(told["nonce"]))
    second = Game.objects.select_related("session__hall", "issue__series").get(number=2)
    right = commitment(randomness.draw_of(second), opened)

    def change(one: JournalEntry) -> None:
        if (one.kind, one.game) == ("sale_announced", 2):
            one.data["commitment"] = right
        if (one.kind, one.game) == ("entry_completed", 2):
            one.data["opening"] = told

    forge(played, change)
    plant("draws_game", "UPDATE draws_game SET commitment = %s WHERE number = 2", right)
    assert (entry("entry_completed", 2).number, "seed_repeated") in found(played.hall)
