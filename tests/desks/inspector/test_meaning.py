"""What a text may mean, and that nothing is too strange to be read."""

from datetime import date

from django.utils import translation
from hypothesis import given
from hypothesis import strategies as st

from bingo.rules import cards
from draws.desks.inspector import search_and_access_log
from draws.desks.inspector.search_and_access_log import Meaning
from halls.models import Hall
from halls.web.fields import LONGEST_SEARCH

HALL = Hall(code="sala", currency="CVE", language="pt")


def read(text: str) -> Meaning:
    """Read a text in Portuguese."""
    with translation.override("pt"):
        return search_and_access_log.read_search_parser(text, hall=HALL)


def test_number_is_a_card_an_amount_and_a_session() -> None:
    found = read(" 500 ")
    assert (found.card, found.amount, found.session, found.game) == (500, 500_00, 500, None)
    assert not found.words
    assert read("1 234,50").amount == 1234_50
    assert read("0").card is None


def test_card_is_named_with_its_issue_or_by_its_code() -> None:
    for text in ("9001 12", "A 9001 12", "A 9001 · 12"):
        assert (read(text).issue, read(text).card) == ("9001", 12)
    for text, letter, issue in (
        ("A 2026 1 · 12", "A", "2026 1"),
        ("A1 9001 · 12", "A1", "9001"),
        ("2026 1 · 12", "2026", "1"),
        ("9001 12", "", "9001"),
    ):
        assert (read(text).letter, read(text).issue, read(text).card) == (letter, issue, 12), text
    scanned = read(cards.code_of(7, 12))
    assert (scanned.issue_key, scanned.card) == (7, 12)
    wrong = cards.code_of(7, 12)[:-1] + "x"
    assert read(wrong).issue_key is None


def test_game_and_day_are_read_as_they_are_written() -> None:
    assert (read("3/12").session, read("3/12").game) == (3, 12)
    for text in ("2026-03-01", "01/03/2026", "1.3.2026"):
        assert read(text).day == date(2026, 3, 1)
    assert read("31/02/2026").day is None


def test_words_find_kinds_without_accents_and_in_other_forms() -> None:
    for text in ("anulação", "ANULACAO", "jogada anulada", "game_voided"):
        assert "game_voided" in read(text).kinds, text
    assert "complaint" in read("queixa").categories or "complaint" in read("reclamação").categories
    assert read("zzzz").kinds == ()
    assert read("a").words == ""


@given(st.text(max_size=200))
def test_any_text_is_read(text: str) -> None:
    found = read(text)
    assert len(found.text) <= LONGEST_SEARCH
    assert "\x00" not in found.text
