"""A hall's own figures: each under one name, each drawn once."""

import pytest

from bingo.rules.refusal import Refusal
from draws.cards import hall_patterns
from draws.models import Pattern
from draws.record.audit import audit
from halls.models import Hall, JournalEntry, Role
from tests.support.evening import Evening
from tests.support.planting_rows import plant
from tests.support.playing import refuses
from tests.support.service_commands.cards import CROSS

pytestmark = pytest.mark.django_db

HOLLOW_CROSS = ["..X..", "..X..", "XX.XX", "..X..", "..X.."]
RING = ["XXXXX", "X...X", "X...X", "X...X", "XXXXX"]


def save(evening: Evening, name: str, drawing: object) -> Pattern:
    """Keep a figure."""
    return hall_patterns.save(
        hall=evening.hall,
        name=name,
        drawing=drawing,  # type: ignore[arg-type]
        **evening.who(Role.HALL_MANAGER),
    )


@pytest.mark.rule(73)
@pytest.mark.rule(76)
def test_figure_is_kept_under_its_name() -> None:
    evening = Evening()
    kept = save(evening, "Cruz", CROSS)
    assert kept.drawing == "..X../..X../XXXXX/..X../..X.."
    told = JournalEntry.objects.latest("number")
    assert (told.kind, told.data) == ("pattern_saved", {"name": "Cruz", "drawing": kept.drawing})
    assert kept.saved_at == told.at
    assert audit(Hall.objects.get()) == []


@pytest.mark.rule(73)
def test_figure_that_cannot_be_is_refused(subtests: pytest.Subtests) -> None:
    evening = Evening()
    save(evening, "Cruz", CROSS)
    for expected, name, drawing in (
        (Refusal("pattern_name_used", name="Cruz"), "Cruz", RING),
        (Refusal("pattern_drawing_used", name="Cruz"), "Outra", CROSS),
        # The free centre counts for nothing: with or without it the figure is the same.
        (Refusal("pattern_drawing_used", name="Cruz"), "Outra", HOLLOW_CROSS),
        ("pattern_name_missing", " ", RING),
        (Refusal("pattern_name_too_long", most=40), "x" * 41, RING),
        (Refusal("pattern_name_too_long", most=40), "a\nb", RING),
        ("pattern_wrong_shape", "Outra", RING[:4]),
        ("pattern_wrong_shape", "Outra", "XXXXX"),
        ("pattern_empty", "Outra", ["....."] * 5),
        ("pattern_whole_card", "Outra", ["XXXXX"] * 5),
    ):
        with subtests.test(expected=str(expected), name=name), refuses(expected):
            save(evening, name, drawing)


def test_other_hall_may_have_the_same_figure() -> None:
    save(Evening(), "Cruz", CROSS)
    assert save(Evening("outra"), "Cruz", CROSS).pk


def test_rule_book_without_seventy_five_has_no_figures() -> None:
    evening = Evening()
    plant(Hall.objects.all(), rulebook="spain-1979")
    evening.hall.refresh_from_db()
    with refuses("format_not_in_rulebook"):
        save(evening, "Cruz", CROSS)
