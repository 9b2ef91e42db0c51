"""A lesson gives a task, watches it being done, and says so."""

from __future__ import annotations

from datetime import timedelta
from uuid import uuid4

import pytest
from django.test import Client
from django.utils import timezone

from draws.games import services as games
from draws.sales import services as sales
from draws.training import services as training
from draws.training.views import tasks
from halls import sessions, tills
from halls.journal.services import Who
from halls.models import Role, Till
from tests.support.evening import Evening, browser_of

pytestmark = pytest.mark.django_db


@pytest.mark.slow
def test_task_counts_what_the_person_does_and_says_when_it_is_done() -> None:
    person = Evening().person(Role.CASHIER)
    account = training.enter(person, at=timezone.now())
    assert tasks(account) == []
    training.deal(lesson=training.SALE, by=account, at=timezone.now())
    assert [(one.done, one.is_done) for one in tasks(account)] == [(0, False)] * 3
    browser = browser_of(person)
    browser.post("/practise/enter/")
    for sold in (1, 2, 3):
        answer = browser.post(
            "/training/till/sell/", {"key": str(uuid4()), "quantity": "2", "given": ""}
        )
        assert answer.status_code == 200
        assert tasks(account)[0].done == sold
    shown = browser.get("/training/practise/tasks/").content.decode()
    assert (shown.count("is-done"), shown.count("<li")) == (1, 2)
    assert "0 / 5" in shown
    for here, task in (("http://sala/training/table/?next=/till/", "0 / 2"), ("http://[", "0 / 5")):
        page = browser.get("/training/practise/tasks/", headers={"HX-Current-URL": here})
        assert task in page.content.decode()


@pytest.mark.slow
def test_tasks_are_the_persons_own_and_nobody_elses_business() -> None:
    evening = Evening()
    account = training.enter(evening.person(Role.HALL_MANAGER), at=timezone.now())
    other = training.enter(evening.person(Role.TABLE_CHIEF), at=timezone.now())
    training.deal(lesson=training.CLAIM, by=account, at=timezone.now())
    assert [one.done for one in tasks(other)] == [0, 0, 0]
    assert (
        "<li"
        not in browser_of(evening.person(Role.CASHIER)).get("/practise/tasks/").content.decode()
    )
    assert Client().get("/practise/tasks/").status_code == 302


@pytest.mark.slow
def test_sale_that_dealt_the_lesson_is_left_out_for_the_dealer_alone() -> None:
    evening = Evening()
    dealer = training.enter(evening.person(Role.HALL_MANAGER), at=timezone.now())
    other = training.enter(evening.person(Role.CASHIER), at=timezone.now())
    game = training.deal(lesson=training.SALE, by=dealer, at=timezone.now())
    till = Till.objects.create(hall=other.hall, name="Caixa 2")
    shift = tills.open_shift(
        session=game.session, till=till, float=100_00, by=other, at=timezone.now()
    )
    for sold in (1, 2):
        sales.sell(game=game, shift=shift, quantity=1, by=other, at=timezone.now())
        assert (tasks(other)[0].done, tasks(dealer)[0].done) == (sold, 0)


def test_every_sale_counts_in_a_game_that_somebody_opened_by_hand() -> None:
    account = training.enter(Evening().person(Role.HALL_MANAGER), at=timezone.now())
    issue, who = training.shelf(account.hall), Who(by=account, at=timezone.now())
    assert issue is not None
    ends = timezone.now() + timedelta(hours=2)
    session = sessions.open_session(hall=account.hall, checked=True, ends_at=ends, **who)
    game = games.open_game(session=session, issue=issue, **who)
    games.announce_sale(game=game, **who)
    shift = tills.open_shift(session=session, till=account.hall.tills.get(), float=100_00, **who)
    for sold in (1, 2, 3):
        sales.sell(game=game, shift=shift, quantity=1, **who)
        assert tasks(account)[0].done == sold
