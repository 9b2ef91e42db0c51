"""The list of the stock: every issue with what stands of it, sorted, filtered, quick for thousands."""

import re
from collections.abc import Callable
from typing import Any
from uuid import uuid4

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from bingo.rules import stock
from bingo.rules.stock import BoxPlace
from draws.cards import series, stock_queries
from draws.cards import stock as cards_stock
from draws.cards.stock_queries import issue_state
from draws.games import services as games_services
from draws.models import Issue, Series
from draws.sales import issues_to_offer
from halls.models import Hall, Person, Role
from tests.support.evening import BACK_COLOUR, FACE, FACE_COLOUR, Evening, authorise

pytestmark = pytest.mark.django_db

ROW = re.compile(r'href="/cards/issues/\d+/">([\w-]+)</a>')
HEADS = (
    "state", "format", "series", "identification", "price", "face", "back", "left", "authorisation",
    "received",
)  # fmt: skip


def shown(client: Client, query: str = "") -> list[str]:
    """The identifications on the page, in order."""
    answer = client.get(f"/cards/?{query}")
    assert answer.status_code == 200
    return ROW.findall(answer.content.decode())


def bare() -> Evening:
    """A hall with a hall manager and an inspector, and nothing else."""
    hall = Hall.objects.create(
        code="nova",
        name="Sala nova",
        licence="2/2026",
        language="pt",
        currency="CVE",
        time_zone="Atlantic/Cape_Verde",
        rulebook="cape-verde-2017",
    )
    for role in (Role.HALL_MANAGER, Role.INSPECTOR):
        Person.objects.create(
            hall=hall,
            username=f"nova-{role}",
            name=role.value,
            roles=[role.value],
            language="pt",
            password="!",
        )
    return Evening(hall=hall)


def publish(evening: Evening) -> Series:
    """Publish a series of ninety."""
    return series.publish(
        hall=evening.hall,
        format=90,
        letter="A",
        size=90,
        seed="1",
        **evening.who(Role.HALL_MANAGER),
    )


def many(evening: Evening, count: int) -> None:
    """Put issues into stock, faster than anybody could."""
    of, granted = evening.hall.series.get(), evening.hall.authorisations.get()
    Issue.objects.bulk_create(
        Issue(
            hall=evening.hall, series=of, authorisation=granted, face=FACE, last_sold=number % 91,
            identification=f"m{number:05}", received_at=timezone.now(), place=BoxPlace.SHELF,
        )
        for number in range(count)
    )  # fmt: skip


def queries(client: Client, path: str) -> int:
    """Count the queries that showing a page takes."""
    with CaptureQueriesContext(connection) as captured:
        assert client.get(path).status_code == 200
    return len(captured)


@pytest.mark.slow
def test_list_takes_as_many_queries_for_ten_thousand_as_for_one() -> None:
    evening = bare()
    authorise(evening.hall)
    publish(evening)
    first = evening.hall.series.get()
    cards_stock.receive(
        hall=evening.hall, series=first, identification="1", face=FACE, face_colour=FACE_COLOUR,
        back_colour=BACK_COLOUR, counted=90, **evening.who(Role.HALL_MANAGER),
    )  # fmt: skip
    client = evening.at("manager")
    paths = ("/cards/", "/cards/?sort=left&state=in_stock", "/cards/?sort=-state&format=90")
    one = [queries(client, path) for path in paths]
    many(evening, 9_999)
    assert [queries(client, path) for path in paths] == one
    assert len(shown(client)) == 50


@pytest.mark.slow
def test_ten_thousand_issues_make_no_page_longer() -> None:
    evening = Evening().reach("session")
    many(evening, 300)
    client, of = evening.at("manager"), evening.issue().series_id
    paths = ("/manager/", f"/cards/series/{of}/", f"/cards/series/{of}/7/")
    before = [client.get(path).content.decode() for path in paths]
    for page in before:
        assert len(ROW.findall(page)) <= 20
        assert 'href="/cards/?' in page
    assert before[0].count("<option value=") <= 210
    Issue.objects.bulk_create(
        Issue(
            hall=evening.hall, series_id=of, authorisation=evening.hall.authorisations.get(),
            face=FACE, last_sold=number % 91, identification=f"n{number:05}",
            received_at=timezone.now(), place=BoxPlace.SHELF,
        )
        for number in range(9_700)
    )  # fmt: skip
    for path, page in zip(paths, before, strict=True):
        assert abs(len(client.get(path).content) - len(page.encode())) < 2_000, path


@pytest.mark.slow
def test_issue_with_nothing_left_shows_no_picture_and_no_tick() -> None:
    evening = Evening()
    issue, client = evening.issue(), evening.at("manager")
    path = f"/cards/issues/{issue.pk}/"
    assert "preview.png" in client.get(path).content.decode()
    cards_stock.retire(
        issue=issue, first=1, last=90, reason="Molhados", **evening.who(Role.HALL_MANAGER)
    )
    page = client.get(path).content.decode()
    assert "preview.png" not in page
    assert "badge--complete" not in page
    refused = client.get(f"{path}preview.png")
    assert (refused.status_code, refused["Content-Type"]) == (409, "text/plain; charset=utf-8")


@pytest.mark.slow
@pytest.mark.parametrize("head", HEADS)
def test_list_is_sorted_by_every_head_both_ways(head: str) -> None:
    evening = Evening()
    many(evening, 30)
    client = evening.at("manager")
    page = client.get(f"/cards/?sort={head}").content.decode()
    assert re.search(rf'aria-sort="ascending">\s*<a class="sorter"\s+href="\?sort=-{head}"', page)
    assert page.count('aria-sort="none"') == len(HEADS) - 1
    up, down = shown(client, f"sort={head}"), shown(client, f"sort=-{head}")
    assert sorted(up) == sorted(down)
    values = {issue.identification: issue for issue in stock_queries.issues(evening.hall)}
    named = {
        "format": "series__format", "series": "series__letter", "price": "face",
        "face": "face_colour", "back": "back_colour", "received": "received_at",
        "authorisation": "authorisation__reference",
    }  # fmt: skip
    fields = dict(
        stock_queries.issues(evening.hall).values_list("identification", named.get(head, head))
    )
    assert set(fields) == set(values)
    assert [fields[one] for one in up] == sorted(fields[one] for one in up)
    assert [fields[one] for one in down] == sorted((fields[one] for one in down), reverse=True)


@pytest.mark.slow
def test_list_is_filtered_by_state_format_letter_and_text() -> None:
    evening = Evening()
    who = evening.who(Role.HALL_MANAGER)
    cards_stock.withdraw(issue=evening.issue(2), reason="x", **who)
    client = evening.at("manager")
    assert shown(client, "state=withdrawn") == ["sala-2"]
    assert shown(client, "state=in_stock") == ["sala-1"]
    assert shown(client, "format=90&letter=A") == ["sala-2", "sala-1"]
    assert shown(client, "format=75") == []
    assert shown(client, "text=LA-2") == ["sala-2"]
    assert shown(client, "text=1/2026") == ["sala-2", "sala-1"]
    assert shown(client, "text=%25") == []


def test_filter_that_finds_nothing_leads_back_to_everything() -> None:
    page = Evening().at("manager").get("/cards/?text=nowhere").content.decode()
    assert 'class="empty"' in page
    assert 'href="/cards/"' in page


@pytest.mark.slow
def test_empty_stock_says_what_comes_next() -> None:
    evening = bare()
    client, done = evening.at("manager"), 'class="is-done"'
    steps: tuple[tuple[str, Callable[[], object] | None], ...] = (
        ("/cards/authorisations/record/", lambda: authorise(evening.hall)),
        ("/cards/series/publish/", lambda: publish(evening)),
        ("/cards/receive/", None),
    )
    for number, (path, act) in enumerate(steps):
        page = client.get("/cards/").content.decode()
        assert page.count(done) == number
        assert re.search(rf'href="{path}"\s+data-key="F2"', page), path
        assert path not in evening.at("inspector").get("/cards/").content.decode()
        if act:
            act()


def brought(evening: Evening, state: str) -> Issue:
    """Bring the first issue into a state."""
    who: dict[str, Any] = evening.who(Role.HALL_MANAGER)
    issue = evening.issue()
    if state == "withdrawn":
        cards_stock.withdraw(issue=issue, reason="x", **who)
    if state == "received":
        cards_stock.withdraw(issue=issue, reason="x", **who)
        cards_stock.reinstate(issue=issue, reason="x", **who)
    if state == "sent":
        cards_stock.send_transfer(issue=issue, to=Evening("vizinha").hall, reason="x", **who)
    if state == "exhausted":
        cards_stock.retire(issue=issue, first=1, last=90, reason="x", **who)
    if state == "on_sale":
        evening.reach("session")
        games_services.open_game(
            session=evening.session, issue=issue, **evening.who(Role.TABLE_CHIEF)
        )
    return evening.issue()


@pytest.mark.parametrize("state", list(stock.IssueStage))
def test_state_told_by_the_database_is_that_of_the_rules(state: stock.IssueStage) -> None:
    evening = Evening()
    issue = brought(evening, state.value)
    told = stock_queries.issues(evening.hall).get(pk=issue.pk)
    assert (told.state, stock.state_of(issue_state(issue))) == (state.value, state)
    assert told.left == issue_state(issue).left
    page = evening.at("manager").get(f"/cards/issues/{issue.pk}/")
    assert page.status_code == 200


@pytest.mark.parametrize(
    ("last_sold", "retired", "expected"),
    [
        (0, [], [("left", 1, 90)]),
        (90, [], [("sold", 1, 90)]),
        (40, [], [("sold", 1, 40), ("left", 41, 90)]),
        (
            40, [(11, 20), (50, 60)],
            [("sold", 1, 10), ("retired", 11, 20), ("sold", 21, 40), ("left", 41, 49),
             ("retired", 50, 60), ("left", 61, 90)],
        ),
        (10, [(11, 90)], [("sold", 1, 10), ("retired", 11, 90)]),
        (0, [(1, 1), (2, 2)], [("retired", 1, 1), ("retired", 2, 2), ("left", 3, 90)]),
    ],
)  # fmt: skip
def test_parts_of_an_issue_are_whole_and_in_order(
    last_sold: int, retired: list[tuple[int, int]], expected: list[tuple[str, int, int]]
) -> None:
    issue = Evening().issue()
    issue.last_sold = last_sold
    found = stock_queries.issue_stock_parts(issue, retired)
    assert [(part.kind, part.first, part.last) for part in found] == expected
    assert sum(part.cards for part in found) == issue.series.size


def test_sold_retired_and_left_add_up() -> None:
    evening = Evening()
    who = evening.who(Role.HALL_MANAGER)
    cards_stock.retire(issue=evening.issue(), first=3, last=5, reason="x", **who)
    cards_stock.retire(issue=evening.issue(), first=80, last=90, reason="x", **who)
    evening.reach("sold")  # six cards: 1, 2, 6, 7, 8, 9
    told = stock_queries.issues(evening.hall).get(pk=evening.issue().pk)
    assert (told.sold, told.retired, told.left) == (6, 14, 70)
    strip = evening.at("inspector").get(f"/cards/issues/{told.pk}/").content.decode()
    drawn = re.findall(r'<rect class="is-(\w+)" x="(\d+)" width="(\d+)"', strip)
    assert drawn == [
        ("sold", "0", "2"), ("retired", "2", "3"), ("sold", "5", "4"), ("left", "9", "70"),
        ("retired", "79", "11"),
    ]  # fmt: skip


def test_movements_of_an_issue_are_told_and_those_of_others_not() -> None:
    evening = Evening()
    who = evening.who(Role.HALL_MANAGER)
    cards_stock.retire(issue=evening.issue(1), first=3, last=5, reason="Rasgados", **who)
    cards_stock.withdraw(issue=evening.issue(2), reason="Inspeção", **who)
    evening.reach("prepared")
    page = evening.at("inspector").get(f"/cards/issues/{evening.issue(1).pk}/").content.decode()
    assert "Rasgados" in page
    assert "Inspeção" not in page
    assert len(re.findall(r'<td class="is-number">\d+</td>', page)) == 3
    assert Hall.objects.count() == 1


@pytest.mark.rule(37)
@pytest.mark.parametrize("state", list(stock.IssueStage))
def test_only_what_is_in_stock_is_offered_for_sale(state: stock.IssueStage) -> None:
    evening = Evening()
    issue = brought(evening, state.value)
    offered = issue in issues_to_offer.to_open(evening.hall)
    # One that is on sale may be offered, for the rules let no second game use it meanwhile.
    assert offered == (state in (stock.IssueStage.IN_STOCK, stock.IssueStage.ON_SALE))


def test_issue_is_offered_to_those_halls_alone_that_can_take_it() -> None:
    evening, like = Evening(), Evening("norte").hall
    for code, rulebook in (("madrid", "spain-1979"), ("demo-1", like.rulebook)):
        Hall.objects.create(
            code=code, name=f"Sala {code}", licence="1", language="pt", currency="CVE",
            time_zone="Atlantic/Cape_Verde", rulebook=rulebook,
        )  # fmt: skip
    client, path = evening.at("manager"), f"/cards/issues/{evening.issue().pk}/"
    page = client.get(path).content.decode()
    form = page.partition(f'action="{path}do/send/"')[2].partition("</form>")[0]
    assert re.findall(r'<option value="(\d+)"', form) == [str(like.pk)]
    for other in Hall.objects.exclude(pk__in=[like.pk, evening.hall.pk]):
        fields = {"key": str(uuid4()), "to": other.pk, "reason": "Sobra"}
        answer = client.post(f"{path}do/send/", fields)
        assert 'data-code="unknown_hall"' in answer.content.decode()


def test_nothing_is_offered_for_a_received_issue_of_which_every_card_is_retired() -> None:
    evening = Evening()
    issue, client = brought(evening, "received"), evening.at("manager")
    path = f"/cards/issues/{issue.pk}/"
    assert {"count", "withdraw"} <= offered(client, path)
    cards_stock.retire(
        issue=issue, first=1, last=90, reason="Molhados", **evening.who(Role.HALL_MANAGER)
    )
    assert offered(client, path) == set()


def offered(client: Client, path: str) -> set[str]:
    """The orders that the page of an issue has forms for."""
    page = client.get(path).content.decode()
    return set(re.findall(rf'action="{path}do/([a-z-]+)/"', page))
