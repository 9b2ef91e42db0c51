"""Totals that are not the sum of the days: found, a cent at a time, at the closing that tells them."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from django.db import transaction
from django.utils import timezone
from pytest_django import DjangoDbBlocker

from bingo import money_and_dates
from bingo.rules import session_end_and_totals
from draws.games import services as games_services
from draws.prizes import services as prizes_services
from draws.record.acta import queries as acta_queries
from draws.record.acta import values as acta_values
from halls import sessions, tills
from halls.models import JournalEntry, Role, Session
from tests.support import database, planting
from tests.support.evening import FACE, Evening, browser_of
from tests.support.planting import rewrite


@pytest.fixture(scope="module")
def two_sessions(template_database: str, django_db_blocker: DjangoDbBlocker) -> Iterator[Evening]:
    """A hall with two closed sessions, one game in each; its owner is connected."""
    with (
        database.copy(template_database, blocker=django_db_blocker) as fresh,
        django_db_blocker.unblock(),
    ):
        evening = Evening().reach("paying")
        prizes_services.pay_payment(
            game=evening.game, issue=evening.issue(), card=1, shift=evening.shift,
            **evening.who(Role.CASHIER),
        )  # fmt: skip
        _close(evening)
        evening.stage = 0
        evening.reach("sold")
        games_services.void(
            game=evening.game, cause="other", reason="x", **evening.who(Role.TABLE_CHIEF)
        )
        prizes_services.refund(
            game=evening.game, issue=evening.issue(), first=7, last=12, shift=evening.shift,
            **evening.who(Role.CASHIER),
        )  # fmt: skip
        _close(evening)
        with planting.as_owner_of(fresh):
            yield evening


def _close(evening: Evening) -> None:
    games_services.complete(game=evening.game, **evening.who(Role.TABLE_CHIEF))
    cash = sum(evening.shift.movements.values_list("amount", flat=True))
    tills.close_shift(shift=evening.shift, counted=cash, comment="", **evening.who(Role.CASHIER))
    evening.close()


@pytest.fixture
def played(two_sessions: Evening) -> Iterator[Evening]:
    """The evenings, in a transaction of their owner that is rolled back."""
    with transaction.atomic():
        yield two_sessions
        transaction.set_rollback(True)


def closings() -> list[JournalEntry]:
    """The closings of both sessions."""
    return list(JournalEntry.objects.filter(kind="session_closed").order_by("number"))


@pytest.mark.slow
def test_totals_that_are_carried_on_are_whole(played: Evening) -> None:
    first, second = (entry.data["totals"]["CVE"] for entry in closings())
    assert (first["cards"], first["collected"]) == (6, 6 * FACE)
    assert (second["cards"], second["collected"], second["refunded"]) == (12, 12 * FACE, 6 * FACE)
    assert (second["prizes"], second["accrued"]) == (first["prizes"], first["accrued"])
    assert planting.found(played.hall) == []


@pytest.mark.parametrize("name", session_end_and_totals.NAMES)
def test_audit_finds_a_total_altered_by_a_cent(played: Evening, name: str) -> None:
    last = closings()[-1]
    told = {currency: dict(sums) for currency, sums in last.data["totals"].items()}
    told["CVE"][name] = told["CVE"].get(name, 0) + 1
    rewrite(last, last.data | {"totals": told})
    assert planting.found(played.hall) == [(last.number, "totals_differ")]


@pytest.mark.parametrize("told", [None, {}, {"EUR": "CVE"}])
def test_audit_finds_totals_left_out_once_they_were_told(played: Evening, told: object) -> None:
    last = closings()[-1]
    data = {name: value for name, value in last.data.items() if name != "totals"}
    if told == {"EUR": "CVE"}:
        told = {"EUR": last.data["totals"]["CVE"]}
    rewrite(last, data if told is None else data | {"totals": told})
    assert {code for _number, code in planting.found(played.hall)} == {"totals_differ"}


def test_totals_are_counted_anew_where_older_closings_told_none(played: Evening) -> None:
    untold = "UPDATE halls_journalentry SET data = data - 'totals' WHERE kind = 'session_closed'"
    expected = closings()[-1].data["totals"]
    planting.plant("halls_journalentry", untold)
    last = Session.objects.select_related("hall").latest("number")
    assert sessions.closing(last) == expected
    assert sessions.carried(played.hall) == {}


@pytest.mark.slow
def test_totals_are_told_in_the_data_of_the_acta_and_on_both_pages(played: Evening) -> None:
    last = Session.objects.select_related("hall", "opened_by", "closed_by").latest("number")
    told = acta_values.data(acta_queries.values(last, made_at=timezone.now()))["totals"]
    assert told == closings()[-1].data["totals"]
    for role, address in ((Role.INSPECTOR, "/inspector/"), (Role.HALL_MANAGER, "/manager/")):
        page = browser_of(played.person(role)).get(address).content.decode()
        assert 'id="totals"' in page, address
        assert money_and_dates.amounts_text(12 * FACE, currency="CVE", language="pt") in page, (
            address
        )
