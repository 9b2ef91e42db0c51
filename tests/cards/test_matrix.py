"""A matrix on the screen and as a file: every card where it belongs, the digest that of the file."""

import hashlib
import re
from collections.abc import Iterator
from random import Random
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from bingo.rules import cards, formats, rulebooks, series, series_files
from draws.cards import series as cards_series
from draws.cards import series_queries, stock
from draws.cards.series_queries import document
from draws.models import Series
from halls import inspection
from halls.models import Role
from tests.support.evening import Evening

pytestmark = [
    pytest.mark.django_db,
    # The server is asynchronous, the test's browser is not.
    pytest.mark.filterwarnings("ignore:StreamingHttpResponse must consume asynchronous"),
]

ERROR = re.compile(r'class="notice notice--error"\s*>')


@pytest.fixture
def evening() -> Evening:
    """An evening, once a test."""
    return Evening()


def published(evening: Evening, format: int, letter: str, size: int) -> int:
    """Publish a series and give its id."""
    made = cards_series.publish(
        hall=evening.hall, format=format, letter=letter, size=size, seed=f"{format}{letter}",
        **evening.who(Role.HALL_MANAGER),
    )  # fmt: skip
    return made.pk


def got(client: Client, path: str) -> bytes:
    """The whole of a file that is sent while it is made."""
    answer: Any = client.get(path)
    assert answer.status_code == 200
    return b"".join(answer)


@pytest.mark.rule(14)
@pytest.mark.parametrize(("format", "letter", "size"), [(90, "K", 1680), (75, "B", 120)])
def test_files_of_a_series_hold_its_cards_and_nothing_else(
    evening: Evening, format: int, letter: str, size: int
) -> None:
    pk = published(evening, format, letter, size)
    one = evening.hall.series.get(pk=pk)
    inspector = evening.at("inspector")
    as_json = got(inspector, f"/cards/series/{pk}/series.json")
    assert hashlib.sha256(as_json).hexdigest() == one.digest
    cards = series.parse(as_json.decode())
    assert series.parse(got(inspector, f"/cards/series/{pk}/series.csv").decode()) == cards
    assert len(cards[3]) == size
    assert series_files.series_document_digest(document(one)) == one.digest


@pytest.mark.parametrize("ending", ["json", "csv"])
def test_files_of_a_series_are_read_as_the_inspector_while_they_are_sent(
    evening: Evening, ending: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    pk, blocks = published(evening, 90, "B", 120), series_queries._blocks
    roles: set[str] = set()

    def watched(one: Series) -> Iterator[Any]:
        for block in blocks(one):
            with connection.cursor() as cursor:
                cursor.execute("SELECT current_user")
                roles.add(cursor.fetchone()[0])
            yield block

    monkeypatch.setattr(series_queries, "_blocks", watched)
    assert got(evening.at("inspector"), f"/cards/series/{pk}/series.{ending}")
    assert roles == {inspection.ROLE}


@pytest.mark.parametrize(
    ("format", "letter", "size"), [(90, "B", 120), (80, "B", 120), (75, "A", 90), (30, "A", 90)]
)
def test_matrix_shows_twenty_four_cards_a_page(
    evening: Evening, format: int, letter: str, size: int
) -> None:
    pk = published(evening, format, letter, size)
    client = evening.at("manager")
    first = client.get(f"/cards/series/{pk}/").content.decode()
    last = client.get(f"/cards/series/{pk}/?page=99").content.decode()
    cards = re.compile(rf'href="/cards/series/{pk}/(\d+)/"')
    assert [int(n) for n in cards.findall(first)] == list(range(1, 25))
    assert [int(n) for n in cards.findall(last)] == list(range((size - 1) // 24 * 24 + 1, size + 1))
    assert client.get(f"/cards/series/{pk}/{size}/").status_code == 200


@pytest.mark.slow
def test_matrix_takes_as_many_queries_for_a_large_series_as_for_a_small_one(
    evening: Evening,
) -> None:
    client = evening.at("manager")
    counted = []
    for letter, size in (("A", 90), ("K", 1680)):
        pk = published(evening, 90, letter, size)
        with CaptureQueriesContext(connection) as captured:
            client.get(f"/cards/series/{pk}/")
            client.get(f"/cards/series/{pk}/50/")
        counted.append(len(captured))
    assert counted[0] == counted[1]


@pytest.mark.slow
def test_card_shows_its_neighbours_its_strip_and_its_issues(evening: Evening) -> None:
    issue = evening.reach("sold").issue()
    client = evening.at("inspector")
    path = f"/cards/series/{issue.series_id}"
    page = client.get(f"{path}/8/").content.decode()
    assert re.search(rf'href="{path}/7/"\s+data-key="ArrowLeft"', page)
    assert re.search(rf'href="{path}/9/"\s+data-key="ArrowRight"', page)
    strip = re.findall(rf'class="thumb"\s+href="{path}/(\d+)/"(\s+aria-current="true")?', page)
    assert [(int(n), bool(current)) for n, current in strip] == [(n, n == 8) for n in range(7, 13)]
    assert ", ".join(map(str, evening.numbers(8))) in page
    assert cards.grouped_code(cards.code_of(issue.pk, 8)) in page
    assert "badge--ended" not in page
    assert "badge--ended" in client.get(f"{path}/6/").content.decode()
    assert 'data-key="ArrowLeft"' not in client.get(f"{path}/1/").content.decode()
    assert 'data-key="ArrowRight"' not in client.get(f"{path}/90/").content.decode()


def test_no_strip_is_shown_where_the_cards_are_none(evening: Evening) -> None:
    kind, book = formats.get_format(90), rulebooks.get("cape-verde-2017")
    made = list(series.emit(90, format=kind, rulebook=book, rng=Random("q")))
    # The last six stay a strip; the first are no more.
    loose = [*made[6:84:6], *made[:6], *(card for at, card in enumerate(made[6:84]) if at % 6)]
    text = series_files.to_json([*loose, *made[84:]], format=kind, rulebook=book, letter="A")
    taken = cards_series.take_in(hall=evening.hall, text=text, **evening.who(Role.HALL_MANAGER))
    client = evening.at("inspector")
    shown = [
        "thumbs--strip" in client.get(f"/cards/series/{taken.pk}/{card}/").content.decode()
        for card in (1, 90)
    ]
    assert shown == [False, True]


def test_card_is_found_by_number_and_by_code(evening: Evening) -> None:
    issue, client = evening.issue(), evening.at("inspector")
    other = published(evening, 90, "B", 120)
    code = cards.code_of(issue.pk, 17)
    for series_id in (issue.series_id, other):
        for typed in (code, cards.grouped_code(code), f" {code} "):
            answer = client.get(f"/cards/series/{series_id}/find/", {"card": typed})
            assert answer["Location"] == f"/cards/series/{issue.series_id}/17/"
    answer = client.get(f"/cards/series/{other}/find/", {"card": "120"})
    assert answer["Location"] == f"/cards/series/{other}/120/"


def test_card_that_another_hall_printed_is_found_by_its_code(evening: Evening) -> None:
    other = Evening("vizinha")
    sent = stock.send_transfer(
        issue=other.issue(), to=evening.hall, reason="x", **other.who(Role.HALL_MANAGER)
    )
    arrived = stock.accept(transfer=sent, counted=90, **evening.who(Role.HALL_MANAGER))
    path = f"/cards/series/{evening.issue().series_id}/find/"
    answer = evening.at("inspector").get(path, {"card": cards.code_of(sent.issue_id, 17)})
    assert answer["Location"] == f"/cards/series/{arrived.series_id}/17/"


@pytest.mark.slow
def test_card_that_is_not_found_is_said_so(evening: Evening) -> None:
    issue, client = evening.issue(), evening.at("manager")
    abroad = Evening("vizinha").issue()
    wrong = cards.code_of(issue.pk, 17)[:-1] + str((int(cards.code_of(issue.pk, 17)[-1]) + 1) % 10)
    path = f"/cards/series/{issue.series_id}/"
    for typed in (
        "0",
        "91",
        "",
        "x",
        wrong,
        cards.code_of(abroad.pk, 1),
        cards.code_of(999, 1),
    ):
        answer = client.get(f"{path}find/", {"card": typed})
        assert answer["Location"] == path, typed
        assert ERROR.search(client.get(path).content.decode()), typed
    assert not ERROR.search(client.get(path).content.decode())
