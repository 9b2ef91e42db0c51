"""A hall of before cards were taken, refunded by number or sold in several issues, brought up to date."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import psycopg
import pytest
from django.conf import LazySettings
from django.core.management import call_command
from django.db import connection
from psycopg import sql

from draws.cards import stock
from draws.games import services as games_services
from draws.models import Game, Issue, Refund, Taking
from draws.record.audit import audit
from draws.sales import services as sales_services
from halls.management.commands.prepare_database import owner_alias
from halls.models import Hall, Role
from tests.support import database
from tests.support.evening import FACE, SIZE, Evening
from tests.support.service_commands import refund, sell, void

CASHIER, CALLER = Role.CASHIER, Role.CALLER
CHIEF, MANAGER = Role.TABLE_CHIEF, Role.HALL_MANAGER

Rows = dict[str, list[dict[str, Any]]]
BEFORE = (("halls", "0005"), ("draws", "0005"))


def evening() -> None:
    """Play what could be played then, in two halls.

    In the first, cards 3 and 4 are retired, 1 to 8 sold and refunded in a void game; a second game
    sells the rest and three of a second issue. The other hall gets an issue of which 1 to 6 were
    sold, retires 7, and goes on with it.
    """
    here = Evening("sul").reach("shift")
    _retire(here, here.issue(), 3, 4)
    here.reach("selling")
    sell(here, here.who(CASHIER), quantity=6)
    void(here, here.who(CHIEF))
    for first in (1, 5):
        refund(here, here.who(CASHIER), first=first)
    games_services.complete(game=here.game, **here.who(CHIEF))
    _second_game(here)
    _sent_from(Evening("leste"), to=Evening("norte"))


def _second_game(here: Evening) -> None:
    games_services.open_game(session=here.session, issue=here.issue(), **here.who(CHIEF))
    game = Game.objects.filter(session=here.session).latest("pk")
    games_services.announce_sale(game=game, **here.who(CALLER))
    for quantity in (2, SIZE - 10):
        _sell(here, game, quantity)
    games_services.open_second_issue(game=game, issue=here.issue(2), **here.who(CHIEF))
    _sell(here, game, 3)


def _sent_from(there: Evening, *, to: Evening) -> None:
    there.reach("sold")
    void(there, there.who(CHIEF))
    refund(there, there.who(CASHIER))
    games_services.complete(game=there.game, **there.who(CHIEF))
    sent = stock.send_transfer(
        issue=there.issue(), to=to.hall, reason="Sobra", **there.who(MANAGER)
    )
    arrived = stock.accept(transfer=sent, counted=SIZE - 6, **to.who(MANAGER))
    _retire(to, arrived, 7, 7)
    to.reach("shift")
    games_services.open_game(session=to.session, issue=arrived, **to.who(CHIEF))
    games_services.announce_sale(game=to.game, **to.who(CALLER))
    _sell(to, to.game, 4)


def _retire(where: Evening, issue: Issue, first: int, last: int) -> None:
    stock.retire(issue=issue, first=first, last=last, reason="Rasgados", **where.who(MANAGER))


def _sell(where: Evening, game: Game, quantity: int) -> None:
    sales_services.sell(game=game, shift=where.shift, quantity=quantity, **where.who(CASHIER))


def read(owner: psycopg.Connection[Any]) -> Rows:
    """Return every row of the house and the game."""
    tables = owner.execute(
        "SELECT tablename FROM pg_tables WHERE tablename ~ '^(halls|draws)_' ORDER BY tablename"
    ).fetchall()
    return {table: _rows(owner, table) for (table,) in tables}


def _rows(owner: psycopg.Connection[Any], table: str) -> list[dict[str, Any]]:
    found = owner.execute(
        sql.SQL("SELECT to_json(t)::text FROM {} t ORDER BY id").format(sql.Identifier(table))
    )
    return [json.loads(row) for (row,) in found]


def of_before(rows: Rows) -> Rows:
    """Return the rows as they were kept then: a sale told its predecessor, a refund its sale."""
    taken, further = rows.pop("draws_taking"), rows.pop("draws_game_further")
    assert taken
    rows.pop("halls_policy")
    second = {one["game_id"]: one["issue_id"] for one in further}
    for game in rows["draws_game"]:
        game["second_issue_id"] = second.get(game["id"])
    sold = rows["draws_sale"]
    for sale in sold:
        before = [
            one["last"]
            for one in sold
            if one["issue_id"] == sale["issue_id"] and one["last"] < sale["first"]
        ]
        sale["previous"] = max(before, default=None)
        sale["passed"] = sale["first"] - (sale["previous"] or 0) - 1
    by_cards = {(one["issue_id"], one["first"], one["last"]): one["id"] for one in sold}
    for one in rows["draws_refund"]:
        one["sale_id"] = by_cards[one["issue_id"], one["first"], one["last"]]
    return rows


def write(owner: psycopg.Connection[Any], rows: Rows) -> None:
    """Write rows as they are, and let numbering go on after them."""
    with owner.transaction():
        for table, kept in rows.items():
            insertion = sql.SQL("INSERT INTO {0} SELECT * FROM json_populate_record(NULL::{0}, %s)")
            for row in kept:
                owner.execute(insertion.format(sql.Identifier(table)), [json.dumps(row)])
    for table in (one for one in rows if rows[one]):
        highest = sql.SQL("SELECT setval(pg_get_serial_sequence(%s, 'id'), max(id)) FROM {}")
        owner.execute(highest.format(sql.Identifier(table)), [table])


@pytest.fixture
def migrated(
    fresh_database: database.FreshDatabase, settings: LazySettings, tmp_path: Path
) -> Iterator[Rows]:
    """The evening in a database of before, brought up to date; gives its rows of before."""
    # No game was bound to a generator's commitment then.
    settings.RNG_DIR = tmp_path
    evening()
    with psycopg.connect(fresh_database.owner_url) as owner:
        rows = of_before(read(owner))
    name = f"{fresh_database.name}_before"
    database.create(name, template="template1")
    try:
        database.point_at(name)
        with owner_alias() as owner_name, database.as_owner(name) as owner:
            owner.execute("CREATE EXTENSION IF NOT EXISTS btree_gist")
            for app, number in BEFORE:
                call_command(
                    "migrate", app, number, database=owner_name, interactive=False, verbosity=0
                )
            write(owner, rows)
        call_command("prepare_database", verbosity=0)
        yield rows
    finally:
        database.point_at(fresh_database.name)
        database.drop(name)


def takings(issue: str) -> list[tuple[Any, ...]]:
    """Return what left an issue's stack, and in which game."""
    found = Taking.objects.filter(issue__identification=issue).order_by("first")
    return list(found.values_list("first", "last", "previous", "passed", "game__number"))


@pytest.mark.slow
@pytest.mark.rule(36)
@pytest.mark.rule(38)
@pytest.mark.rule(57)
def test_hall_of_before_is_whole_when_it_is_brought_up_to_date(migrated: Rows) -> None:
    assert [audit(hall) for hall in Hall.objects.order_by("code")] == [[], [], []]
    assert takings("sul-1") == [
        (1, 2, None, False, 1),
        (3, 4, 2, True, 1),
        (5, 8, 4, False, 1),
        (9, 10, 8, False, 2),
        (11, 90, 10, False, 2),
    ]
    assert takings("sul-2") == [(1, 3, None, False, 2)]
    arrived = Issue.objects.get(hall__code="norte", last_sold__gt=0)
    assert takings(arrived.identification)[-2:] == [(1, 7, None, True, 1), (8, 11, 7, False, 1)]
    refunded = Refund.objects.filter(game__session__hall__code="sul").order_by("first")
    assert list(refunded.values_list("issue__identification", "first", "last", "amount")) == [
        ("sul-1", 1, 2, 2 * FACE),
        ("sul-1", 5, 8, 4 * FACE),
    ]
    first, second = Game.objects.filter(session__hall__code="sul").order_by("number")
    assert (first.gross, second.gross) == (6 * FACE, (SIZE - 8 + 3) * FACE)
    assert [one.identification for one in second.further.all()] == ["sul-2"]
    assert not first.further.exists()


@pytest.mark.slow
@pytest.mark.rule(58)
def test_guards_stand_again_and_the_evening_goes_on(migrated: Rows) -> None:
    with database.as_owner(str(connection.settings_dict["NAME"])) as owner:
        for table in ("draws_sale", "draws_refund"):
            with pytest.raises(psycopg.errors.RestrictViolation, match="append-only"):
                owner.execute(f"UPDATE {table} SET amount = 0".encode())
        kept = {row["id"]: row for row in _rows(owner, "draws_sale")}
    assert set(kept) == {row["id"] for row in migrated["draws_sale"]}
    here = Evening("sul", hall=Hall.objects.get(code="sul"))
    _sell(here, Game.objects.get(session=here.session, number=2), 2)
    assert takings("sul-2") == [(1, 3, None, False, 2), (4, 5, 3, False, 2)]
    assert audit(Hall.objects.get(code="sul")) == []
