"""A receipt tells what the journal and the rows have of one sale."""

from zoneinfo import ZoneInfo

import pytest

from bingo.rules.refusal import Refusal
from draws.games import services as games_services
from draws.receipts.documents import Receipt, ReceiptLine
from draws.receipts.queries import get_sale_receipt
from halls.models import JournalEntry, Role
from tests.support.evening import FACE, Evening
from tests.support.service_commands.sales import sell
from tests.support.service_commands.second_issues import exhausted

pytestmark = pytest.mark.django_db


def newest(kind: str = "cards_sold") -> JournalEntry:
    return JournalEntry.objects.filter(kind=kind).latest("number")


@pytest.mark.rule(39)
def test_receipt_is_read_from_the_journal_entry_of_a_sale() -> None:
    evening = Evening().reach("sold")
    entry = newest()
    assert get_sale_receipt(entry, given=2000_00) == Receipt(
        hall="Sala sala",
        licence="1/2026",
        language="pt",
        currency="CVE",
        session=evening.session.number,
        game=1,
        at=entry.at.astimezone(ZoneInfo("Atlantic/Cape_Verde")),
        till="Caixa 1",
        cashier="cashier 1",
        lines=(ReceiptLine(str(evening.issue()), 1, 6, 6, FACE, 6 * FACE),),
        total=6 * FACE,
        given=2000_00,
        change=2000_00 - 6 * FACE,
        double=False,
        entry=entry.number,
        digest=entry.digest,
    )
    assert get_sale_receipt(entry, given=None).change is None
    offset = get_sale_receipt(entry, given=None).at.utcoffset()
    assert offset
    assert offset.total_seconds() == -3600


def test_receipt_is_of_one_sale_only() -> None:
    evening = Evening().reach("sold")
    sell(evening, evening.who(Role.CASHIER))
    [line] = get_sale_receipt(newest(), given=None).lines
    assert (line.first, line.last, line.amount) == (7, 9, 3 * FACE)


@pytest.mark.slow
@pytest.mark.rule(38)
def test_receipt_names_the_issue_the_cards_are_of() -> None:
    evening = Evening().reach("sold")
    exhausted(evening)
    first = get_sale_receipt(newest(), given=None)
    chief = evening.who(Role.TABLE_CHIEF)
    games_services.open_second_issue(game=evening.game, issue=evening.issue(2), **chief)
    sell(evening, evening.who(Role.CASHIER))
    second = get_sale_receipt(newest(), given=None)
    assert [(line.issue, line.first, line.last) for line in first.lines + second.lines] == [
        (str(evening.issue()), 7, 90),
        (str(evening.issue(2)), 1, 3),
    ]
    assert (first.game, second.game) == (2, 2)


def test_receipt_of_too_little_cash_is_refused() -> None:
    Evening().reach("sold")
    with pytest.raises(Refusal) as refused:
        get_sale_receipt(newest(), given=6 * FACE - 1)
    assert refused.value == Refusal("cash_too_little", due=1)
    assert get_sale_receipt(newest(), given=6 * FACE).change == 0


def test_receipt_of_anything_but_a_sale_is_refused() -> None:
    evening = Evening().reach("selling")
    entry = newest("sale_announced")
    with pytest.raises(Refusal) as refused:
        get_sale_receipt(entry, given=None)
    assert refused.value == Refusal("not_a_sale", number=entry.number)
    assert evening.hall.journal.filter(kind="cards_sold").count() == 0
