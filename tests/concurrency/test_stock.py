"""The stock under several hands at once: an issue is in one hall, a card written off once."""

from __future__ import annotations

from collections.abc import Callable
from uuid import uuid4

import pytest
from django.utils import timezone

from bingo.rules.refusal import Refusal
from draws.cards import series, stock
from draws.games import services as games_services
from draws.models import Issue, Retirement, Series, Transfer
from draws.record.audit import audit
from halls.models import Hall, Role
from tests.support.evening import SIZE, Evening
from tests.support.threads import at_once

pytestmark = pytest.mark.usefixtures("fresh_database")

MANAGER = Role.HALL_MANAGER
ROUNDS = 6


def outcomes(results: list[object]) -> list[str]:
    """Return what came of each doing: done, or the refusal's code; nothing else may come."""
    assert all(isinstance(one, Refusal | Issue | Transfer | None) for one in results), results
    return sorted(one.code if isinstance(one, Refusal) else "done" for one in results)


def whole() -> bool:
    """Return whether the audit of every hall finds nothing."""
    return [finding for hall in Hall.objects.all() for finding in audit(hall)] == []


def race(sent: Transfer, here: Evening, there: Evening) -> list[object]:
    """Call an issue back and take it in at the same moment."""
    sender, taker = here.person(MANAGER), there.person(MANAGER)

    def recall() -> Transfer:
        return stock.recall_transfer(
            transfer=sent, reason="Engano", by=sender, at=timezone.now(), key=uuid4()
        )

    def accept() -> Issue:
        return stock.accept(transfer=sent, counted=SIZE, by=taker, at=timezone.now(), key=uuid4())

    return at_once([recall, accept, recall, accept])


@pytest.mark.slow
def test_issue_arrives_or_is_called_back_and_never_both() -> None:
    here, there = Evening("sul"), Evening("norte")
    came = []
    for _round in range(ROUNDS):
        who = here.who(MANAGER)
        sent = stock.send_transfer(issue=here.issue(), to=there.hall, reason="Falta lá", **who)
        results = race(sent, here, there)
        sent.refresh_from_db()
        arrived = sent.arrived_id is not None
        assert arrived != (sent.recalled_at is not None)
        lost = "transfer_arrived" if arrived else "transfer_recalled"
        assert outcomes(results) == ["done", *[lost] * 3]
        came.append(arrived)
        if arrived:
            break
        stock.count(issue=here.issue(), counted=SIZE, **who)
    assert Issue.objects.filter(hall=there.hall).count() == 2 + any(came)
    assert whole()


@pytest.mark.slow
def test_card_is_written_off_once() -> None:
    evening = Evening()
    issue, manager = evening.issue(), evening.person(MANAGER)

    def retire() -> None:
        stock.retire(
            issue=Issue.objects.get(pk=issue.pk), first=7, last=9, reason="Rasgados", by=manager,
            at=timezone.now(), key=uuid4(),
        )  # fmt: skip

    assert outcomes(at_once([retire] * 4)) == ["card_already_retired"] * 3 + ["done"]
    assert Retirement.objects.count() == 1
    assert whole()


@pytest.mark.slow
def test_issue_is_withdrawn_or_opened_and_never_both() -> None:
    evening = Evening().reach("shift")
    session, issue = evening.session, evening.issue()
    manager, chief = evening.person(MANAGER), evening.person(Role.TABLE_CHIEF)

    def withdraw() -> None:
        stock.withdraw(issue=issue, reason="x", by=manager, at=timezone.now(), key=uuid4())

    def opened() -> None:
        games_services.open_game(
            session=session, issue=issue, by=chief, at=timezone.now(), key=uuid4()
        )

    results = outcomes(at_once([withdraw, opened]))
    assert results in (["done", "issue_on_sale"], ["done", "issue_withdrawn"])
    assert whole()


@pytest.mark.slow
def test_versions_of_a_letter_are_counted_without_gap() -> None:
    evening = Evening()
    hall, manager = evening.hall, evening.person(MANAGER)

    def publish(seed: str) -> Callable[[], object]:
        def run() -> None:
            series.publish(
                hall=hall, format=90, letter="B", size=120, seed=seed, by=manager,
                at=timezone.now(), key=uuid4(),
            )  # fmt: skip

        return run

    assert outcomes(at_once([publish(str(n)) for n in range(4)])) == ["done"] * 4
    versions = Series.objects.filter(letter="B").order_by("version")
    assert list(versions.values_list("version", flat=True)) == [1, 2, 3, 4]
    assert whole()


@pytest.mark.slow
def test_identification_is_used_once() -> None:
    evening = Evening()
    hall, matrix, manager = evening.hall, evening.issue().series, evening.person(MANAGER)

    def receive() -> Issue:
        return stock.receive(
            hall=hall, series=matrix, identification="9001", face=200_00, face_colour="yellow",
            back_colour="blue", by=manager, at=timezone.now(), key=uuid4(),
        )  # fmt: skip

    assert outcomes(at_once([receive] * 4)) == ["done"] + ["identification_used"] * 3
    assert whole()
