"""Every code that can reach a person has its words, with the values it is raised with."""

import ast
import re
import string
from datetime import date
from pathlib import Path

import pytest
from django.template.loader import render_to_string
from django.utils import translation
from django.utils.formats import date_format

from bingo.money_and_dates import ESCUDO, currency_override
from bingo.rules import jackpots, rulebooks
from bingo.rules import session as rules
from bingo.rules.patterns import COLUMN, CORNERS, PRIZES
from bingo.rules.prize_distributions import PRIMA
from bingo.rules.refusal import Refusal
from bingo.rules.session import NOTES
from bingo.rules.session_state import Phase
from bingo.rules.steps.voiding import CAUSES
from draws import trade_words
from draws.record.audit import session_entries
from draws.refusals import text
from halls.checkpoints import queries as checkpoints_queries
from halls.journal.services import JOURNALLED
from halls.models import Role
from tests.support.evening import Evening

ROOT = Path(__file__).resolve().parents[2]

# Raised only by a journal, row or file that no page of ours can have written.
ONLY_CORRUPT = {
    "ball_not_announced", "bad_card", "bad_retired", "fact_disagrees", "fact_malformed", "impossible_margins",
    "last_sold_negative", "negative_amount", "negative_weight", "no_first",
    "no_weight", "not_canonical", "number_out_of_range", "prizes_not_fixed",
    "repeated_ball", "same_issue", "session_open", "unknown_duties", "unknown_fact",
}  # fmt: skip


def raised() -> dict[str, list[set[str]]]:
    """Return every refusal of the sources: its code, and the values of each place that raises it."""
    found: dict[str, list[set[str]]] = {}
    for folder in ("bingo", "halls", "draws"):
        for path in (ROOT / folder).rglob("*.py"):
            for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
                if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Name):
                    continue
                if (
                    node.func.id == "Refusal"
                    and node.args
                    and isinstance(node.args[0], ast.Constant)
                ):
                    values = {keyword.arg or "" for keyword in node.keywords}
                    found.setdefault(str(node.args[0].value), []).append(values)
    return found


def fields(sentence: object) -> set[str]:
    """Return the names in braces; a range is written of its first and its last."""
    named = {name for _text, name, _spec, _how in string.Formatter().parse(str(sentence)) if name}
    return named - {"range"} | {"first", "last"} if "range" in named else named


def test_every_refusal_that_can_reach_a_person_has_a_sentence() -> None:
    assert len(raised()) > 90
    told = {*text.REFUSALS, *checkpoints_queries.FAULTS}
    assert set(raised()) - told == ONLY_CORRUPT


@pytest.mark.slow
def test_every_sentence_belongs_to_a_refusal() -> None:
    assert set(text.REFUSALS) - set(raised()) == set()


@pytest.mark.slow
def test_every_sentence_names_only_values_it_is_raised_with() -> None:
    faults = [
        (code, named - values)
        for code, places in raised().items()
        for values in places
        if code in text.REFUSALS and (named := fields(text.REFUSALS[code])) - values
    ]
    assert faults == []


def test_every_sentence_ends_as_one_and_says_more_than_no() -> None:
    for code, sentence in text.REFUSALS.items():
        assert str(sentence).endswith((".", "?")), code
        assert len(str(sentence).split()) >= 4, code


# Numbers that name something, and what people or programs wrote: these are said as they are.
AS_THEY_ARE = {
    "address", "age", "authorisation", "ball", "ball_set", "balls", "browser", "camera", "card",
    "case", "cause", "columns", "complaint", "entry", "equipment", "fault", "file", "first",
    "folder", "format", "game", "hall", "health", "height", "highest", "host", "identification",
    "issue", "kind", "known", "lacks", "last", "letter", "name", "next", "number", "numbers",
    "pattern", "person", "player", "printer", "provider", "reason", "reference", "rows", "rule",
    "session", "till", "typed", "username", "version", "what", "where", "why", "width",
}  # fmt: skip


def test_every_value_that_a_sentence_names_is_written_for_people_or_is_a_word_already() -> None:
    further = [(code, one) for code, told in text.FURTHER.items() for one in told.values()]
    plain = {
        (code, name)
        for code, sentence in (*text.REFUSALS.items(), *further)
        for name in fields(sentence) - {*text.WRITTEN, *text.OF_REFUSAL.get(code, ())}
    }
    assert {(code, name) for code, name in plain if name not in AS_THEY_ARE} == {
        ("quantity_unusual", "amount"),  # the till has written it
        ("checkpoint_witness_conflict", "place"),
    }
    assert {name for _code, name in plain} >= AS_THEY_ARE


@pytest.mark.django_db
def test_person_prize_day_and_language_are_called_as_pages_call_them() -> None:
    seller = Evening().person(Role.SELLER)
    for code, values, word in (
        ("blocks_out", {"seller": seller.username, "first": 1, "last": 9}, seller.name),
        ("not_handed_out", {"seller": seller.username, "first": 1, "last": 9}, seller.name),
        ("same_seller", {"seller": seller.username}, seller.name),
        ("call_not_answered", {"combination": "line"}, "Línea"),
        ("jackpot_time_over", {"until": "2026-12-31"}, "31 de diciembre de 2026"),
        ("language_repeated", {"language": "pt"}, "Portugués"),
    ):
        with translation.override("es"):
            said = text.refusal(Refusal(code, **values))
        assert word in said, said
        assert not any(f" {raw}" in said for raw in (seller.username, "line", "2026-12", "pt"))


@pytest.mark.slow
@pytest.mark.django_db
@pytest.mark.parametrize("language", ["pt", "es", "gl", "ca", "en"])
def test_refusals_are_said_with_their_values(language: str) -> None:
    with translation.override(language):
        for code, places in raised().items():
            values: dict[str, object] = dict.fromkeys(places[0], 7)
            if "roles" in values:
                values["roles"] = [Role.CASHIER.value, Role.CALLER.value]
            if "phase" in values:
                values["phase"] = "drawing"
            values |= {name: [7] for name in ("missing", "foreign", "symbols") if name in values}
            if "limits" in values:
                values["limits"] = [{"format": 90, "balls": 45}]
            if "item" in values:
                values["item"] = ["camera", "Saída"]
            said = text.refusal(Refusal(code, **values))
            assert "{" not in said, code
            assert "%(" not in said, code


def test_refusal_without_a_sentence_names_its_code() -> None:
    with translation.override("en"):
        assert "no_such_code" in text.refusal(Refusal("no_such_code", card=7))


def test_wrong_phase_names_the_phase_in_words() -> None:
    with translation.override("en"):
        said = text.refusal(Refusal("wrong_phase", phase="selling", command="ball_announced"))
    assert said == "Not now: cards on sale. Wait for the next step."


def test_not_allowed_names_whom_to_ask() -> None:
    with translation.override("en"):
        said = text.refusal(Refusal("not_allowed", roles=["hall_manager", "table_chief"]))
    assert said == "Your role does not allow this. Ask: hall manager, table chief."


@pytest.mark.parametrize(("last", "cards"), [(5, "5"), (8, "5–8")])
def test_a_single_card_is_no_range(last: int, cards: str) -> None:
    refused = Refusal("not_in_the_block", first=5, last=last)
    with translation.override("en"):
        assert f"of cards {cards}, in order" in text.refusal(refused)


TOO_MANY = (
    "300 cards are too many: without repetition there are at most 200 (there are no more different "
    "lines)."
)
FAULTY = (
    "The series is not legal (R14): card 7. The line 1, 12, 23 is found more than once. Faults in "
    "all: 3."
)


@pytest.mark.parametrize(
    ("refused", "said"),
    [
        (
            Refusal("back_colour_taken", colour="navy", letter="K"),
            "The colour navy blue is that of the backs of series K (R18): choose another.",
        ),
        (
            Refusal("face_colour_differs", face=200_00, colour="red", expected_colour="yellow"),
            "The faces of cards at 200 are yellow, not red (R18): choose that colour.",
        ),
        (
            Refusal("face_colour_taken", colour="yellow", face=2_50),
            "The colour yellow is that of the faces of cards at 2.50 (R18): choose another.",
        ),
        (
            Refusal("unknown_colour", colour="beige"),
            "Cards are not printed in the colour “beige”: choose one of the list.",
        ),
        (
            Refusal("series_too_large", size=300, limit=200, bound="lines"),
            TOO_MANY,
        ),
        (
            Refusal("bingo_below_floor", bingo=5335, floor=5500),
            "The bingo must keep at least 55% of the sales (R7): it would get 53.35%.",
        ),
        (
            Refusal("fund_differs", fund=7900, expected=8000),
            "All prizes together must be 80% of the sales (R7): they are 79%.",
        ),
        (
            Refusal(
                "series_faulty", card=7, rule="R14", fault="repeated_line",
                values={"numbers": (1, 12, 23)}, count=3,
            ),
            FAULTY,
        ),
        (
            Refusal("series_faulty", card=7, rule="R14", fault="new", values={}, count=1),
            "The series is not legal (R14): card 7. new Faults in all: 1.",
        ),
    ],
)  # fmt: skip
def test_values_of_a_refusal_are_written_as_people_read_them(refused: Refusal, said: str) -> None:
    with translation.override("en"):
        assert text.refusal(refused) == said


def test_fault_of_a_print_is_said_whether_it_was_refused_or_failed() -> None:
    with translation.override("en"):
        assert str(text.print_fault("print_disk_full")).startswith("The disk is full")
        assert str(text.print_fault("matrix_changed")).startswith("The stored cards")
    assert text.print_fault("nothing_known") == "nothing_known"


def test_every_phase_prize_category_and_cause_has_a_word() -> None:
    assert set(trade_words.PHASES) == {phase.value for phase in Phase} | {
        "none",
        "open",
        "paid_later",
        "void_settled",
    }
    levels = {jackpots.prize(level) for level in range(jackpots.MOST_LEVELS)}
    assert set(trade_words.COMBINATIONS) == {*PRIZES, COLUMN, CORNERS, PRIMA, *levels}
    assert set(trade_words.CATEGORIES) == set(NOTES)
    assert set(trade_words.CAUSES) == set(CAUSES)


def test_every_kind_of_entry_has_a_word() -> None:
    assert set(trade_words.KINDS) == set(rules.DECIDERS) | set(session_entries.BESIDE) | {
        "session_opened"
    }
    assert trade_words.kind("nothing_known") == "nothing_known"


@pytest.mark.slow
def test_every_refusal_that_is_journalled_is_raised_somewhere() -> None:
    assert set(JOURNALLED) - set(raised()) == set()


@pytest.mark.parametrize(
    ("language", "said"),
    [("pt", "1\N{NO-BREAK SPACE}680,50"), ("es", "1.680,50"), ("en", "1,680.50")],
)
def test_amounts_of_a_refusal_are_grouped_as_on_every_page(language: str, said: str) -> None:
    with translation.override(language):
        told = text.refusal(Refusal("second_person_needed", amount=1_680_50, limit=500_00))
    assert said in told
    assert "500" in told
    assert not any(apart in told for apart in ("500,00", "500.00", "1680"))


@pytest.mark.parametrize(
    ("currency", "said"),
    [("XOF", "1,500"), ("CVE", "15"), ("TND", "1.500"), (ESCUDO, "15")],
)
def test_amounts_of_a_refusal_have_the_places_of_the_active_currency(
    currency: str, said: str
) -> None:
    refused = Refusal("bad_face", face=1500, faces=[3000])
    with translation.override("en"), currency_override(currency):
        assert text.refusal(refused).startswith(f"No card costs {said}")


def test_refusal_calls_a_rule_book_by_the_name_of_its_law() -> None:
    refused = Refusal("other_rulebook", rulebook="spain-1979", expected="cape-verde-2017")
    told = text.refusal(refused)
    assert all(book.title in told for book in rulebooks.RULEBOOKS.values())
    assert not any(code in told for code in rulebooks.RULEBOOKS)
    assert "atlantis" in text.refusal(Refusal("unknown_rulebook", rulebook="atlantis"))


@pytest.mark.rule(32)
def test_words_about_what_broke_down_send_nobody_to_retire_it_while_that_is_refused() -> None:
    with translation.override("en"):
        refused = text.refusal(Refusal("equipment_broken", item=["camera", "Saída"], note="dark"))
        advice = render_to_string("equipment/failing_item_advice.html", {"why": "broken"})
    for told in (refused, advice):
        assert "when it works again" in told
        assert "retire" not in told


def test_field_of_a_further_level_of_the_jackpot_is_called_as_the_first_levels() -> None:
    with translation.override("en"):
        said = text.refusal(Refusal("bad_input", field="jackpot_3_rate", wanted="percent"))
    assert said.startswith("Look at “Of the prizes, %”")


def test_nobody_who_takes_cash_out_of_a_drawer_is_told_to_have_some_brought() -> None:
    with translation.override("en"):
        assert "take less" in text.refusal(Refusal("cash_short", left=5, taken=7))
        assert "bring some" in text.refusal(Refusal("cash_short", left=5, due=7))


@pytest.mark.parametrize(
    ("code", "name"),
    [
        ("jackpot_time_over", "until"), ("retention_in_the_past", "today"),
        ("retention_too_soon", "day"), ("jackpot_ends_before_it_begins", "ends"),
    ],
)  # fmt: skip
def test_days_of_a_refusal_are_written_as_the_reader_writes_them(code: str, name: str) -> None:
    with translation.override("en"):
        said = text.refusal(Refusal(code, **{"begins": "2026-12-02"} | {name: "2026-11-01"}))
        assert date_format(date(2026, 11, 1)) in said


@pytest.mark.parametrize(
    ("values", "said"),
    [
        ({"amount": 0}, "This amount is zero, below it or too large: type it again."),
        ({"typed": "5.0,0"}, "cannot be read with certainty: type it like 5000 or 5000.50."),
        ({"whole": "50,5"}, "cannot be read with certainty: type it whole, like 5000."),
    ],
)
def test_amount_that_is_refused_is_told_apart_from_one_that_cannot_be_read(
    values: dict[str, object], said: str
) -> None:
    with translation.override("en"):
        assert text.refusal(Refusal("bad_amount", **values)).endswith(said)


def test_door_is_told_to_count_people_and_not_cards() -> None:
    with translation.override("en"):
        assert "people" in text.refusal(Refusal("bad_count", inside=-1, most=100_000))
        assert "cards" in text.refusal(Refusal("bad_count", counted=-1, most=100_000))


def test_english_counts_nothing_that_may_be_one_in_the_plural() -> None:
    plural = re.compile(r"\{(?:left|seconds|had|named|count|drawn)\} (?:\w+ )?\w+s\b")
    with translation.override("en"):
        said = {code: str(sentence) for code, sentence in text.REFUSALS.items()}
    assert [code for code, sentence in said.items() if plural.search(sentence)] == []


def test_text_that_is_missing_is_asked_for_in_words_that_fit_a_remark_and_an_answer_too() -> None:
    with translation.override("en"):
        assert "happened" not in text.refusal(Refusal("text_missing"))
