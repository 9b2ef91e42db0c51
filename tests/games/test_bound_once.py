"""A game whose numbers are bound is not bound anew by what is written into the database."""

from __future__ import annotations

import pytest
from django.db import IntegrityError, transaction
from django.utils import timezone

from bingo.rules.game_flow import Fact
from draws.models import Game
from draws.record.audit import audit
from halls.journal import head
from halls.journal import services as journal_services
from halls.models import Hall, Role
from tests.support import rng_games
from tests.support.evening import Evening
from tests.support.planting_rows import allowed

pytestmark = pytest.mark.django_db

OTHER = "ab" * 32


def bind(game: Game, commitment: str | None) -> None:
    """Write another commitment into a game's row."""
    Game.objects.filter(pk=game.pk).update(commitment=commitment)


def tell(evening: Evening) -> None:
    """Write an entry that binds the game, as whoever has the application's role can."""
    journal_services.append(
        head.lock(evening.hall.pk), Fact("sale_announced", {"commitment": OTHER}),
        session=evening.session, game=evening.game.number, by=evening.person(Role.CALLER),
        at=timezone.now(),
    )  # fmt: skip


@pytest.mark.slow
@pytest.mark.parametrize("other", [OTHER, None])
def test_draw_that_runs_keeps_its_commitment_and_goes_on(other: str | None) -> None:
    evening = Evening().reach("shift")
    game = rng_games.drawing(evening)
    rng_games.draw(evening, 3)
    with pytest.raises(IntegrityError, match="bound once"), transaction.atomic():
        bind(game, other)
    rng_games.draw(evening, 3)
    rng_games.complete(evening)
    assert audit(Hall.objects.get()) == []


def test_an_entry_of_its_own_binds_it_no_second_time() -> None:
    evening = Evening().reach("shift")
    game = rng_games.drawing(evening)
    tell(evening)
    with pytest.raises(IntegrityError, match="bound once"), transaction.atomic():
        bind(game, OTHER)
    assert audit(Hall.objects.get()) != []  # the entry of no order is named


@pytest.mark.slow
def test_game_that_was_not_bound_is_bound_by_no_row_alone() -> None:
    """One that is drawn by hand cannot be passed off as the generator's."""
    evening = Evening().reach("drawing")
    game = evening.game
    with allowed(Game):
        bind(game, None)
    with pytest.raises(IntegrityError, match="no entry of the journal binds"), transaction.atomic():
        bind(game, OTHER)
    tell(evening)
    bind(game, OTHER)
    assert audit(Hall.objects.get()) != []
