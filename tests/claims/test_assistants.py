"""A floor assistant's evening: cards to the table, used ones collected, both in the record (BOE III)."""

from __future__ import annotations

from typing import Any
from uuid import uuid4

import pytest
from django.db import DatabaseError, IntegrityError, transaction
from django.utils import timezone

from draws.claims import services as claims_services
from draws.models import CardCollection, CarriedCard
from draws.record.audit import audit
from halls.models import Hall, JournalEntry, Role
from tests.support import custody_hall, floor_assistants
from tests.support.evening import Evening, browser_of, order
from tests.support.playing import refuses

pytestmark = pytest.mark.django_db
ASSISTANT = Role.FLOOR_ASSISTANT


def colleague(evening: Evening) -> dict[str, Any]:
    other = evening.hall.people.filter(roles__contains=[ASSISTANT]).order_by("username")[1]
    return {"by": other, "at": timezone.now()}


@pytest.mark.rule("BOE III")
@pytest.mark.slow
def test_card_is_brought_and_the_table_sees_it_until_it_is_checked() -> None:
    evening = Evening().reach("stopped")
    browser = browser_of(evening.person(ASSISTANT))
    assert "Bingo" in browser.get("/assistant/").content.decode()
    issue = evening.issue().pk
    answer = order(browser, "assistant", "carry", issue=issue, card="1", place="Mesa 4")
    assert answer.status_code == 200, answer.content.decode()
    row = CarriedCard.objects.get()
    assert (row.card, row.place, row.entry.by) == (1, "Mesa 4", evening.person(ASSISTANT))
    assert "Mesa 4" in evening.at("table").get("/table/live/").content.decode()
    entry = claims_services.check(
        game=evening.game, combination="bingo", issue=evening.issue(), card=1, sound=True,
        **evening.who(Role.TABLE_CHIEF),
    )  # fmt: skip
    assert entry.data["valid"]
    assert audit(Hall.objects.get()) == []


@pytest.mark.rule(48)
@pytest.mark.slow
def test_check_sent_again_is_answered_though_the_card_was_brought_meanwhile() -> None:
    evening = Evening().reach("stopped")
    check = {"issue": evening.issue().pk, "combination": "bingo", "sound": "on", "card": 1}
    key, chief = uuid4(), evening.at("table")
    assert order(chief, "table", "check", key=key, **check).status_code == 200
    floor_assistants.carry(evening, evening.who(ASSISTANT), place="Mesa 4")
    again = order(chief, "table", "check", key=key, **check)
    assert again.status_code == 200, again.content.decode()
    assert "place" not in JournalEntry.objects.get(kind="claim_checked").data


@pytest.mark.rule(47)
@pytest.mark.slow
def test_nobody_is_sent_for_a_card_once_the_prize_is_awarded() -> None:
    evening = Evening().reach("window")
    browser = browser_of(evening.person(ASSISTANT))
    asked = "/assistant/do/carry/"
    assert asked in browser.get("/assistant/live/").content.decode()
    evening.reach("awarded")
    assert asked not in browser.get("/assistant/live/").content.decode()
    with refuses("nobody_called"):
        floor_assistants.carry(evening, evening.who(ASSISTANT))


@pytest.mark.slow
def test_two_assistants_bring_a_card_once() -> None:
    evening = Evening().reach("stopped")
    floor_assistants.carry(evening, evening.who(ASSISTANT))
    with refuses("brought_already"):
        floor_assistants.carry(evening, colleague(evening))
    with refuses("brought_already"):
        floor_assistants.carry(evening, evening.who(ASSISTANT))


@pytest.mark.rule(51)
@pytest.mark.slow
def test_used_cards_are_collected_by_two_and_the_destruction_names_them() -> None:
    evening = custody_hall.completed(Evening())
    floor_assistants.collect(evening, evening.who(ASSISTANT), cards=4)
    with refuses("bad_count"):
        floor_assistants.collect(evening, colleague(evening), cards=2)
    floor_assistants.collect(evening, evening.who(ASSISTANT), cards=2)
    floor_assistants.collect(evening, colleague(evening), cards=3)
    custody_hall.destroy_used(evening, evening.who(Role.TABLE_CHIEF), cards=5)
    entry = JournalEntry.objects.get(kind="used_cards_destroyed")
    assert [one["cards"] for one in entry.data["collected"]] == [2, 3]
    with refuses("used_destroyed_already"):
        floor_assistants.collect(evening, evening.who(ASSISTANT), cards=1)
    assert audit(Hall.objects.get()) == []


@pytest.mark.slow
def test_page_shows_what_is_to_be_collected_and_takes_no_order_of_others() -> None:
    evening = custody_hall.completed(Evening())
    browser = browser_of(evening.person(ASSISTANT))
    assert f'name="game" value="{evening.game.pk}"' in browser.get("/assistant/").content.decode()
    assert order(browser, "assistant", "collect", game=evening.game.pk, cards=5).status_code == 200
    assert CardCollection.objects.get().cards == 5
    for cards in ("-1", "6", "", "5.5", "٥"):
        answer = order(browser, "assistant", "collect", game=evening.game.pk, cards=cards)
        assert answer.status_code == 409, cards
    for role in set(Role) - {ASSISTANT}:
        assert browser_of(evening.person(role)).get("/assistant/").status_code == 403


def test_postgresql_refuses_to_change_what_was_brought() -> None:
    evening = Evening().reach("stopped")
    row = floor_assistants.carry(evening, evening.who(ASSISTANT))
    with pytest.raises(DatabaseError), transaction.atomic():
        CarriedCard.objects.filter(pk=row.pk).update(card=2)
    with pytest.raises(IntegrityError), transaction.atomic():
        CarriedCard.objects.create(
            game=row.game, call=row.call, issue=row.issue, card=row.card, at=row.at,
            entry=JournalEntry.objects.earliest("pk"),
        )  # fmt: skip
