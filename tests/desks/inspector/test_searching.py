"""One field finds cards, sums, people, facts, notes, games and days, of the own hall alone."""

import re

import pytest

from bingo.rules import cards
from draws.cards import stock
from draws.models import Issue, UnclaimedItem
from draws.record import queries as record_queries
from draws.sales import services as sales_services
from halls import sessions
from halls.models import JournalEntry, Role
from tests.support import complaints
from tests.support import departing_players as dp
from tests.support.evening import FACE, Evening, browser_of
from tests.support.planting_rows import plant
from tests.support.service_commands.games import double_cards, void, voided
from tests.support.service_commands.prizes import paid, refund

pytestmark = pytest.mark.django_db


def kinds(found: record_queries.Hits) -> list[str]:
    """The kinds of what was found, newest first."""
    return [entry.kind for entry in found.entries]


def page(evening: Evening, text: str, **asked: str) -> str:
    """The page for a text."""
    answer = evening.at("inspector").get("/inspector/search/", {"q": text, **asked})
    assert answer.status_code == 200
    return re.sub(r"\s+", " ", answer.content.decode())


@pytest.mark.slow
@pytest.mark.rule(61)
def test_card_is_found_where_it_was_sold_checked_and_paid() -> None:
    evening = Evening().reach("paying")
    paid(evening)
    found = record_queries.of_card(evening.hall, 1, None, 9, None)
    assert kinds(found) == ["prize_paid", "claim_checked", "cards_sold"]
    other = record_queries.of_card(evening.hall, 6, None, 9, None)
    assert kinds(other) == ["cards_sold"]
    assert not record_queries.of_card(evening.hall, 7, None, 9, None).entries
    first = record_queries.issues_of(evening.hall, card=1, named="SALA-1")
    second = record_queries.issues_of(evening.hall, card=1, named="sala-2")
    assert kinds(record_queries.of_card(evening.hall, 1, first, 9, None)) == kinds(found)
    assert not record_queries.of_card(evening.hall, 1, second, 9, None).entries
    newer = record_queries.of_card(evening.hall, 1, None, 1, None)
    older = record_queries.of_card(evening.hall, 1, None, 1, newer.older)
    assert kinds(newer) + kinds(older) == ["prize_paid", "claim_checked"]
    assert record_queries.has_card(evening.hall, 90)
    assert not record_queries.has_card(evening.hall, 91)


@pytest.mark.rule(61)
def test_card_is_found_as_pages_write_it() -> None:
    evening = Evening().reach("sold")
    plant(Issue.objects.filter(identification="sala-1"), identification="2026 1")
    for named in (str(evening.issue()), "2026 1", "a 2026 1"):
        assert "Cartões vendidos" in page(evening, f"{named} · 1"), named
    for named in ("1", "B 2026 1", "A 1"):
        assert "Cartões vendidos" not in page(evening, f"{named} · 1"), named


@pytest.mark.rule(61)
def test_scanned_card_that_came_from_another_hall_is_found_where_it_was_sold() -> None:
    evening, other = Evening(), Evening("outra")
    sent = stock.send_transfer(
        issue=other.issue(), to=evening.hall, reason="x", **other.who(Role.HALL_MANAGER)
    )
    stock.accept(transfer=sent, counted=90, **evening.who(Role.HALL_MANAGER))
    assert evening.issue().identification == "outra-1"
    evening.reach("sold")
    scanned = cards.code_of(sent.issue_id, 1)
    assert "Cartões vendidos" in page(evening, scanned)
    assert "Cartões vendidos" not in page(other, scanned)


@pytest.mark.rule(57)
def test_refunded_card_and_its_amount_are_found() -> None:
    evening = Evening().reach("sold")
    void(evening, evening.who(Role.TABLE_CHIEF))
    refund(evening, evening.who(Role.CASHIER))
    found = record_queries.of_card(evening.hall, 1, None, 9, None)
    assert kinds(found)[0] == "cards_refunded"
    sold = record_queries.of_amount(evening.hall, 6 * FACE, 9, None)
    assert "cards_sold" in kinds(sold)
    assert not record_queries.of_amount(evening.hall, 6 * FACE + 1, 9, None).entries


@pytest.mark.rule(15)
@pytest.mark.slow
def test_void_first_game_of_double_cards_is_found_with_all_that_was_collected() -> None:
    evening = Evening()
    double_cards(evening)
    evening.reach("sold")
    void(evening, evening.who(Role.TABLE_CHIEF))
    game = page(evening, "1/1").partition('href="/inspector/1/1/"')[2].partition("</tr>")[0]
    assert '<td class="is-number">2 400,00 CVE</td>' in game


@pytest.mark.rule(60)
def test_card_is_found_where_its_money_was_set_aside_and_paid_later() -> None:
    evening = dp.voided(dp.quiet())
    dp.refunds_aside(evening)
    dp.complete(evening)
    dp.pay(evening, UnclaimedItem.objects.get(), first=2)
    first = record_queries.issues_of(evening.hall, card=1, named="SALA-1")
    for issues in (None, first):
        found = record_queries.of_card(evening.hall, 2, issues, 9, None)
        assert kinds(found) == ["unclaimed_paid", "refund_set_aside", "cards_sold"]
    other = record_queries.of_card(evening.hall, 3, None, 9, None)
    assert kinds(other) == ["refund_set_aside", "cards_sold"]


@pytest.mark.rule(61)
def test_card_is_found_where_it_was_complained_of_and_that_decided() -> None:
    evening = Evening().reach("sold")
    chief = evening.who(Role.TABLE_CHIEF)
    complaints.opened(evening, chief, ball=None, card=2)
    found = record_queries.of_card(evening.hall, 2, None, 9, None)
    assert kinds(found) == ["complaint_opened", "cards_sold"]
    complaints.decided(evening, evening.who(Role.TABLE_CHIEF))
    found = record_queries.of_card(evening.hall, 2, None, 2, None)
    assert kinds(found) == ["complaint_decided", "complaint_opened"]
    older = record_queries.of_card(evening.hall, 2, None, 2, found.older)
    assert kinds(older) == ["cards_sold"]
    assert kinds(record_queries.of_card(evening.hall, 3, None, 9, None)) == ["cards_sold"]


def test_person_is_found_by_a_part_of_the_name() -> None:
    evening = Evening().reach("sold")
    [first, *_others] = record_queries.people(evening.hall, "CALLER")
    assert kinds(record_queries.of_person(evening.hall, first, 9, None)) == ["sale_announced"]
    assert not record_queries.people(evening.hall, "%")


@pytest.mark.slow
def test_pages_of_a_search_miss_nothing() -> None:
    evening = Evening().reach("paying")
    every = [entry.pk for entry in JournalEntry.objects.filter(kind="ball_announced")]
    seen: list[int] = []
    before = None
    while True:
        found = record_queries.of_kinds(evening.hall, ["ball_announced"], [], 4, before)
        seen += [entry.pk for entry in found.entries]
        if found.older is None:
            break
        before = found.older
    assert sorted(seen) == sorted(every)
    assert len(seen) == 15


def test_pages_of_an_amount_miss_nothing() -> None:
    evening = Evening().reach("selling")
    for _again in range(5):
        one_sold(evening)
    first = record_queries.of_amount(evening.hall, FACE, 3, None)
    rest = record_queries.of_amount(evening.hall, FACE, 3, first.older)
    assert (len(first.entries), len(rest.entries), rest.older) == (3, 2, None)


def one_sold(evening: Evening) -> None:
    """Sell one card."""
    sales_services.sell(
        game=evening.game, shift=evening.shift, quantity=1, **evening.who(Role.CASHIER)
    )


@pytest.mark.slow
def test_page_groups_what_it_finds_in_words_and_leads_to_its_moment() -> None:
    evening = Evening()
    voided(evening.reach("sold"))
    sessions.record_note(
        session=evening.session, category="complaint", text="Cartão molhado", decision="Trocado",
        **evening.who(Role.TABLE_CHIEF),
    )  # fmt: skip
    found = page(evening, "anulação")
    entry = JournalEntry.objects.get(kind="game_voided")
    assert f"/inspector/1/1/replay/?at={entry.number}" in found
    assert "Cartão molhado" in page(evening, "molhado")
    assert "Cartão molhado" in page(evening, "TROCADO")
    assert "/inspector/1/1/" in page(evening, "1/1")
    assert "/inspector/1/" in page(evening, evening.today.isoformat())


@pytest.mark.slow
def test_another_halls_record_is_never_found() -> None:
    evening = Evening().reach("paying")
    sessions.record_note(
        session=evening.session, category="complaint", text="Segredo", decision="",
        **evening.who(Role.TABLE_CHIEF),
    )  # fmt: skip
    stranger = Evening("vizinha")
    for text in ("1", "1200", "caller 1", "sala-caller-1", "bola", "Segredo", "1/1", "sala-1 1"):
        assert "/inspector/1/" not in page(stranger, text), text


@pytest.mark.parametrize(
    "text",
    [
        "", " ", "\x00", "%", "_", "'", '"><script>alert(1)</script>', "9" * 100, "-1", "1/99999",
        "99999/1", "0000 0000 0000 0001", "١٢٣", "' OR 1=1 --", "\\", "2026-13-45", "31/12/9999",
        "01/01/0001", "a" * 5000, "{{ 7 }}",
    ],
)  # fmt: skip
def test_hostile_text_finds_nothing_and_breaks_nothing(text: str) -> None:
    evening = Evening().reach("session")
    found = page(evening, text)
    assert "<script>alert" not in found


@pytest.mark.parametrize(
    "asked",
    [{"only": "x"}, {"only": "card", "before": "x"}, {"before": "9" * 19}, {"before": "-1"},
     {"only": "amount", "before": "9" * 18}, {"only": "person-999"}, {"only": "\x00"}],
)  # fmt: skip
def test_hostile_pages_are_borne(asked: dict[str, str]) -> None:
    page(Evening().reach("sold"), "200", **asked)


@pytest.mark.rule("BOE III")
def test_search_is_for_inspector_and_hall_manager_alone() -> None:
    evening = Evening()
    for role in Role:
        expected = 200 if role in (Role.INSPECTOR, Role.HALL_MANAGER) else 403
        answer = browser_of(evening.person(role)).get("/inspector/search/?q=1")
        assert answer.status_code == expected
