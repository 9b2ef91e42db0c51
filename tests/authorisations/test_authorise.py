"""Recording an authorisation with shares of its own for kinds of game, and seeing first what they pay."""

from __future__ import annotations

import html
import re
from typing import Any
from uuid import uuid4

import pytest
from django.conf import settings
from django.test import Client

from bingo import money_and_dates
from bingo.rules import prize_distributions, rulebooks
from bingo.rules.patterns import LINES, ROWS
from bingo.rules.prize_distributions import Distribution
from bingo.rules.prize_shares import Extra, Shares
from bingo.rules.refusal import Refusal
from draws.refusals import text
from halls.models import Authorisation, Hall, JournalEntry, Role
from tests.support.evening import Evening, authorise, books, browser_of, within
from tests.support.linked_jackpots import BASE, CODE, take_part
from tests.support.orders import HUGE, LONG, RECORD
from tests.support.planting_rows import plant

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("portuguese")]

LAW = rulebooks.get("cape-verde-2017")
FORM = "/cards/authorisations/record/"
USUAL = RECORD | {
    "format-80": "on", "format-30": "on", "line_share": "20", "bingo_share": "60", "faces": "200",
    "sample_cards": "420",
}  # fmt: skip
WHOLE = {
    "kind-75": "on", "kind-75-rows": "on", "kind-75-columns": "on", "kind-75-diagonals": "on",
    "kind-75-line": "15", "kind-75-corners": "5", "kind-75-bingo": "60",
}  # fmt: skip
FIGURE = {
    "kind-75-figure": "on", "kind-75-figure-bingo": "77,5", "kind-75-figure-prima": "2,5",
    "kind-75-figure-prima_limit": "40",
}  # fmt: skip
COLUMN = {"kind-30": "on", "kind-30-column": "10", "kind-30-bingo": "70"}
EIGHTY = {
    "kind-80": "on", "kind-80-rows": "on", "kind-80-diagonals": "on", "kind-80-line": "20",
    "kind-80-bingo": "60",
}  # fmt: skip
NINETY = {
    "kind-90": "on", "kind-90-line": "18", "kind-90-bingo": "60", "kind-90-prima": "2",
    "kind-90-prima_limit": "45",
}  # fmt: skip
KINDS = NINETY | EIGHTY | WHOLE | FIGURE | COLUMN
GRANTED = [
    Distribution(90, Shares(1800, 6000, (Extra("prima", 200, 45),)), (ROWS,)),
    Distribution(80, Shares(2000, 6000), (ROWS, "diagonals")),
    Distribution(75, Shares(1500, 6000, (Extra("corners", 500),)), LINES),
    Distribution(75, Shares(0, 7750, (Extra("prima", 250, 40),)), (), figure=True),
    Distribution(30, Shares(0, 7000, (Extra("column", 1000),)), ()),
]


def sent(client: Client, verb: str, fields: dict[str, str]) -> tuple[int, str]:
    """Send the form, and return the status and the page."""
    answer: Any = client.post(f"{FORM}do/{verb}/", {"key": str(uuid4())} | fields)
    return answer.status_code, html.unescape(answer.content.decode())


def paid(page: str) -> dict[str, list[str]]:
    """What the page says that each kind of game pays, the first word of each part and its amount."""
    found = {}
    for shown in page.split('class="sample__one"')[1:]:
        title = re.search(r"<h3>(.*?)</h3>", shown, re.DOTALL)
        assert title
        figures = re.findall(r'division-parts__amount">(.*?)</span>', shown)
        found[" ".join(title[1].split())] = [" ".join(one.split()) for one in figures]
    return found


def told(hall: Hall, *minor: int) -> list[str]:
    """Amounts as the page writes them."""
    written = (
        money_and_dates.amounts_text(one, currency=hall.currency, language="pt") for one in minor
    )
    return [" ".join(one.split()) for one in written]


def field(page: str, name: str) -> str:
    """The tag of a field."""
    found = re.search(rf'<(?:input|textarea)[^>]*\bname="{re.escape(name)}"[^>]*>', page)
    assert found, name
    return found[0]


@pytest.mark.rule(7)
@pytest.mark.rule(10)
def test_sample_shows_to_the_unit_what_each_kind_of_game_pays() -> None:
    evening = Evening()
    status, page = sent(evening.at("manager"), "preview", USUAL | WHOLE | FIGURE)
    assert status == 200
    ninety, others, whole, figure = paid(page).values()
    # 420 cards at 200,00: 84 000,00, of which 67 200,00 are prizes and 2 016,00 the jackpot's, for
    # which cards of 90 alone are played (R9).
    assert ninety == told(evening.hall, 16_296_00, 48_888_00, 2_016_00, 16_800_00)
    assert others == told(evening.hall, 16_800_00, 50_400_00, 16_800_00)
    assert whole == told(evening.hall, 12_600_00, 4_200_00, 50_400_00, 16_800_00)
    assert figure == told(evening.hall, 65_100_00, 2_100_00, 16_800_00)
    assert "aria-invalid" not in page


def test_sample_is_tried_with_the_cards_and_the_price_asked_for() -> None:
    evening = Evening()
    tried = USUAL | {"sample_cards": "7", "sample_face": "0,33", "jackpot": ""}
    _status, page = sent(evening.at("manager"), "preview", tried)
    # 2,31: the fund is rounded up to 1,85 and the bingo to 1,39 (R7).
    assert list(paid(page).values()) == [told(evening.hall, 46, 139, 46)]


@pytest.mark.rule(17)
def test_absurd_price_of_a_sample_names_the_prices_that_are_authorised() -> None:
    evening = Evening()
    tried = USUAL | {"sample_cards": "420", "sample_face": "30000000000"}
    _status, page = sent(evening.at("manager"), "preview", tried)
    faces = evening.hall.authorisations.get().faces
    said = text.refusal(Refusal("bad_face", face=30_000_000_000_00, faces=faces))
    assert said in html.unescape(page)


def test_sample_records_nothing_and_keeps_what_was_typed() -> None:
    evening = Evening()
    before, entries = books(evening.hall), JournalEntry.objects.count()
    _status, page = sent(evening.at("manager"), "preview", USUAL | KINDS)
    assert (books(evening.hall), JournalEntry.objects.count()) == (before, entries)
    assert Authorisation.objects.count() == 1
    for name, value in (USUAL | KINDS).items():
        if name in ("faces", "sizes") or name == "sure":
            continue
        kept = "checked" if value == "on" else f'value="{value}"'
        assert kept in field(page, name), name
    # Nothing is confirmed by having been tried.
    assert "checked" not in field(page, "sure")


@pytest.mark.rule(67)
@pytest.mark.rule(73)
@pytest.mark.rule(75)
@pytest.mark.rule(84)
def test_kinds_of_game_are_recorded_as_they_were_typed() -> None:
    client = Evening().at("manager")
    status, page = sent(client, "record", USUAL | KINDS)
    assert status == 302, page[-2000:]
    found = Authorisation.objects.get(reference="2/2026")
    assert [prize_distributions.load(one) for one in found.distributions] == GRANTED


@pytest.mark.rule(9)
@pytest.mark.slow
def test_level_of_several_halls_is_chosen_recorded_and_kept_for_the_next_form() -> None:
    evening = Evening()
    client = evening.at("manager")
    assert "jackpot_link" not in client.get(FORM).content.decode()
    take_part(evening)
    linked = USUAL | {
        "jackpot": "on", "jackpot_rate": "3", "jackpot_limit-90": "40",
        "jackpot_base": f"{BASE // 100},00",
        "jackpot_link": CODE,
    }  # fmt: skip
    for wrong in ("other", "<b>", "x" * 300):
        status, page = sent(client, "record", linked | {"jackpot_link": wrong})
        assert status in (400, 409)
    assert Authorisation.objects.count() == 1
    status, page = sent(client, "record", linked | {"valid_until": ""})
    assert status == 302, page[-3000:]
    assert Authorisation.objects.get(reference="2/2026").jackpot_terms == {
        "link": CODE, "limits": within(40, formats=[90]),
    }  # fmt: skip
    assert f'<option value="{CODE}" selected>' in " ".join(
        client.get(FORM).content.decode().split()
    )


def test_next_form_begins_with_the_kinds_of_the_last() -> None:
    client = Evening().at("manager")
    sent(client, "record", USUAL | KINDS | {"valid_until": ""})
    page = client.get(FORM).content.decode()
    fields = {
        name: value[1] if (value := re.search(r'value="([^"]*)"', field(page, name))) else "on"
        for name in set(re.findall(r'name="(kind-[^"]+)"', page))
        if 'type="checkbox"' not in field(page, name) or "checked" in field(page, name)
    }
    assert sent(client, "record", USUAL | fields | {"reference": "3/2026"})[0] == 302
    again = Authorisation.objects.get(reference="3/2026").distributions
    assert [prize_distributions.load(one) for one in again] == GRANTED


def test_kind_that_is_not_ticked_is_left_out_whatever_its_fields_say() -> None:
    plain = {name: value for name, value in FIGURE.items() if name != "kind-75-figure"}
    unread = plain | {"kind-75-figure-bingo": "x", "kind-75-bingo": LONG}
    assert sent(Evening().at("manager"), "record", USUAL | unread)[0] == 302
    assert Authorisation.objects.get(reference="2/2026").distributions == []


REFUSED = (
    (WHOLE | {"kind-75-line": ""}, "kind-75-line"),
    (WHOLE | {"kind-75-bingo": "50", "kind-75-line": "25"}, "kind-75-bingo"),
    (WHOLE | {"kind-75-corners": "x"}, "kind-75-corners"),
    (FIGURE | {"kind-75-figure-prima_limit": ""}, "kind-75-figure-prima_limit"),
    (FIGURE | {"kind-75-figure-prima_limit": "76"}, "kind-75-figure-prima_limit"),
    (FIGURE | {"kind-75-figure-prima": ""}, "kind-75-figure-prima"),
    (FIGURE | {"kind-75-figure-bingo": "70"}, "kind-75-figure"),
    (FIGURE | {"format-75": ""}, "kind-75-figure"),
    (COLUMN | {"kind-30-corners": "5", "kind-30-bingo": "65"}, "kind-30"),
    ({"bingo_share": "54", "line_share": "26"}, "bingo_share"),
    ({"bingo_share": "90", "line_share": "26"}, "line_share"),
    ({"jackpot": "on", "jackpot_rate": "99"}, "jackpot_rate"),
    ({"jackpot": "on", "jackpot_rate": "x"}, "jackpot_rate"),
    ({"faces": "1,234"}, "faces"),
)


@pytest.mark.rule(7)
@pytest.mark.parametrize(("changed", "wrong"), REFUSED, ids=lambda one: str(one)[:40])
def test_what_may_not_be_is_told_beside_its_field(changed: dict[str, str], wrong: str) -> None:
    evening = Evening()
    client, before = evening.at("manager"), books(evening.hall)
    for verb, expected in (("preview", 200), ("record", 409)):
        status, page = sent(client, verb, USUAL | changed)
        assert status == expected
        assert 'aria-invalid="true"' in field(page, wrong)
        reason = re.search(rf'id="wrong-{wrong}">\s*(.*?)\s*</p>', page, re.DOTALL)
        assert reason
        assert len(reason[1]) > 20
        # In the sample too, in the same words.
        assert page.count(reason[1]) >= 2
    assert books(evening.hall) == before
    assert Authorisation.objects.count() == 1


@pytest.mark.rule(12)
def test_last_day_of_the_jackpot_is_written_as_people_write_it() -> None:
    evening = Evening()
    terms = {"limits": within(40), "until": "2027-12-31"}
    authorise(evening.hall, reference="2/2026", jackpot_terms=terms)
    found = Authorisation.objects.latest("pk")
    page = evening.at("manager").get(f"/cards/authorisations/{found.pk}/").content.decode()
    assert "31/12/2027" in page
    assert "2027-12-31" not in page


@pytest.mark.rule(67)
def test_lines_that_none_is_ticked_of_are_told_beside_them() -> None:
    none = {"kind-80-rows": "", "kind-80-diagonals": ""}
    _status, page = sent(Evening().at("manager"), "preview", USUAL | EIGHTY | none)
    assert 'id="wrong-kind-80-rows"' in page


@pytest.mark.parametrize("bad", ["\x00", LONG, HUGE, "-1", "1e5", "١٢", "<b>", "101", "1,234"])
@pytest.mark.slow
def test_hostile_fields_are_refused_and_break_no_page(bad: str) -> None:
    evening = Evening()
    client, before = evening.at("manager"), books(evening.hall)
    tried = ("kind-75-line", "kind-75-figure-prima", "kind-75-figure-prima_limit")
    for name in (*tried, "sample_cards", "sample_face", "faces"):
        assert sent(client, "preview", USUAL | WHOLE | FIGURE | {name: bad})[0] == 200, name
        if name in tried:
            assert sent(client, "record", USUAL | WHOLE | FIGURE | {name: bad})[0] == 409, name
    assert books(evening.hall) == before
    assert Authorisation.objects.count() == 1


@pytest.mark.rule(19)
@pytest.mark.parametrize("language", [code for code, _name in settings.LANGUAGES])
def test_size_is_taken_as_the_law_s_are_written_beside_its_field(language: str) -> None:
    evening = Evening()
    client = browser_of(evening.person(Role.HALL_MANAGER))
    client.cookies[settings.LANGUAGE_COOKIE_NAME] = language
    shown = html.unescape(client.get(FORM).content.decode())
    sizes = {letter: size for letter, size in LAW.series_sizes.items() if size >= 1000}
    beside = [
        re.findall(rf"\b{letter} {size // 1000}\W?{size % 1000:03}\b", shown)[0]
        for letter, size in sizes.items()
    ]
    status, page = sent(client, "record", USUAL | {"sizes": "\n".join(beside)})
    assert status == 302, page
    assert Authorisation.objects.latest("pk").sizes == sizes


def test_form_without_its_key_keeps_what_was_typed() -> None:
    answer = Evening().at("manager").post(f"{FORM}do/preview/", USUAL)
    assert answer.status_code == 409
    assert 'value="2/2026"' in field(answer.content.decode(), "reference")


@pytest.mark.parametrize("desk", ["inspector", "table", "till", "caller"])
def test_only_the_hall_manager_tries_shares(desk: str) -> None:
    assert sent(Evening().at(desk), "preview", USUAL)[0] == 403


def test_rule_book_without_variants_offers_its_own_cards_alone() -> None:
    evening = Evening()
    plant(Hall.objects.filter(pk=evening.hall.pk), rulebook="spain-1979")
    manager = evening.hall.people.get(username="sala-hall_manager-1")
    page = browser_of(manager).get(FORM).content.decode()
    offered = set(re.findall(r'name="(kind-\d+(?:-figure)?)"', page))
    assert offered == {"kind-90"}


@pytest.mark.rule(73)
def test_recorded_authorisation_shows_every_kind_of_game() -> None:
    client = Evening().at("manager")
    sent(client, "record", USUAL | KINDS)
    found = Authorisation.objects.get(reference="2/2026")
    page = client.get(f"/cards/authorisations/{found.pk}/").content.decode()
    assert page.count('class="division"') == 1 + len(GRANTED)
    bars = re.findall(r'class="division".*?aria-label="([^"]*)"', page, re.DOTALL)
    assert [re.findall(r"[\d,]+(?=\xa0%)", bar) for bar in bars] == [
        ["20", "60", "20"],
        ["18", "60", "2", "20"],
        ["20", "60", "20"],
        ["15", "5", "60", "20"],
        ["77,5", "2,5", "20"],
        ["10", "70", "20"],
    ]
