"""An issue sent to another hall: what is left of it arrives there, once, or is called back."""

from __future__ import annotations

from itertools import pairwise
from typing import Any
from uuid import uuid4

import pytest

from bingo.rules.refusal import Refusal
from bingo.rules.stock import IssueStage, state_of
from draws.cards import series, stock, stock_queries
from draws.cards.stock_queries import issue_state
from draws.games import services as games_services
from draws.models import Card, Issue, Sale, Series, Taking, Transfer
from draws.record.audit import audit
from draws.sales import services as sales_services
from halls.models import Hall, JournalEntry, Role
from tests.support.evening import FACE, FACE_COLOUR, SIZE, Evening, authorise
from tests.support.planting_rows import plant, plant_row
from tests.support.playing import everything, refuses
from tests.support.service_commands.games import void
from tests.support.service_commands.prizes import refund

pytestmark = pytest.mark.django_db

CASHIER, CALLER = Role.CASHIER, Role.CALLER
CHIEF, MANAGER = Role.TABLE_CHIEF, Role.HALL_MANAGER


@pytest.fixture
def here() -> Evening:
    """The hall that sends."""
    return Evening("sul")


@pytest.fixture
def there(here: Evening) -> Evening:
    """The hall that receives; its issues are of other cards."""
    return Evening("norte")


def send(here: Evening, there: Evening, issue: Issue | None = None) -> Transfer:
    """Send an issue, the first one unless told otherwise."""
    return stock.send_transfer(
        issue=issue or here.issue(), to=there.hall, reason="Falta lá", **here.who(MANAGER)
    )


def accept(there: Evening, sent: Transfer, counted: int = SIZE, **who: Any) -> Issue:
    """Take an issue in."""
    return stock.accept(transfer=sent, counted=counted, **(there.who(MANAGER) | who))


def recall(here: Evening, sent: Transfer, reason: str = "Engano") -> Transfer:
    """Call an issue back."""
    return stock.recall_transfer(transfer=sent, reason=reason, **here.who(MANAGER))


def standing(issue: Issue) -> IssueStage:
    """Return the state of an issue as people are told it."""
    return state_of(issue_state(Issue.objects.get(pk=issue.pk)))


def whole() -> bool:
    """Return whether the audit of every hall finds nothing."""
    return [finding for hall in Hall.objects.all() for finding in audit(hall)] == []


def begun(here: Evening) -> Issue:
    """Sell cards 1 to 6 of the first issue in a game that was voided; retire 3 cards after them."""
    here.reach("sold")
    void(here, here.who(CHIEF))
    refund(here, here.who(CASHIER))
    games_services.complete(game=here.game, **here.who(CHIEF))
    issue, manager = here.issue(), here.who(MANAGER)
    stock.retire(issue=issue, first=7, last=8, reason="Rasgados", **manager)
    stock.retire(issue=issue, first=40, last=40, reason="Molhado", **manager)
    return here.issue()


@pytest.mark.rule(14)
@pytest.mark.rule(37)
@pytest.mark.slow
def test_issue_goes_on_in_the_other_hall_where_it_was_left(here: Evening, there: Evening) -> None:
    issue = begun(here)
    sent = send(here, there, issue)
    assert standing(issue) is IssueStage.SENT
    arrived = accept(there, sent, SIZE - 6 - 3)
    assert (arrived.hall, arrived.identification, arrived.face) == (there.hall, "sul-1", FACE)
    assert (arrived.last_sold, standing(arrived)) == (6, IssueStage.IN_STOCK)
    assert list(arrived.retirements.values_list("first", "last", "reason")) == [
        (7, 8, "Rasgados"),
        (40, 40, "Molhado"),
    ]
    assert arrived.series.source == "transferred"
    assert (arrived.series.digest, arrived.series.version) == (issue.series.digest, 2)
    assert cards_of(arrived.series) == cards_of(issue.series)
    told = JournalEntry.objects.filter(hall=there.hall, kind="issue_received").latest("number").data
    assert told["origin"] == {"hall": "sul", "issue": issue.pk, "sent": sent.entry.number}
    assert (told["last_sold"], told["retired"], told["difference"]) == (6, [[7, 8], [40, 40]], 0)
    assert whole()
    play(there, arrived)
    assert whole()


@pytest.mark.slow
@pytest.mark.rule(37)
def test_cards_retired_before_an_issue_left_are_counted_as_that_wherever_it_came(
    here: Evening, there: Evening
) -> None:
    issue, halls = here.issue(), [here, there, Evening("leste")]
    stock.retire(issue=issue, first=1, last=2, reason="Rasgados", **here.who(MANAGER))
    here.reach("sold")  # cards 3 to 8
    void(here, here.who(CHIEF))
    refund(here, here.who(CASHIER), first=3)
    games_services.complete(game=here.game, **here.who(CHIEF))
    stock.retire(issue=issue, first=9, last=9, reason="Molhado", **here.who(MANAGER))
    for sender, to in pairwise(halls):
        issue = accept(to, send(sender, to, issue), SIZE - 9)
    for evening in halls:
        told = stock_queries.issues(evening.hall).get(identification="sul-1")
        assert (told.sold, told.retired, told.left) == (6, 3, SIZE - 9)
        parts = stock_queries.issue_stock_parts(
            told, [(one.first, one.last) for one in stock_queries.retirements(told)]
        )
        assert [(one.kind, one.first, one.last) for one in parts] == [
            ("retired", 1, 2), ("sold", 3, 8), ("retired", 9, 9), ("left", 10, SIZE),
        ]  # fmt: skip
    shown = halls[2].at("manager").get(f"/cards/series/{issue.series_id}/2/").content.decode()
    assert "badge badge--stopped" in shown
    assert whole()


def cards_of(matrix: Series) -> list[Any]:
    """Return the cards of a series."""
    return list(Card.objects.filter(series=matrix).order_by("number").values_list("number", "rows"))


def play(there: Evening, arrived: Issue) -> None:
    """Sell the next cards of an issue that was begun elsewhere: 9 to 11, then 12 to 41 without 40."""
    there.reach("shift")
    games_services.open_game(session=there.session, issue=arrived, **there.who(CHIEF))
    game = there.hall.sessions.get().games.get()
    games_services.announce_sale(game=game, **there.who(CALLER))
    for quantity in (3, 29):
        sales_services.sell(game=game, shift=there.shift, quantity=quantity, **there.who(CASHIER))
    sold = Sale.objects.filter(issue=arrived).order_by("first")
    assert list(sold.values_list("first", "last")) == [(9, 11), (12, 39), (41, 41)]
    taken = Taking.objects.filter(issue=arrived).order_by("first")
    assert list(taken.values_list("first", "last", "previous", "passed")) == [
        (1, 8, None, True),
        (9, 11, 8, False),
        (12, 39, 11, False),
        (40, 40, 39, True),
        (41, 41, 40, False),
    ]


@pytest.mark.slow
def test_second_issue_of_the_same_matrix_needs_no_second_matrix(
    here: Evening, there: Evening
) -> None:
    for number in (1, 2):
        accept(there, send(here, there, here.issue(number)))
    assert Series.objects.filter(hall=there.hall).count() == 2
    assert Issue.objects.filter(hall=there.hall).count() == 4
    assert whole()


@pytest.mark.slow
def test_wrong_count_is_received_with_its_difference(here: Evening, there: Evening) -> None:
    arrived = accept(there, send(here, there), SIZE - 1)
    assert standing(arrived) is IssueStage.RECEIVED
    stock.retire(issue=arrived, first=5, last=5, reason="Falta", **there.who(MANAGER))
    stock.count(issue=arrived, counted=SIZE - 1, **there.who(MANAGER))
    assert standing(arrived) is IssueStage.IN_STOCK
    assert whole()


@pytest.mark.slow
def test_sent_issue_is_nobodys_to_sell(here: Evening, there: Evening) -> None:
    here.reach("shift")
    send(here, there)
    named = Refusal("issue_sent", letter="A", identification="sul-1")
    who = here.who(MANAGER)
    acts = (
        lambda: games_services.open_game(
            session=here.session, issue=here.issue(), **here.who(CHIEF)
        ),
        lambda: stock.retire(issue=here.issue(), first=5, last=5, reason="x", **who),
        lambda: stock.count(issue=here.issue(), counted=90, **who),
        lambda: stock.withdraw(issue=here.issue(), reason="x", **who),
        lambda: send(here, there),
    )
    for act in acts:
        with refuses(named):
            act()


@pytest.mark.slow
def test_recalled_issue_is_counted_and_sold_here_again(here: Evening, there: Evening) -> None:
    sent = send(here, there)
    recall(here, sent)
    assert standing(here.issue()) is IssueStage.RECEIVED
    with refuses(Refusal("transfer_recalled", hall="Sala sul")):
        accept(there, sent)
    with refuses("transfer_recalled"):
        recall(here, sent)
    stock.count(issue=here.issue(), counted=SIZE, **here.who(MANAGER))
    again = send(here, there)
    accept(there, again)
    with refuses(Refusal("transfer_arrived", hall="Sala norte")):
        recall(here, again)
    with refuses("transfer_arrived"):
        accept(there, again)
    assert whole()


def test_arrival_with_the_same_key_is_the_same_issue(here: Evening, there: Evening) -> None:
    sent, key = send(here, there), uuid4()
    arrived = accept(there, sent, key=key)
    before = everything()
    assert accept(there, sent, key=key) == arrived
    assert everything() == before
    with refuses("key_reused"):
        accept(there, sent, SIZE - 1, key=key)


@pytest.mark.slow
@pytest.mark.rule(3)
@pytest.mark.rule(15)
@pytest.mark.rule(17)
@pytest.mark.rule(18)
def test_arrival_is_granted_in_the_other_hall_or_refused(here: Evening, there: Evening) -> None:
    sent = send(here, there)
    hall = there.hall
    for changed, code in (
        ({"faces": [500_00]}, "face_not_authorised"),
        ({"formats": [80]}, "format_not_authorised"),
    ):
        authorise(hall, reference=code, **changed)
        with refuses(code):
            accept(there, sent)
    authorise(hall, reference="9/2026")
    plant(Issue.objects.filter(hall=hall), face_colour="green")
    with refuses("face_colour_differs"):
        accept(there, sent)
    plant(Issue.objects.filter(hall=hall), face_colour="yellow", back_colour="green")
    with refuses("back_colour_differs"):
        accept(there, sent)


def test_arrival_under_a_number_the_hall_has_is_refused(here: Evening, there: Evening) -> None:
    sent = send(here, there)
    plant(Issue.objects.filter(identification="norte-1"), identification="sul-1")
    with refuses(Refusal("identification_used", identification="sul-1")):
        accept(there, sent)


def test_arrival_under_a_number_the_hall_has_in_other_letters_is_told_and_not_offered(
    here: Evening, there: Evening
) -> None:
    send(here, there)
    plant(Issue.objects.filter(identification="norte-1"), identification="SUL-1")
    page = there.at("manager").get("/cards/").content.decode()
    assert "por isso a que foi enviada não pode ser recebida" in page
    assert "/cards/do/accept/" not in page


def test_issue_is_not_sent_where_its_number_is_taken(here: Evening, there: Evening) -> None:
    taken = there.issue()
    taken.identification = here.issue().identification
    plant_row(taken, "identification")
    with refuses(Refusal("identification_used_there", hall=there.hall.name)):
        send(here, there)


def test_matrix_that_was_changed_does_not_travel(here: Evening, there: Evening) -> None:
    sent = send(here, there)
    Card.objects.create(series=here.issue().series, number=91, rows=[])
    with refuses("matrix_changed"):
        accept(there, sent)


def test_issue_is_not_sent_to_its_own_hall_nor_to_other_rules(
    here: Evening, there: Evening
) -> None:
    with refuses("same_hall"):
        send(here, here)
    plant(Hall.objects.filter(pk=there.hall.pk), rulebook="spain-1979")
    there.hall.refresh_from_db()
    with refuses(Refusal("other_rulebook", rulebook="cape-verde-2017", expected="spain-1979")):
        send(here, there)


def test_only_the_other_halls_manager_takes_it_in(here: Evening, there: Evening) -> None:
    sent = send(here, there)
    for by in (here.person(MANAGER), there.person(CASHIER)):
        with refuses("not_allowed"):
            accept(there, sent, by=by)
    with refuses("not_allowed"):
        stock.recall_transfer(transfer=sent, reason="x", **there.who(MANAGER))


@pytest.mark.rule(19)
@pytest.mark.slow
def test_series_of_an_own_size_needs_that_size_granted_there(here: Evening, there: Evening) -> None:
    who = here.who(MANAGER)
    matrix = series.publish(hall=here.hall, format=90, letter="L", size=60, seed="1", **who)
    issue = stock.receive(
        hall=here.hall, series=matrix, identification="60", face=FACE, face_colour=FACE_COLOUR,
        back_colour="pink", counted=60, **who,
    )  # fmt: skip
    sent = send(here, there, issue)
    authorise(there.hall, reference="2/2026", sizes={"M": 60})
    with refuses(Refusal("size_not_of_letter", letter="L", size=60)):
        accept(there, sent, 60)
    authorise(there.hall, reference="3/2026", sizes={"L": 60})
    assert accept(there, sent, 60).series.size == 60
    assert whole()
