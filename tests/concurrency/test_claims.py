"""Two consoles and one claim: one prize for each game, prize and card, whatever they do at once."""

from __future__ import annotations

import threading
from collections.abc import Callable
from functools import partial
from typing import Any
from uuid import uuid4

import psycopg
import pytest
from django.db import IntegrityError, transaction
from django.db.models import Count
from django.utils import timezone

from bingo.rules import session as rules
from bingo.rules import session_state
from bingo.rules.refusal import Refusal
from draws.balls import draw
from draws.claims import services as claims_services
from draws.games import services as games_services
from draws.models import ClaimCheck, Prize
from draws.record.audit import audit
from halls.models import Hall, JournalEntry, Role, Session
from tests.support.consoles import outcomes
from tests.support.evening import Evening
from tests.support.threads import at_once, behind_a_lock

pytestmark = pytest.mark.usefixtures("fresh_database")

TWICE = 6  # consoles


def check(evening: Evening, card: int, *, combination: str = "bingo") -> Callable[[], Any]:
    """A console that looks at a card."""
    game, issue, chief = evening.game, evening.issue(), evening.person(Role.TABLE_CHIEF)
    return lambda: claims_services.check(
        game=game, combination=combination, issue=issue, card=card, sound=True, by=chief,
        at=timezone.now(), key=uuid4(),
    )  # fmt: skip


def close(evening: Evening) -> Callable[[], Any]:
    """A console that closes the window."""
    chief = evening.person(Role.TABLE_CHIEF)
    return partial(_close, evening.game, chief)


def _close(game: Any, chief: Any) -> Any:
    return claims_services.close_window(game=game, by=chief, at=timezone.now(), key=uuid4())


def of_two_bingos() -> Evening:
    """A game stopped by a call while cards 1 and 2 are both complete."""
    evening = Evening().reach("closed")
    caller = evening.who(Role.CALLER)
    games_services.announce_draw(game=evening.game, **caller)
    for number in sorted({*evening.numbers(1), *evening.numbers(2)}):
        draw.announce_ball(game=evening.game, number=number, **caller)
    draw.call_claim(game=evening.game, combination="bingo", **caller)
    return evening


def prizes() -> list[tuple[str, int]]:
    """Every prize as (combination, card)."""
    return sorted(Prize.objects.values_list("combination", "card"))


def each_once() -> None:
    """No prize twice, and rows that agree with the journal."""
    held = Prize.objects.values("game", "combination", "issue", "card").annotate(n=Count("pk"))
    assert {one["n"] for one in held} <= {1}
    assert audit(Hall.objects.get()) == []


def test_without_the_lock_two_consoles_both_find_the_card_right() -> None:
    """The race is there: both decide on the same state, and only the database's own rule is left."""
    evening = Evening().reach("stopped")
    issue, game = evening.issue(), evening.game
    inputs: dict[str, Any] = {
        "combination": "bingo", "issue": issue.pk, "card": 1, "sound": True,
        "rows": issue.series.cards.get(number=1).rows,
    }  # fmt: skip
    both_have_read = threading.Barrier(2)
    entries = list(JournalEntry.objects.order_by("number")[:2])

    def unlocked(entry: JournalEntry) -> str:
        with transaction.atomic():
            known = session_state.load(Session.objects.get(pk=game.session_id).state)
            both_have_read.wait(timeout=20)
            fact = rules.decide(known, "claim_checked", **inputs)
            assert fact.data["valid"]
            ClaimCheck.objects.create(
                game=game, combination="bingo", issue=issue, card=1, valid=True, reason="",
                at=entry.at, entry=entry,
            )  # fmt: skip
            return "right"

    came = at_once([partial(unlocked, entry) for entry in entries])
    assert both_have_read.n_waiting == 0
    assert [one for one in came if one == "right"] == ["right"]
    refused = next(one for one in came if one != "right")
    assert isinstance(refused, IntegrityError)
    assert "claim_right_once" in str(refused)


@pytest.mark.slow
def test_consoles_that_check_one_card_at_once_find_it_right_once(
    owner_connection: psycopg.Connection[Any],
) -> None:
    evening = Evening().reach("stopped")
    came = behind_a_lock(owner_connection, evening.hall, [check(evening, 1)] * TWICE)
    assert outcomes(came) == ["already_right"] * (TWICE - 1) + ["done"]
    evening.stage += 1
    evening.reach("awarded")
    assert prizes() == [("bingo", 1), ("jackpot", 1), ("line", 1)]
    each_once()


@pytest.mark.rule(6)
def test_consoles_that_check_two_cards_at_once_share_the_prize_between_them(
    owner_connection: psycopg.Connection[Any],
) -> None:
    evening = of_two_bingos()
    both = [check(evening, 1), check(evening, 2)] * 2
    came = behind_a_lock(owner_connection, evening.hall, both)
    assert outcomes(came) == ["already_right"] * 2 + ["done"] * 2
    chief = evening.who(Role.TABLE_CHIEF)
    claims_services.open_window(game=evening.game, **chief)
    claims_services.close_window(game=evening.game, **chief)
    assert {one for one in prizes() if one[0] == "bingo"} == {("bingo", 1), ("bingo", 2)}
    shares = Prize.objects.filter(combination="bingo").values_list("amount", flat=True)
    assert sum(shares) == evening.game.bingo
    each_once()


@pytest.mark.slow
@pytest.mark.rule(6)
@pytest.mark.rule(47)
def test_card_checked_while_the_window_closes_shares_or_is_too_late(
    owner_connection: psycopg.Connection[Any],
) -> None:
    evening = of_two_bingos()
    chief = evening.who(Role.TABLE_CHIEF)
    check(evening, 1)()
    claims_services.open_window(game=evening.game, **chief)
    doings = [check(evening, 2), close(evening), check(evening, 2), close(evening)]
    late, closed, *_again = behind_a_lock(owner_connection, evening.hall, doings)
    assert not isinstance(closed, Exception) or isinstance(closed, Refusal)
    shared = {card for name, card in prizes() if name == "bingo"}
    right = set(ClaimCheck.objects.filter(valid=True).values_list("card", flat=True))
    assert 1 in shared
    # A card found right has its prize, and one that came too late was told so: never in between.
    assert shared == right
    if 2 not in shared:
        assert isinstance(late, Refusal)
        assert late.code in ("prize_closed", "wrong_phase")
    paid = Prize.objects.filter(combination="bingo").values_list("amount", flat=True)
    assert sum(paid) == evening.game.bingo
    each_once()


@pytest.mark.slow
def test_window_that_two_consoles_close_awards_once(
    owner_connection: psycopg.Connection[Any],
) -> None:
    evening = Evening().reach("window")
    came = behind_a_lock(owner_connection, evening.hall, [close(evening)] * TWICE)
    assert outcomes(came) == ["done"] + ["wrong_phase"] * (TWICE - 1)
    assert len(prizes()) == 3
    each_once()
