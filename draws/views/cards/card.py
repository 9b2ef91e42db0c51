"""One card of a matrix, large: its numbers, its strip, and where it stands in every issue."""

from __future__ import annotations

from dataclasses import dataclass

from django.http import Http404

from bingo.rules import cards as rules
from bingo.rules import codes, formats
from draws.models import Issue
from draws.queries import matrix
from draws.queries.fingerprint import as_rows
from draws.views.cards.matrix import ISSUES, PER_PAGE, series_of
from draws.views.page import Asked, Context, Page


@dataclass(frozen=True, slots=True)
class Held:
    """A card in one issue: sold, retired or left, and the code that it carries there."""

    issue: Issue
    kind: str
    code: str


def context(asked: Asked) -> Context:
    """Give the card with everything about it."""
    series, number = series_of(asked), asked.place["card"]
    if not 1 <= number <= series.size:
        raise Http404
    format = formats.get(series.format)
    first, last = matrix.strip(series, number, length=format.strip)
    near = {card.number: card for card in matrix.between(series, first, last)}
    rows = as_rows(near[number].rows)
    issues = matrix.issues(series, most=ISSUES + 1)
    return {
        "tab": "series",
        "series": series,
        "card": near[number],
        "numbers": sorted(rules.numbers(rows)),
        "strip": list(near.values()) if format.strip > 1 else [],
        "strip_number": (number - 1) // format.strip + 1,
        "before": number - 1,
        "after": number + 1 if number < series.size else 0,
        "page_number": (number - 1) // PER_PAGE + 1,
        "held": [_held(issue, number) for issue in issues[:ISSUES]],
        "more_issues": len(issues) > ISSUES,
    }


def _held(issue: Issue, number: int) -> Held:
    retired = any(one.first <= number <= one.last for one in issue.retirements.all())
    kind = "retired" if retired else "sold" if number <= issue.last_sold else "left"
    return Held(issue, kind, codes.grouped(codes.encode(issue.pk, number)))


PAGE = Page("cards-card", "cards/series/<int:series>/<int:card>/", "cards/one_card.html", context)
