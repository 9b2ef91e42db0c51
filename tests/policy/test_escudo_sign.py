"""A hall that plays in escudos may have its pages write 1 200$00: all of them, and at once."""

from __future__ import annotations

import pytest

from draws.record import journal_text
from draws.record.audit import audit
from halls.models import Hall, JournalEntry, Role
from halls.policy.services import set_policy
from tests.support.evening import Evening
from tests.support.planting_rows import plant
from tests.support.session_ends import ended
from tests.support.till_hall import policy, refused

pytestmark = pytest.mark.django_db

PAGES = {
    "till": ("/till/",),
    "caller": ("/caller/",),
    "table": ("/table/",),
    "manager": ("/manager/", "/cards/"),
    "inspector": ("/inspector/", "/board/sala/state.json"),
}


def wish(evening: Evening, *, sign: bool) -> None:
    who = evening.who(Role.HALL_MANAGER)
    set_policy(hall=evening.hall, escudo_sign=sign, difference_limit=120_050, **who)


def pages(evening: Evening) -> dict[str, str]:
    """Return every page of a hall in the midst of its sale, by its address."""
    return {
        address: evening.at(desk).get(address).content.decode()
        for desk, addresses in PAGES.items()
        for address in addresses
    }


@pytest.mark.slow
def test_every_page_writes_the_sign_or_none_does() -> None:
    evening = Evening().reach("selling")
    before = pages(evening)
    assert [one for one, page in before.items() if "$00" in page] == []
    wish(evening, sign=True)
    after = pages(evening)
    money = [one for one, page in before.items() if "\xa0CVE" in page]
    assert len(money) > 4
    assert [one for one in money if "$00" not in after[one]] == []
    assert [one for one, page in after.items() if "\xa0CVE" in page] == []
    assert 'data-currency="CVE$"' in after["/till/"]
    wish(evening, sign=False)
    assert [one for one, page in pages(evening).items() if "$00" in page] == []


@pytest.mark.slow
def test_perpetual_totals_are_written_with_the_sign_too() -> None:
    evening = Evening().reach("shift")
    ended(evening)
    wish(evening, sign=True)
    for desk, address in (("manager", "/manager/"), ("inspector", "/inspector/")):
        totals = evening.at(desk).get(address).content.decode().split('id="totals"')[1]
        assert "0$00" in totals.split("</section>")[0]
        assert "\xa0CVE" not in totals.split("</section>")[0]


@pytest.mark.slow
def test_refusal_is_written_with_the_sign_too() -> None:
    evening = Evening()
    policy(evening, payment_limit=1_50, escudo_sign=True)
    evening.reach("paying")
    page = refused(
        evening.at("till"), "pay", "second_person_needed", issue=evening.issue().pk, card=1
    )
    assert "1$50" in page.split('data-code="second_person_needed"')[1].split("</div>")[0]


@pytest.mark.slow
def test_choice_is_written_down_and_a_running_session_is_not_said_to_wait_for_it() -> None:
    evening = Evening().reach("selling")
    who = evening.who(Role.HALL_MANAGER)
    set_policy(hall=evening.hall, escudo_sign=True, **who)
    entry = JournalEntry.objects.filter(kind="policy_set").latest("number")
    assert entry.data["escudo_sign"] is True
    assert 'id="session-goes-on"' not in evening.at("manager").get("/policy/").content.decode()
    assert audit(Hall.objects.get()) == []


def test_acta_names_the_currency_whatever_is_decided_later() -> None:
    evening = Evening().reach("selling")
    wish(evening, sign=True)
    entry = JournalEntry.objects.filter(kind="policy_set").latest("number")
    assert "200$50" in journal_text.describe_entry(entry)
    assert "$" not in journal_text.describe_for_acta(entry).replace("200$00", "")
    assert "CVE" in journal_text.describe_for_acta(entry)


def test_hall_of_another_currency_is_not_asked() -> None:
    evening = Evening()
    assert 'name="escudo_sign"' in evening.at("manager").get("/policy/").content.decode()
    plant(Hall.objects.all(), currency="EUR")
    evening = Evening(hall=Hall.objects.get())
    wish(evening, sign=True)
    page = evening.at("manager").get("/policy/").content.decode()
    assert 'name="escudo_sign"' not in page
    assert "€" in page
