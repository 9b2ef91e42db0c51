"""The triggers refuse even the owner of the tables, who may do everything else."""

from pathlib import Path
from typing import Any

import psycopg
import pytest
from django.utils import timezone

from draws.models import (
    Acta,
    Card,
    ClaimCheck,
    Pattern,
    Payment,
    Recount,
    Refund,
    Retirement,
    Sale,
    Series,
)
from draws.services import actas, games, slips
from halls.models import Authorisation, CashMovement, JournalEntry, Policy, Role, Slip
from halls.services import tills
from halls.services.policies import set_policy
from tests.database import FreshDatabase
from tests.draws.services.commands import (
    count,
    paid,
    refund,
    retire,
    save_pattern,
    sell,
    void,
)
from tests.draws.views.evening import Evening

GUARDED = (
    JournalEntry, CashMovement, Authorisation, Policy, Series, Card, Sale, Refund, Payment, ClaimCheck, Acta,
    Pattern, Retirement, Recount, Slip,
)  # fmt: skip
STATEMENTS = ("UPDATE {} SET id = id", "DELETE FROM {}", "TRUNCATE {} CASCADE")


def play(evening: Evening) -> None:
    """Play one game that is paid and one that is refunded, and seal the session's acta."""
    for act in (save_pattern, count, retire):
        act(evening, evening.who(Role.HALL_MANAGER))
    set_policy(hall=evening.hall, **evening.who(Role.HALL_MANAGER))
    evening.reach("paying")
    chief, cashier = evening.who(Role.TABLE_CHIEF), evening.who(Role.CASHIER)
    paid(evening)
    slips.given_first(JournalEntry.objects.get(kind="prize_paid"), at=timezone.now())
    games.complete(game=evening.game, **chief)
    games.open_game(session=evening.session, issue=evening.issue(), **chief)
    games.announce_sale(game=evening.game, **evening.who(Role.CALLER))
    sell(evening, cashier)
    void(evening, chief)
    refund(evening, cashier, first=7)
    games.complete(game=evening.game, **chief)
    shift, session = evening.shift, evening.session
    cash = sum(shift.movements.values_list("amount", flat=True))
    tills.close_shift(shift=shift, counted=cash, comment="", **cashier)
    session = evening.close()
    actas.seal_acta(session=session, at=timezone.now())


@pytest.mark.rule(58)
def test_triggers_refuse_even_the_owner(
    fresh_database: FreshDatabase,
    owner_connection: psycopg.Connection[Any],
    settings: Any,
    tmp_path: Path,
) -> None:
    settings.KEYS_DIR = tmp_path
    play(Evening())
    for model in GUARDED:
        assert model._default_manager.exists()
        for statement in STATEMENTS:
            with pytest.raises(psycopg.errors.RestrictViolation, match="append-only"):
                owner_connection.execute(statement.format(model._meta.db_table).encode())
