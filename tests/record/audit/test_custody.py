"""The page of the cards kept: who reads and orders, what is told, what is refused in words."""

from __future__ import annotations

from typing import Any
from uuid import uuid4

import pytest
from django.http import HttpResponse
from django.test import Client

from bingo.rules import cards
from bingo.rules.custody import MOST_AT_ONCE
from draws.models import Case, Departure, SetAside, UsedDestruction
from draws.record.audit import audit
from halls.models import Hall, JournalEntry, Role
from tests.support import custody_hall
from tests.support.evening import Evening, browser_of

pytestmark = pytest.mark.django_db

PATH = "/custody/"
READS = (Role.HALL_MANAGER, Role.TABLE_CHIEF, Role.INSPECTOR)
PASSWORD = "Vim assistir 1979"
MOST_DAYS = 10


@pytest.fixture
def evening() -> Evening:
    """A hall whose winning card was paid ten days ago, and whose table chief has a password."""
    with custody_hall.days_ago(MOST_DAYS):
        made = Evening(language="en")
        session = custody_hall.over(made)
    custody_hall.sealed(session)
    chief = made.person(Role.TABLE_CHIEF)
    chief.set_password(PASSWORD)
    chief.save(update_fields=["password"])
    return made


def send(client: Client, verb: str, **fields: Any) -> HttpResponse:
    """Send an order to the page."""
    sent = {"key": str(uuid4())} | fields
    answer: HttpResponse = client.post(f"{PATH}do/{verb}/", sent)  # type: ignore[assignment]
    return answer


def page(client: Client, path: str = PATH) -> str:
    """Read a page."""
    answer: Any = client.get(path)
    assert answer.status_code == 200
    return " ".join(answer.content.decode().replace("\xa0", " ").split())


def code(answer: HttpResponse) -> str:
    """Return the code of a refusal."""
    assert answer.status_code == 409
    return str(answer.context["notice"]["code"])  # type: ignore[attr-defined]


def named(evening: Evening, number: int = 1) -> str:
    """Name a card as the page's boxes do."""
    return f"{evening.issue().pk}-{number}"


def destroyed(evening: Evening, *cards: str, **fields: Any) -> HttpResponse:
    """Let the manager destroy cards before the table chief."""
    second = {
        "witness_username": evening.person(Role.TABLE_CHIEF).username,
        "witness_password": PASSWORD,
    }
    return send(evening.at("manager"), "destroy", card=list(cards), **(second | fields))


@pytest.mark.slow
@pytest.mark.rule("BOE III")
def test_page_is_shown_to_those_it_concerns_and_orders_taken_from_those_who_decide(
    evening: Evening,
) -> None:
    for role in Role:
        client = browser_of(evening.person(role))
        assert client.get(PATH).status_code == (200 if role in READS else 403), role
        if role != Role.HALL_MANAGER:
            assert send(client, "destroy", card=named(evening)).status_code in (403, 409), role
    assert Client().get(PATH).status_code == 302
    assert "/do/" not in page(evening.at("inspector"))
    chief = page(evening.at("table"))
    assert ("/do/destroy-used/" in chief, "/do/destroy/" in chief) == (True, False)
    for verb in ("destroy", "open-case", "close-case", "hand-over"):
        with_case = {"case": "1", "outcome": "x", "to": "x", "session": "1", "game": "1"}
        said = {"reference": "1", "reason": "x", "cards": "", "card": named(evening)}
        assert code(send(evening.at("table"), verb, **with_case, **said)) in (
            "not_allowed", "unknown_case",
        )  # fmt: skip
    assert not JournalEntry.objects.filter(kind__in=["case_opened", "winning_cards_destroyed"])


@pytest.mark.slow
@pytest.mark.rule(52)
def test_manager_is_reminded_and_destroys_what_is_due_before_a_second_person(
    evening: Evening,
) -> None:
    manager = evening.at("manager")
    assert 'id="to-destroy"' in page(manager, "/manager/")
    assert f'value="{named(evening)}" checked' in page(manager)
    assert code(send(manager, "destroy", card=named(evening))) == "second_person_needed"
    assert code(destroyed(evening, named(evening), witness_password="falsch")) == "witness_unknown"
    assert destroyed(evening, named(evening)).status_code == 302
    assert Departure.objects.get().how == "destroyed"
    assert 'id="to-destroy"' not in page(manager, "/manager/")
    entry = JournalEntry.objects.get(kind="winning_cards_destroyed")
    for desk in ("manager", "inspector"):
        answer = evening.at(desk).get(f"{PATH}{entry.number}.pdf")
        assert (answer.status_code, answer.content[:5]) == (200, b"%PDF-")
    assert evening.at("caller").get(f"{PATH}{entry.number}.pdf").status_code == 403
    assert evening.at("manager").get(f"{PATH}{entry.number - 1}.pdf").status_code == 404
    assert audit(Hall.objects.get()) == []


@pytest.mark.slow
def test_record_of_another_hall_is_not_found(evening: Evening) -> None:
    destroyed(evening, named(evening))
    entry = JournalEntry.objects.get(kind="winning_cards_destroyed")
    other = Evening("norte")
    assert other.at("manager").get(f"{PATH}{entry.number}.pdf").status_code == 404


@pytest.mark.rule(52)
@pytest.mark.slow
def test_nothing_is_told_as_due_before_its_day() -> None:
    with custody_hall.days_ago(8):
        evening = Evening(language="en")
        custody_hall.over(evening)
    manager = evening.at("manager")
    assert 'id="to-destroy"' not in page(manager, "/manager/")
    assert "checked" not in page(manager)
    assert code(destroyed_unwitnessed(evening)) == "second_person_needed"


def destroyed_unwitnessed(evening: Evening) -> HttpResponse:
    """Let the manager try alone."""
    return send(evening.at("manager"), "destroy", card=named(evening))


@pytest.mark.slow
def test_card_that_no_list_offers_is_refused(evening: Evening) -> None:
    for card in ("", "1", "x-1", "1-x", "-1-1", "9" * 11 + "-1", "9" * 10 + "-1", "1-\x00", "１-1"):
        assert code(destroyed(evening, card)) == "bad_input", card


@pytest.mark.slow
def test_more_than_a_record_holds_and_nothing_are_refused(evening: Evening) -> None:
    assert code(destroyed(evening, *["1-1"] * (MOST_AT_ONCE + 1))) == "too_many_cards"
    assert code(destroyed(evening)) == "nothing_to_destroy"


@pytest.mark.slow
@pytest.mark.rule(51)
def test_case_is_opened_holds_its_cards_and_evidence_goes_with_the_acta(evening: Evening) -> None:
    manager = evening.at("manager")
    asked = {
        "session": "1", "game": "1", "reference": "12/2026", "reason": "Queixa", "cards": "5, 6",
    }  # fmt: skip
    assert code(send(manager, "open-case", **asked | {"game": "2"})) == "unknown_game"
    assert code(send(manager, "open-case", **asked | {"cards": "7"})) == "not_sold"
    assert code(send(manager, "open-case", **asked | {"cards": "5;x"})) == "bad_input"
    assert code(send(manager, "open-case", **asked | {"session": "9" * 20})) == "bad_input"
    assert send(manager, "open-case", **asked).status_code == 302
    shown = page(manager)
    assert 'id="case-1"' in shown
    assert "Nothing: no card" in shown
    assert code(destroyed(evening, named(evening))) == "held_by_case"
    told = {"case": "1", "to": "Inspeção-Geral", "card": [named(evening, 1), named(evening, 5)]}
    assert code(send(manager, "hand-over", **told | {"to": " "})) == "recipient_missing"
    assert code(send(manager, "hand-over", **told | {"case": "2"})) == "unknown_case"
    assert send(manager, "hand-over", **told).status_code == 302
    assert Departure.objects.filter(how="handed_over").count() == 2
    assert code(send(manager, "close-case", case="1", outcome="")) == "reason_missing"
    assert send(manager, "close-case", case="1", outcome="Entregue").status_code == 302
    assert Case.objects.get().outcome == "Entregue"
    assert f'value="{named(evening, 6)}" checked' in page(manager)
    assert audit(Hall.objects.get()) == []


@pytest.mark.rule(51)
def test_evidence_is_named_by_its_number_or_its_code_in_groups_or_without(
    evening: Evening,
) -> None:
    codes = [cards.code_of(evening.issue().pk, card) for card in (4, 5, 6)]
    told = ["3", cards.grouped_code(codes[0]), codes[1], cards.grouped_code(codes[2])]
    asked = {"session": "1", "game": "1", "reference": "12/2026", "reason": "Queixa"}
    manager = evening.at("manager")
    wrong = told[1][:-1] + str((int(told[1][-1]) + 1) % 10)
    assert code(send(manager, "open-case", **asked, cards=wrong)) == "bad_code"
    assert send(manager, "open-case", **asked, cards=" ".join(told)).status_code == 302
    assert [one.card for one in SetAside.objects.order_by("card")] == [3, 4, 5, 6]


@pytest.mark.rule(51)
@pytest.mark.slow
def test_used_cards_are_noted_by_the_table_chief(evening: Evening) -> None:
    chief = evening.at("table")
    game = str(evening.game.pk)
    assert code(send(chief, "destroy-used", game=game, cards="6", note="")) == "bad_count"
    assert code(send(chief, "destroy-used", game="0", cards="5", note="")) == "unknown_game"
    assert send(chief, "destroy-used", game=game, cards="4", note="").status_code == 302
    assert UsedDestruction.objects.get().missing == 1
    assert "/do/destroy-used/" not in page(chief)


@pytest.mark.slow
@pytest.mark.rule(44, 52)
def test_unpaid_winning_card_is_told_and_not_on_the_shelf() -> None:
    evening = Evening(language="en").reach("paying")
    shown = page(evening.at("inspector"))
    assert 'id="unpaid"' in shown
    assert "0 cards on the shelf" in shown
    custody_hall.completed(evening)
    assert 'id="unpaid"' not in page(evening.at("inspector"))


@pytest.mark.slow
def test_cases_and_cards_of_another_hall_are_unknown(evening: Evening) -> None:
    other = Evening("norte")
    custody_hall.with_case(other)
    manager = evening.at("manager")
    assert code(send(manager, "close-case", case="1", outcome="x")) == "unknown_case"
    assert code(destroyed(evening, named(other))) == "not_on_shelf"
    game = str(other.game.pk)
    assert code(send(manager, "destroy-used", game=game, cards="5", note="")) == "unknown_game"
