"""Ordering a print and calling it off: what is refused, what is a reprint, what is recorded."""

from __future__ import annotations

from typing import Any
from uuid import uuid4

import pytest

from bingo.rules.refusal import Refusal
from bingo.rules.stock import CardRun
from draws.cards import print_queries, prints
from draws.models import Issue, PrintJob, PrintState, Transfer
from draws.record.audit import audit
from halls.models import Hall, JournalEntry
from tests.support.cards_prints import MANAGER, order, retire
from tests.support.database import FreshDatabase
from tests.support.evening import Evening
from tests.support.playing import refuses
from tests.support.threads import at_once


@pytest.fixture
def evening(db: None) -> Evening:
    return Evening()


def test_order_is_kept_and_journalled(evening: Evening) -> None:
    job = order(evening, first=5, last=16, code="qr", back=True, crop=True)
    entry = JournalEntry.objects.latest("number")
    assert (entry.kind, entry.by) == ("print_ordered", evening.person(MANAGER))
    assert entry.data == {
        "job": job.pk, "issue": evening.issue().pk, "first": 5, "last": 16, "paper": "a4",
        "code": "qr", "back": True, "crop": True, "reason": "", "copies": [[5, 16, 0]],
    }  # fmt: skip
    assert job.entry == entry
    assert (job.state, job.drawn, job.ordered_at) == (PrintState.QUEUED, 0, entry.at)
    assert print_queries.progress(job).cards == 12


def test_order_asks_for_its_drawing(evening: Evening, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[tuple[str, int]] = []
    monkeypatch.setattr(prints, "later", lambda task, job_id: asked.append((task, job_id)))
    job = order(evening)
    assert asked == [("draws.print_cards", job.pk)]


@pytest.mark.parametrize(
    ("changed", "refused"),
    [
        ({"first": 0}, Refusal("print_range_bad", first=0, last=12, size=90)),
        ({"last": 91}, Refusal("print_range_bad", first=1, last=91, size=90)),
        ({"first": 13}, Refusal("print_range_bad", first=13, last=12, size=90)),
        ({"paper": "a3"}, Refusal("print_paper_unknown", paper="a3")),
        ({"code": "aztec"}, Refusal("print_code_unknown", asked="aztec")),
        ({"paper": "roll", "crop": True}, Refusal("print_roll_plain")),
        ({"paper": "roll", "back": True}, Refusal("print_roll_plain")),
    ],
)
def test_order_that_cannot_be_printed_is_refused(
    evening: Evening, changed: dict[str, Any], refused: Refusal
) -> None:
    with refuses(refused):
        order(evening, **changed)


@pytest.mark.parametrize("place", ["withdrawn", "sent"])
def test_issue_that_is_not_to_be_handed_out_is_not_printed(evening: Evening, place: str) -> None:
    Issue.objects.filter(pk=evening.issue().pk).update(place=place)
    with refuses(f"issue_{place}"):
        order(evening)


def test_issue_that_is_not_counted_yet_is_printed(evening: Evening) -> None:
    Issue.objects.filter(pk=evening.issue().pk).update(place="received")
    assert order(evening).state == PrintState.QUEUED


def test_reprint_needs_a_reason_and_says_its_copy(evening: Evening) -> None:
    order(evening, first=1, last=12)
    with refuses(Refusal("print_reason_missing", first=7, last=12)):
        order(evening, first=7, last=18)
    again = order(evening, first=7, last=18, reason="Papel rasgado")
    assert print_queries.runs(again) == (CardRun(7, 12, 1), CardRun(13, 18, 0))
    third = order(evening, first=1, last=20, reason="Molhados")
    assert print_queries.runs(third) == (
        CardRun(1, 6, 1), CardRun(7, 12, 2), CardRun(13, 18, 1), CardRun(19, 20, 0),
    )  # fmt: skip


def test_cards_of_another_issue_of_the_same_series_are_no_reprint(evening: Evening) -> None:
    order(evening)
    assert print_queries.runs(order(evening, issue=evening.issue(2))) == (CardRun(1, 12, 0),)


@pytest.mark.parametrize("state", [PrintState.CANCELLED, PrintState.FAILED])
def test_order_that_came_to_nothing_makes_no_reprint(evening: Evening, state: str) -> None:
    job = order(evening)
    PrintJob.objects.filter(pk=job.pk).update(state=state)
    assert print_queries.runs(order(evening)) == (CardRun(1, 12, 0),)


def test_no_two_prints_of_a_card_ever_carry_the_same_copy(evening: Evening) -> None:
    first = order(evening)
    second = order(evening, reason="Outra vez")
    prints.cancel(job=first, **evening.who(MANAGER))
    assert print_queries.runs(second) == (CardRun(1, 12, 1),)
    assert print_queries.runs(order(evening, reason="Outra vez")) == (CardRun(1, 12, 2),)


def test_retired_cards_are_left_out(evening: Evening) -> None:
    retire(evening, 3, 4)
    retire(evening, 10, 40)
    job = order(evening)
    assert print_queries.runs(job) == (CardRun(1, 2, 0), CardRun(5, 9, 0))
    assert print_queries.progress(job).cards == 7
    with refuses(Refusal("print_nothing_left", first=11, last=13)):
        order(evening, first=11, last=13)


def test_cards_printed_in_the_hall_they_came_from_are_reprints(evening: Evening) -> None:
    order(evening, first=1, last=6)
    here = Evening("outra", hall=None)
    entry = JournalEntry.objects.latest("number")
    Transfer.objects.create(
        issue=evening.issue(), to=here.hall, sent_at=entry.at, entry=entry, arrived=here.issue()
    )
    assert print_queries.planned(here.issue(), 1, 8) == (CardRun(1, 6, 1), CardRun(7, 8, 0))
    assert print_queries.planned(here.issue(2), 1, 8) == (CardRun(1, 8, 0),)


def test_queued_and_running_prints_are_called_off(evening: Evening) -> None:
    for state in (PrintState.QUEUED, PrintState.RUNNING):
        job = order(evening)
        PrintJob.objects.filter(pk=job.pk).update(state=state)
        cancelled = prints.cancel(job=job, **evening.who(MANAGER))
        entry = JournalEntry.objects.latest("number")
        assert (entry.kind, entry.data) == ("print_cancelled", {"job": job.pk})
        assert (cancelled.state, cancelled.ended_at) == (PrintState.CANCELLED, entry.at)


@pytest.mark.parametrize("state", [PrintState.CANCELLED, PrintState.FAILED])
def test_print_that_has_ended_is_not_called_off(evening: Evening, state: str) -> None:
    job = order(evening)
    PrintJob.objects.filter(pk=job.pk).update(state=state)
    with refuses(Refusal("print_not_running", state=state)):
        prints.cancel(job=job, **evening.who(MANAGER))


def test_same_key_orders_and_cancels_once(evening: Evening) -> None:
    who = {**evening.who(MANAGER), "key": uuid4()}
    assert order(evening, **who) == order(evening, **who)
    assert PrintJob.objects.count() == 1
    with refuses("key_reused"):
        order(evening, last=13, **who)
    off = {**evening.who(MANAGER), "key": uuid4()}
    job = PrintJob.objects.get()
    assert prints.cancel(job=job, **off) == prints.cancel(job=job, **off)
    assert JournalEntry.objects.filter(kind="print_cancelled").count() == 1


def test_print_of_another_hall_is_nobodys_business(evening: Evening) -> None:
    job, other = order(evening), Evening("outra")
    with refuses("not_allowed"):
        prints.cancel(job=job, **other.who(MANAGER))
    with refuses("not_allowed"):
        order(evening, **other.who(MANAGER))
    with refuses(Refusal("print_unknown", job=job.pk)):
        print_queries.get_print_job(other.hall, job.pk)


@pytest.mark.slow
def test_two_orders_at_once_are_a_first_print_and_reprints(fresh_database: FreshDatabase) -> None:
    evening = Evening()
    issue, who = evening.issue(), evening.who(MANAGER)

    def ordered() -> PrintJob:
        return order(evening, issue=issue, reason="Duas pessoas", **who)

    jobs = at_once([ordered] * 4)
    assert sorted(job.copies for job in jobs) == [[[1, 12, copy]] for copy in range(4)]
    assert audit(Hall.objects.get()) == []


@pytest.mark.slow
def test_two_orders_at_once_without_a_reason_are_one(fresh_database: FreshDatabase) -> None:
    evening = Evening()
    issue, who = evening.issue(), evening.who(MANAGER)
    results = at_once([lambda: order(evening, issue=issue, **who)] * 4)
    assert [type(one) for one in results].count(PrintJob) == 1
    assert results.count(Refusal("print_reason_missing", first=1, last=12)) == 3


@pytest.mark.slow
def test_pages_list_prints_in_as_many_queries_as_one(
    evening: Evening, django_assert_num_queries: Any
) -> None:
    for count in (1, 30):
        for _one in range(count):
            order(evening, reason="Lista")
        with django_assert_num_queries(1):
            shown = [
                (
                    job.issue.series.letter,
                    job.entry.by and job.entry.by.name,
                    print_queries.print_progress(job),
                )
                for job in print_queries.print_job_of_hall(evening.hall)
            ]
        assert len(shown) >= count
