"""The sale as the cashier's page sends it: what to hand out, or why not; one key, one effect."""

from __future__ import annotations

import re
from typing import Any
from uuid import uuid4

import pytest
from django.db import connection
from django.http import HttpResponse
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from bingo import celery_app
from draws.games import services as games_services
from draws.models import Issue, Sale
from draws.record.audit import audit
from draws.sales import floor
from draws.sales import services as sales_services
from halls import tills
from halls.models import CashMovement, Hall, JournalEntry, Role
from tests.support.database import FreshDatabase
from tests.support.evening import BACKEND, FACE, SIZE, Evening, books, browser_of
from tests.support.threads import at_once
from tests.support.till_hall import DEAR, dear_cards, double_cards, policy, sellers

ADDRESS = "/till/sell/"
TURNS = 8  # to the database: login 4, where the till stands 1, the sale 2 and its transaction 2
KEY = re.compile(r'data-key="[0-9a-f-]{36}"')


def sell(client: Client, *, key: object = None, **fields: object) -> HttpResponse:
    """Send a sale, with a key of its own unless one is given."""
    sent = {"key": str(key or uuid4())} | {name: str(value) for name, value in fields.items()}
    answer: HttpResponse = client.post(ADDRESS, sent)  # type: ignore[assignment]
    return answer


def sold(client: Client, **fields: object) -> str:
    """Sell, and return what the page is told."""
    answer = sell(client, **fields)
    assert answer.status_code == 200, answer.content.decode()
    return answer.content.decode()


def refused(client: Client, code: str, **fields: object) -> str:
    """Be refused for that reason, and return what the page is told."""
    answer = sell(client, **fields)
    shown = answer.content.decode()
    assert answer.status_code == 409, shown
    assert f'data-code="{code}"' in shown, shown
    return shown


def handed_out() -> list[tuple[int, int]]:
    """The cards sold, in order."""
    return list(Sale.objects.order_by("issue", "first").values_list("first", "last"))


def printed(monkeypatch: pytest.MonkeyPatch) -> list[dict[str, Any]]:
    """Where the tasks go that are asked for, instead of to the broker."""
    tasks: list[dict[str, Any]] = []
    monkeypatch.setattr(celery_app, "_send", lambda name, given: tasks.append({name: given}))
    return tasks


@pytest.mark.django_db
class TestSale:
    def test_tells_what_to_hand_out_and_what_to_give_back(self) -> None:
        evening = Evening().reach("sold")
        shown = sold(evening.at("till"), quantity=3, given="1000")
        assert "<strong>7–9</strong>" in re.sub(r"\s+", " ", shown)
        assert "sala-1" in shown
        assert "600,00" in shown
        assert "400,00" in shown
        assert 'data-next="10"' in shown
        assert f'data-left="{SIZE - 9}"' in shown
        assert "<html" not in shown

    def test_gives_a_fresh_key_each_time(self) -> None:
        client, key = Evening().reach("selling").at("till"), uuid4()
        keys = [KEY.findall(sold(client, quantity=1, key=one)) for one in (key, key, uuid4())]
        assert len({one for found in keys for one in found}) == 3
        assert str(key) not in str(keys)

    def test_one_card_is_no_range(self) -> None:
        shown = sold(Evening().reach("selling").at("till"), quantity=1)
        assert "<strong>1</strong>" in shown

    def test_last_cards_say_that_none_is_left(self) -> None:
        shown = sold(Evening().reach("selling").at("till"), quantity=SIZE, sure="on")
        assert 'data-left="0"' in shown
        assert 'data-next=""' in shown

    @pytest.mark.rule(38)
    @pytest.mark.slow
    def test_second_issue_is_promised_only_where_one_may_be_opened(self) -> None:
        whole, begun = Evening().reach("selling"), Evening("other")
        Issue.objects.filter(pk=begun.issue().pk).update(last_sold=SIZE - 10)
        for evening, left, promised in ((whole, SIZE, False), (begun.reach("selling"), 10, True)):
            client = evening.at("till")
            told = (
                refused(client, "only_left", quantity=left + 1),
                sold(client, quantity=left, sure="on"),
                refused(client, "sold_out", quantity=1),
            )
            assert ["segunda série" in page for page in told] == [promised] * 3

    @pytest.mark.rule(38)
    def test_spans_two_issues(self) -> None:
        evening = Evening().reach("selling")
        sold(evening.at("till"), quantity=SIZE, sure="on")
        evening = Evening(hall=evening.hall)
        assert handed_out() == [(1, SIZE)]
        refused(evening.at("till"), "sold_out", quantity=1)

    @pytest.mark.rule(15)
    def test_double_card_is_paid_for_both_games(self) -> None:
        evening = Evening()
        double_cards(evening)
        shown = sold(evening.reach("selling").at("till"), quantity=1, given="500")
        assert "400,00" in shown
        assert "100,00" in shown

    def test_of_several_prices_takes_the_one_named(self) -> None:
        evening = Evening()
        dear = dear_cards(evening)
        evening.reach("prepared")
        games_services.add_issue(game=evening.game, issue=dear, **evening.who(Role.TABLE_CHIEF))
        client = evening.reach("selling").at("till")
        refused(client, "price_missing", quantity=1)
        shown = sold(client, quantity=2, face=DEAR)
        assert "1.000,00" in shown or "1 000,00" in shown.replace("\N{NO-BREAK SPACE}", " ")
        assert 'data-next="3"' in shown
        assert 'data-left="58"' in shown
        assert Sale.objects.get().issue == dear

    def test_by_a_floor_seller_is_written_down_as_such(self) -> None:
        evening = Evening().reach("selling")
        seller = sellers(evening)[0]
        sold(evening.at("till"), quantity=2, seller=seller.pk)
        assert Sale.objects.get().seller == seller

    def test_cards_that_came_back_go_first(self) -> None:
        evening = Evening().reach("selling")
        seller, cashier = sellers(evening)[0], evening.who(Role.CASHIER)
        floor.hand_out(game=evening.game, shift=evening.shift, seller=seller, quantity=6, **cashier)
        floor.settle(
            game=evening.game, shift=evening.shift, seller=seller, issue=evening.issue(),
            first=1, last=6, returned=[(3, 4)], **cashier,
        )  # fmt: skip
        shown = re.sub(r"\s+", " ", sold(evening.at("till"), quantity=3))
        assert "<strong>3–4</strong>" in shown
        assert "<strong>7</strong>" in shown

    def test_asks_the_database_little(self) -> None:
        evening = Evening().reach("sold")
        client = evening.at("till")
        sold(client, quantity=1)  # the catalogue of permissions and templates is read once
        with CaptureQueriesContext(connection) as asked:
            sold(client, quantity=2, given="1000")
        told = [one["sql"] for one in asked.captured_queries]
        assert len(told) == TURNS, told


@pytest.mark.django_db
class TestRefusal:
    @pytest.mark.parametrize(
        ("quantity", "code"),
        [
            ("0", "quantity_not_positive"),
            ("-3", "quantity_not_positive"),
            ("2.5", "bad_input"),
            ("2,5", "bad_input"),
            ("", "bad_input"),
            ("three", "bad_input"),
            ("1e3", "bad_input"),
            ("٣", "bad_input"),
            ("9" * 40, "bad_input"),
            ("2147483648", "bad_input"),
            ("2147483647", "only_left"),
        ],
    )
    def test_quantity_that_cannot_be_changes_nothing(self, quantity: str, code: str) -> None:
        evening = Evening().reach("sold")
        before = books(evening.hall)
        refused(evening.at("till"), code, quantity=quantity)
        assert books(evening.hall) == before

    def test_more_than_are_left_offers_those(self) -> None:
        evening = Evening().reach("selling")
        client = evening.at("till")
        sold(client, quantity=SIZE - 3, sure="on")
        shown = refused(client, "only_left", quantity=5)
        assert 'data-offer="3"' in shown
        assert f"{SIZE - 2}" in sold(client, quantity=3)
        refused(client, "sold_out", quantity=1)

    @pytest.mark.rule(39)
    def test_too_little_cash_says_how_much_is_missing(self) -> None:
        evening = Evening().reach("selling")
        before = books(evening.hall)
        assert "100,00" in refused(evening.at("till"), "cash_too_little", quantity=3, given="500")
        refused(evening.at("till"), "bad_amount", quantity=1, given="1,234")
        refused(evening.at("till"), "bad_amount", quantity=1, given="-200")
        assert books(evening.hall) == before

    @pytest.mark.slow
    def test_before_the_sale_and_after_it(self) -> None:
        evening = Evening()
        refused(evening.at("till"), "no_session", quantity=1)
        refused(evening.reach("session").at("till"), "no_shift", quantity=1)
        refused(evening.reach("shift").at("till"), "no_game", quantity=1)
        refused(evening.reach("prepared").at("till"), "wrong_phase", quantity=1)
        refused(evening.reach("closed").at("till"), "wrong_phase", quantity=1)

    def test_closed_shift_sells_no_more(self) -> None:
        evening = Evening().reach("selling")
        tills.close_shift(
            shift=evening.shift, counted=evening.session.state["shifts"][0]["cash"], comment="",
            **evening.who(Role.CASHIER),
        )  # fmt: skip
        refused(evening.at("till"), "no_shift", quantity=1)

    def test_key_that_is_none(self) -> None:
        evening = Evening().reach("selling")
        refused(evening.at("till"), "bad_input", quantity=1, key="no key")

    def test_seller_of_another_hall_is_unknown(self) -> None:
        evening, other = Evening().reach("selling"), Evening("other")
        refused(evening.at("till"), "unknown_seller", quantity=1, seller=sellers(other)[0].pk)

    def test_tells_a_key_for_the_next_try(self) -> None:
        shown = refused(Evening().reach("selling").at("till"), "only_left", quantity=SIZE + 1)
        assert KEY.search(shown)


@pytest.mark.django_db
class TestWho:
    def test_stranger_is_sent_to_the_login(self) -> None:
        answer = Client().post(ADDRESS, {"key": uuid4(), "quantity": 1})
        assert answer.status_code == 302
        assert answer["Location"] == f"{reverse('login')}?undone=1&next=/till/"

    def test_caller_may_not_and_the_try_is_journalled(self) -> None:
        evening = Evening().reach("selling")
        answer = sell(evening.at("caller"), quantity=1)
        assert answer.status_code == 403
        entry = JournalEntry.objects.latest("number")
        assert (entry.kind, entry.data["code"]) == ("command_refused", "not_allowed")
        assert not Sale.objects.exists()

    def test_page_is_not_shown_by_get(self) -> None:
        assert Evening().reach("selling").at("till").get(ADDRESS).status_code == 405

    def test_form_without_its_token_is_refused(self) -> None:
        evening = Evening().reach("selling")
        client = Client(enforce_csrf_checks=True)
        client.force_login(evening.person(Role.CASHIER), backend=BACKEND)
        fields: dict[str, Any] = {"key": uuid4(), "quantity": 1}
        assert client.post(ADDRESS, fields).status_code == 403
        assert not Sale.objects.exists()
        page = client.get("/till/").content.decode()
        (token, *_others) = re.findall(r'name="csrfmiddlewaretoken"\s+value="(\w+)"', page)
        assert client.post(ADDRESS, fields, headers={"X-CSRFToken": token}).status_code == 200

    def test_answer_is_kept_by_nobody(self) -> None:
        answer = sell(Evening().reach("selling").at("till"), quantity=1)
        assert "no-store" in answer["Cache-Control"]


@pytest.mark.django_db
class TestKey:
    def test_sent_again_is_answered_as_before(self) -> None:
        evening = Evening().reach("selling")
        client, key = evening.at("till"), uuid4()
        first = sold(client, quantity=2, given="500", key=key)
        again = sold(client, quantity=2, given="500", key=key)
        assert KEY.sub("", again) == KEY.sub("", first)
        assert handed_out() == [(1, 2)]
        assert evening.shift.movements.filter(kind=CashMovement.Kind.SALE).count() == 1

    def test_sent_again_after_the_sale_closed_is_still_answered(self) -> None:
        evening = Evening().reach("selling")
        client, key = evening.at("till"), uuid4()
        sold(client, quantity=2, key=key)
        games_services.close_sale(game=evening.game, **evening.who(Role.CALLER))
        assert "1–2" in sold(client, quantity=2, key=key)

    def test_sent_again_after_the_shift_closed_is_still_answered(self) -> None:
        evening = Evening().reach("selling")
        client, key = evening.at("till"), uuid4()
        sold(client, quantity=2, key=key)
        held = evening.session.state["shifts"][0]["cash"]
        who = evening.who(Role.CASHIER)
        tills.close_shift(shift=evening.shift, counted=held, comment="", **who)
        assert "1–2" in sold(client, quantity=2, key=key)

    @pytest.mark.parametrize("changed", [{"quantity": 3}, {"face": FACE}, {"given": "100"}])
    def test_used_for_something_else_is_refused(self, changed: dict[str, object]) -> None:
        client, key = Evening().reach("selling").at("till"), uuid4()
        sold(client, quantity=2, key=key)
        answer = sell(client, key=key, **({"quantity": 2} | changed))
        assert answer.status_code == 409
        assert handed_out() == [(1, 2)]

    def test_of_a_colleague_is_not_answered(self) -> None:
        evening = Evening().reach("selling")
        key = uuid4()
        sold(evening.at("till"), quantity=2, key=key)
        other = evening.hall.people.filter(roles__contains=[Role.CASHIER]).order_by("username")[1]
        till = evening.hall.tills.order_by("pk")[1]
        who = evening.who(Role.CASHIER) | {"by": other}
        tills.open_shift(session=evening.session, till=till, float=0, **who)
        refused(browser_of(other), "key_reused", quantity=2, key=key)


@pytest.mark.slow
def test_five_equal_orders_at_once_have_one_effect_and_one_answer(
    fresh_database: FreshDatabase,
) -> None:
    evening = Evening().reach("selling")
    key, person = uuid4(), evening.person(Role.CASHIER)
    clients = [browser_of(person) for _time in range(5)]

    def post(client: Client) -> str:
        return KEY.sub("", sold(client, quantity=3, given="1000", key=key))

    answers = at_once([lambda client=client: post(client) for client in clients])  # type: ignore[misc]
    assert len(set(answers)) == 1, answers
    assert "1–3" in answers[0]
    assert handed_out() == [(1, 3)]
    assert evening.shift.movements.filter(kind=CashMovement.Kind.SALE).count() == 1
    assert audit(Hall.objects.get(pk=evening.hall.pk)) == []


@pytest.mark.slow
def test_tills_at_once_get_cards_that_follow_each_other(fresh_database: FreshDatabase) -> None:
    evening = Evening().reach("selling")
    clients = [evening.at("till") for _till in range(8)]
    at_once([lambda client=client: sold(client, quantity=2) for client in clients])  # type: ignore[misc]
    assert handed_out() == [(first, first + 1) for first in range(1, 17, 2)]
    assert Issue.objects.get(pk=evening.issue().pk).last_sold == 16
    assert audit(Hall.objects.get(pk=evening.hall.pk)) == []


@pytest.mark.django_db(transaction=False)
class TestReceipt:
    @pytest.mark.parametrize(("receipts", "offered"), [("none", 0), ("shown", 1), ("printed", 1)])
    def test_is_offered_where_the_hall_wants_it(self, receipts: str, offered: int) -> None:
        evening = Evening()
        policy(evening, receipts=receipts)
        shown = sold(evening.reach("selling").at("till"), quantity=1, given="500")
        entry = JournalEntry.objects.get(kind="cards_sold")
        address = f"{reverse('till-sale-receipt', args=[entry.number])}?given=50000"
        assert shown.count(address) == offered

    @pytest.mark.parametrize(("receipts", "times"), [("none", 0), ("shown", 0), ("printed", 1)])
    def test_is_printed_once_where_the_hall_wants_it(
        self,
        receipts: str,
        times: int,
        monkeypatch: pytest.MonkeyPatch,
        django_capture_on_commit_callbacks: Any,
    ) -> None:
        tasks, key = printed(monkeypatch), uuid4()
        evening = Evening()
        policy(evening, receipts=receipts)
        client = evening.reach("selling").at("till")
        with django_capture_on_commit_callbacks(execute=True):
            for _time in range(2):
                sold(client, quantity=1, given="500", key=key)
        entry = JournalEntry.objects.get(kind="cards_sold")
        asked = {"draws.print_receipt": {"sale_entry": entry.pk, "given": 50_000}}
        assert tasks == [asked] * times


@pytest.mark.django_db
def test_service_and_page_sell_from_one_stack() -> None:
    evening = Evening().reach("selling")
    sales_services.sell(
        game=evening.game, shift=evening.shift, quantity=4, **evening.who(Role.CASHIER)
    )
    assert "5–6" in sold(evening.at("till"), quantity=2)
