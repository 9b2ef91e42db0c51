"""Template tags for an issue in lists and pages: its state, its colours, what is left of it."""

from __future__ import annotations

from collections.abc import Mapping

from django import template
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _

from bingo.money_and_dates import Whole
from draws.cards import labels as cards_labels
from draws.cards import stock_queries
from draws.cards.labels import Text
from draws.cards.print_queries import PrintProgress
from draws.cards.stock_queries import Counted, IssuePart
from draws.models import PrintJob
from draws.refusals import text

register = template.Library()
register.filter("fault", text.print_fault)
register.filter("next_card", stock_queries.next_card)

# The badge of each state: components.css gives every kind a shape of its own.
BADGES = {
    "received": "window",
    "in_stock": "ok",
    "on_sale": "selling",
    "exhausted": "ended",
    "retired": "ended",
    "withdrawn": "ended",
    "sent": "stopped",
    "queued": "window",
    "running": "active",
    "done": "ok",
    "cancelled": "cancelled",
    "failed": "error",
}


@register.simple_tag
def state(issue: Counted) -> SafeString:
    """Return an issue's state as a badge; one of which nothing was sold and nothing is left says so."""
    if issue.state == "exhausted" and not issue.sold:
        return _badge("retired", cards_labels.ALL_RETIRED)
    return _badge(issue.state, cards_labels.STATES[issue.state])


@register.simple_tag
def print_state(code: str) -> SafeString:
    """Return a print's state as a badge."""
    return _badge(code, cards_labels.PRINTS[code])


def _badge(code: str, word: object) -> SafeString:
    return format_html('<span class="badge badge--{}">{}</span>', BADGES[code], word)


@register.simple_tag
def face(code: str) -> SafeString:
    """Return the colour of a card's face: a swatch and its name."""
    return _swatch(code, strong=False)


@register.simple_tag
def back(code: str) -> SafeString:
    """Return the colour of a card's back: a swatch and its name."""
    return _swatch(code, strong=True)


def _swatch(code: str, *, strong: bool) -> SafeString:
    colour = cards_labels.COLOURS.get(code)
    if colour is None:
        return format_html('<span class="swatch">{}</span>', code)
    return format_html(
        '<span class="swatch"><svg class="swatch__ink" viewBox="0 0 20 20" aria-hidden="true">'
        '<rect width="20" height="20" fill="{}" /></svg>{}</span>',
        # The tint alone is too pale to be told from its neighbours on a screen.
        colour.strong if strong else colour.shade if code != "white" else colour.tint,
        colour.name,
    )


@register.simple_tag
def cards_bar(issue: Counted) -> SafeString:
    """Return a small picture of an issue: sold, retired, left, drawn to scale and put into words."""
    parts = [
        IssuePart("sold", 1, issue.sold),
        IssuePart("left", issue.sold + 1, issue.sold + issue.left),
    ]
    retired = issue.sold + issue.left
    parts.append(IssuePart("retired", retired + 1, retired + issue.retired))
    return _strip(parts, retired + issue.retired, _summary(issue), "cards-bar")


@register.simple_tag
def cards_strip(parts: list[IssuePart], issue: Counted) -> SafeString:
    """Return the whole issue from its first card to its last, every part where it stands."""
    return _strip(parts, issue.sold + issue.left + issue.retired, _summary(issue), "cards-strip")


def _summary(issue: Counted) -> str:
    values = {
        "sold": Whole(issue.sold),
        "left": Whole(issue.left),
        "retired": Whole(issue.retired),
    }
    return _("%(sold)s sold, %(left)s left, %(retired)s retired") % values


def _strip(parts: list[IssuePart], size: int, told: str, kind: str) -> SafeString:
    drawn = format_html_join(
        "",
        '<rect class="is-{}" x="{}" width="{}" y="{}" height="{}" />',
        (
            (part.kind, part.first - 1, part.cards, *_height(part.kind))
            for part in parts
            if part.cards
        ),
    )
    return format_html(
        '<svg class="{}" viewBox="0 0 {} 10" preserveAspectRatio="none" role="img"'
        ' aria-label="{}"><title>{}</title>{}</svg>',
        kind, max(size, 1), told, told, drawn,
    )  # fmt: skip


def _height(kind: str) -> tuple[int, int]:
    """Top and height: parts differ in shape too, for who does not see their colours."""
    return {"sold": (8, 2), "retired": (3, 4), "left": (0, 10)}[kind]


@register.filter
def spaced(digest: str) -> str:
    """Write a digest in groups of eight, so that two can be compared by eye."""
    return " ".join(digest[at : at + 8] for at in range(0, len(digest), 8))


@register.filter
def paper(code: str) -> Text:
    """Name a paper."""
    return cards_labels.PAPERS.get(code, code)


@register.filter
def paper_short(code: str) -> Text:
    """Name a paper in a word."""
    return cards_labels.PAPERS_SHORT.get(code, code)


@register.simple_tag
def standing(job: PrintJob, standings: Mapping[int, PrintProgress]) -> PrintProgress:
    """Return how far a print has come."""
    return standings[job.pk]


@register.filter
def code(kind: str) -> Text:
    """Name a kind of code."""
    return cards_labels.CODES.get(kind, kind)


@register.filter
def source(kind: str) -> Text:
    """Name where a matrix came from."""
    return cards_labels.SOURCES.get(kind, kind)
