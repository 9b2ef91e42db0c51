"""The steps to the first session, computed from what there is, and gone from the desk afterwards."""

from __future__ import annotations

from pathlib import Path
from typing import Any
from uuid import uuid4

import pytest
from django.conf import LazySettings
from django.utils import timezone

from draws.cards import series, stock
from halls import jackpots, staff
from halls.models import Hall, Person, Role
from halls.policy.services import set_policy
from tests.support.evening import FACE, FACE_COLOUR, Evening, authorise, browser_of, within
from tests.support.linked_jackpots import BASE, CODE, linked
from tests.support.opening_halls import open_one
from tests.support.staff import take_on_inspector

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def folders(settings: LazySettings, tmp_path: Path) -> Path:
    """Folders of the test's own, and none for checkpoints."""
    settings.KEYS_DIR, settings.CHECKPOINT_DIRS = tmp_path / "keys", []
    return tmp_path


def manager(hall: Hall) -> Person:
    return hall.people.filter(roles__contains=[Role.HALL_MANAGER]).order_by("pk")[0]


def undone(hall: Hall) -> list[str]:
    """Return the steps that the page shows as not done."""
    page = browser_of(manager(hall)).get("/first-steps/")
    return [row["step"].name for row in page.context["steps"] if not row["step"].done]


@pytest.mark.slow
def test_new_hall_has_its_hall_and_rule_book_and_begins_with_its_staff() -> None:
    hall = open_one()
    assert undone(hall)[:3] == ["staff", "authorisation", "policy"]
    page = browser_of(manager(hall)).get("/first-steps/").content.decode()
    assert page.index('aria-current="step"') > page.index('id="step-staff"') - 50
    assert 'href="/staff/"' in page


def test_no_camera_is_an_answer_given_in_the_rules() -> None:
    hall = open_one()
    set_policy(hall=hall, source="rng", by=manager(hall), at=timezone.now())
    assert not {"policy", "source", "balls"} & set(undone(hall))


@pytest.mark.rule(6)
def test_coin_that_is_more_than_a_prize_of_the_authorisation_is_rules_not_done() -> None:
    evening = Evening()
    set_policy(
        hall=evening.hall, source="by_hand", cash_step=20_00, **evening.who(Role.HALL_MANAGER)
    )
    assert "policy" not in undone(evening.hall)
    authorise(evening.hall, reference="2/2026", faces=[50_00])
    assert "policy" in undone(evening.hall)


@pytest.mark.rule(17)
@pytest.mark.parametrize("changed", [{"faces": [50_00]}, {"formats": [75]}])
def test_cards_that_the_authorisation_in_force_does_not_grant_are_no_stock(
    changed: dict[str, Any],
) -> None:
    evening = Evening()
    who = {"hall": evening.hall, **evening.who(Role.HALL_MANAGER)}
    stock.receive(
        series=series.publish(format=90, letter="L", size=60, **who), identification="L1",
        face=FACE, face_colour=FACE_COLOUR, back_colour="grey", counted=60, **who,
    )  # fmt: skip
    assert "stock" not in undone(evening.hall)
    authorise(evening.hall, reference="2/2026", **changed)
    assert "stock" in undone(evening.hall)


@pytest.mark.slow
def test_seal_gets_its_key_there(folders: Path) -> None:
    hall = open_one()
    assert "seal" in undone(hall)
    client = browser_of(manager(hall))
    done = client.post("/first-steps/do/make-key/", {"key": str(uuid4())})
    assert done["Location"] == "/first-steps/"
    assert "seal" not in undone(hall)


@pytest.mark.slow
def test_key_that_cannot_be_kept_is_told(folders: Path) -> None:
    (folders / "keys").write_text("in the way")
    hall = open_one()
    answer = browser_of(manager(hall)).post("/first-steps/do/make-key/", {"key": str(uuid4())})
    assert answer.status_code == 409
    assert 'data-code="seal_key_not_made"' in answer.content.decode()


@pytest.mark.slow
def test_somebody_who_leaves_makes_their_step_undone() -> None:
    hall = open_one()
    who: dict[str, Any] = {"hall": hall, "by": manager(hall), "at": timezone.now()}
    take_on_inspector(hall)
    for role in ("table_chief", "caller", "cashier"):
        staff.enrol(
            username=role.replace("_", "-"), name=role, roles=[role], language="pt",
            **who,
        )  # fmt: skip
    assert "staff" not in undone(hall)
    staff.set_active(username="caller", active=False, **who)
    assert "staff" in undone(hall)


@pytest.mark.rule(11)
def test_base_is_asked_for_every_level_of_the_hall_and_for_no_linked_one() -> None:
    evening = linked("sala")
    assert "jackpot" not in undone(evening.hall)
    authorise(
        evening.hall, reference="3/2026", jackpot_rate=200,
        jackpot_terms={"link": CODE, "limits": within(40)}, jackpot_base=BASE,
        jackpot_levels=[{"rate": 100, "base": BASE, "limits": within(45)}],
    )  # fmt: skip
    assert "jackpot" in undone(evening.hall)
    jackpots.fund_jackpot(
        hall=evening.hall, level=1, amount=BASE, reference="base", **evening.who(Role.HALL_MANAGER)
    )
    assert "jackpot" not in undone(evening.hall)


@pytest.mark.parametrize("role", [role for role in Role if role != Role.HALL_MANAGER])
def test_steps_are_the_managers_alone(role: Role) -> None:
    client = browser_of(Evening().person(role))
    assert client.get("/first-steps/").status_code == 403
    assert client.post("/first-steps/do/make-key/", {"key": str(uuid4())}).status_code == 403


@pytest.mark.slow
def test_desk_shows_them_until_the_first_evening_is_over() -> None:
    evening = Evening()
    desk = evening.at("manager")
    assert 'id="first-steps"' in desk.get("/manager/").content.decode()
    evening.reach("session")
    assert 'id="first-steps"' not in desk.get("/manager/").content.decode()
    assert 'href="/first-steps/"' in desk.get("/cards/").content.decode()
    desk.post("/manager/do/close-session/", {"key": str(uuid4())})
    assert not evening.hall.sessions.filter(closed_at__isnull=True).exists()
    assert 'id="first-steps"' not in desk.get("/manager/").content.decode()
    assert 'href="/first-steps/"' not in desk.get("/cards/").content.decode()
    # They stay where they are, and a page leads to them.
    assert desk.get("/first-steps/").status_code == 200
    assert 'href="/first-steps/"' in desk.get("/staff/").content.decode()
