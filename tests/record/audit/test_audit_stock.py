"""What the owner plants among cards and stock, the audit of the hall finds."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from django.db import transaction
from django.utils import timezone
from pytest_django import DjangoDbBlocker

from draws.cards import hall_patterns, prints, series, stock
from draws.models import Issue, Transfer
from halls.models import Hall, JournalEntry, Role
from tests.support import database, planting
from tests.support.evening import SIZE, Evening
from tests.support.planting import found, plant, rewrite
from tests.support.service_commands.cards import CROSS, foreign

MANAGER = Role.HALL_MANAGER
LATER = "interval '1 second'"


@pytest.fixture(scope="module")
def moved(
    template_database: str,
    django_db_blocker: DjangoDbBlocker,
    tmp_path_factory: pytest.TempPathFactory,
) -> Iterator[Evening]:
    """A hall after every movement of stock there is, and a neighbour; their owner is connected."""
    with (
        database.copy(template_database, blocker=django_db_blocker) as fresh,
        django_db_blocker.unblock(),
        pytest.MonkeyPatch.context() as patch,
    ):
        patch.setattr("django.conf.settings.PRINTS_DIR", tmp_path_factory.mktemp("prints"))
        evening, other = Evening("sul"), Evening("norte")
        _send_and_receive(evening, other)
        _move(evening)
        _print(evening)
        with planting.as_owner_of(fresh):
            yield evening


def _send_and_receive(evening: Evening, other: Evening) -> None:
    """Send the first issue off, and take one in from the other hall with cards retired."""
    here, there = evening.who(MANAGER), other.who(MANAGER)
    sent = stock.send_transfer(issue=evening.issue(1), to=other.hall, reason="Sobra", **here)
    stock.accept(transfer=sent, counted=SIZE, **there)
    issue = other.issue(1)
    stock.retire(issue=issue, first=1, last=2, reason="Rasgados", **there)
    sent = stock.send_transfer(issue=issue, to=evening.hall, reason="Sobra", **there)
    stock.accept(transfer=sent, counted=SIZE - 3, **here)


def _move(evening: Evening) -> None:
    """Save a figure, take a series in, and do with the second issue all that can be done."""
    who = evening.who(MANAGER)
    hall_patterns.save(hall=evening.hall, name="Cruz", drawing=CROSS, **who)
    series.take_in(hall=evening.hall, text=foreign("9"), **who)
    issue = Issue.objects.get(identification="sul-2")
    stock.count(issue=issue, counted=SIZE - 1, comment="Falta um", **who)
    stock.retire(issue=issue, first=7, last=7, reason="Falta", **who)
    stock.withdraw(issue=issue, reason="Molhados", **who)
    stock.reinstate(issue=issue, reason="Secos", **who)
    stock.count(issue=issue, counted=SIZE - 1, comment="", **who)
    sent = stock.send_transfer(
        issue=issue, to=Hall.objects.get(code="norte"), reason="Sobra", **who
    )
    stock.recall_transfer(transfer=sent, reason="Engano", **who)


def _print(evening: Evening) -> None:
    """Order three prints: one is drawn, one called off, one waits."""
    who = evening.who(MANAGER)
    issue = Issue.objects.get(identification="sul-2")
    jobs = [
        prints.order(
            issue=issue, first=first, last=first + 5, paper="a4", code="qr", back=False,
            crop=False, reason="", **who,
        )
        for first in (1, 13, 25)
    ]  # fmt: skip
    prints.draw_print(job_id=jobs[0].pk, clock=timezone.now)
    prints.cancel(job=jobs[1], **who)


@pytest.fixture
def hall(moved: Evening) -> Iterator[Hall]:
    """The hall, in a transaction of its owner that is rolled back."""
    with transaction.atomic():
        yield moved.hall
        transaction.set_rollback(True)


def codes(hall: Hall) -> set[str]:
    """Return the codes of what the audit finds."""
    return {code.removesuffix("_differs") for _number, code in found(hall)}


@pytest.mark.slow
def test_audit_of_a_moved_stock_finds_nothing(hall: Hall) -> None:
    assert found(hall) == []
    assert found(Hall.objects.get(code="norte")) == []
    kinds = set(JournalEntry.objects.filter(hall=hall).values_list("kind", flat=True))
    assert {
        "authorisation_recorded", "series_published", "pattern_saved", "issue_received",
        "issue_counted", "cards_retired", "issue_withdrawn", "issue_reinstated", "issue_sent",
        "transfer_recalled", "print_ordered", "print_finished", "print_cancelled",
    } <= kinds  # fmt: skip


ISSUE = "WHERE identification = 'sul-2'"
DONE = "WHERE state = 'done'"
# No issue of it has been received.
IMPORTED = "(SELECT id FROM draws_series WHERE source = 'imported')"


@pytest.mark.slow
@pytest.mark.rule(3)
@pytest.mark.parametrize(
    ("table", "change", "tables"),
    [
        ("halls_authorisation", "valid_from = valid_from - 1", {"authorisation"}),
        ("halls_authorisation", "valid_until = valid_from", {"authorisation"}),
        ("halls_authorisation", "formats = '{90}'", {"authorisation"}),
        ("halls_authorisation", "faces = faces || 5", {"authorisation"}),
        ("halls_authorisation", "sizes = '{}'", {"authorisation"}),
        ("halls_authorisation", "double_cards = false", {"authorisation"}),
        ("halls_authorisation", "line_share = line_share - 1", {"authorisation"}),
        ("halls_authorisation", "tax_threshold = 7", {"authorisation"}),
        ("halls_authorisation", "reference = 'x'", {"authorisation", "issue"}),
        ("draws_series", "version = version + 7", {"series"}),
        ("draws_series", "columns = true", {"series"}),
        ("draws_series", "source = 'emitted' WHERE source = 'imported'", {"series"}),
        ("draws_series", "rulebook = 'spain-1979' WHERE source = 'imported'", {"series"}),
        ("draws_card", "rows[1][1] = 9 WHERE number = 2", {"series"}),
        ("draws_card", f"number = number + 1000 WHERE series_id = {IMPORTED}", {"series"}),
        ("draws_pattern", "name = 'x'", {"pattern"}),
        ("draws_pattern", "drawing = 'x'", {"pattern"}),
        ("draws_pattern", f"saved_at = saved_at + {LATER}", {"pattern"}),
        ("draws_issue", f"face_colour = 'red' {ISSUE}", {"issue"}),
        ("draws_issue", f"back_colour = 'red' {ISSUE}", {"issue"}),
        ("draws_issue", f"double = true {ISSUE}", {"issue"}),
        ("draws_issue", f"symbols = true {ISSUE}", {"issue"}),
        ("draws_issue", f"figure = 'x' {ISSUE}", {"issue"}),
        ("draws_issue", f"place = 'shelf' {ISSUE}", {"issue"}),
        ("draws_issue", f"last_sold = 1 {ISSUE}", {"issue"}),
        ("draws_issue", f"authorisation_id = NULL {ISSUE}", {"issue"}),
        ("draws_retirement", "first = 3, last = 3 WHERE first = 7", {"retirement"}),
        ("draws_retirement", "reason = 'x'", {"retirement"}),
        ("draws_retirement", f"at = at + {LATER}", {"retirement"}),
        (
            "draws_retirement",
            "issue_id = (SELECT min(id) FROM draws_issue) WHERE first = 7",
            {"retirement"},
        ),
        ("draws_recount", "expected = 89", {"recount"}),
        ("draws_recount", "counted = 80, comment = 'x'", {"recount"}),
        ("draws_recount", "comment = 'x'", {"recount"}),
        ("draws_recount", f"at = at + {LATER}", {"recount"}),
        (
            "draws_transfer",
            "to_id = (SELECT id FROM halls_hall WHERE code = 'sul')",
            {"transfer"},
        ),
        ("draws_transfer", f"sent_at = sent_at + {LATER}", {"transfer"}),
        ("draws_transfer", "recalled_at = NULL", {"transfer"}),
        (
            "draws_transfer",
            f"recalled_at = recalled_at + {LATER} WHERE recalled_at IS NOT NULL",
            {"transfer"},
        ),
        ("draws_transfer", "arrived_id = NULL", {"issue"}),
        ("draws_printjob", f"first = first + 1, drawn = 0 {DONE}", {"print"}),
        ("draws_printjob", f"last = last + 1 {DONE}", {"print"}),
        ("draws_printjob", f"paper = 'roll' {DONE}", {"print"}),
        ("draws_printjob", f"code = 'none' {DONE}", {"print"}),
        ("draws_printjob", f"back = true {DONE}", {"print"}),
        ("draws_printjob", f"crop = true {DONE}", {"print"}),
        ("draws_printjob", f"reason = 'x' {DONE}", {"print"}),
        ("draws_printjob", f"copies = '[[1, 6, 1]]' {DONE}", {"print"}),
        ("draws_printjob", f"pages = pages + 1 {DONE}", {"print"}),
        ("draws_printjob", f"digest = repeat('0', 64) {DONE}", {"print"}),
        ("draws_printjob", f"ordered_at = ordered_at + {LATER} {DONE}", {"print"}),
        ("draws_printjob", f"ended_at = ended_at + {LATER} {DONE}", {"print"}),
        ("draws_printjob", "state = 'cancelled' WHERE state = 'queued'", {"print"}),
        ("draws_printjob", "state = 'queued' WHERE state = 'cancelled'", {"print"}),
        ("draws_printjob", f"issue_id = (SELECT min(id) FROM draws_issue) {DONE}", {"print"}),
    ],
)
def test_audit_finds_a_changed_row_of_the_stock(
    hall: Hall, table: str, change: str, tables: set[str]
) -> None:
    assert plant(table, f"UPDATE {table} SET {change}")
    assert codes(hall) == tables


@pytest.mark.slow
@pytest.mark.parametrize(
    "change",
    ["state = 'running' WHERE state = 'queued'", "drawn = 3", "started_at = ordered_at"],
)
def test_how_far_a_print_is_has_no_entry(hall: Hall, change: str) -> None:
    assert plant("draws_printjob", f"UPDATE draws_printjob SET {change}")
    assert codes(hall) == set()


@pytest.mark.slow
def test_authorisation_that_no_entry_recorded_is_found(hall: Hall) -> None:
    plant(
        "halls_authorisation",
        "ALTER TABLE halls_authorisation DROP CONSTRAINT authorisation_has_an_entry; "
        "INSERT INTO halls_authorisation (hall_id, reference, valid_from, formats, sizes, "
        "double_cards, faces, line_share, bingo_share, jackpot_rate, jackpot_limit, jackpot_base, "
        "tax_rate, tax_threshold, several_prices, identity_asked, languages, distributions, jackpot_terms, "
        "jackpot_levels, unclaimed_terms, exempt) SELECT hall_id, 'old', valid_from, formats, sizes, "
        "double_cards, faces, line_share, bingo_share, jackpot_rate, jackpot_limit, jackpot_base, "
        "tax_rate, tax_threshold, several_prices, identity_asked, languages, distributions, jackpot_terms, "
        "jackpot_levels, unclaimed_terms, exempt FROM halls_authorisation",
    )
    assert codes(hall) == {"authorisation"}


@pytest.mark.slow
@pytest.mark.parametrize(
    ("table", "which", "name"),
    [
        ("draws_pattern", "", "pattern"),
        ("draws_retirement", "WHERE first = 7", "retirement"),
        ("draws_recount", "", "recount"),
        ("draws_transfer", "WHERE recalled_at IS NOT NULL", "transfer"),
        ("draws_printjob", "WHERE state = 'done'", "print"),
    ],
)
def test_audit_finds_a_row_of_the_stock_gone(hall: Hall, table: str, which: str, name: str) -> None:
    assert plant(table, f"DELETE FROM {table} {which}")
    assert codes(hall) == {name}


PRINTED = (
    "issue_id, first, last, paper, code, back, crop, reason, copies, state, drawn, losses, digest, "
    "fault, ordered_at, entry_id"
)


@pytest.mark.parametrize(
    ("table", "columns", "values", "name"),
    [
        ("draws_pattern", "hall_id, name, drawing, saved_at", "{hall}, 'x', 'x', now()", "pattern"),
        (
            "draws_retirement",
            "issue_id, first, last, reason, at, entry_id",
            "{issue}, 80, 81, 'x', now(), {entry}",
            "retirement",
        ),
        (
            "draws_recount",
            "issue_id, expected, counted, comment, at, entry_id",
            "{issue}, 5, 5, '', now(), {entry}",
            "recount",
        ),
        (
            "draws_transfer",
            "issue_id, to_id, sent_at, recalled_at, entry_id",
            "{issue}, {hall}, now(), now(), {entry}",
            "transfer",
        ),
        (
            "draws_printjob",
            PRINTED,
            "{issue}, 1, 6, 'a4', 'qr', false, false, '', '[]', 'queued', 0, 0, '', '', now(), {entry}",
            "print",
        ),
    ],
)
def test_audit_finds_a_row_of_the_stock_that_no_entry_made(
    hall: Hall, table: str, columns: str, values: str, name: str
) -> None:
    issue = Issue.objects.get(identification="sul-2")
    entry = JournalEntry.objects.get(hall=hall, number=1)
    given = values.format(hall=hall.pk, issue=issue.pk, entry=entry.pk)
    plant(table, f"INSERT INTO {table} ({columns}) VALUES ({given})")
    assert codes(hall) == {name}


@pytest.mark.slow
def test_audit_finds_an_arrival_that_its_hall_does_not_tell(hall: Hall) -> None:
    sent = Transfer.objects.get(recalled_at__isnull=False)
    plant(
        "draws_transfer",
        "UPDATE draws_transfer SET recalled_at = NULL, arrived_id = %s WHERE id = %s",
        Issue.objects.get(identification="norte-2").pk, sent.pk,
    )  # fmt: skip
    assert codes(hall) == {"transfer"}
    assert codes(Hall.objects.get(code="norte")) == {"issue"}


@pytest.mark.slow
def test_audit_finds_that_an_issue_came_from_nowhere(hall: Hall) -> None:
    other = Hall.objects.get(code="norte")
    plant("draws_transfer", "DELETE FROM draws_transfer WHERE to_id = %s", hall.pk)
    assert codes(hall) == {"issue"}
    assert codes(other) == {"transfer"}


@pytest.fixture
def retired(hall: Hall, moved: Evening) -> JournalEntry:
    """The last entry, which retires cards 20 to 22 of an issue on the shelf."""
    issue = Issue.objects.get(hall=hall, identification="norte-1")
    stock.retire(issue=issue, first=20, last=22, reason="Rasgados", **moved.who(MANAGER))
    return JournalEntry.objects.filter(hall=hall).latest("number")


@pytest.mark.parametrize(
    ("forged", "code"),
    [
        ({"cards": 4}, "rules_refuse"),
        ({"letter": "B"}, "rules_refuse"),
        ({"identification": "x"}, "rules_refuse"),
        ({"first": 1}, "rules_refuse"),
        ({"last": 91}, "rules_refuse"),
        ({"reason": " "}, "rules_refuse"),
        ({"issue": 10**9}, "entry_malformed"),
        ({"first": None}, "entry_malformed"),
        ({"first": 19, "cards": 4}, "retirement_differs"),
    ],
)
def test_audit_judges_the_facts_of_the_stock_anew(
    hall: Hall, retired: JournalEntry, forged: dict[str, Any], code: str
) -> None:
    assert found(hall) == []
    rewrite(retired, retired.data | forged)
    assert found(hall) == [(retired.number, code)]
