"""What the regulator granted, written down once: in the journal, in its row, in the audit."""

from __future__ import annotations

import html
import re
from datetime import date
from typing import Any
from uuid import uuid4

import pytest

from bingo.rules.refusal import Refusal
from draws.record.audit import audit
from halls import authorisations, sessions
from halls.models import Authorisation, Hall, JournalEntry, Role
from tests.support.evening import Evening, authorise, within
from tests.support.playing import everything, refuses

pytestmark = pytest.mark.django_db

GRANTED: dict[str, Any] = {
    "reference": "Despacho 7/2027", "valid_from": date(2027, 1, 1),
    "valid_until": date(2027, 12, 31), "formats": (90, 30), "faces": (100_00, 50_00),
    "sizes": {"M": 600}, "double_cards": True, "line_share": 2500, "bingo_share": 5500,
    "tax_rate": 1500, "tax_threshold": 5_000_00,
}  # fmt: skip


def record(evening: Evening, **changed: Any) -> Authorisation:
    """Record an authorisation."""
    who = evening.who(Role.HALL_MANAGER)
    return authorisations.record(**({"hall": evening.hall} | GRANTED | who | changed))


@pytest.mark.rule(3)
@pytest.mark.rule(7)
@pytest.mark.rule(17)
def test_authorisation_is_journalled_with_everything_it_grants() -> None:
    evening = Evening()
    row = record(evening)
    row.refresh_from_db()
    told = JournalEntry.objects.latest("number")
    assert row.entry == told
    assert told.data == {
        "reference": "Despacho 7/2027", "valid_from": "2027-01-01", "valid_until": "2027-12-31",
        "formats": [90, 30], "faces": [100_00, 50_00], "sizes": {"M": 600}, "double_cards": True,
        "line_share": 2500, "bingo_share": 5500, "jackpot_rate": 0, "jackpot_limit": 0,
        "jackpot_base": 0, "tax_rate": 1500, "tax_threshold": 5_000_00,
    }  # fmt: skip
    kept = {name: getattr(row, name) for name in told.data}
    days = {"valid_from": date(2027, 1, 1), "valid_until": date(2027, 12, 31)}
    assert kept == told.data | days
    assert audit(Hall.objects.get()) == []


@pytest.mark.rule(17)
def test_later_authorisation_is_in_force_from_its_first_day_to_its_last() -> None:
    evening = Evening()
    noon = evening.who(Role.HALL_MANAGER)["at"].replace(hour=12)
    year = noon.year + 1
    record(evening, valid_from=date(year, 1, 1), valid_until=date(year, 12, 31))
    for day, reference in (
        (date(year - 1, 12, 31), "1/2026"),
        (date(year, 1, 1), "Despacho 7/2027"),
        (date(year, 12, 31), "Despacho 7/2027"),
        (date(year + 1, 1, 1), "1/2026"),
    ):
        at = noon.replace(year=day.year, month=day.month, day=day.day)
        assert sessions.in_force(evening.hall, at).reference == reference


@pytest.mark.rule(17)
def test_authorisation_written_down_late_takes_no_place_from_one_that_began_after_it() -> None:
    evening = Evening()
    noon = evening.who(Role.HALL_MANAGER)["at"].replace(hour=12)
    year = noon.year + 1
    record(evening, valid_from=date(year, 6, 1), valid_until=None)
    record(evening, valid_from=date(year, 1, 1), valid_until=None, reference="Despacho 2/2027")
    for month, reference in ((5, "Despacho 2/2027"), (6, "Despacho 7/2027")):
        at = noon.replace(year=year, month=month, day=1)
        assert sessions.in_force(evening.hall, at).reference == reference


def test_reference_is_used_once_in_a_hall() -> None:
    evening = Evening()
    record(evening)
    with refuses(Refusal("reference_used", reference="Despacho 7/2027")):
        record(evening, valid_from=date(2027, 2, 1))
    assert record(Evening("outra")).reference == "Despacho 7/2027"


def test_same_key_records_once() -> None:
    evening, key = Evening(), uuid4()
    row = record(evening, key=key)
    before = everything()
    assert record(evening, key=key) == row
    assert everything() == before
    with refuses("key_reused"):
        record(evening, key=key, double_cards=False)


@pytest.mark.rule(35)
@pytest.mark.rule(54)
def test_grants_beyond_the_usual_are_in_the_journal_the_row_and_the_session() -> None:
    evening = Evening()
    beyond = {"player_limit": 6, "several_prices": True, "languages": ["es"]}
    terms: dict[str, Any] = {"line_share": 2000, "bingo_share": 6000, "tax_rate": 0}
    row = record(
        evening, valid_from=date(2026, 2, 1), valid_until=None, tax_threshold=0, **terms, **beyond
    )
    row.refresh_from_db()
    told = JournalEntry.objects.latest("number").data
    assert {name: told[name] for name in beyond} == beyond
    assert {name: getattr(row, name) for name in beyond} == beyond
    opened = evening.reach("session").session.state["terms"]
    assert {name: opened[name] for name in beyond} == beyond
    assert audit(Hall.objects.get()) == []


@pytest.mark.rule(54)
def test_language_that_the_system_does_not_speak_is_refused() -> None:
    with refuses(Refusal("language_not_known", language="fr")):
        record(Evening(), languages=["fr"])


def test_same_key_does_not_grant_less() -> None:
    evening, key = Evening(), uuid4()
    granted: dict[str, Any] = {"player_limit": 6, "several_prices": True, "languages": ["es"]}
    record(evening, key=key, **granted)
    for name in granted:
        less = {one: value for one, value in granted.items() if one != name}
        with refuses("key_reused"):
            record(evening, key=key, **less)


@pytest.mark.rule(7)
@pytest.mark.rule(9)
def test_authorisation_against_the_rule_book_is_refused(subtests: pytest.Subtests) -> None:
    evening = Evening()
    for expected, changed in (
        ("format_not_in_rulebook", {"formats": [75]}),
        ("faces_missing", {"faces": []}),
        ("fund_differs", {"line_share": 2400}),
        (
            "bingo_below_floor",
            {"jackpot_rate": 300, "jackpot_terms": {"limits": within(40, formats=[90])}},
        ),
        ("jackpot_limit_missing", {"jackpot_rate": 300}),
        ("not_allowed", {"by": evening.person(Role.INSPECTOR)}),
    ):
        hall = evening.hall
        if expected == "format_not_in_rulebook":
            hall = Hall.objects.get(pk=hall.pk)
            hall.rulebook = "spain-1979"
        with subtests.test(expected=expected), refuses(expected):
            record(evening, **({"hall": hall} | changed))


@pytest.mark.rule(10)
def test_pages_tell_what_all_levels_of_the_jackpot_take_together() -> None:
    evening = Evening()
    level = {"rate": 100, "base": 0, "limits": within(40)}
    row = authorise(evening.hall, reference="9/2026", jackpot_rate=200, jackpot_levels=[level])
    manager = evening.at("manager")
    page = manager.get(f"/cards/authorisations/{row.pk}/").content.decode()
    assert re.search(r"Dos prémios de uma jogada, 3\s%", html.unescape(page))
    listed = manager.get("/cards/authorisations/").content.decode()
    assert re.findall(r">\s*(\d+)\s%", html.unescape(listed))[:3] == ["20", "60", "3"]
