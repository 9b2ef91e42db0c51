"""Orders that come late: none of one game is done in another, none is told as done that was not."""

import re
from uuid import uuid4

import pytest
from django.http import HttpResponse

from draws.games import services as games_services
from draws.models import Sale
from draws.sales import services as sales_services
from halls import sessions, tills
from halls.models import Role
from tests.support.evening import FLOAT, Evening, order, tonight
from tests.support.planting_rows import plant_row
from tests.support.till_hall import done, hand_out, refused, shown

pytestmark = pytest.mark.django_db


def next_game(evening: Evening) -> None:
    """Void the game before anything was sold, and go on sale with the next."""
    chief = evening.who(Role.TABLE_CHIEF)
    games_services.void(game=evening.game, cause="nothing_sold", reason="vazia", **chief)
    games_services.complete(game=evening.game, **chief)
    games_services.open_game(session=evening.session, issue=evening.issue(), **chief)
    games_services.announce_sale(game=evening.game, **evening.who(Role.CALLER))


@pytest.mark.rule(41)
@pytest.mark.slow
def test_sale_meant_for_one_game_is_not_made_in_the_next() -> None:
    evening = Evening().reach("selling")
    client, meant = evening.at("till"), evening.game.pk
    assert f'name="game" value="{meant}"' in " ".join(shown(client).split())
    next_game(evening)
    answer = client.post("/till/sell/", {"key": str(uuid4()), "quantity": "2", "game": str(meant)})
    assert answer.status_code == 409
    assert 'data-code="stale_page"' in answer.content.decode()
    refused(client, "sell", "stale_page", quantity=2, game=meant)
    refused(
        client, "hand-out", "stale_page", to=evening.person(Role.SELLER).pk, quantity=2, game=meant
    )
    assert not Sale.objects.exists()
    done(client, "sell", quantity=2, game=evening.game.pk)
    assert Sale.objects.get().game == evening.game


@pytest.mark.rule(57)
@pytest.mark.slow
def test_order_of_a_page_of_one_game_moves_no_other() -> None:
    evening = Evening().reach("selling")
    caller, chief = evening.at("caller"), evening.at("table")
    meant = f'name="game" value="{evening.game.pk}"'
    close, void = ("caller", caller, "close-sale"), ("table", chief, "void")
    of_void = {"cause": "other", "reason": "luz"}
    for desk, client, verb in (close, void):
        page = client.get(f"/{desk}/").content.decode()
        form = page[page.index(f'action="/{desk}/do/{verb}/"') :]
        assert meant in " ".join(form[: form.index("</form>")].split())
    old = evening.game.pk
    next_game(evening)
    sales_services.sell(
        game=evening.game, shift=evening.shift, quantity=2, **evening.who(Role.CASHIER)
    )
    for desk, client, verb in (close, void):
        fields = of_void if verb == "void" else {}
        late = order(client, desk, verb, game=old, **fields)
        assert late.status_code == 409
        assert 'data-code="stale_page"' in late.content.decode()
        assert evening.game.phase == "selling"
    for desk, client, verb in (close, void):
        fields = of_void if verb == "void" else {}
        key = uuid4()
        for _sent_again in range(2):
            now = order(client, desk, verb, key=key, game=evening.game.pk, **fields)
            assert now.status_code == 200


@pytest.mark.slow
def test_sale_is_answered_again_after_its_game() -> None:
    evening = Evening().reach("selling")
    client, key = evening.at("till"), str(uuid4())
    body = {"key": key, "quantity": "2", "game": str(evening.game.pk)}
    first = client.post("/till/sell/", body)
    games_services.close_sale(game=evening.game, **evening.who(Role.CALLER))
    again = client.post("/till/sell/", body)
    assert (first.status_code, again.status_code) == (200, 200)
    assert "1–2" in " ".join(again.content.decode().split())
    assert Sale.objects.count() == 1


@pytest.mark.slow
def test_key_that_did_something_else_does_not_make_a_refusal_done() -> None:
    evening = Evening().reach("selling")
    client, key = evening.at("till"), uuid4()
    done(client, "hand-out", key=key, to=evening.person(Role.SELLER).pk, quantity=2)
    refused(client, "close", "bad_amount", key=key, counted="abc", comment="")
    refused(client, "pay", "bad_input", key=key, card="x")
    refused(client, "nonsense", "bad_input", key=key)


@pytest.mark.slow
def test_till_that_was_closed_says_done_to_the_same_order() -> None:
    evening = Evening().reach("shift")
    client, key = evening.at("till"), uuid4()
    for _again in range(2):
        done(client, "close", key=key, counted=str(FLOAT // 100), comment="")
    assert evening.session.shifts.get().counted == FLOAT


@pytest.mark.slow
def test_order_sent_again_after_the_next_shift_or_session_began_is_answered_as_it_was() -> None:
    evening = Evening(language="en").reach("shift")
    till, manager = evening.at("till"), evening.at("manager")
    open_again = {"till": evening.shift.till.pk, "float": FLOAT // 100}
    closing = {"key": uuid4(), "counted": FLOAT // 100 - 1, "comment": "one is missing"}
    first = notice(order(till, "till", "close", **closing))
    assert "Difference" in " ".join(first)
    done(till, "open", **open_again)
    assert notice(order(till, "till", "close", **closing)) == first
    by_manager = {"key": uuid4(), "shift": evening.shift.pk, "counted": FLOAT // 100, "comment": ""}
    of_manager = notice(order(manager, "manager", "close-till", **by_manager))
    ending = {"key": uuid4()}
    ended = notice(order(manager, "manager", "close-session", **ending))
    sessions.open_session(
        hall=evening.hall, checked=True, ends_at=tonight(), **evening.who(Role.HALL_MANAGER)
    )
    for _before_and_after_a_till_is_opened in range(2):
        assert notice(order(till, "till", "close", **closing)) == first
        assert notice(order(manager, "manager", "close-till", **by_manager)) == of_manager
        assert notice(order(manager, "manager", "close-session", **ending)) == ended
        if not evening.session.shifts.exists():
            done(till, "open", **open_again)
    assert [one.closed_at for one in evening.session.shifts.all()] == [None]


@pytest.mark.slow
def test_order_that_closes_a_session_does_not_close_the_next_one() -> None:
    evening = Evening().reach("session")
    client, manager = evening.at("manager"), evening.who(Role.HALL_MANAGER)
    assert 'name="session" value="1"' in client.get("/manager/").content.decode()
    sessions.close_session(session=evening.session, **manager)
    sessions.open_session(hall=evening.hall, checked=True, ends_at=tonight(), **manager)
    late = order(client, "manager", "close-session", session=1)
    assert (late.status_code, 'data-code="stale_page"' in late.content.decode()) == (409, True)
    assert evening.session.number == 2
    assert order(client, "manager", "close-session", session=2).status_code == 200
    assert not evening.hall.sessions.filter(closed_at=None).exists()


@pytest.mark.slow
def test_order_sent_again_after_the_next_game_began_is_answered_as_it_was() -> None:
    evening = Evening(language="en").reach("selling")
    client, complete = evening.at("table"), {"key": uuid4()}
    chief = evening.who(Role.TABLE_CHIEF)
    games_services.void(game=evening.game, cause="nothing_sold", reason="vazia", **chief)
    first = notice(order(client, "table", "complete", **complete))
    games_services.open_game(session=evening.session, issue=evening.issue(), **chief)
    assert notice(order(client, "table", "complete", **complete)) == first


def notice(answer: HttpResponse) -> list[str]:
    """Return what an order that was carried out is answered, title and text."""
    assert answer.status_code == 200, answer.content.decode()
    told = r'role="status"\s*>\s*<p class="notice__title">([^<]+)</p>\s*(?:<p>([^<]+))?'
    found = re.findall(told, answer.content.decode())
    assert found
    return [part for one in found for part in one]


@pytest.mark.slow
def test_seller_who_left_is_still_listed_and_settled() -> None:
    evening = Evening().reach("selling")
    client, seller = evening.at("till"), hand_out(evening, 4)
    seller.is_active = False
    plant_row(seller, "is_active")
    assert seller.name in shown(client)
    done(client, "settle", seller=seller.pk, issue=evening.issue().pk, first=1, last=4, unsold="")
    games_services.close_sale(game=evening.game, **evening.who(Role.CALLER))


@pytest.mark.slow
def test_count_that_was_refused_stays_in_the_journal() -> None:
    evening = Evening().reach("shift")
    client = evening.at("till")
    refused(client, "close", "difference_needs_comment", counted="123", comment="")
    kept = evening.hall.journal.get(kind="command_refused")
    assert kept.data["values"] == {"counted": 123_00}


@pytest.mark.slow
def test_blind_till_shows_no_total_of_the_refund() -> None:
    evening = Evening().reach("shift")
    games_services.open_game(
        session=evening.session, issue=evening.issue(), **evening.who(Role.TABLE_CHIEF)
    )
    games_services.announce_sale(game=evening.game, **evening.who(Role.CALLER))
    sales_services.sell(
        game=evening.game, shift=evening.shift, quantity=7, **evening.who(Role.CASHIER)
    )
    games_services.void(
        game=evening.game, cause="other", reason="luz", **evening.who(Role.TABLE_CHIEF)
    )
    assert tills.shift_of(evening.session, evening.person(Role.CASHIER))
    page = shown(evening.at("till")).replace("\xa0", " ")
    panel = page[page.index('id="refund-tills"') :]
    assert "1 400,00" not in panel[: panel.index("</table>")]
