"""Each order of these pages: done once however often it is sent, refused in words, typed text kept."""

from __future__ import annotations

import html
import re
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import date
from typing import Any
from uuid import uuid4

import pytest
from django.http import HttpResponse
from django.test import Client
from django.urls import reverse

from draws.cards import prints, stock
from draws.models import Issue, Pattern, PrintJob, Retirement, Series, Transfer
from draws.record.audit import audit
from halls.models import Authorisation, Hall, JournalEntry, Person, Role
from tests.support.evening import BACK_COLOUR, FACE, FACE_COLOUR, Evening, books, within
from tests.support.orders import HUGE, LONG, RECORD
from tests.support.planting_rows import plant

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("portuguese")]

NOT_TEXT = (None, "1\x00", LONG)
NOT_WHOLE = (None, "", "abc", "1.5", HUGE, "١٢")
CROSS = "..X../..X../XXXXX/..X../..X.."

Prepare = Callable[[Evening], object]


def fresh(_evening: Evening) -> object:
    """Nothing needs to be done before."""
    return None


def withdrawn(evening: Evening) -> object:
    """The first issue is off the shelf."""
    return stock.withdraw(issue=evening.issue(), reason="x", **evening.who(Role.HALL_MANAGER))


def sent(evening: Evening) -> object:
    """The first issue is on its way to another hall."""
    other = Evening("vizinha")
    who = evening.who(Role.HALL_MANAGER)
    return stock.send_transfer(issue=evening.issue(), to=other.hall, reason="x", **who)


def coming(evening: Evening) -> object:
    """Another hall has sent an issue here."""
    other = Evening("vizinha")
    who = other.who(Role.HALL_MANAGER)
    return stock.send_transfer(issue=other.issue(), to=evening.hall, reason="x", **who)


def neighbour(_evening: Evening) -> object:
    """There is another hall."""
    return Evening("vizinha")


def printing(evening: Evening) -> object:
    """A print is ordered."""
    return prints.order(
        issue=evening.issue(), first=1, last=6, paper="a4", code="qr", back=False, crop=False,
        reason="", **evening.who(Role.HALL_MANAGER),
    )  # fmt: skip


@dataclass(frozen=True, slots=True)
class Sent:
    """An order: address, good fields, the entry it makes, and values of a field that are refused."""

    path: str
    verb: str
    kind: str
    fields: dict[str, Any]
    bad: dict[str, tuple[str | None, ...]] = field(default_factory=dict)
    prepare: Prepare = fresh

    def __str__(self) -> str:
        return self.verb


RECEIVE = {
    "series": lambda e: e.issue().series_id, "identification": "77", "face": FACE,
    "face_colour": FACE_COLOUR, "back_colour": BACK_COLOUR, "counted": "90",
}  # fmt: skip
PRINT = {"first": "1", "last": "6", "paper": "a4", "code": "barcode", "back": "on", "crop": "on"}

ORDERS = (
    Sent(
        "/cards/receive/", "receive", "issue_received", RECEIVE,
        {
            "series": (*NOT_WHOLE, "0", "99999"), "face": (*NOT_WHOLE, "0", "1"),
            "identification": (*NOT_TEXT, "", "  ", "7" * 21, "sala-1"),
            "face_colour": (*NOT_TEXT, "", "mauve", "blue"),
            "back_colour": (*NOT_TEXT, "", "white", "yellow"),
            "counted": ("abc", "-1", HUGE),
        },
    ),
    Sent(
        "/cards/issues/{issue}/", "count", "issue_counted", {"counted": "90", "comment": ""},
        {"counted": (*NOT_WHOLE, "-1", "89"), "comment": NOT_TEXT},
    ),
    Sent(
        "/cards/issues/{issue}/", "retire", "cards_retired",
        {"first": "5", "last": "9", "reason": "Rasgados", "sure": "on"},
        {
            "first": (*NOT_WHOLE, "0", "10", "91"), "last": (*NOT_WHOLE, "4", "91"),
            "sure": (None, "", "off"),
            "reason": (*NOT_TEXT, "", "  "),
        },
    ),
    Sent(
        "/cards/issues/{issue}/", "withdraw", "issue_withdrawn", {"reason": "Inspeção"},
        {"reason": (*NOT_TEXT, "", "  ")},
    ),
    Sent(
        "/cards/issues/{issue}/", "reinstate", "issue_reinstated", {"reason": "Vista"},
        {"reason": (*NOT_TEXT, "", "  ")}, withdrawn,
    ),
    Sent(
        "/cards/issues/{issue}/", "send", "issue_sent",
        {"to": lambda _e: Hall.objects.get(code="vizinha").pk, "reason": "Faltam lá"},
        {"to": (*NOT_WHOLE, "0", "99999"), "reason": (*NOT_TEXT, "", "  ")}, neighbour,
    ),
    Sent(
        "/cards/issues/{issue}/", "recall", "transfer_recalled", {"reason": "Engano"},
        {"reason": (*NOT_TEXT, "", "  ")}, sent,
    ),
    Sent(
        "/cards/", "accept", "issue_received",
        {"transfer": lambda _e: Transfer.objects.get().pk, "counted": "90"},
        {"transfer": (*NOT_WHOLE, "0", "99999"), "counted": (*NOT_WHOLE, "-1")}, coming,
    ),
    Sent(
        "/cards/series/publish/", "publish", "series_published",
        {"format": "90", "size": "A-90"},
        {
            "format": (*NOT_WHOLE, "0", "91"),
            "size": (*NOT_TEXT, "", "A", "A-91", "Z-90", "-90", "A-٩٠"),
        },
    ),
    Sent(
        "/cards/authorisations/record/", "record", "authorisation_recorded", RECORD,
        {
            "sure": (None, "", "off"), "reference": (*NOT_TEXT, "", "x" * 101, "1/2026"),
            "valid_from": (None, "", "x", "2026-13-01", "01/01/2026", "2100-01-01", "٢٠٢٦-01-01"),
            "valid_until": ("x", "2026-02-30", "2025-01-01"),
            "faces": (*NOT_TEXT, "", "0", "abc", "100\n100", "1,000", "-1"),
            "sizes": ("L", "60", "L 0", "L 60 70", "é 60", "L 9999999", "L;60", "L 60\nl 80"),
            "line_share": (*NOT_TEXT, "", "-1", "x", "101", "1,234", "٢٠"),
            "bingo_share": ("", "1", "90", "x"),
            "jackpot_rate": ("", "x", "200"), "jackpot_limit-90": ("", "0", "-1", "14", "90", "x", "1.5", "٤٠", HUGE),
            "jackpot_limit-30": ("12",), "jackpot_most-90": ("45",), "jackpot_limit-figure0": ("9",),
            "jackpot_base": ("", "x", "-1"), "tax_rate": ("", "x", "101"),
            "tax_threshold": ("", "x", "-1"),
            "player_limit": ("0", "-1", "x", "1.5", HUGE, "١٢"),
        },
    ),
    Sent(
        "/cards/issues/{issue}/print/", "order", "print_ordered", PRINT,
        {
            "first": (*NOT_WHOLE, "0", "7", "-1"), "last": (*NOT_WHOLE, "0", "91"),
            "paper": (*NOT_TEXT, "", "a3"), "code": (*NOT_TEXT, "", "aztec"), "reason": (LONG,),
        },
    ),
    Sent(
        "/cards/prints/", "cancel", "print_cancelled",
        {"print": lambda _e: PrintJob.objects.get().pk},
        {"print": (*NOT_WHOLE, "0", "99999")}, printing,
    ),
    Sent(
        "/cards/patterns/", "save", "pattern_saved", {"name": "Cruz", "drawing": CROSS},
        {
            "name": (*NOT_TEXT, "", "  ", "x" * 41),
            "drawing": (
                "x", "X/X", "...../...../...../...../.....", "XXXXX/XXXXX/XXXXX/XXXXX/XXXXX",
                "..X../..X../XXXXX/..X../..Y..", "X" * 5000, "/" * 100, "X..../...../...../...../.....",
            ),
        },
    ),
)  # fmt: skip


def ready(order: Sent) -> tuple[Evening, Client, dict[str, str], str]:
    """An evening in which the order is due, its hall manager's browser, its fields, its address."""
    evening = Evening()
    order.prepare(evening)
    fields = {
        name: str(value(evening) if callable(value) else value)
        for name, value in order.fields.items()
    }
    path = order.path.replace("{issue}", str(evening.issue().pk))
    return evening, evening.at("manager"), fields, f"{path}do/{order.verb}/"


def post(client: Client, path: str, fields: dict[str, str], key: object = None) -> HttpResponse:
    """Send an order, with a key of its own unless one is given."""
    answer: HttpResponse = client.post(path, fields | {"key": str(key or uuid4())})  # type: ignore[assignment]
    return answer


def entries(evening: Evening, kind: str) -> int:
    """How many entries of a kind the hall's journal has."""
    return JournalEntry.objects.filter(hall=evening.hall, kind=kind).count()


@pytest.mark.parametrize("order", ORDERS, ids=str)
def test_order_sent_three_times_has_one_effect(order: Sent) -> None:
    evening, client, fields, path = ready(order)
    before, key = entries(evening, order.kind), uuid4()
    answers = [post(client, path, fields, key) for _again in range(3)]
    assert [one.status_code for one in answers] == [302] * 3, answers[0].content.decode()[-2000:]
    assert entries(evening, order.kind) == before + 1
    page = client.get(answers[0]["Location"])
    assert page.status_code == 200
    assert page.content.decode().count('class="notice notice--ok"') == 3


@pytest.mark.parametrize("order", ORDERS, ids=str)
@pytest.mark.slow
def test_bad_field_is_refused_in_words_and_what_was_typed_is_kept(order: Sent) -> None:
    evening, client, good, path = ready(order)
    before = books(evening.hall)
    accepted, silent, lost = [], [], []
    for name, values in order.bad.items():
        for bad in values:
            sent = {one: value for one, value in good.items() if one != name}
            if bad is not None:
                sent[name] = bad
            answer = post(client, path, sent)
            page = answer.content.decode()
            tried = (name, bad and bad[:20])
            if answer.status_code != 409:
                accepted.append((*tried, answer.status_code))
            if not re.search(r'role="alert"\s+data-code="\w+"', page):
                silent.append(tried)
            if "reason" in sent and name != "reason" and f'value="{sent["reason"]}"' not in page:
                lost.append(tried)
    assert (accepted, silent, lost) == ([], [], [])
    assert books(evening.hall) == before
    # The control: but for that field the order was good.
    assert post(client, path, good).status_code == 302


def test_order_whose_answer_was_lost_is_told_as_done() -> None:
    order = next(one for one in ORDERS if one.verb == "withdraw")
    evening, client, fields, path = ready(order)
    key = uuid4()
    first, again = post(client, path, fields, key), post(client, path, fields, key)
    other = post(client, path, fields)
    assert [first.status_code, again.status_code, other.status_code] == [302, 302, 409]
    assert 'data-code="already_withdrawn"' in other.content.decode()
    assert entries(evening, "issue_withdrawn") == 1


def test_refused_form_stays_open_with_its_own_text_alone() -> None:
    order = next(one for one in ORDERS if one.verb == "retire")
    evening, client, fields, path = ready(order)
    page = post(client, path, fields | {"last": "400"}).content.decode()
    assert re.search(r'id="retire-form"\s+open', page)
    assert not re.search(r'id="(count|withdraw|send)-form"\s+open', page)
    assert re.search(r'id="retire-reason"[^>]*value="Rasgados"', page)
    assert re.search(r'id="withdraw-reason"[^>]*value=""', page)
    assert not Retirement.objects.exists()
    assert evening.issue().last_sold == 0


@pytest.mark.rule(19)
def test_authorisation_is_recorded_as_it_was_typed() -> None:
    order = next(one for one in ORDERS if one.verb == "record")
    _evening, client, fields, path = ready(order)
    post(client, path, fields)
    found = Authorisation.objects.get(reference="2/2026")
    assert (found.valid_from, found.valid_until) == (date(2026, 1, 1), date(2099, 12, 31))
    assert (found.formats, found.faces) == ([90, 75], [100_00, 2000_50])
    assert found.sizes == {"L": 60, "M": 6000}
    assert (found.line_share, found.bingo_share) == (2050, 5950)
    assert (found.jackpot_rate, found.jackpot_base) == (300, 50_000_00)
    assert (found.jackpot_limit, found.jackpot_terms) == (0, {"limits": within(40, formats=[90])})
    assert (found.tax_rate, found.tax_threshold, found.tax_on_sales) == (1500, 1000_00, False)
    beyond = (found.player_limit, found.several_prices, found.languages)
    assert beyond == (6, True, ["es"])


@pytest.mark.rule(9)
@pytest.mark.rule(12)
@pytest.mark.slow
def test_jackpot_of_two_levels_is_recorded_as_it_was_typed() -> None:
    order = next(one for one in ORDERS if one.verb == "record")
    _evening, client, fields, path = ready(order)
    levels = {
        "jackpot_rate": "2", "jackpot_ceiling": "80.000,00", "jackpot_every": "5",
        "jackpot_by": "1", "jackpot_most-90": "45", "jackpot_2_rate": "1", "jackpot_2_limit-90": "30",
        "jackpot_2_base": "1.000,00", "jackpot_source": "bingo", "jackpot_until": "2098-12-31",
    }  # fmt: skip
    assert post(client, path, fields | levels | {"jackpot_2_limit-90": "0"}).status_code == 409
    assert post(client, path, fields | levels | {"jackpot_source": "x"}).status_code == 409
    # What is filled in by halves is never left out of a record that nobody can change.
    for left_out in ("jackpot_2_rate", "jackpot_every", "jackpot_2_base", "jackpot_most-90"):
        assert post(client, path, fields | levels | {left_out: ""}).status_code == 409
    assert post(client, path, fields | levels | {"jackpot_ceiling": "0"}).status_code == 409
    assert post(client, path, fields | levels | {"jackpot_until": "2025-01-01"}).status_code == 409
    assert post(client, path, fields | levels).status_code == 302
    found = Authorisation.objects.get(reference="2/2026")
    assert found.jackpot_terms == {
        "ceiling": 80_000_00, "schedule": {"every": 5, "by": 1}, "source": "bingo",
        "until": "2098-12-31", "limits": [{"format": 90, "balls": 40, "most": 45}],
    }  # fmt: skip
    assert found.jackpot_levels == [
        {"rate": 100, "base": 1000_00, "limits": [{"format": 90, "balls": 30}]}
    ]
    page = client.get(path.replace("do/record/", "")).content.decode()
    assert 'name="jackpot_2_limit-90"' in page
    assert 'value="2098-12-31"' in page


@pytest.mark.rule(61)
def test_tax_on_sales_is_recorded_and_stands_in_the_form_for_the_next_authorisation() -> None:
    order = next(one for one in ORDERS if one.verb == "record")
    _evening, client, fields, path = ready(order)
    assert post(client, path, fields | {"tax_on_sales": "on"}).status_code == 302
    found = Authorisation.objects.get(reference="2/2026")
    assert (found.tax_rate, found.tax_on_sales) == (1500, True)
    page = client.get(path.replace("do/record/", "")).content.decode()
    assert re.search(r'name="tax_on_sales"[^>]*checked', page)
    assert (
        "Imposto sobre as vendas"
        in client.get(reverse("cards-authorisation", args=[found.pk])).content.decode()
    )
    assert audit(Hall.objects.get()) == []


def test_box_that_is_not_ticked_leaves_its_fields_out() -> None:
    order = next(one for one in ORDERS if one.verb == "record")
    _evening, client, fields, path = ready(order)
    plain = {name: value for name, value in fields.items() if name not in ("jackpot", "tax")}
    assert post(client, path, plain | {"jackpot_rate": "x", "tax_rate": "x"}).status_code == 302
    found = Authorisation.objects.get(reference="2/2026")
    assert (found.jackpot_rate, found.tax_rate, found.tax_threshold) == (0, 0, 0)


@pytest.mark.rule(18)
def test_issue_is_received_with_what_the_form_says() -> None:
    order = next(one for one in ORDERS if one.verb == "receive")
    evening, client, fields, path = ready(order)
    answer = post(client, path, fields | {"double": "on", "counted": ""})
    issue = Issue.objects.get(identification="77")
    assert answer["Location"] == f"/cards/issues/{issue.pk}/"
    assert (issue.place, issue.face, issue.double) == ("received", FACE, True)
    assert (issue.face_colour, issue.back_colour) == (FACE_COLOUR, BACK_COLOUR)
    assert issue.series_id == evening.issue().series_id


def test_series_of_another_hall_is_not_received() -> None:
    order = next(one for one in ORDERS if one.verb == "receive")
    evening, client, fields, path = ready(order)
    other = Evening("vizinha").issue().series_id
    before = books(evening.hall)
    answer = post(client, path, fields | {"series": str(other)})
    assert 'data-code="unknown_series"' in answer.content.decode()
    assert books(evening.hall) == before


@pytest.mark.slow
@pytest.mark.rule(16)
def test_series_is_published_from_chance_and_from_a_seed_only_when_that_is_ticked() -> None:
    order = next(one for one in ORDERS if one.verb == "publish")
    _evening, client, fields, path = ready(order)
    post(client, path, fields | {"seed": "natal"})
    assert Series.objects.latest("pk").seed == ""
    post(client, path, fields | {"seed": "natal", "demonstration": "on"})
    seeded = Series.objects.latest("pk")
    for empty in ("", "  "):
        answer = post(client, path, fields | {"seed": empty, "demonstration": "on"})
        assert 'data-code="seed_missing"' in answer.content.decode()
    assert Series.objects.latest("pk") == seeded
    assert (seeded.seed, seeded.version) == ("natal", 3)
    for path in ("/cards/series/", f"/cards/series/{seeded.pk}/", f"/cards/series/{seeded.pk}/1/"):
        assert "DEMONSTRA" in client.get(path).content.decode(), path


@pytest.mark.rule(73)
def test_pattern_is_read_from_the_boxes_where_no_script_has_drawn_it() -> None:
    order = next(one for one in ORDERS if one.verb == "save")
    _evening, client, _fields, path = ready(order)
    boxes = {f"cell-{at}-{at}": "on" for at in range(5)}
    answer = post(client, path, {"name": "Diagonal", "drawing": ""} | boxes)
    assert answer.status_code == 302
    assert Pattern.objects.get().drawing == "X..../.X.../..X../...X./....X"
    few = post(client, path, {"name": "Ponto", "drawing": "", "cell-0-0": "on"})
    assert few.status_code == 409
    assert re.search(r'name="cell-0-0"[^>]*checked', few.content.decode())


@pytest.mark.parametrize(
    ("verb", "field", "bad", "said"),
    [
        ("receive", "counted", "abc", "“Cards counted”: it takes a whole number"),
        ("receive", "identification", "7" * 21, "at most 12 characters"),
        ("count", "counted", "abc", "“Unsold cards counted”"),
        ("record", "reference", "x" * 101, "at most 100 characters"),
        ("record", "valid_from", "x", "“Valid from”: it takes a day"),
        ("record", "jackpot_rate", "x", "“Of the prizes, %”: it takes a percentage"),
        ("record", "sizes", "L;60", "each line takes a letter and its cards"),
        ("record", "sizes", "L 60\nL 80", "Letter L is written twice"),
        ("record", "valid_until", "2025-01-01", "1 January 2025"),
        ("record", "sure", "", "tick that you have checked it"),
        ("retire", "sure", "", "tick that you have checked it"),
    ],
)
def test_refusal_names_the_field_as_the_page_does_and_its_own_limit(
    verb: str, field: str, bad: str, said: str
) -> None:
    _evening, client, fields, path = ready(next(one for one in ORDERS if one.verb == verb))
    plant(Person.objects.all(), language="en")
    page = post(client, path, fields | {field: bad}).content.decode()
    assert said in html.unescape(page)


@pytest.mark.rule(18)
@pytest.mark.parametrize(("counted", "said"), [("77", "13 missing"), ("91", "1 too many")])
def test_wrong_count_tells_the_difference_and_what_to_do(counted: str, said: str) -> None:
    _evening, client, fields, path = ready(next(one for one in ORDERS if one.verb == "count"))
    plant(Person.objects.all(), language="en")
    sent = fields | {"counted": counted, "comment": "Faltam"}
    page = client.get(post(client, path, sent)["Location"]).content.decode()
    told = re.search(r'notice--warning"\s*>\s*<p>(.*?)</p>', page, re.DOTALL)
    assert told is not None
    assert f"{counted} counted, 90 expected, {said}" in told[1]


def test_arrival_counted_wrong_tells_the_difference() -> None:
    _evening, client, fields, path = ready(next(one for one in ORDERS if one.verb == "accept"))
    plant(Person.objects.all(), language="en")
    page = client.get(post(client, path, fields | {"counted": "77"})["Location"]).content.decode()
    assert "77 counted, 90 expected, 13 missing" in page


@pytest.mark.slow
def test_arrival_with_an_identification_of_the_hall_must_be_called_back() -> None:
    evening, client, _fields, _path = ready(next(one for one in ORDERS if one.verb == "accept"))
    plant(Person.objects.all(), language="en")
    coming_one = Transfer.objects.get().issue
    assert "must call it back" not in client.get("/cards/").content.decode()
    plant(Issue.objects.filter(pk=evening.issue().pk), identification=coming_one.identification)
    page = client.get("/cards/").content.decode()
    assert "must call it back" in page
    assert "/do/accept/" not in page
