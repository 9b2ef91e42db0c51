"""What a sale is answered with: the cards to hand out and the change, or what to do instead."""

from typing import Any

import pytest
from django.template.loader import render_to_string
from django.utils import translation

from halls.models import Hall

ONE = {"issue": "A 1001", "cards": "7"}
FIVE = {"issue": "A 1001", "cards": "7–11"}
DONE: dict[str, Any] = {
    "ranges": [FIVE], "due": "CVE 1,000.00", "given": None, "change": None, "entry": 41, "receipt": False,
    "key": "4b0c", "next": 12, "left": 49,
}  # fmt: skip


def told(**changed: Any) -> str:
    """Return the fragment in English, blanks plain."""
    context = DONE | {"hall": Hall(currency="CVE")} | changed
    with translation.override("en"):
        return render_to_string("desks/till/sale_result.html", context).replace("\xa0", " ")


def refused(code: str, **changed: Any) -> str:
    """Return the fragment of a refusal."""
    refusal = {"code": code, "text": "Because.", "values": changed.pop("values", {})}
    return told(refusal=refusal, **changed)


def test_sale_tells_which_cards_to_hand_out() -> None:
    assert "<strong>7–11</strong>" in told()
    assert "<strong>7</strong>" in told(ranges=[ONE])
    two = told(ranges=[FIVE, {"issue": "A 1002", "cards": "1–2"}])
    assert two.index("A 1001") < two.index("7–11") < two.index("A 1002") < two.index("1–2")


def test_sale_tells_the_change_where_the_cash_was_typed() -> None:
    assert "Change" not in told()
    page = told(given=1500_00, paid="CVE 1,500.00", change="CVE 500.00")
    assert "Change" in page
    assert "CVE 500.00" in page
    assert "Change" in told(given=1000_00, change=0)


def test_sale_brings_key_and_numbers_of_the_next() -> None:
    assert 'data-key="4b0c"' in told()
    assert 'data-next="12"' in told()
    assert 'data-left="49"' in told()


def test_last_cards_say_what_comes_next() -> None:
    assert "the last ones" not in told()
    assert "the last ones" in told(next=None, left=0)


def test_receipt_names_the_cash_that_was_given() -> None:
    assert "receipt" not in told().lower()
    assert 'href="/till/receipt/41.pdf"' in told(receipt=True)
    page = told(receipt=True, given=2000_00, change=1000_00)
    assert 'href="/till/receipt/41.pdf?given=200000"' in page


def test_refusal_says_why_and_brings_a_key() -> None:
    page = refused("sold_out")
    assert "Because." in page
    assert 'data-told="Sale not made: Because."' in page
    assert 'data-code="sold_out"' in page
    assert 'data-key="4b0c"' in page
    assert "Hand out" not in page


@pytest.mark.rule(38)
def test_sale_of_more_than_there_are_offers_what_there_is() -> None:
    page = refused("only_left", offer=3, values={"left": 3}, may_follow=True)
    assert 'data-offer="3"' in page
    assert 'data-key="F4"' in page
    assert "second issue" in page
    assert "data-seconds" in page
    alone = refused("only_left", offer=3, values={"left": 3}, may_follow=False)
    assert 'data-offer="3"' in alone
    assert "second issue" not in alone


@pytest.mark.rule(35)
def test_player_over_the_limit_is_offered_what_is_left_of_it() -> None:
    assert 'data-offer="2"' in refused("over_player_limit", values={"left": 2}, offer=None)
    assert "data-offer" not in refused("over_player_limit", values={"left": 0}, offer=None)


@pytest.mark.rule(39)
def test_too_little_cash_tells_how_much_is_missing() -> None:
    assert "200.00" in refused("cash_too_little", values={"due": 200_00})


def test_closed_sale_tells_that_nothing_was_sold() -> None:
    assert "nothing was sold" in refused("wrong_phase", values={"phase": "closed"})
