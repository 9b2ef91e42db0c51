"""Fields as nobody should send them: each order is refused in words, and nothing changes."""

import re
from datetime import date
from typing import Any
from urllib.parse import quote
from uuid import uuid4

import pytest
from django.http import QueryDict
from django.utils import timezone

from bingo.rules.refusal import Refusal
from draws.claims import services as claims_services
from draws.games import services as games_services
from draws.web.forms import CommandForm
from halls.models import Hall, JournalEntry, Person, Role
from tests.support.evening import Evening, books

pytestmark = pytest.mark.django_db

HUGE = "9" * 20
LONG = "x" * 10_000
NOT_TEXT: tuple[str | None, ...] = (None, "1\x00", LONG)
NOT_WHOLE = (*NOT_TEXT, "", "abc", "1.5", "--5", HUGE, "١٢")
NOT_POSITIVE = (*NOT_WHOLE, "-1", "0")
NOT_MONEY = (*NOT_TEXT, "", "abc", "-1", "0,001", "1e999999", HUGE, "NaN", "١٢")

# desk, order, stage, the fields of a good order, the field made bad, its bad values
ORDERS: tuple[tuple[str, str, str, dict[str, Any], str, tuple[str | None, ...]], ...] = (
    ("till", "open", "session", {"till": "till", "float": "5000"}, "till", NOT_POSITIVE),
    ("till", "open", "session", {"till": "till", "float": "5000"}, "float", NOT_MONEY),
    ("till", "sell", "selling", {"quantity": 2}, "quantity", (*NOT_POSITIVE, "91", "5000")),
    ("till", "sell", "selling", {"quick": 2}, "quick", NOT_POSITIVE),
    (
        "till", "sell", "selling", {"quantity": 2, "given": "400"}, "given",
        tuple(bad for bad in NOT_MONEY if bad is not None and bad.strip()),
    ),
    (
        "till", "sell", "selling", {"quantity": 2, "seller": ""}, "seller",
        tuple(bad for bad in NOT_POSITIVE if bad),
    ),
    ("till", "sell", "selling", {"quantity": 2, "face": ""}, "face", ("x", "1.5", "0", "-1", "1", HUGE)),
    ("till", "hand-out", "selling", {"to": "vendor", "quantity": 2}, "to", NOT_POSITIVE),
    ("till", "hand-out", "selling", {"to": "vendor", "quantity": 2}, "quantity", (*NOT_POSITIVE, "91")),
    (
        "till", "write-off", "selling", {"issue": "issue", "first": 1, "last": "", "reason": "x"}, "first",
        (*NOT_POSITIVE, "91"),
    ),
    (
        "till", "write-off", "selling", {"issue": "issue", "first": 1, "last": "", "reason": "x"}, "reason",
        (*NOT_TEXT, "", " "),
    ),
    ("till", "pay", "paying", {"issue": "issue", "card": 1}, "issue", NOT_POSITIVE),
    ("till", "pay", "paying", {"issue": "issue", "card": 1}, "card", (*NOT_POSITIVE, "2", "91")),
    ("till", "refund", "voided", {"issue": "issue", "card": 1}, "issue", NOT_POSITIVE),
    ("till", "refund", "voided", {"issue": "issue", "card": 1}, "card", (*NOT_POSITIVE, "7", "91")),
    ("till", "refund", "voided", {"issue": "issue", "first": 1, "last": 2}, "first", (*NOT_POSITIVE, "3")),
    ("till", "refund", "voided", {"issue": "issue", "first": 1, "last": 2}, "last", (*NOT_POSITIVE, "7")),
    ("till", "close", "shift", {"counted": "50000", "comment": ""}, "counted", NOT_MONEY),
    ("till", "close", "shift", {"counted": "1", "comment": "Por contar"}, "comment", (*NOT_TEXT, "", " ")),
    ("caller", "draw", "announced", {"order": 1}, "order", (*NOT_POSITIVE, "2", "16")),
    ("caller", "ball", "drawing", {"number": "free", "order": 16}, "number", (*NOT_POSITIVE, "91")),
    ("caller", "ball", "drawing", {"number": "free", "order": 16}, "order", (*NOT_POSITIVE, "15", "17")),
    ("caller", "recall", "drawing", {"number": "last"}, "number", (*NOT_POSITIVE, "91")),
    ("caller", "call", "drawing", {"combination": "line"}, "combination", (*NOT_TEXT, "", "LINE", "jackpot")),
    ("table", "check", "stopped", {"issue": "issue", "card": 1, "combination": "bingo"}, "card", (*NOT_POSITIVE, "91")),
    ("table", "check", "stopped", {"issue": "issue", "card": 1, "combination": "bingo"}, "issue", NOT_POSITIVE),
    (
        "table", "check", "stopped", {"issue": "issue", "card": 1, "combination": "bingo"}, "combination",
        (*NOT_TEXT, "", "corners", "jackpot"),
    ),
    ("table", "open-game", "session", {"issue": "issue"}, "issue", NOT_POSITIVE),
    ("table", "open-second", "selling", {"issue": "issue"}, "issue", NOT_POSITIVE),
    ("table", "void", "sold", {"cause": "other", "reason": "Falha"}, "cause", (*NOT_TEXT, "", "whim")),
    ("table", "void", "sold", {"cause": "other", "reason": "Falha"}, "reason", (*NOT_TEXT, "", "  ")),
    ("table", "note", "session", {"category": "other", "text": "x", "decision": ""}, "category", (*NOT_TEXT, "", "gossip")),
    ("table", "note", "session", {"category": "other", "text": "x", "decision": ""}, "text", (*NOT_TEXT, "", " \n ")),
    ("table", "note", "session", {"category": "other", "text": "x", "decision": ""}, "decision", NOT_TEXT),
    (
        "manager", "move-cash", "shift",
        {"shift": "shift", "direction": "in", "amount": "10", "reason": "Troco"}, "shift", NOT_POSITIVE,
    ),
    (
        "manager", "move-cash", "shift",
        {"shift": "shift", "direction": "in", "amount": "10", "reason": "Troco"}, "amount", (*NOT_MONEY, "0"),
    ),
    (
        "manager", "move-cash", "shift",
        {"shift": "shift", "direction": "out", "amount": "10", "reason": "Troco"}, "reason", (*NOT_TEXT, "", " "),
    ),
    (
        "manager", "move-cash", "shift",
        {"shift": "shift", "direction": "out", "amount": "10", "reason": "Troco"}, "direction",
        (*NOT_TEXT, "", "sideways"),
    ),
)  # fmt: skip


def fields_of(evening: Evening, fields: dict[str, Any]) -> dict[str, str]:
    """Put the ids of a test's hall where an order names them."""
    called = evening.numbers()
    named = {
        "till": lambda: evening.hall.tills.order_by("pk")[0].pk,
        "issue": lambda: evening.issue().pk,
        "shift": lambda: evening.shift.pk,
        "vendor": lambda: evening.person(Role.SELLER).pk,
        "free": lambda: next(n for n in range(1, 91) if n not in called),
        "last": lambda: called[-1],
    }
    return {
        name: str(named[value]() if value in named else value) for name, value in fields.items()
    }


def order_of(hall: Hall, query: str) -> CommandForm:
    """Return an order with these fields."""
    return CommandForm(Person(hall=hall), QueryDict(query), timezone.now(), uuid4())


def brought_to(stage: str) -> Evening:
    """Return an evening at a stage; voided is off the way, and announced before the first ball."""
    if stage == "announced":
        evening = Evening().reach("closed")
        games_services.announce_draw(game=evening.game, **evening.who(Role.CALLER))
        return evening
    if stage != "voided":
        return Evening().reach(stage)
    evening = Evening().reach("sold")
    games_services.void(
        game=evening.game, cause="other", reason="Falha", **evening.who(Role.TABLE_CHIEF)
    )
    return evening


@pytest.mark.slow
@pytest.mark.parametrize(
    ("desk", "verb", "stage", "good", "field", "values"),
    ORDERS,
    ids=[f"{one[0]}-{one[1]}-{one[4]}-{at}" for at, one in enumerate(ORDERS)],
)
def test_bad_field_is_refused_in_words_and_changes_nothing(
    desk: str,
    verb: str,
    stage: str,
    good: dict[str, Any],
    field: str,
    values: tuple[str | None, ...],
) -> None:
    evening = brought_to(stage)
    client = evening.at(desk)
    sent = fields_of(evening, good)
    before = books(evening.hall)
    accepted = []
    for bad in values:
        changed = {name: value for name, value in sent.items() if name != field}
        if bad is not None:
            changed[field] = bad
        answer = client.post(f"/{desk}/do/{verb}/", changed | {"key": str(uuid4())})
        page = answer.content.decode()
        refused = answer.status_code == 409 and re.search(r'role="alert"\s+data-code="', page)
        if not refused or 'id="live"' not in page:
            accepted.append((bad and bad[:20], answer.status_code))
    assert accepted == []
    assert books(evening.hall) == before
    # The control: but for that field the order was good.
    if verb != "open-second":
        answer = client.post(f"/{desk}/do/{verb}/", sent | {"key": str(uuid4())})
        assert answer.status_code == 200, answer.content.decode()[-3000:]
        assert books(evening.hall) != before


@pytest.mark.parametrize(
    "bad",
    [
        "", " ", "-", "--5", "1-", "+1", "1e3", "٣", "²", "1 000", "1,5", "9" * 400, "0x10", "NaN", "1_0",
        str(2**31), str(-(2**31)),
    ],
)  # fmt: skip
def test_integer_takes_nothing_but_a_whole_number(bad: str) -> None:
    with pytest.raises(Refusal) as refused:
        order_of(Hall(currency="CVE"), f"n={quote(bad)}").integer("n")
    assert refused.value == Refusal("bad_input", field="n", wanted="whole")


@pytest.mark.parametrize(
    "bad",
    [
        "", " ", "-", "-0,01", "--5", "+1", "1,2,3", "1,000", "1,000.500", "1e3", "1e-999999", "9" * 400, "sNaN",
        "Infinity", "0x10", "1_000", "²", ",5", "5,",
    ],
)  # fmt: skip
def test_amount_takes_nothing_but_money(bad: str) -> None:
    with pytest.raises(Refusal) as refused:
        order_of(Hall(currency="CVE"), f"n={quote(bad)}").amount("n")
    assert refused.value == Refusal("bad_amount", typed=bad.strip()[:20])


@pytest.mark.parametrize(
    ("typed", "units"),
    [
        ("0", 0),
        ("20", 2000),
        ("20,5", 2050),
        ("20.50", 2050),
        ("1 500", 150_000),
        (" 7 ", 700),
        ("1,000.50", 100_050),
    ],
)
def test_amount_is_read_in_minor_units(typed: str, units: int) -> None:
    assert order_of(Hall(currency="CVE"), f"n={quote(typed)}").amount("n") == units


@pytest.mark.parametrize(
    "bad",
    ["", "2026-2-1", "2026-02-30", "01-02-2026", "٢٠٢٦-01-01", "2026-01-01T00:00", "0000-01-01"],
)
def test_day_takes_nothing_but_a_day(bad: str) -> None:
    with pytest.raises(Refusal) as refused:
        order_of(Hall(), f"d={quote(bad)}").day("d")
    assert refused.value == Refusal("bad_input", field="d", wanted="day")


def test_day_is_read_as_a_field_of_dates_sends_it() -> None:
    assert order_of(Hall(), "d=2026-02-28").day("d") == date(2026, 2, 28)


@pytest.mark.parametrize(
    ("typed", "points"), [("20", 2000), ("19,4", 1940), ("2.45 %", 245), ("0", 0), ("100%", 10_000)]
)
def test_percentage_is_read_in_basis_points(typed: str, points: int) -> None:
    assert order_of(Hall(), f"p={quote(typed)}").points("p") == points


@pytest.mark.parametrize("bad", ["", "-1", "1,234", "1e2", "٢٠", "%", "1000", "20 60", "NaN"])
def test_percentage_takes_nothing_else(bad: str) -> None:
    with pytest.raises(Refusal) as refused:
        order_of(Hall(), f"p={quote(bad)}").points("p")
    assert refused.value == Refusal("bad_input", field="p", wanted="percent")


def test_lines_are_those_with_something_in_them() -> None:
    assert order_of(Hall(), f"l={quote(chr(13) + chr(10) + ' L 60 ' + chr(10) * 3 + 'M 6')}").lines(
        "l"
    ) == ["L 60", "M 6"]


def test_text_is_trimmed_and_bounded() -> None:
    sent = order_of(Hall(), f"a={quote('  x  ')}&b={'x' * 501}&c=123")
    assert sent.text("a") == "x"
    for field, longest in (("b", 500), ("c", 2), ("d", 500)):
        with pytest.raises(Refusal) as refused:
            sent.text(field, longest=longest)
        assert refused.value == Refusal("bad_input", field=field, wanted="text", most=longest)


def test_choice_is_one_of_those_offered() -> None:
    sent = order_of(Hall(), "way=in&other=up")
    assert sent.choice("way", ("in", "out")) == "in"
    with pytest.raises(Refusal):
        sent.choice("other", ("in", "out"))


def test_whole_number_keeps_its_blanks_and_zeros() -> None:
    evening = Evening().reach("selling")
    fields = {"key": str(uuid4()), "quantity": " 002 "}
    assert evening.at("till").post("/till/do/sell/", fields).status_code == 200
    assert evening.game.sales.get().last == 2


@pytest.mark.slow
@pytest.mark.parametrize(
    ("desk", "verb", "stage", "good", "field"),
    [
        ("till", "open", "session", {"float": "50"}, "till"),
        ("till", "sell", "selling", {"quantity": 1}, "seller"),
        ("till", "pay", "paying", {"card": 1}, "issue"),
        ("till", "refund", "voided", {"card": 1}, "issue"),
        ("table", "open-game", "session", {}, "issue"),
        ("table", "check", "stopped", {"card": 1, "combination": "bingo"}, "issue"),
        ("manager", "open-game", "session", {}, "issue"),
        (
            "manager",
            "move-cash",
            "shift",
            {"direction": "in", "amount": "5", "reason": "x"},
            "shift",
        ),
    ],
)
def test_another_halls_ids_are_refused(
    desk: str, verb: str, stage: str, good: dict[str, Any], field: str
) -> None:
    evening, other = brought_to(stage), Evening("vizinha").reach("sold")
    ids = {
        "till": other.hall.tills.order_by("pk")[1].pk,
        "seller": other.person(Role.SELLER).pk,
        "issue": other.issue().pk,
        "shift": other.shift.pk,
    }
    before = books(evening.hall), books(other.hall)
    sent = {name: str(value) for name, value in good.items()}
    sent |= {field: str(ids[field]), "key": str(uuid4())}
    answer = evening.at(desk).post(f"/{desk}/do/{verb}/", sent)
    assert answer.status_code == 409
    assert (books(evening.hall), books(other.hall)) == before


@pytest.mark.slow
@pytest.mark.rule(50)
def test_prize_that_nobody_won_is_refused_and_journalled() -> None:
    evening = Evening().reach("paying")
    client = evening.at("till")
    fields = {"key": str(uuid4()), "issue": str(evening.issue().pk), "card": "2"}
    assert client.post("/till/do/pay/", fields).status_code == 409
    noted = JournalEntry.objects.get(kind="command_refused")
    assert (noted.data["command"], noted.data["code"]) == ("pay", "no_prize")


@pytest.mark.slow
def test_wrong_card_is_answered_with_what_it_lacks_not_refused() -> None:
    evening = Evening().reach("stopped")
    entry = claims_services.check(
        game=evening.game, combination="bingo", issue=evening.issue(), card=2, sound=True,
        **evening.who(Role.TABLE_CHIEF),
    )  # fmt: skip
    page = evening.at("table").get("/table/").content.decode()
    assert not entry.data["valid"]
    shown = re.findall(r'class="is-missing">\s*(\d+)', page)
    assert sorted(map(int, shown)) == entry.data["missing"]
