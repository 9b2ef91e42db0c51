"""The RNG in a game: bound before the sale, asked ball by ball, opened at the end, and its faults."""

from __future__ import annotations

import os
import signal
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from uuid import uuid4

import pytest
from django.conf import LazySettings

from bingo.rules import rng
from bingo.rules.refusal import Refusal
from bingo.rules.steps.drawing import BY_HAND, RNG
from draws.balls import draw
from draws.games import randomness
from draws.games import services as games_services
from draws.models import Game
from draws.prizes import services as prizes_services
from draws.record.audit import audit
from draws.rng import client
from halls.journal.queries import Finding
from halls.models import JournalEntry, Role
from halls.policy import services as policy_services
from tests.support import rng_games
from tests.support.evening import Evening
from tests.support.playing import refuses
from tests.support.till_hall import double_cards

pytestmark = pytest.mark.django_db
Running = subprocess.Popen[bytes]


@pytest.fixture
def evening() -> Evening:
    """An evening with a till open."""
    return Evening().reach("shift")


@pytest.fixture
def own(tmp_path: Path, settings: LazySettings) -> Iterator[Running]:
    """A process of the test's own, which it may kill."""
    settings.RNG_DIR = tmp_path / "rng"
    with client.running(settings.RNG_DIR) as started:
        yield started


@pytest.fixture
def nobody(tmp_path: Path, settings: LazySettings) -> None:
    """A hall in which nothing draws numbers."""
    settings.RNG_DIR = tmp_path / "rng"


def told(game: Game, kind: str) -> dict[str, Any]:
    """What the journal has of a game."""
    entries = JournalEntry.objects.filter(session=game.session_id, game=game.number, kind=kind)
    data: dict[str, Any] = entries.get().data
    return data


def audited(evening: Evening) -> list[Finding]:
    """What the audit finds in the hall as it is now."""
    evening.hall.refresh_from_db()
    return audit(evening.hall)


def decide(evening: Evening, source: str) -> None:
    """Let the hall decide where its balls come from, and open a session on that."""
    manager = evening.who(Role.HALL_MANAGER)
    policy_services.set_policy(hall=evening.hall, source=source, **manager)


@pytest.mark.rule(42)
@pytest.mark.slow
def test_game_is_bound_before_its_sale_and_opened_when_it_is_complete(evening: Evening) -> None:
    game = rng_games.on_sale(evening)
    bound = told(game, "sale_announced")["commitment"]
    assert game.commitment == bound
    assert rng.DIGEST.fullmatch(bound)

    games_services.close_sale(game=game, **evening.who(Role.CALLER))
    games_services.announce_draw(game=game, **evening.who(Role.CALLER))
    drawn = rng_games.draw(evening, 20)
    rng_games.complete(evening)

    opened = rng.opening(told(game, "entry_completed")["opening"])
    assert opened is not None
    assert rng.commitment(randomness.draw_of(game), opened) == bound
    announced = JournalEntry.objects.get(kind="draw_announced", game=game.number)
    right = rng.balls(opened, head=announced.digest, format=90)
    assert list(right[:20]) == drawn
    assert audited(evening) == []


@pytest.mark.slow
def test_games_have_commitments_and_balls_of_their_own(evening: Evening) -> None:
    first, second = rng_games.played(evening, 15), rng_games.played(evening, 15)
    assert first != second
    bound = list(Game.objects.values_list("commitment", flat=True))
    assert len(set(bound)) == 2
    assert audited(evening) == []


def test_retried_orders_bind_draw_and_open_once(evening: Evening) -> None:
    game = games_services.open_game(
        session=evening.session, issue=evening.issue(), **evening.who(Role.TABLE_CHIEF)
    )
    key, caller = uuid4(), evening.who(Role.CALLER)
    for _time in range(2):
        games_services.announce_sale(game=game, key=key, **caller)
    bound = evening.game.commitment
    assert bound == told(game, "sale_announced")["commitment"]
    assert JournalEntry.objects.filter(kind="sale_announced").count() == 1


def test_completed_entry_is_completed_again_with_its_key(evening: Evening) -> None:
    game = rng_games.drawing(evening)
    rng_games.draw(evening, 3)
    rng_games.void(evening)
    chief, key = evening.who(Role.TABLE_CHIEF), uuid4()
    for _time in range(2):
        games_services.complete(game=game, key=key, **chief)
    assert "opening" in told(game, "entry_completed")


@pytest.mark.slow
def test_entry_that_may_not_be_completed_opens_nothing(evening: Evening) -> None:
    rng_games.drawing(evening)
    rng_games.draw(evening, 3)
    with refuses("wrong_phase"):
        games_services.complete(game=evening.game, **evening.who(Role.TABLE_CHIEF))
    assert len(rng_games.draw(evening, 2)) == 2


def test_page_behind_the_draw_gets_no_ball(evening: Evening) -> None:
    rng_games.drawing(evening)
    rng_games.draw(evening, 3)
    for order in (1, 3, 5):
        with refuses("stale_page"):
            draw.draw_ball(game=evening.game, order=order, **evening.who(Role.CALLER))


def test_ball_lost_on_its_way_comes_again(evening: Evening) -> None:
    """The process has given it, and the transaction that would have announced it is gone."""
    game = rng_games.drawing(evening)
    lost = randomness.next_ball(game=game, order=1)
    assert rng_games.draw(evening, 1) == [lost]


@pytest.mark.rule(15)
@pytest.mark.slow
def test_second_game_of_double_cards_is_bound_when_it_is_opened() -> None:
    evening = Evening()
    double_cards(evening)
    evening.reach("paying")
    games_services.complete(game=evening.game, **evening.who(Role.TABLE_CHIEF))
    first = evening.game
    second = games_services.open_second_half(
        session=evening.session, **evening.who(Role.TABLE_CHIEF)
    )
    assert second.commitment == told(second, "second_half_opened")["commitment"]
    assert second.commitment != first.commitment
    games_services.announce_draw(game=second, **evening.who(Role.CALLER))
    rng_games.draw(evening, 5)
    with refuses("prizes_unpaid"):
        rng_games.complete(evening)
    # What the first game was won with is still owed, and no seed was shown in vain.
    rng_games.draw(evening, 1)
    rng_games.void(evening)
    prizes_services.pay_payment(
        game=second, issue=first.issue, card=1, shift=evening.shift, **evening.who(Role.CASHIER)
    )  # fmt: skip
    games_services.complete(game=second, **evening.who(Role.TABLE_CHIEF))
    opened = rng.opening(told(second, "entry_completed")["opening"])
    assert opened is not None
    assert rng.commitment(randomness.draw_of(second), opened) == second.commitment
    assert audited(evening) == []


@pytest.mark.slow
def test_game_voided_before_the_draw_is_opened_too(evening: Evening) -> None:
    game = rng_games.on_sale(evening)
    rng_games.complete(evening)
    opened = rng.opening(told(game, "entry_completed")["opening"])
    assert opened is not None
    assert rng.commitment(randomness.draw_of(game), opened) == game.commitment
    assert audited(evening) == []


@pytest.mark.slow
def test_game_drawn_by_hand_is_opened_too(evening: Evening) -> None:
    game = rng_games.drawing(evening)
    draw.announce_ball(game=game, number=7, **evening.who(Role.CALLER))
    rng_games.complete(evening)
    assert "opening" in told(game, "entry_completed")
    assert audited(evening) == []


@pytest.mark.slow
@pytest.mark.usefixtures("nobody")
def test_undecided_hall_sells_and_draws_by_hand_without_the_rng(evening: Evening) -> None:
    game = rng_games.drawing(evening)
    assert game.commitment is None
    assert "commitment" not in told(game, "sale_announced")
    with refuses("rng_not_bound"):
        draw.draw_ball(game=game, **evening.who(Role.CALLER))
    draw.announce_ball(game=game, number=7, **evening.who(Role.CALLER))
    rng_games.complete(evening)
    assert "opening" not in told(game, "entry_completed")
    assert audited(evening) == []
    assert randomness.fault() == "rng_not_running"


@pytest.mark.usefixtures("nobody")
def test_hall_that_wants_the_rng_does_not_sell_without_it() -> None:
    evening = Evening()
    decide(evening, RNG)
    evening.reach("shift")
    game = games_services.open_game(
        session=evening.session, issue=evening.issue(), **evening.who(Role.TABLE_CHIEF)
    )
    with refuses("rng_not_running"):
        games_services.announce_sale(game=game, **evening.who(Role.CALLER))


def test_hall_that_draws_by_hand_is_bound_to_nothing() -> None:
    evening = Evening()
    decide(evening, BY_HAND)
    game = rng_games.on_sale(evening.reach("shift"))
    assert game.commitment is None


@pytest.mark.rule(55)
@pytest.mark.slow
def test_process_killed_in_mid_game_leaves_the_game_to_be_drawn_by_hand(
    evening: Evening, own: Running
) -> None:
    rng_games.drawing(evening)
    drawn = rng_games.draw(evening, 10)
    own.kill()
    own.wait()
    with refuses("rng_not_running"):
        draw.draw_ball(game=evening.game, **evening.who(Role.CALLER))
    _goes_on_by_hand(evening, drawn, unproven="rng_not_running")


@pytest.mark.rule(55)
@pytest.mark.slow
def test_process_started_again_in_mid_game_does_not_know_it(
    evening: Evening, own: Running, settings: LazySettings
) -> None:
    rng_games.drawing(evening)
    drawn = rng_games.draw(evening, 10)
    own.kill()
    own.wait()
    with client.running(Path(settings.RNG_DIR)):
        with refuses("rng_lost"):
            draw.draw_ball(game=evening.game, **evening.who(Role.CALLER))
        _goes_on_by_hand(evening, drawn)
        # The next game is drawn by the RNG again.
        assert len(rng_games.played(evening, 5)) == 5
    assert audited(evening) == []


def _goes_on_by_hand(evening: Evening, drawn: list[int], *, unproven: str | None = None) -> None:
    game, caller = evening.game, evening.who(Role.CALLER)
    draw.change_source(game=game, source=BY_HAND, reason="O RNG parou", **caller)
    left = next(number for number in range(1, 91) if number not in drawn)
    draw.announce_ball(
        game=game, number=left, witness=evening.person(Role.TABLE_CHIEF), **caller
    )  # fmt: skip
    assert list(game.balls.values_list("number", flat=True)) == [*drawn, left]
    rng_games.void(evening)
    games_services.complete(game=game, unproven=bool(unproven), **evening.who(Role.TABLE_CHIEF))
    data = told(game, "entry_completed")
    assert ("opening" in data, data.get("unproven")) == (False, unproven)
    assert audited(evening) == []


@pytest.mark.slow
def test_process_that_hangs_hangs_no_page(evening: Evening, own: Running) -> None:
    rng_games.drawing(evening)
    os.kill(own.pid, signal.SIGSTOP)
    begun = time.monotonic()
    with refuses("rng_not_running"):
        draw.draw_ball(game=evening.game, **evening.who(Role.CALLER))
    assert time.monotonic() - begun < 3 * client.RNG_PATIENCE
    os.kill(own.pid, signal.SIGCONT)
    assert len(rng_games.draw(evening, 1)) == 1


@pytest.mark.slow
def test_failed_self_test_stops_the_rng_and_nothing_else(
    evening: Evening, monkeypatch: pytest.MonkeyPatch
) -> None:
    game = rng_games.drawing(evening)
    answer = b'{"refused": "rng_failed", "values": {"test": "known_answer"}}\n'
    monkeypatch.setattr(client, "_exchanged", lambda _folder, _line: answer)
    with refuses(Refusal("rng_failed", test="known_answer")):
        draw.draw_ball(game=game, **evening.who(Role.CALLER))
    draw.announce_ball(game=game, number=7, **evening.who(Role.CALLER))
    rng_games.void(evening)
    games_services.complete(game=game, unproven=True, **evening.who(Role.TABLE_CHIEF))
    assert told(game, "entry_completed")["unproven"] == "rng_failed"
    assert rng_games.on_sale(evening).commitment is None
    assert audited(evening) == []


@pytest.mark.slow
def test_silence_at_the_end_loses_no_proof(evening: Evening, own: Running) -> None:
    game = rng_games.drawing(evening)
    rng_games.draw(evening, 3)
    rng_games.void(evening)
    chief, key = evening.who(Role.TABLE_CHIEF), uuid4()
    os.kill(own.pid, signal.SIGSTOP)
    with refuses(Refusal("no_proof", rng="rng_not_running")):
        games_services.complete(game=game, key=key, **chief)
    os.kill(own.pid, signal.SIGCONT)
    games_services.complete(game=game, key=key, **chief)
    assert "opening" in told(game, "entry_completed")
    assert audited(evening) == []


@pytest.mark.slow
def test_entry_is_completed_without_the_proof_when_the_table_chief_says_so(
    evening: Evening, own: Running
) -> None:
    game = rng_games.drawing(evening)
    rng_games.draw(evening, 3)
    rng_games.void(evening)
    own.kill()
    own.wait()
    chief, key = evening.who(Role.TABLE_CHIEF), uuid4()
    with refuses("no_proof"):
        games_services.complete(game=game, **chief)
    for _time in range(2):
        games_services.complete(game=game, unproven=True, key=key, **chief)
    data = told(game, "entry_completed")
    assert (data["unproven"], "opening" in data) == ("rng_not_running", False)
    with refuses("key_reused"):
        games_services.void(game=game, cause="other", reason="x", key=key, **chief)
    assert audited(evening) == []


def test_proof_that_can_be_had_is_taken_whatever_was_said(evening: Evening) -> None:
    game = rng_games.drawing(evening)
    rng_games.void(evening)
    games_services.complete(game=game, unproven=True, **evening.who(Role.TABLE_CHIEF))
    data = told(game, "entry_completed")
    assert ("opening" in data, "unproven" in data) == (True, False)


@pytest.mark.slow
def test_answer_that_opens_nothing_is_not_taken_for_a_loss(
    evening: Evening, monkeypatch: pytest.MonkeyPatch
) -> None:
    game = rng_games.drawing(evening)
    rng_games.void(evening)
    with monkeypatch.context() as patch:
        patch.setattr(client, "_exchanged", lambda _folder, _line: b'{"opening": {}}\n')
        with refuses(Refusal("no_proof", rng="rng_failed")):
            games_services.complete(game=game, **evening.who(Role.TABLE_CHIEF))
    rng_games.complete_void(evening)
    assert "opening" in told(game, "entry_completed")
