"""Issues in stock: received, counted, retired, withdrawn, reinstated; then sold, or not."""

from __future__ import annotations

from typing import Any
from uuid import uuid4

import pytest

from bingo.rules.refusal import Refusal
from bingo.rules.stock import BoxPlace, IssueStage, state_of
from draws.cards import series, stock
from draws.cards.stock_queries import issue_state
from draws.games import services as games_services
from draws.models import Issue, Recount, Retirement, Sale, Taking
from draws.record.audit import audit
from draws.sales import services as sales_services
from halls import sessions
from halls.journal.queries import Finding
from halls.models import Hall, JournalEntry, Role
from tests.support.evening import FACE, FACE_COLOUR, SIZE, Evening, authorise, tonight
from tests.support.planting_rows import plant
from tests.support.playing import refuses
from tests.support.service_commands.cards import count, receive, retire, withdraw
from tests.support.service_commands.games import void
from tests.support.service_commands.prizes import refund

pytestmark = pytest.mark.django_db

CASHIER, CALLER = Role.CASHIER, Role.CALLER
CHIEF, MANAGER = Role.TABLE_CHIEF, Role.HALL_MANAGER
X = "X...X/.X.X./..X../.X.X./X...X"


@pytest.fixture
def evening() -> Evening:
    """A hall with two issues of series A on its shelf."""
    return Evening()


def publish(evening: Evening, letter: str, size: int, *, format: int = 90) -> Any:
    """Publish a series of the hall."""
    return series.publish(
        hall=evening.hall, format=format, letter=letter, size=size, seed="8", **evening.who(MANAGER)
    )


def take(evening: Evening, **changed: Any) -> Issue:
    """Receive an issue like the others, but for what is changed."""
    return receive(evening, evening.who(MANAGER), **changed)


def standing(issue: Issue) -> IssueStage:
    """Return the state of an issue as people are told it."""
    return state_of(issue_state(Issue.objects.get(pk=issue.pk)))


def findings(evening: Evening) -> list[Finding]:
    """Return what the audit finds."""
    return audit(Hall.objects.get(pk=evening.hall.pk))


def last(kind: str) -> dict[str, Any]:
    """Return the data of the last entry of a kind."""
    data: dict[str, Any] = JournalEntry.objects.filter(kind=kind).latest("number").data
    return data


def sell(evening: Evening, quantity: int) -> list[Sale]:
    """Sell the next cards."""
    return sales_services.sell(
        game=evening.game, shift=evening.shift, quantity=quantity, **evening.who(CASHIER)
    )


def open_game(evening: Evening, issue: Issue) -> None:
    """Prepare a game with an issue."""
    games_services.open_game(session=evening.session, issue=issue, **evening.who(CHIEF))


def put_on_sale(evening: Evening, issue: Issue) -> None:
    """Open a game with an issue and announce its sale."""
    open_game(evening, issue)
    games_services.announce_sale(game=evening.game, **evening.who(CALLER))


@pytest.mark.rule(16)
@pytest.mark.rule(18)
def test_issue_received_is_written_with_all_that_it_is(evening: Evening) -> None:
    matrix = publish(evening, "B", 120, format=75)
    issue = take(
        evening, series=matrix, identification="75-1", back_colour="orange", figure=X, counted=119
    )
    issue.refresh_from_db()
    assert (issue.place, issue.last_sold, issue.figure) == (BoxPlace.RECEIVED, 0, X)
    assert issue.authorisation == evening.hall.authorisations.get()
    assert last("issue_received") == {
        "issue": issue.pk, "format": 75, "letter": "B", "version": 1, "size": 120,
        "digest": matrix.digest, "authorisation": "1/2026", "identification": "75-1",
        "face": FACE, "face_colour": FACE_COLOUR, "back_colour": "orange", "double": False,
        "symbols": False, "figure": X, "counted": 119, "difference": -1, "place": "received",
    }  # fmt: skip


@pytest.mark.parametrize(
    ("counted", "state"),
    [(None, IssueStage.RECEIVED), (SIZE - 1, IssueStage.RECEIVED), (SIZE, IssueStage.IN_STOCK)],
)
def test_issue_counted_right_is_in_stock(
    evening: Evening, counted: int | None, state: IssueStage
) -> None:
    assert standing(take(evening, counted=counted)) is state


@pytest.mark.rule(3)
@pytest.mark.rule(15)
@pytest.mark.rule(17)
@pytest.mark.rule(18)
@pytest.mark.slow
def test_issue_that_is_not_granted_or_not_told_apart_is_refused(
    evening: Evening, subtests: pytest.Subtests
) -> None:
    other = Evening("outra")
    thirty = publish(evening, "C", 150, format=30)
    cases: list[tuple[Refusal | str, dict[str, Any]]] = [
        ("unknown_issue", {"series": other.issue().series}),
        (Refusal("face_not_authorised", face=3, faces=[FACE]), {"face": 3}),
        ("identification_missing", {"identification": "  "}),
        (Refusal("bad_identification", most=12), {"identification": "1" * 13}),
        (Refusal("identification_used", identification="sala-1"), {"identification": "sala-1"}),
        (Refusal("unknown_colour", colour="beige"), {"face_colour": "beige"}),
        (Refusal("unknown_colour", colour="white"), {"back_colour": "white"}),
        ("face_colour_differs", {"face_colour": "green"}),
        ("back_colour_differs", {"back_colour": "green"}),
        (Refusal("back_colour_taken", colour="blue", letter="A"), {"series": thirty}),
        (Refusal("symbols_only_for_30", format=90), {"symbols": True}),
        (Refusal("figure_only_for_75", format=90), {"figure": X}),
        (Refusal("bad_count", counted=-1, most=1_000_000), {"counted": -1}),
    ]
    for expected, changed in cases:
        with subtests.test(expected=str(expected)), refuses(expected):
            take(evening, **changed)


@pytest.mark.rule(76)
@pytest.mark.parametrize(
    ("figure", "code"),
    [
        ("X", "pattern_wrong_shape"),
        ("X...X/.X.X./..X../.X.X./X..X", "pattern_wrong_shape"),
        ("XXXXX/XXXXX/XXXXX/XXXXX/XXXXX", "pattern_whole_card"),
        ("X..../...../...../...../.....", "pattern_too_small"),
    ],
)
def test_figure_that_is_none_is_refused(evening: Evening, figure: str, code: str) -> None:
    matrix = publish(evening, "B", 120, format=75)
    with refuses(code):
        take(evening, series=matrix, back_colour="orange", figure=figure)


@pytest.mark.rule(80)
def test_symbols_are_for_cards_of_thirty(evening: Evening) -> None:
    matrix = publish(evening, "B", 120, format=30)
    assert take(evening, series=matrix, back_colour="orange", symbols=True).symbols


@pytest.mark.rule(3)
@pytest.mark.rule(15)
def test_issue_follows_the_authorisation_of_its_own_day(evening: Evening) -> None:
    authorise(evening.hall, reference="2/2026", formats=[80], faces=[500_00], double_cards=False)
    with refuses(Refusal("format_not_authorised", format=90, formats=[80])):
        take(evening)
    authorise(evening.hall, reference="3/2026", faces=[FACE, 500_00], double_cards=False)
    with refuses(Refusal("double_not_authorised", authorisation="3/2026")):
        take(evening, double=True)
    with refuses(Refusal("face_colour_taken", colour="yellow", face=FACE)):
        take(evening, face=500_00)
    issue = take(evening, face=500_00, face_colour="green", counted=SIZE)
    assert issue.authorisation == evening.hall.authorisations.get(reference="3/2026")
    assert findings(evening) == []


@pytest.mark.rule(18)
def test_colour_is_free_again_once_its_cards_are_gone() -> None:
    evening = Evening().reach("selling")
    sell(evening, SIZE)
    withdraw(evening, evening.who(MANAGER))
    authorise(evening.hall, reference="2/2026", faces=[500_00])
    with refuses("face_colour_taken"):
        take(evening, face=500_00)
    Issue.objects.filter(identification="sala-2").update(last_sold=SIZE)
    assert take(evening, face=500_00).face_colour == FACE_COLOUR


@pytest.mark.rule(18)
def test_colour_is_free_again_once_all_its_cards_are_retired(evening: Evening) -> None:
    authorise(evening.hall, reference="2/2026", faces=[500_00])
    issue, why = evening.issue(2), {"reason": "Rasgados"} | evening.who(MANAGER)
    stock.retire(issue=evening.issue(), first=1, last=SIZE, **why)
    stock.retire(issue=issue, first=1, last=SIZE - 1, **why)
    with refuses("face_colour_taken"):
        take(evening, face=500_00)
    stock.retire(issue=issue, first=SIZE, last=SIZE, **why)
    assert take(evening, face=500_00).face_colour == FACE_COLOUR


@pytest.mark.rule(18)
def test_issue_older_than_its_colours_keeps_none_for_itself(evening: Evening) -> None:
    plant(evening.hall.issues.all(), authorisation=None, face_colour="white", back_colour="grey")
    assert take(evening, face_colour="green", back_colour="grey").back_colour == "grey"


def test_count_is_kept_with_what_was_expected(evening: Evening) -> None:
    issue = take(evening, counted=89)
    missing = stock.count(issue=issue, counted=89, comment="Falta um", **evening.who(MANAGER))
    assert (missing.expected, missing.counted, missing.comment) == (90, 89, "Falta um")
    assert standing(issue) is IssueStage.RECEIVED
    stock.retire(issue=issue, first=17, last=17, reason="Falta", **evening.who(MANAGER))
    stock.count(issue=issue, counted=89, **evening.who(MANAGER))
    assert standing(issue) is IssueStage.IN_STOCK
    assert [one.expected for one in Recount.objects.order_by("pk")] == [90, 89]
    assert findings(evening) == []


@pytest.mark.slow
@pytest.mark.rule(36)
@pytest.mark.rule(37)
def test_retired_cards_are_passed_over_and_never_sold() -> None:
    evening = Evening().reach("shift")
    issue, manager = evening.issue(), evening.who(MANAGER)
    for first, end in ((1, 2), (5, 6), (90, 90)):
        stock.retire(issue=issue, first=first, last=end, reason="Rasgados", **manager)
    put_on_sale(evening, issue)
    sold = [sell(evening, quantity) for quantity in (1, 3, 2)]
    shape = [[(sale.first, sale.last, sale.amount) for sale in part] for part in sold]
    assert shape == [
        [(3, 3, FACE)],
        [(4, 4, FACE), (7, 8, 2 * FACE)],
        [(9, 10, 2 * FACE)],
    ]
    taken = Taking.objects.order_by("first").values_list("first", "last", "previous", "passed")
    assert list(taken) == [
        (1, 2, None, True),
        (3, 3, 2, False),
        (4, 4, 3, False),
        (5, 6, 4, True),
        (7, 8, 6, False),
        (9, 10, 8, False),
    ]
    issue.refresh_from_db()
    assert (issue.last_sold, evening.game.cards) == (10, 6)
    with refuses(Refusal("only_left", left=79)):
        sell(evening, 80)
    sell(evening, 79)
    issue.refresh_from_db()
    assert issue.last_sold == 89
    games_services.close_sale(game=evening.game, **evening.who(CALLER))
    assert findings(evening) == []


@pytest.mark.slow
@pytest.mark.rule(57)
def test_sale_cut_by_retired_cards_is_refunded_to_the_last_card() -> None:
    evening = Evening().reach("shift")
    stock.retire(issue=evening.issue(), first=3, last=4, reason="Rasgados", **evening.who(MANAGER))
    put_on_sale(evening, evening.issue())
    sold = sell(evening, 5)
    void(evening, evening.who(CHIEF))
    for sale in sold:
        refund(evening, evening.who(CASHIER), first=sale.first)
    games_services.complete(game=evening.game, **evening.who(CHIEF))
    assert last("entry_completed")["refunded"] == 5 * FACE
    assert findings(evening) == []


@pytest.mark.slow
def test_issue_of_a_game_is_left_alone_until_the_game_is_complete() -> None:
    evening = Evening().reach("sold")
    issue, manager = evening.issue(), evening.who(MANAGER)
    on_sale = Refusal("issue_on_sale", letter="A", identification="sala-1")
    assert standing(issue) is IssueStage.ON_SALE
    for act in (
        lambda: stock.retire(issue=issue, first=80, last=80, reason="x", **manager),
        lambda: stock.count(issue=issue, counted=84, **manager),
        lambda: stock.withdraw(issue=issue, reason="x", **manager),
    ):
        with refuses(on_sale):
            act()
    retire(evening, manager)
    void(evening, evening.who(CHIEF))
    refund(evening, evening.who(CASHIER))
    games_services.complete(game=evening.game, **evening.who(CHIEF))
    assert standing(issue) is IssueStage.IN_STOCK
    stock.retire(issue=issue, first=80, last=80, reason="x", **manager)
    with refuses(Refusal("card_already_sold", card=6, last_sold=6)):
        stock.retire(issue=issue, first=6, last=7, reason="x", **manager)


def test_only_an_issue_on_the_shelf_is_put_on_sale(subtests: pytest.Subtests) -> None:
    evening = Evening().reach("shift")
    uncounted = take(evening, identification="sala-8")
    withdraw(evening, evening.who(MANAGER))
    for issue, code in (
        (uncounted, "issue_not_in_stock"),
        (evening.issue(2), "issue_withdrawn"),
    ):
        named = Refusal(code, letter="A", identification=issue.identification)
        with subtests.test(code=code), refuses(named):
            open_game(evening, issue)


@pytest.mark.slow
@pytest.mark.rule(15)
def test_issue_of_double_cards_is_put_on_sale() -> None:
    evening = Evening().reach("shift")
    double = take(evening, identification="sala-9", double=True, counted=SIZE)
    open_game(evening, double)
    assert last("game_opened")["issue"]["double"] is True
    assert findings(evening) == []


@pytest.mark.slow
def test_second_issue_comes_from_the_shelf_too() -> None:
    evening = Evening().reach("sold")
    void(evening, evening.who(CHIEF))
    refund(evening, evening.who(CASHIER))
    games_services.complete(game=evening.game, **evening.who(CHIEF))
    put_on_sale(evening, evening.issue())
    sell(evening, 84)
    withdraw(evening, evening.who(MANAGER))
    with refuses("issue_withdrawn"):
        games_services.open_second_issue(
            game=evening.game, issue=evening.issue(2), **evening.who(CHIEF)
        )
    stock.reinstate(issue=evening.issue(2), reason="Secos", **evening.who(MANAGER))
    with refuses("issue_not_in_stock"):
        games_services.open_second_issue(
            game=evening.game, issue=evening.issue(2), **evening.who(CHIEF)
        )
    retire(evening, evening.who(MANAGER), first=4)
    count(evening, evening.who(MANAGER), counted=84)
    games_services.open_second_issue(
        game=evening.game, issue=evening.issue(2), **evening.who(CHIEF)
    )
    with refuses(Refusal("only_left", left=3)):
        sell(evening, 4)
    [sale] = sell(evening, 3)
    assert (sale.issue, sale.first, sale.last) == (evening.issue(2), 1, 3)
    assert findings(evening) == []


def test_second_issue_without_a_card_before_the_first_is_refused() -> None:
    evening = Evening().reach("shift")
    retire(evening, evening.who(MANAGER), first=1)
    stock.retire(issue=evening.issue(), first=1, last=6, reason="x", **evening.who(MANAGER))
    put_on_sale(evening, evening.issue())
    sell(evening, 84)
    with refuses("no_room_for_second"):
        games_services.open_second_issue(
            game=evening.game, issue=evening.issue(2), **evening.who(CHIEF)
        )


@pytest.mark.rule(3)
@pytest.mark.rule(17)
def test_game_is_of_what_was_granted_when_its_session_opened(evening: Evening) -> None:
    authorise(evening.hall, reference="2/2026", faces=[500_00], formats=[90])
    evening.reach("shift")
    with refuses(Refusal("face_not_authorised", face=FACE, faces=[500_00])):
        open_game(evening, evening.issue())
    issue = take(evening, face=500_00, face_colour="green", counted=SIZE)
    authorise(evening.hall, reference="3/2026", faces=[FACE])
    open_game(evening, issue)
    assert evening.game.face == 500_00


def test_game_opened_again_with_the_same_key_is_the_same_though_the_issue_is_exhausted() -> None:
    evening = Evening().reach("shift")
    who = {**evening.who(CHIEF), "key": uuid4()}
    game = games_services.open_game(session=evening.session, issue=evening.issue(), **who)
    games_services.announce_sale(game=game, **evening.who(CALLER))
    sell(evening, SIZE)
    assert games_services.open_game(session=evening.session, issue=evening.issue(), **who) == game


@pytest.mark.slow
def test_withdrawn_issue_is_counted_before_it_is_in_stock_again(evening: Evening) -> None:
    manager = evening.who(MANAGER)
    withdraw(evening, manager)
    assert standing(evening.issue(2)) is IssueStage.WITHDRAWN
    stock.reinstate(issue=evening.issue(2), reason="Secos", **manager)
    assert standing(evening.issue(2)) is IssueStage.RECEIVED
    count(evening, manager)
    assert standing(evening.issue(2)) is IssueStage.IN_STOCK
    assert findings(evening) == []


def test_two_stretches_of_a_card_are_not_retired(evening: Evening) -> None:
    retire(evening, evening.who(MANAGER))
    with refuses(Refusal("card_already_retired", card=8)):
        retire(evening, evening.who(MANAGER), first=7)
    assert Retirement.objects.count() == 1


def test_session_tells_the_cards_it_was_granted(evening: Evening) -> None:
    sessions.open_session(
        hall=evening.hall, checked=True, ends_at=tonight(), **evening.who(MANAGER)
    )
    terms = last("session_opened")
    assert (terms["formats"], terms["faces"]) == ([90, 80, 75, 30], [FACE])
