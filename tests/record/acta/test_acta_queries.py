"""An acta is read from rows and journal: every sale of a session, and its money to the unit."""

import pytest
from django.test import Client
from django.utils import timezone, translation

from draws.claims import services as claims_services
from draws.games import services as games_services
from draws.prizes import services as prizes_services
from draws.record.acta import queries as acta_queries
from draws.record.acta import values
from draws.record.acta.values import cards_sold
from draws.record.audit import audit
from draws.sales import floor
from halls import sessions
from halls.models import Hall, Role, Session
from halls.policy.services import set_policy
from tests.support.evening import FACE, Evening, authorise, order
from tests.support.planting_rows import plant
from tests.support.played_games import both_halves, completed, halves_of, left_in_the_first
from tests.support.service_commands.games import double_cards, several_prices, void
from tests.support.service_commands.sales import (
    hand_out,
    hand_over,
    sell,
    seller,
    settle,
    take_back,
    write_off,
)
from tests.support.session_ends import ended

pytestmark = pytest.mark.django_db

OTHER_FACE = 300_00


def read(evening: Evening) -> values.ActaValues:
    """End the evening and read its acta, whose sales must be what its tills took."""
    with translation.override("pt"):
        told = acta_queries.values(ended(evening), made_at=timezone.now())
    collected = sum(game.gross for game in told.games)
    assert collected == sum(till.sales for till in told.tills)
    assert sum(game.refunded for game in told.games) == sum(till.refunds for till in told.tills)
    return told


@pytest.mark.slow
@pytest.mark.rule(61)
def test_acta_of_a_plain_game_names_its_run_and_nothing_more() -> None:
    [game] = read(completed(Evening())).games
    assert game.issues == (values.IssueValues("A", "sala-1", 1, 6, 6),)
    assert (game.half, game.other_half, game.sellers, game.refunds) == (0, None, (), ())


def two_prices_sold() -> Evening:
    """A game of which six cards at one price are sold, and four at another."""
    evening = Evening()
    several_prices(evening)
    games_services.add_issue(
        game=evening.game, issue=evening.hall.issues.get(identification="z-1"),
        **evening.who(Role.TABLE_CHIEF),
    )  # fmt: skip
    games_services.announce_sale(game=evening.game, **evening.who(Role.CALLER))
    cashier = evening.who(Role.CASHIER)
    sell(evening, cashier, quantity=6, face=FACE)
    sell(evening, cashier, quantity=4, face=OTHER_FACE)
    return evening


@pytest.mark.rule(61)
@pytest.mark.slow
def test_acta_has_a_price_for_each_issue_of_a_game_with_several() -> None:
    evening = two_prices_sold()
    evening.stage = 5  # sold
    [game] = read(completed(evening)).games
    assert game.issues == (
        values.IssueValues("A", "sala-1", 1, 6, 6, face=FACE),
        values.IssueValues("L", "z-1", 1, 4, 4, face=OTHER_FACE),
    )
    assert (game.cards_sold, game.gross) == (10, 6 * FACE + 4 * OTHER_FACE)


@pytest.mark.rule(61)
@pytest.mark.slow
def test_cards_of_a_game_with_several_issues_are_told_with_theirs(client: Client) -> None:
    evening = two_prices_sold()
    take_back(evening, evening.who(Role.CASHIER))
    evening.stage = 5  # sold
    told = read(completed(evening))
    assert ["L z-1 · 1–4" in note.text for note in told.games[0].draw] == [True]
    client.force_login(evening.person(Role.INSPECTOR))
    page = client.get("/inspector/1/?game=1").content.decode()
    for said in ("A sala-1 · 1–6 · ", "L z-1 · 1–4 · ", "A sala-1 · Bingo"):
        assert said in page, said


@pytest.mark.rule(36)
@pytest.mark.rule(61)
@pytest.mark.slow
def test_acta_tells_cards_written_off_between_sold_ones_with_reason_and_second_person() -> None:
    evening = Evening()
    manager = evening.who(Role.HALL_MANAGER)
    set_policy(hall=evening.hall, four_eyes=["cards_written_off"], **manager)
    evening.reach("sold")
    chief = evening.person(Role.TABLE_CHIEF)
    for first, last in ((8, 9), (50, 50)):
        write_off(evening, evening.who(Role.CASHIER) | {"witness": chief}, first=first, last=last)
    sell(evening, evening.who(Role.CASHIER), quantity=3)
    told = read(completed(evening))
    [issue] = told.games[0].issues
    assert (issue.first, issue.last, issue.cards) == (1, 11, 9)
    assert issue.missing == (values.WrittenOffValues(8, 9, "Molhados", chief.name),)
    assert [(done.game, done.witness, done.by) for done in told.witnessed] == [
        (1, chief.name, "cashier 1"),
        (1, chief.name, "cashier 1"),
    ]
    assert "8–9 · Molhados" in told.witnessed[0].act
    assert chief.username not in told.witnessed[0].act


@pytest.mark.slow
def test_acta_names_floor_sellers_with_what_they_sold() -> None:
    evening = Evening().reach("selling")
    cashier = evening.who(Role.CASHIER)
    hand_out(evening, cashier)
    settle(evening, cashier, back=4)
    sell(evening, cashier, quantity=6)
    evening.stage = 5  # sold
    [game] = read(completed(evening)).games
    till = evening.hall.tills.order_by("pk")[0].name
    assert game.sellers == (
        values.SellerValues(till, "", 6, 6 * FACE),
        values.SellerValues(till, seller(evening).name, 3, 3 * FACE),
    )


@pytest.mark.slow
def test_acta_tells_two_floor_sellers_of_one_name_apart() -> None:
    evening = Evening().reach("selling")
    cashier, namesake = evening.who(Role.CASHIER), seller(evening, 2)
    plant(evening.hall.people.filter(pk=namesake.pk), name=seller(evening).name)
    hand_out(evening, cashier)
    hand_over(evening, cashier, first=4)
    settle(evening, cashier, back=4, last=3)
    floor.settle(
        game=evening.game, shift=evening.shift, seller=namesake, issue=evening.issue(),
        first=4, last=5, returned=[], **cashier,
    )  # fmt: skip
    evening.stage = 5  # sold
    [game] = read(completed(evening)).games
    name, usernames = seller(evening).name, [seller(evening).username, namesake.username]
    assert [(one.seller, one.cards) for one in game.sellers] == [
        (f"{name} ({usernames[0]})", 3), (f"{name} ({usernames[1]})", 2),
    ]  # fmt: skip


@pytest.mark.rule(15)
@pytest.mark.rule(45)
@pytest.mark.slow
def test_acta_of_double_cards_has_both_games_and_what_was_paid_after_the_second() -> None:
    first, second = read(both_halves()).games
    assert [(one.number, one.half, one.other_half) for one in (first, second)] == [
        (1, 1, 2),
        (2, 2, 1),
    ]
    assert first.issues == second.issues == (values.IssueValues("A", "dupla-1", 1, 6, 6),)
    assert first.gross == second.gross == 6 * FACE
    assert {won.paid_in for won in first.winners} == {2}
    assert {won.paid_in for won in second.winners} == {None}
    assert {won.paid_at for won in first.winners} == {won.paid_at for won in second.winners}


@pytest.mark.rule(45)
@pytest.mark.slow
def test_acta_of_a_prize_set_aside_in_the_first_game_does_not_say_that_the_second_paid_it() -> None:
    first, second = read(left_in_the_first()).games
    assert {(won.paid_at, won.paid_in) for won in first.winners} == {(None, None)}
    assert all(won.paid_at for won in second.winners)


@pytest.mark.rule(15)
@pytest.mark.rule(61)
@pytest.mark.slow
def test_amounts_of_a_half_of_double_cards_are_of_that_half_and_add_up() -> None:
    evening = Evening()
    double_cards(evening)
    evening.reach("selling")
    cashier = evening.who(Role.CASHIER)
    hand_out(evening, cashier)
    settle(evening, cashier, back=4)
    sell(evening, cashier, quantity=6)
    evening.stage = 5  # sold
    told = read(halves_of(evening))
    first, second = told.games
    assert sum(sold.amount for sold in first.sellers) == first.gross == 9 * FACE
    assert sum(sold.cards for sold in first.sellers) == first.cards_sold == 9
    assert second.sellers == ()
    assert first.gross + second.gross == sum(till.sales for till in told.tills)
    assert cards_sold(told.games) == 9


@pytest.mark.rule(15)
@pytest.mark.rule(57)
@pytest.mark.slow
def test_acta_of_a_void_first_game_of_double_cards_gives_back_both_halves() -> None:
    evening = Evening()
    issue = double_cards(evening)
    evening.reach("sold")
    chief, cashier = evening.who(Role.TABLE_CHIEF), evening.who(Role.CASHIER)
    void(evening, chief)
    for first, last in ((1, 4), (5, 6)):
        prizes_services.refund(
            game=evening.game, issue=issue, first=first, last=last, shift=evening.shift, **cashier
        )
    games_services.complete(game=evening.game, **chief)
    [game] = read(evening).games
    till = evening.hall.tills.order_by("pk")[0].name
    assert (game.half, game.other_half) == (1, None)
    assert game.gross == game.refunded == 12 * FACE
    assert game.refunds == (values.RefundValues(till, 6, 12 * FACE),)


@pytest.mark.slow
@pytest.mark.rule(61)
def test_tax_on_sales_is_the_halls_and_stands_in_the_acta_of_each_game() -> None:
    evening = Evening()
    authorise(evening.hall, reference="2/2026", tax_rate=500, tax_threshold=FACE, tax_on_sales=True)
    told = read(completed(evening))
    [game] = told.games
    assert game.gross > FACE
    assert (game.sales_tax, game.tax_withheld) == ((game.gross - FACE) // 20, 0)
    assert {winner.tax for winner in game.winners} == {0}
    assert told.terms is not None
    assert (told.terms.tax_rate, told.terms.tax_on_sales) == (500, True)
    assert sessions.totals_of_session(Session.objects.get()).taxes == game.sales_tax
    assert audit(Hall.objects.get()) == []


@pytest.mark.slow
def test_acta_without_second_persons_has_none() -> None:
    assert read(completed(Evening())).witnessed == ()


@pytest.mark.rule(61)
@pytest.mark.slow
def test_acta_has_a_note_with_its_game_its_card_and_what_was_decided() -> None:
    evening = Evening().reach("window")
    desk = evening.at("table")
    noted = {"category": "other", "text": "Linha não ouvida", "decision": "Recusada (R47)"}
    about = {"issue": evening.issue().pk, "card": 2}
    assert order(desk, "table", "note", **noted, **about).status_code == 200
    assert order(desk, "table", "note", **noted).status_code == 200
    stray = about | {"issue": evening.issue(2).pk}
    assert order(desk, "table", "note", **noted, **stray).status_code == 409
    assert order(desk, "table", "note", **noted, **about | {"card": 91}).status_code == 409
    # A complaint is opened by itself, not noted.
    old = noted | {"category": "complaint"}
    assert order(desk, "table", "note", **old).status_code == 409
    equipped, named, plain = read(completed(evening)).notes
    assert equipped.kind == "ball_set"
    assert (named.kind, named.game) == (plain.kind, plain.game) == ("other", 1)
    assert named.text.endswith("A sala-1 · 2: Linha não ouvida — Recusada (R47)")
    assert plain.text == "Linha não ouvida — Recusada (R47)"


@pytest.mark.rule(30)
@pytest.mark.rule(61)
@pytest.mark.slow
def test_acta_says_why_each_claim_was_not_accepted() -> None:
    evening = Evening().reach("stopped")
    chief, manager = evening.who(Role.TABLE_CHIEF), evening.person(Role.HALL_MANAGER)
    for prize, fault in (("bingo", "unmarked"), ("line", "damaged"), ("bingo", "altered")):
        claims_services.check(
            game=evening.game, combination=prize, issue=evening.issue(), card=1, sound=False,
            fault=fault, **chief,
        )  # fmt: skip
    # What was refused stays so until two persons reverse it, and the acta names both (R30).
    for prize in ("bingo", "line"):
        claims_services.reverse_refusal(
            game=evening.game, combination=prize, issue=evening.issue(), card=1,
            reason="Era da luz", witness=manager, **chief,
        )  # fmt: skip
    told = read(completed(evening))
    [game] = told.games
    assert len({claim.reason for claim in game.rejected}) == 3
    assert {claim.issue for claim in game.rejected} == {str(evening.issue())}
    first, second = told.witnessed
    assert first.act != second.act
    for one in (first, second):
        assert (one.by, one.witness, one.game) == (chief["by"].name, manager.name, 1)
        assert "Era da luz" in one.act
    assert audit(Hall.objects.get()) == []
