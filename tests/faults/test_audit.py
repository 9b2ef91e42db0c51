"""What the database's owner plants, the audit finds, and names where it begins."""

import json
from collections.abc import Iterator
from typing import Any

import pytest
from django.core.management import call_command
from django.db import connection, transaction
from psycopg.conninfo import conninfo_to_dict
from pytest_django import DjangoDbBlocker

from bingo.rules.chain import digest
from draws.models import Acta
from draws.queries.audit import audit
from draws.queries.verification import verify_acta
from draws.services import actas, games, payments
from halls.models import Hall, JournalEntry, Role
from halls.queries import export
from halls.queries.entry import as_value
from halls.services import sessions, tills
from tests import database
from tests.draws.views.evening import Evening


@pytest.fixture(scope="module")
def sealed_evening(
    template_database: str,
    django_db_blocker: DjangoDbBlocker,
    tmp_path_factory: pytest.TempPathFactory,
) -> Iterator[Evening]:
    """A hall whose session has been played, paid, closed and sealed; its owner is connected."""
    with (
        database.copy(template_database, blocker=django_db_blocker) as fresh,
        django_db_blocker.unblock(),
        pytest.MonkeyPatch.context() as patch,
    ):
        patch.setattr("django.conf.settings.KEYS_DIR", tmp_path_factory.mktemp("keys"))
        evening = Evening().reach("paying")
        _finish(evening)
        owner = conninfo_to_dict(fresh.owner_url)
        patch.setitem(connection.settings_dict, "USER", owner["user"])
        patch.setitem(connection.settings_dict, "PASSWORD", owner["password"])
        database.point_at(fresh.name)
        yield evening


def _finish(evening: Evening) -> None:
    cashier = evening.who(Role.CASHIER)
    payments.pay(game=evening.game, issue=evening.issue(), card=1, shift=evening.shift, **cashier)
    games.complete(game=evening.game, **evening.who(Role.TABLE_CHIEF))
    session, shift = evening.session, evening.shift
    cash = sum(shift.movements.values_list("amount", flat=True))
    tills.close_shift(shift=shift, counted=cash, comment="", **cashier)
    sessions.close_session(session=session, **evening.who(Role.HALL_MANAGER))
    actas.seal_acta(session=session, at=cashier["at"])


@pytest.fixture
def played(sealed_evening: Evening) -> Iterator[Evening]:
    """The evening, in a transaction of its owner that is rolled back."""
    with transaction.atomic():
        yield sealed_evening
        transaction.set_rollback(True)


def plant(table: str, statement: str, *values: Any) -> None:
    """Do as the owner what the triggers of a table forbid."""
    with connection.cursor() as cursor:
        cursor.execute(f"ALTER TABLE {table} DISABLE TRIGGER USER")
        cursor.execute(statement, values)


def found(evening: Evening) -> list[tuple[int, str]]:
    """Give what the audit finds: entry and code."""
    hall = Hall.objects.get(pk=evening.hall.pk)
    return [(finding.number, finding.code) for finding in audit(hall)]


def entry_of(kind: str) -> JournalEntry:
    """Give the first entry of a kind."""
    return JournalEntry.objects.filter(kind=kind).order_by("number")[0]


def test_audit_of_a_played_session_finds_nothing(played: Evening) -> None:
    assert found(played) == []


def test_audit_finds_one_changed_byte(played: Evening) -> None:
    sold = entry_of("cards_sold")
    plant(
        "halls_journalentry",
        "UPDATE halls_journalentry SET data = jsonb_set(data, '{quantity}', '7') WHERE id = %s",
        sold.pk,
    )
    assert found(played) == [(sold.number, "digest_wrong")]


@pytest.mark.parametrize("kind", ["series_published", "ball_announced"])
def test_audit_finds_a_deleted_row(played: Evening, kind: str) -> None:
    gone = entry_of(kind)
    plant("halls_journalentry", "DELETE FROM halls_journalentry WHERE id = %s", gone.pk)
    assert found(played) == [(gone.number, "entry_missing")]


def test_audit_finds_that_the_end_was_cut_off(played: Evening) -> None:
    last = JournalEntry.objects.latest("number")
    plant("draws_acta", "DELETE FROM draws_acta WHERE entry_id = %s", last.pk)
    plant("halls_journalentry", "DELETE FROM halls_journalentry WHERE id = %s", last.pk)
    assert found(played) == [(last.number, "entries_missing_at_end")]


def test_audit_finds_a_swapped_pair(played: Evening) -> None:
    one, two = JournalEntry.objects.filter(kind="ball_announced").order_by("number")[:2]
    for row, number in ((one, 10**6), (two, one.number), (one, two.number)):
        statement = "UPDATE halls_journalentry SET number = %s WHERE id = %s"
        plant("halls_journalentry", statement, number, row.pk)
    assert found(played) == [(one.number, "digest_wrong")]


def test_audit_finds_an_entry_put_at_the_end(played: Evening) -> None:
    last = JournalEntry.objects.latest("number")
    plant(
        "halls_journalentry",
        "INSERT INTO halls_journalentry (hall_id, number, session_id, game, kind, data, at, by_id, "
        "digest) SELECT hall_id, number + 1, session_id, game, kind, data, at, by_id, digest "
        "FROM halls_journalentry WHERE id = %s",
        last.pk,
    )
    assert found(played) == [(last.number + 1, "digest_wrong")]


@pytest.mark.parametrize(
    ("table", "change", "code"),
    [
        ("draws_sale", "amount = amount + 1", "sale_differs"),
        ("draws_ball", 'number = 90 WHERE "order" = 1', "game_differs"),
        ("draws_prize", "amount = amount + 1", "game_differs"),
        ("draws_payment", "card = card + 1", "game_differs"),
        ("halls_cashmovement", "amount = amount * 2", "cash_differs"),
        ("draws_game", "cards = cards + 1", "game_differs"),
        ("draws_game", "void = 'x'", "game_differs"),
        ("halls_session", "state = jsonb_set(state, '{games}', '9')", "session_differs"),
        ("draws_issue", "last_sold = last_sold + 1", "issue_differs"),
        ("halls_hall", "jackpot_balance = jackpot_balance + 1", "jackpot_differs"),
        ("draws_acta", "pdf = pdf || 'x'::bytea", "acta_differs"),
        ("draws_card", "rows[1][1] = 9 WHERE number = 2", "series_differs"),
    ],
)
def test_audit_finds_a_changed_row(played: Evening, table: str, change: str, code: str) -> None:
    plant(table, f"UPDATE {table} SET {change}")
    assert {finding for _number, finding in found(played)} == {code}


def test_command_names_the_first_broken_entry(
    played: Evening, capsys: pytest.CaptureFixture[str]
) -> None:
    sold = entry_of("cards_sold")
    statement = "UPDATE halls_journalentry SET by_id = NULL WHERE id = %s"
    plant("halls_journalentry", statement, sold.pk)
    with pytest.raises(SystemExit) as left:
        call_command("audit", "--json")
    told = json.loads(capsys.readouterr().out)
    assert left.value.code == 1
    assert told["whole"] is False
    assert told["halls"][played.hall.code][0]["entry"] == sold.number


def test_history_rewritten_consistently_is_found_against_the_sealed_acta(played: Evening) -> None:
    sealed = Acta.objects.get()
    trust, pdf = sealed.certificate.encode(), bytes(sealed.pdf)
    assert verify_acta(pdf, trust=trust, journal=export.lines(played.hall)).good
    previous = "0" * 64
    for entry in list(export.entries(played.hall)):
        if entry.kind == "shift_opened":
            entry.data["cashier"] = "somebody"
        previous = digest(previous, as_value(entry))
        plant(
            "halls_journalentry",
            "UPDATE halls_journalentry SET data = %s, digest = %s WHERE id = %s",
            json.dumps(entry.data),
            previous,
            entry.pk,
        )
    plant("halls_hall", "UPDATE halls_hall SET head_digest = %s", previous)
    checks = dict(verify_acta(pdf, trust=trust, journal=export.lines(played.hall)).checks)
    assert checks["journal_whole"] is True
    assert checks["journal_head"] is False
