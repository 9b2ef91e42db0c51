"""The hall as it stands on one page: all that its people see, nothing to press, nothing to change."""

import pytest
from django.test import Client

from draws.balls import readings
from halls import sessions
from halls.models import Role
from tests.support.evening import STAGES, Evening, books, browser_of, order

pytestmark = pytest.mark.django_db


@pytest.mark.rule("BOE III")
@pytest.mark.slow
def test_page_is_the_inspectors_and_the_hall_managers() -> None:
    evening = Evening().reach("sold")
    for path in ("/watch/", "/watch/live/"):
        for role in Role:
            expected = 200 if role in (Role.INSPECTOR, Role.HALL_MANAGER) else 403
            assert browser_of(evening.person(role)).get(path).status_code == expected, role
        assert Client().get(path).status_code == 302


@pytest.mark.parametrize("stage", STAGES)
def test_every_moment_of_an_evening_is_shown_without_an_order(stage: str) -> None:
    evening = Evening().reach(stage)
    page = evening.at("inspector").get("/watch/live/").content.decode()
    assert "<form" not in page
    assert 'id="live"' in page


@pytest.mark.rule(55)
@pytest.mark.slow
def test_alarms_claims_and_tills_are_on_the_page() -> None:
    evening = Evening().reach("closed")
    readings.suspend(game=evening.game, reason="Luz cortada", **evening.who(Role.TABLE_CHIEF))
    sessions.record_note(
        session=evening.session, category="complaint", text="Cartão trocado", decision="",
        **evening.who(Role.TABLE_CHIEF),
    )  # fmt: skip
    page = evening.at("inspector").get("/watch/").content.decode()
    for told in ("Luz cortada", "Cartão trocado", "Caixa 1"):
        assert told in page
    checked = Evening("outra").reach("checked").at("inspector").get("/watch/").content.decode()
    assert "badge--ok" in checked
    assert "Cartão trocado" not in checked


@pytest.mark.slow
def test_no_order_can_be_sent_to_it() -> None:
    evening = Evening().reach("sold")
    before = books(evening.hall)
    assert order(evening.at("inspector"), "watch", "sell", quantity=1).status_code == 409
    assert books(evening.hall) == before
