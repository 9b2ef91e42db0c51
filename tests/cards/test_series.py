"""Matrices published here or taken in from a file: authorised, faultless, stored whole or not at all."""

from __future__ import annotations

import json
from typing import Any
from uuid import uuid4

import pytest

from bingo.rules import cards, formats, rulebooks, series, series_files
from bingo.rules.refusal import Refusal
from draws.cards import series as cards_series
from draws.cards import stock
from draws.cards.series_queries import document, is_intact
from draws.games import services as games_services
from draws.models import Card, Series
from draws.record.audit import audit
from draws.sales import services as sales_services
from halls.models import Hall, JournalEntry, Role
from tests.support.evening import BACK_COLOUR, FACE, FACE_COLOUR, Evening, authorise
from tests.support.playing import everything, refuses
from tests.support.service_commands.cards import foreign

pytestmark = pytest.mark.django_db

MANAGER = Role.HALL_MANAGER


@pytest.fixture
def evening() -> Evening:
    """A hall that has series A of 90 cards."""
    return Evening()


def publish(evening: Evening, letter: str = "B", size: int = 120, **changed: Any) -> Series:
    """Publish a series."""
    asked = {"format": 90, "letter": letter, "size": size, **evening.who(MANAGER)}
    return cards_series.publish(hall=evening.hall, **(asked | changed))


def take_in(evening: Evening, text: str, **changed: Any) -> Series:
    """Publish what a file holds."""
    return cards_series.take_in(hall=evening.hall, text=text, **(evening.who(MANAGER) | changed))


def cards_of(published: Series) -> tuple[Any, ...]:
    """Return the stored cards as the rules know them."""
    rows = published.cards.order_by("number").values_list("rows", flat=True)
    return tuple(tuple(tuple(row) for row in card) for card in rows)


@pytest.mark.slow
@pytest.mark.rule(14)
@pytest.mark.parametrize(
    ("format", "letter", "size"),
    [(90, "K", 1680), (80, "C", 150), (75, "C", 150), (30, "D", 180), (90, "L", 60)],
)
def test_published_series_is_faultless_and_stored_as_it_is_told(
    evening: Evening, format: int, letter: str, size: int
) -> None:
    made = publish(evening, letter, size, format=format)
    kind, book = formats.get_format(format), rulebooks.get("cape-verde-2017")
    assert series.faults(cards_of(made), format=kind, rulebook=book) == ()
    assert (made.size, made.version, made.source, made.seed) == (size, 1, "emitted", "")
    assert list(made.cards.order_by("number").values_list("number", flat=True)) == list(
        range(1, size + 1)
    )
    assert is_intact(made)
    told = JournalEntry.objects.latest("number").data
    assert told == {
        "format": format, "rulebook": "cape-verde-2017", "letter": letter, "version": 1,
        "size": size, "columns": False, "digest": made.digest, "source": "emitted", "seed": "",
    }  # fmt: skip
    assert series_files.series_document_digest(document(made)) == made.digest
    assert audit(Hall.objects.get()) == []


def test_series_with_columns_of_its_own_has_none_twice(evening: Evening) -> None:
    made = publish(evening, "C", 150, format=75, columns=True)
    kind, book = formats.get_format(75), rulebooks.get("cape-verde-2017")
    assert made.columns
    assert series.faults(cards_of(made), format=kind, rulebook=book, columns=True) == ()


@pytest.mark.slow
def test_versions_count_the_matrices_of_a_letter_and_format(evening: Evening) -> None:
    made = [publish(evening), publish(evening), publish(evening, format=80)]
    assert [one.version for one in made] == [1, 2, 1]
    assert len({one.digest for one in made}) == 3
    assert audit(Hall.objects.get()) == []


def test_seed_makes_the_same_series_and_no_second_one(evening: Evening) -> None:
    made = publish(evening, seed="7")
    with refuses(Refusal("matrix_already_here", letter="B", version=1)):
        publish(evening, seed="7")
    other = Evening("outra")
    assert publish(other, seed="7").digest == made.digest


@pytest.mark.rule(3)
@pytest.mark.rule(16)
@pytest.mark.rule(19)
def test_series_that_is_not_granted_is_refused(evening: Evening, subtests: pytest.Subtests) -> None:
    cases: list[tuple[Refusal | str, dict[str, Any]]] = [
        (Refusal("unknown_format", format=91), {"format": 91}),
        (Refusal("size_not_of_letter", letter="B", size=121), {"size": 121}),
        (Refusal("size_not_of_letter", letter="L", size=120), {"letter": "L"}),
        (Refusal("bad_seed", most=100), {"seed": "x" * 101}),
        (Refusal("bad_seed", most=100), {"seed": "\n"}),
        ("series_too_large", {"format": 30, "letter": "E", "size": 240}),
        ("columns_not_a_line", {"columns": True}),
        ("not_allowed", {"by": evening.person(Role.CASHIER)}),
    ]
    for expected, changed in cases:
        with subtests.test(expected=str(expected)), refuses(expected):
            publish(evening, **changed)
    authorise(evening.hall, reference="2/2026", formats=[80])
    with refuses(Refusal("format_not_authorised", format=90, formats=[80])):
        publish(evening)
    before = evening.who(MANAGER)
    Hall.objects.update(head_at=None)  # no entry bears an earlier time than the one before it
    evening.hall.refresh_from_db()
    with refuses("no_authorisation"):
        publish(evening, at=before["at"].replace(year=2000))


def test_same_key_publishes_once_and_another_size_is_refused(evening: Evening) -> None:
    key = uuid4()
    made = publish(evening, key=key)
    before = everything()
    assert publish(evening, key=key) == made
    assert everything() == before
    with refuses("key_reused"):
        publish(evening, key=key, columns=True)


@pytest.mark.slow
@pytest.mark.parametrize("format", [90, 80, 75, 30])
def test_file_of_a_stranger_is_taken_in_as_it_is(evening: Evening, format: int) -> None:
    text = foreign("9", format=format)
    taken = take_in(evening, text)
    kind, book, letter, cards = series.parse(text)
    assert cards_of(taken) == cards
    assert (taken.format, taken.letter, taken.size) == (format, letter, len(cards))
    assert (taken.source, taken.seed, taken.rulebook) == ("imported", "", book.code)
    assert taken.version == (2 if format == 90 else 1)
    assert series_files.series_document_digest(document(taken)) == taken.digest
    assert audit(Hall.objects.get()) == []
    with refuses(Refusal("matrix_already_here", letter="A", version=taken.version)):
        take_in(evening, series_files.to_csv(cards, format=kind, rulebook=book, letter=letter))


def test_own_series_comes_back_as_already_here(evening: Evening) -> None:
    own = json.dumps(document(evening.issue().series))
    with refuses(Refusal("matrix_already_here", letter="A", version=1)):
        take_in(evening, own)


def test_own_cards_in_another_order_are_already_here(evening: Evening) -> None:
    other = document(evening.issue().series)
    other["cards"].reverse()
    with refuses(Refusal("matrix_already_here", letter="A", version=1)):
        take_in(evening, json.dumps(other))


def test_cards_of_a_seed_stay_those_of_a_seed(evening: Evening) -> None:
    seeded = evening.issue().series
    assert seeded.seed
    with refuses("matrix_seeded"):
        take_in(Evening("norte"), json.dumps(document(seeded)))


@pytest.mark.rule(14)
def test_file_with_a_fault_is_refused_with_the_first_and_leaves_nothing(
    evening: Evening, subtests: pytest.Subtests
) -> None:
    clean = json.loads(foreign("9"))

    def faulty(change: Any) -> str:
        copy = json.loads(json.dumps(clean))
        change(copy["cards"])
        return json.dumps(copy)

    def twice(cards: Any) -> None:
        cards[3] = cards[2]

    def line_twice(cards: Any) -> None:
        cards[3][0] = cards[2][0]

    cases = (("repeated_card", twice), ("not_ascending", lambda cards: cards[4].reverse()))
    for fault, change in cases:
        with subtests.test(fault=fault), refuses("series_faulty"):
            take_in(evening, faulty(change))
    with pytest.raises(Refusal) as caught:
        take_in(evening, faulty(line_twice))
    assert caught.value.code == "series_faulty"
    assert caught.value.values["rule"] == "R14"
    assert not Series.objects.filter(source="imported").exists()
    assert Card.objects.count() == 90


@pytest.mark.slow
@pytest.mark.rule(19)
@pytest.mark.parametrize("size", [100, 7])
def test_authorised_size_under_a_letter_of_the_rule_book_is_made_taken_in_and_sold(
    size: int,
) -> None:
    evening = Evening()
    with refuses(Refusal("size_not_of_letter", letter="A", size=size)):
        publish(evening, "A", size)
    authorise(evening.hall, reference="2/2026", sizes={"A": size})
    made, taken = publish(evening, "A", size), take_in(evening, foreign("9", size=size))
    assert (made.size, taken.size, taken.letter) == (size, size, "A")
    # Strips of six, and at the end a part of one.
    held = [cards.numbers(card) for card in cards_of(made)]
    for begun in range(0, size, 6):
        strip = held[begun : begun + 6]
        assert len(frozenset().union(*strip)) == 15 * len(strip)
    # The law's own size of the letter is made as before.
    assert publish(evening, "A", 90).size == 90
    box = stock.receive(
        hall=evening.hall, series=made, identification="R19", face=FACE, face_colour=FACE_COLOUR,
        back_colour=BACK_COLOUR, counted=size, **evening.who(MANAGER),
    )  # fmt: skip
    evening.reach("shift")
    games_services.open_game(session=evening.session, issue=box, **evening.who(Role.TABLE_CHIEF))
    games_services.announce_sale(game=evening.game, **evening.who(Role.CALLER))
    with refuses(Refusal("only_left", left=size)):
        sales_services.sell(
            game=evening.game, shift=evening.shift, quantity=size + 1, **evening.who(Role.CASHIER)
        )
    sales_services.sell(
        game=evening.game, shift=evening.shift, quantity=size, **evening.who(Role.CASHIER)
    )
    assert audit(Hall.objects.get()) == []


@pytest.mark.rule(3)
@pytest.mark.rule(16)
def test_file_that_is_not_granted_is_refused(evening: Evening) -> None:
    with refuses(Refusal("size_not_of_letter", letter="A", size=96)):
        take_in(evening, foreign("9", size=96))
    spanish = foreign("9").replace("cape-verde-2017", "spain-1979")
    with refuses(Refusal("other_rulebook", rulebook="spain-1979", expected="cape-verde-2017")):
        take_in(evening, spanish)
    for text in ("", "[]", "null", '{"format":90}', "format,90\n", "\ufeff" + foreign("9")):
        with refuses("bad_series_file"):
            take_in(evening, text)
    authorise(evening.hall, reference="2/2026", formats=[80])
    with refuses("format_not_authorised"):
        take_in(evening, foreign("9"))


def test_columns_of_a_file_are_judged_when_asked(evening: Evening) -> None:
    text = foreign("9", format=30)
    with refuses("series_faulty"):
        take_in(evening, text, columns=True)
    assert not take_in(evening, text).columns
