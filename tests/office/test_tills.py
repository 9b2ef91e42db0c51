"""The page of the hall's tills: changed by its manager, read by its inspector, told in its language."""

from __future__ import annotations

from typing import Any
from uuid import uuid4

import pytest
from django.test import Client

from draws.record.audit import audit
from halls.models import Hall, Role, Till
from tests.support.evening import Evening, books

pytestmark = pytest.mark.django_db


def send(client: Client, verb: str, **fields: str) -> Any:
    return client.post(f"/tills/do/{verb}/", {"key": str(uuid4()), **fields})


def code_of(answer: Any) -> str:
    page: str = answer.content.decode()
    return page.partition('data-code="')[2].partition('"')[0]


@pytest.mark.slow
def test_till_is_added_and_taken_out_of_use_on_the_page() -> None:
    evening = Evening().reach("shift")
    manager = evening.at("manager")
    assert send(manager, "add", till="Balcão")["Location"] == "/tills/"
    assert send(manager, "retire", till="Caixa 2")["Location"] == "/tills/"
    page = manager.get("/tills/").content.decode()
    assert "A gaveta tem de ser contada antes de sair de uso." in page
    assert "Balcão · acrescentada" in page
    assert "Caixa 2 · posta fora de uso" in page
    assert send(manager, "restore", till="Caixa 2").status_code == 302
    assert Till.objects.filter(in_use=True).count() == 3
    assert audit(Hall.objects.get()) == []


@pytest.mark.slow
def test_refusal_is_told_and_what_was_typed_stands_again() -> None:
    evening = Evening().reach("shift")
    manager = evening.at("manager")
    before = books(evening.hall)
    assert code_of(send(manager, "retire", till="Caixa 1")) == "shift_still_open"
    again = send(manager, "add", till="Caixa 2")
    assert code_of(again) == "till_exists"
    assert 'value="Caixa 2"' in again.content.decode()
    for name in ("", "x" * 51, "<b>"):
        assert code_of(send(manager, "add", till=name)) == "bad_till_name"
    for name in ("\x00", "Caixa\u202e4"):
        assert code_of(send(manager, "add", till=name)) == "bad_input"
    assert books(evening.hall) == before


def test_sent_twice_it_is_done_once() -> None:
    manager, key = Evening().at("manager"), str(uuid4())
    for _time in range(2):
        assert send(manager, "add", till="Balcão", key=key).status_code == 302
    assert Till.objects.filter(name="Balcão").count() == 1


@pytest.mark.parametrize("role", list(Role))
def test_who_reads_and_who_changes(role: Role) -> None:
    evening = Evening()
    client = Client()
    client.force_login(evening.person(role), backend="halls.web.middleware.Backend")
    reads = role in (Role.HALL_MANAGER, Role.INSPECTOR)
    assert client.get("/tills/").status_code == (200 if reads else 403)
    changed = send(client, "add", till="Balcão").status_code
    assert changed == (302 if role is Role.HALL_MANAGER else 403)
    assert Till.objects.filter(name="Balcão").exists() == (role is Role.HALL_MANAGER)
