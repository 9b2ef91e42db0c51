"""What a check found is said in words that tell the player why (R43)."""

from typing import Any

import pytest
from django.utils import translation

from bingo.rules.steps import claiming
from draws.claims import queries as claims_queries
from draws.claims.queries import verdict

Found = dict[str, Any]


def missing(*numbers: int) -> Found:
    """The data of a check that missed numbers."""
    return {"reason": "numbers_missing", "missing": list(numbers)}


@pytest.mark.rule(43)
@pytest.mark.parametrize(
    ("found", "said"),
    [
        ({"reason": None}, "Right"),
        (missing(7), "Wrong: 1 number missing: 7"),
        (missing(7, 45, 90), "Wrong: 3 numbers missing: 7, 45, 90"),
        (missing(1, 2, 3, 4, 5, 6), "Wrong: 6 numbers missing"),
        ({"reason": "not_sold"}, "Wrong: this card was not sold in this game"),
        ({"reason": "not_sound"}, "Wrong: the card is not marked or not intact"),
        ({"reason": "not_sound", "fault": "damaged"}, "Wrong: the card is damaged"),
        # What else was seen of a card does not hide why it wins nothing.
        (missing(7) | {"fault": "damaged"}, "Wrong: 1 number missing: 7"),
    ],
)
def test_verdict_says_what_the_check_found(found: Found, said: str) -> None:
    with translation.override("en"):
        assert verdict(found) == said


@pytest.mark.rule(30)
@pytest.mark.rule(50)
def test_every_cause_of_a_wrong_card_has_a_sentence_of_its_own() -> None:
    causes = [
        claiming.OTHER_ISSUE,
        claiming.WRITTEN_OFF,
        claiming.EARLIER,
    ]
    sold = [verdict({"reason": "not_sold", "why": why}) for why in causes]
    sound = [verdict({"reason": "not_sound", "fault": fault}) for fault in claiming.FAULTS]
    plain = [verdict({"reason": reason}) for reason in ("not_sold", "not_sound")]
    assert len({*sold, *sound, *plain}) == len(causes) + len(claiming.FAULTS) + 2
    assert set(claims_queries.FAULTS) == set(claiming.FAULTS)
