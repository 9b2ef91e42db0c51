"""The triggers refuse even the owner of the tables, who may do everything else."""

from pathlib import Path
from typing import Any

import psycopg
import pytest
from django.apps import apps
from django.utils import timezone

from draws.games import services as games_services
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
from draws.prizes import services as prizes_services
from draws.record import sealing
from halls import tills
from halls.models import Authorisation, CashMovement, JournalEntry, Policy, Role, Slip
from halls.policy.services import set_policy
from tests.support.database import FreshDatabase
from tests.support.evening import Evening
from tests.support.service_commands.cards import count, retire, save_pattern
from tests.support.service_commands.games import void
from tests.support.service_commands.prizes import paid, refund
from tests.support.service_commands.sales import sell

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
    prizes_services.given_first(JournalEntry.objects.get(kind="prize_paid"), at=timezone.now())
    games_services.complete(game=evening.game, **chief)
    games_services.open_game(session=evening.session, issue=evening.issue(), **chief)
    games_services.announce_sale(game=evening.game, **evening.who(Role.CALLER))
    sell(evening, cashier)
    void(evening, chief)
    refund(evening, cashier, first=7)
    games_services.complete(game=evening.game, **chief)
    shift, session = evening.shift, evening.session
    cash = sum(shift.movements.values_list("amount", flat=True))
    tills.close_shift(shift=shift, counted=cash, comment="", **cashier)
    session = evening.close()
    sealing.seal_acta(session=session, at=timezone.now())


@pytest.mark.slow
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


@pytest.mark.rule(58)
def test_every_table_that_only_grows_is_guarded_even_where_triggers_are_silent(
    owner_connection: psycopg.Connection[Any],
) -> None:
    guarded = owner_connection.execute(
        "SELECT relname FROM pg_trigger JOIN pg_class ON pg_class.oid = tgrelid"
        " WHERE tgname IN ('append_only', 'append_only_whole') AND tgenabled = 'A'"
        " GROUP BY relname HAVING count(*) = 2"
    ).fetchall()
    growing = {
        model._meta.db_table for model in apps.get_models() if getattr(model, "append_only", False)
    }
    # Of a removal the end is written, once.
    assert {table for (table,) in guarded} == growing | {"halls_removal"}
