"""What a regulator grants, as it may be written down, and what it lets be done."""

from __future__ import annotations

from typing import Any

import pytest

from bingo.rules import authorisations, rulebooks
from bingo.rules.refusal import Refusal
from tests.support.authorisations import CAPE_VERDE, SPAIN, USUAL


def refused(**changed: Any) -> Refusal:
    """Return why an authorisation is refused."""
    with pytest.raises(Refusal) as caught:
        authorisations.record(**(USUAL | changed))
    return caught.value


@pytest.mark.rule(3)
@pytest.mark.rule(17)
def test_authorisation_is_written_as_it_was_given() -> None:
    given = {name: value for name, value in USUAL.items() if name != "rulebook"}
    assert authorisations.record(**USUAL) == given


@pytest.mark.rule(35)
@pytest.mark.rule(54)
def test_authorisation_tells_what_it_grants_beyond_the_usual_only_where_it_does() -> None:
    usual = authorisations.record(**USUAL)
    beyond: dict[str, Any] = {"player_limit": 6, "several_prices": True, "languages": ["es", "fr"]}
    for name, granted in beyond.items():
        assert authorisations.record(**(USUAL | {name: granted})) == usual | {name: granted}
    nothing: dict[str, Any] = {"player_limit": None, "several_prices": False, "languages": ()}
    assert authorisations.record(**USUAL, **nothing) == usual


@pytest.mark.rule(17)
@pytest.mark.rule(19)
@pytest.mark.parametrize(
    ("changed", "expected"),
    [
        ({"rulebook": "none"}, "unknown_rulebook"),
        ({"reference": " "}, "reference_missing"),
        ({"reference": "x" * 101}, Refusal("reference_too_long", most=100)),
        (
            {"valid_until": "2025-12-31"},
            Refusal("ends_before_it_begins", begins="2026-01-01", ends="2025-12-31"),
        ),
        ({"formats": []}, "formats_missing"),
        ({"formats": [91]}, Refusal("unknown_format", format=91)),
        ({"formats": [90, 75, 90]}, Refusal("format_repeated", format=90)),
        ({"rulebook": SPAIN, "formats": [75]}, "format_not_in_rulebook"),
        ({"faces": []}, "faces_missing"),
        ({"faces": [100, 0]}, Refusal("bad_face", face=0, most=2**31 - 1)),
        ({"faces": [-1]}, Refusal("bad_face", face=-1, most=2**31 - 1)),
        ({"faces": [2**31]}, Refusal("bad_face", face=2**31, most=2**31 - 1)),
        ({"faces": [100, 200, 100]}, Refusal("face_repeated", face=100)),
        ({"sizes": {"": 60}}, Refusal("bad_letter", letter="")),
        ({"sizes": {"l": 60}}, Refusal("bad_letter", letter="l")),
        ({"sizes": {"É": 60}}, "bad_letter"),
        ({"sizes": {"ABCDEF": 60}}, "bad_letter"),
        ({"sizes": {"L\n": 60}}, "bad_letter"),
        ({"sizes": {"L": 0}}, Refusal("size_out_of_range", letter="L", size=0, most=100_000)),
        ({"sizes": {"L": 100_001}}, "size_out_of_range"),
        ({"line_share": 1999}, Refusal("fund_differs", fund=7999, expected=8000)),
        ({"line_share": 2500, "bingo_share": 5500}, "bingo_below_floor"),
        ({"jackpot_rate": 200}, Refusal("jackpot_rate_differs", rate=200, expected=300)),
        ({"jackpot_limit": 0}, "jackpot_limit_missing"),
        ({"jackpot_limit": -1}, "bad_jackpot"),
        ({"jackpot_base": -1}, "bad_jackpot"),
        ({"jackpot_limit": True}, "bad_jackpot"),
        ({"jackpot_limit": 40.5}, "bad_jackpot"),
        ({"jackpot_rate": "300"}, "bad_jackpot"),
        ({"jackpot_base": None}, "bad_jackpot"),
        ({"jackpot_terms": {"until": "nope"}}, "bad_jackpot"),
        ({"jackpot_terms": {"until": "20261231"}}, "bad_jackpot"),
        ({"jackpot_terms": {"until": 7}}, "bad_jackpot"),
        ({"jackpot_terms": {"balance": 7}}, "bad_jackpot"),
        ({"jackpot_terms": {"dry": 100}}, "bad_jackpot"),
        ({"jackpot_terms": {"rate": 1}}, "bad_jackpot"),
        ({"jackpot_terms": {"source": 5}}, "bad_jackpot"),
        ({"jackpot_terms": {"schedule": 5}}, "bad_jackpot"),
        ({"jackpot_terms": {"schedule": {"every": 1}}}, "bad_jackpot"),
        ({"jackpot_terms": {"schedule": {"every": 1.0, "by": 1, "most": 50}}}, "bad_jackpot"),
        ({"jackpot_levels": [{"rate": 100, "limit": 30}]}, "bad_jackpot"),
        ({"jackpot_levels": [{"rate": 1.5, "limit": 30, "base": 1}]}, "bad_jackpot"),
        ({"jackpot_levels": [{"rate": 1, "limit": 30, "base": 1, "balance": 5}]}, "bad_jackpot"),
        ({"tax_rate": 10_001}, Refusal("bad_tax", rate=10_001, threshold=0)),
        ({"tax_threshold": -1}, "bad_tax"),
        ({"tax_on_sales": True}, "bad_tax"),
        ({"player_limit": 0}, Refusal("bad_player_limit", cards=0, most=100_000)),
        ({"player_limit": -1}, "bad_player_limit"),
        ({"player_limit": 100_001}, "bad_player_limit"),
        ({"languages": ["pt"]}, Refusal("language_is_the_rule_books", language="pt")),
        ({"languages": ["es", "gl", "es"]}, Refusal("language_repeated", language="es")),
    ],
)
def test_authorisation_that_cannot_be_is_refused(
    changed: dict[str, Any], expected: Refusal | str
) -> None:
    caught = refused(**changed)
    assert expected in (caught, caught.code)


@pytest.mark.parametrize(
    "changed",
    [
        {"valid_until": "2026-01-01"},
        {"sizes": {"K": 1680}},
        {"sizes": {"A1": 100_000, "9": 1}},
        {"jackpot_rate": 0, "jackpot_limit": 0, "line_share": 2500, "bingo_share": 5500},
        {"rulebook": SPAIN, "formats": [90], "sizes": {"K": 60}, "bingo_share": 4000},
        {"tax_rate": 10_000, "tax_threshold": 5_000_00},
        {"player_limit": 1},
        {"player_limit": 100_000},
    ],
)
def test_authorisation_at_the_edge_is_let_in(changed: dict[str, Any]) -> None:
    assert authorisations.record(**(USUAL | changed))["reference"] == "1/2026"


@pytest.mark.rule(16)
@pytest.mark.rule(19)
def test_size_is_the_rule_books_or_the_authorisations_own() -> None:
    book, own = rulebooks.get(CAPE_VERDE), {"L": 60}
    authorisations.require_size("K", 1680, rulebook=book, own=own)
    authorisations.require_size("L", 60, rulebook=book, own=own)
    for letter, size in (("K", 60), ("L", 61), ("Z", 60)):
        with pytest.raises(Refusal) as caught:
            authorisations.require_size(letter, size, rulebook=book, own=own)
        assert caught.value == Refusal("size_not_of_letter", letter=letter, size=size)


@pytest.mark.rule(19)
@pytest.mark.parametrize("size", [1, 7, 60, 100, 1680, 100_000])
def test_authorised_size_may_stand_under_a_letter_of_the_rule_book(size: int) -> None:
    told = authorisations.record(**(USUAL | {"sizes": {"K": size}}))
    assert told["sizes"] == {"K": size}
    book = rulebooks.get(CAPE_VERDE)
    # The law's own size of the letter stays as good as it was.
    for known in (size, 1680):
        authorisations.require_size("K", known, rulebook=book, own=told["sizes"])
    with pytest.raises(Refusal, match="size_not_of_letter"):
        authorisations.require_size("K", 61, rulebook=book, own=told["sizes"])


def test_rule_book_without_sizes_leaves_them_all_to_the_authorisation() -> None:
    book = rulebooks.get(SPAIN)
    authorisations.require_size("K", 600, rulebook=book, own={"K": 600})
    with pytest.raises(Refusal, match="size_not_of_letter"):
        authorisations.require_size("K", 1680, rulebook=book, own={})


@pytest.mark.rule(3)
@pytest.mark.rule(17)
def test_format_and_face_are_those_granted() -> None:
    authorisations.require_format(90, [90, 75])
    authorisations.require_face(200, [200])
    with pytest.raises(Refusal) as caught:
        authorisations.require_format(80, (90, 75))
    assert caught.value == Refusal("format_not_authorised", format=80, formats=[90, 75])
    with pytest.raises(Refusal) as caught:
        authorisations.require_face(100, [200])
    assert caught.value == Refusal("face_not_authorised", face=100, faces=[200])
