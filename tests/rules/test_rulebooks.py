"""Rule books: both are known, and what they have in common."""

import re
from collections.abc import Mapping
from dataclasses import fields
from string import Formatter

import pytest

from bingo.rules import rulebooks
from bingo.rules.formats import FORMATS
from bingo.rules.refusal import Refusal
from bingo.rules.rulebooks import RULEBOOKS, Announcements, Rulebook
from bingo.rules.rulebooks.announcement_words import JACKPOTS

SPOKEN = dict.fromkeys(
    (
        "total",
        "letter",
        "identification",
        "size",
        "price",
        "half",
        "first",
        "last",
        "second_letter",
        "second_identification",
        "second_first",
        "second_last",
        "amount",
        "limit",
        "cards",
    ),
    "7",
)
BOOKS = list(RULEBOOKS.values())
SAID = [
    pytest.param(said, id=f"{book.code}-{speech.single.language}-{kind}")
    for book in BOOKS
    for speech in book.speeches.values()
    for kind, said in (("single", speech.single), ("double", speech.double))
]


def templates(said: Announcements, name: str) -> list[str]:
    """The templates of a field: one, or one for each prize, in their order."""
    found: str | Mapping[str, str] = getattr(said, name)
    return [found] if isinstance(found, str) else [found[prize] for prize in sorted(found)]


def words(text: str) -> list[str]:
    """The words of a formula or template, without fields, dots to fill in and explanations."""
    bare = re.sub(r"\{\w+\}|\([^)]*\)|\.{2,}", " ", text)
    return re.findall(r"[\w.º-]+", bare)


def test_get_knows_both_and_refuses_others() -> None:
    assert sorted(RULEBOOKS) == ["cape-verde-2017", "spain-1979"]
    assert [rulebooks.get(code).code for code in RULEBOOKS] == list(RULEBOOKS)
    with pytest.raises(Refusal) as refused:
        rulebooks.get("atlantis-1")
    assert refused.value == Refusal("unknown_rulebook", rulebook="atlantis-1")


@pytest.mark.parametrize("book", BOOKS, ids=lambda book: book.code)
def test_rule_book_counts_leave_room_for_its_cards(book: Rulebook) -> None:
    for format in map(FORMATS.__getitem__, book.column_counts):
        least, most = book.column_count(format)
        filled = format.per_card + len(format.free)

        assert least * format.columns <= filled <= most * format.columns
        assert most <= format.rows


@pytest.mark.parametrize("book", BOOKS, ids=lambda book: book.code)
def test_rule_book_names_a_rule_for_every_format_it_knows(book: Rulebook) -> None:
    assert set(book.card_rules) == set(book.series_rules) == set(book.column_counts)


@pytest.mark.parametrize("book", BOOKS, ids=lambda book: book.code)
def test_rule_book_cannot_be_changed(book: Rulebook) -> None:
    with pytest.raises(AttributeError):
        book.ball_set_games = 1  # type: ignore[misc]
    with pytest.raises(TypeError):
        book.series_sizes["A"] = 1  # type: ignore[index]
    with pytest.raises(TypeError):
        book.column_counts[90] = (0, 3)  # type: ignore[index]
    with pytest.raises(TypeError):
        book.card_rules[90] = ""  # type: ignore[index]


@pytest.mark.parametrize("said", SAID)
@pytest.mark.parametrize("name", [field.name for field in fields(Announcements)])
def test_announcement_has_only_known_fields(said: Announcements, name: str) -> None:
    for template in templates(said, name):
        used = {field for _text, field, _spec, _conversion in Formatter().parse(template) if field}

        assert used <= set(SPOKEN)
        assert "{" not in template.format(**SPOKEN)


@pytest.mark.rule(46)
@pytest.mark.parametrize("said", SAID)
def test_every_prize_is_said_and_further_winners_of_every_one_that_is_called_asked_for(
    said: Announcements,
) -> None:
    assert list(said.prizes) == ["line", "column", "corners", "bingo", "prima"]
    assert list(said.more) == ["line", "column", "corners", "bingo"]


@pytest.mark.rule(54)
@pytest.mark.parametrize("book", BOOKS, ids=lambda book: book.code)
def test_rule_book_speaks_its_own_language_and_our_translations(book: Rulebook) -> None:
    assert set(book.speeches) == {"pt", "es", "gl", "ca", "en"}
    for language, speech in book.speeches.items():
        assert (speech.single.language, speech.double.language) == (language, language)
    formulas = {code: speech.single.formula for code, speech in book.speeches.items()}
    assert [code for code, formula in formulas.items() if formula] == [book.language]


@pytest.mark.rule(33)
@pytest.mark.rule(40)
@pytest.mark.rule(54)
@pytest.mark.parametrize("name", [field.name for field in fields(Announcements)])
@pytest.mark.parametrize("kind", ["single", "double"])
@pytest.mark.parametrize("book", BOOKS, ids=lambda book: book.code)
def test_translation_tells_all_that_the_law_s_own_words_tell(
    book: Rulebook, kind: str, name: str
) -> None:
    def told(language: str) -> list[set[str | None]]:
        return [
            {field for _text, field, _spec, _conversion in Formatter().parse(template)}
            for template in templates(getattr(book.speeches[language], kind), name)
        ]

    if name == "sale_closed_one":  # said only where a language's own sentence is of several cards
        own = [told(language) for language in book.speeches if told(language) != [set()]]
        assert all(fields == [{"letter", "identification", "first"}] for fields in own)
    elif name != "formula":
        assert all(told(language) == told(book.language) for language in book.speeches)


@pytest.mark.rule(54)
@pytest.mark.parametrize("language", ["es", "gl", "ca", "en"])
def test_jackpots_are_told_in_every_language_that_a_rule_book_speaks(language: str) -> None:
    law, told = JACKPOTS["pt"], JACKPOTS[language]
    assert all(set(book.speeches) == set(JACKPOTS) for book in BOOKS)
    assert len(told.names) == len(law.names)
    for name in ("told", "near", "last", "gone"):
        used = [
            {field for _text, field, _spec, _conversion in Formatter().parse(getattr(one, name))}
            for one in (law, told)
        ]
        assert used[0] == used[1], name


@pytest.mark.rule(40)
@pytest.mark.rule("BOE IV")
@pytest.mark.parametrize("book", BOOKS, ids=lambda book: book.code)
def test_sale_closed_says_every_word_of_the_formula_in_order(book: Rulebook) -> None:
    speech = book.speeches[book.language]

    for announcements in (speech.single, speech.double):
        said = iter(words(announcements.sale_closed_two))
        assert all(word in said for word in words(announcements.formula))


@pytest.mark.rule(40)
@pytest.mark.parametrize("book", BOOKS, ids=lambda book: book.code)
def test_sale_closed_of_one_issue_is_how_that_of_two_begins(book: Rulebook) -> None:
    for speech in book.speeches.values():
        for said in (speech.single, speech.double):
            assert said.sale_closed_two.startswith(said.sale_closed)
