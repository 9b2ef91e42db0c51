"""What the cards of an issue are printed with."""

import pytest

from draws.cards import print_queries
from draws.models import Issue, Series
from halls.models import Hall


def issue(seed: str) -> Issue:
    hall = Hall(name="Sala de Bingo", currency="CVE", language="pt")
    series = Series(letter="K", version=1, size=1680, format=90, seed=seed)
    return Issue(pk=431, hall=hall, series=series, identification="000431", face=20_000)


@pytest.mark.django_db
@pytest.mark.parametrize(("seed", "expected"), [("", False), ("demonstration", True)])
def test_cards_of_a_seeded_matrix_are_a_demonstration(seed: str, *, expected: bool) -> None:
    assert print_queries.print_content_values(issue(seed)).demonstration is expected
