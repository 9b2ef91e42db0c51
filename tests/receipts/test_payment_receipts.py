"""The receipt of a payment tells what the journal and the rows have of it."""

from zoneinfo import ZoneInfo

import pytest

from bingo.rules.refusal import Refusal
from draws.models import Prize
from draws.prizes import services as prizes_services
from draws.receipts.documents import PaidPrize, PaymentReceipt
from draws.receipts.queries import get_payment_receipt
from halls.models import JournalEntry, Role
from tests.support.evening import Evening, authorise
from tests.support.played_games import both_halves
from tests.support.service_commands.prizes import paid

pytestmark = pytest.mark.django_db


def newest(kind: str = "prize_paid") -> JournalEntry:
    return JournalEntry.objects.filter(kind=kind).latest("number")


@pytest.mark.slow
@pytest.mark.rule(44)
@pytest.mark.rule(50)
def test_receipt_is_read_from_the_journal_entry_of_a_payment() -> None:
    evening = Evening()
    authorise(evening.hall, reference="2/2026", tax_rate=1000, tax_threshold=100_00)
    evening.reach("paying")
    chief = evening.person(Role.TABLE_CHIEF)
    prizes_services.pay_payment(
        game=evening.game, issue=evening.issue(), card=1, shift=evening.shift, witness=chief,
        **evening.who(Role.CASHIER),
    )  # fmt: skip
    entry = newest()
    won = {one.combination: (one.amount, one.tax) for one in Prize.objects.all()}
    gross, tax = (sum(values) for values in zip(*won.values(), strict=True))
    assert tax > 0
    assert get_payment_receipt(entry, copy=False) == PaymentReceipt(
        hall="Sala sala",
        licence="1/2026",
        language="pt",
        currency="CVE",
        session=evening.session.number,
        game=1,
        at=entry.at.astimezone(ZoneInfo("Atlantic/Cape_Verde")),
        till="Caixa 1",
        cashier="cashier 1",
        witness=chief.name,
        issue=str(evening.issue()),
        card=1,
        prizes=tuple(PaidPrize(1, name, *won[name]) for name in entry.data["prizes"]),
        gross=gross,
        tax=tax,
        rate=1000,
        threshold=100_00,
        net=gross - tax,
        entry=entry.number,
        digest=entry.digest,
        copy=False,
    )
    assert get_payment_receipt(entry, copy=True).copy


@pytest.mark.rule(45)
@pytest.mark.slow
def test_receipt_of_a_double_card_names_the_prizes_of_both_games() -> None:
    both_halves()
    told = get_payment_receipt(newest(), copy=False)
    assert {prize.game for prize in told.prizes} == {told.game - 1, told.game}
    assert sum(prize.amount for prize in told.prizes) == told.gross
    assert sum(prize.tax for prize in told.prizes) == told.tax


@pytest.mark.slow
def test_receipt_of_anything_but_a_payment_is_refused() -> None:
    evening = Evening().reach("paying")
    paid(evening)
    entry = newest("game_finished")
    with pytest.raises(Refusal) as refused:
        get_payment_receipt(entry, copy=False)
    assert refused.value == Refusal("not_a_payment", number=entry.number)
