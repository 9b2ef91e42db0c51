"""Template tags for the terms of the field, divisions of sales, and curves of sales.

How the sales of a game are divided is a bar drawn to scale; a curve is bars between words, drawn on
the server. Also ranges of cards, notes and coins as people call them, for the cashier's page, and why a certificate
counts no longer.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import accumulate
from typing import Any

from babel.numbers import get_currency_precision
from django import template
from django.utils.functional import Promise
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString
from django.utils.translation import get_language, ngettext
from django.utils.translation import gettext as _

from bingo.money_and_dates import Whole, Writing, number_range
from bingo.rules import rulebooks
from bingo.rules.session_state import Phase
from draws import trade_words
from draws.authorisations import labels as authorisations_labels
from draws.balls import labels as balls_labels
from draws.balls.enrolment_queries import Lapse
from draws.claims import queries as claims_queries
from draws.models import Game
from draws.prizes.labels import SharePart
from draws.sales.queries import SalesCurve
from halls.models import Hall
from halls.templatetags.hall import percent

register = template.Library()
register.filter("jackpot_limits", authorisations_labels.of_level)
register.filter("jackpot_rises", authorisations_labels.rises)
register.filter("rulebook", rulebooks.title)
register.filter("verdict", claims_queries.verdict)


@register.filter
def lapsed(lapse: Lapse) -> str:
    """Say what has changed since it was made."""
    return balls_labels.lapsed(lapse.change, lapse.balls)


@register.filter
def remedy(lapse: Lapse) -> Promise | str:
    """Say what to do about it."""
    return balls_labels.certificate_remedy(lapse.change)


LENGTH, SHARE_HEIGHT = 1000, 10


@register.simple_tag
def division(parts: Sequence[SharePart]) -> SafeString:
    """Return parts of one whole as a bar, put into words too."""
    ends = list(accumulate(_length(part) for part in parts))
    told = ", ".join(f"{part.label} {percent(part.points)}" for part in parts)
    drawn = format_html_join(
        "",
        '<rect class="is-{}" x="{}" width="{}" height="{}" />',
        (
            (part.code, round(end - _length(part), 2), round(_length(part), 2), SHARE_HEIGHT)
            for part, end in zip(parts, ends, strict=True)
        ),
    )
    return format_html(
        '<svg class="division" viewBox="0 0 {} {}" preserveAspectRatio="none" role="img"'
        ' aria-label="{}"><title>{}</title>{}</svg>',
        LENGTH, SHARE_HEIGHT, told, told, drawn,
    )  # fmt: skip


@register.simple_tag
def part_key(part: SharePart) -> SafeString:
    """Return the colour that a part has in the bar."""
    return format_html(
        '<svg class="division__key" viewBox="0 0 10 10" aria-hidden="true">'
        '<rect class="is-{}" width="10" height="10" /></svg>',
        part.code,
    )


def _length(part: SharePart) -> float:
    return part.amount / part.whole * LENGTH


SPARKLINE_HEIGHT = 20
NONE = "–"
LEAST = {"": 20, "wide": 60}  # bars that there is room for: two sales make no wall
MINUTE = 60


@register.simple_tag
def sparkline(curve: SalesCurve, size: str = "") -> SafeString:
    """Return a curve as SVG with its text; `size` is empty, or wide for one that fills its line."""
    if not curve.counts:
        return format_html('<span class="soft" aria-hidden="true">{}</span>', NONE)
    most = max(curve.counts)
    bars = "".join(
        f"M{place} {SPARKLINE_HEIGHT}v-{_height(count, most)}h.8v{_height(count, most)}z"
        for place, count in enumerate(curve.counts)
        if count
    )
    return format_html(
        '<svg class="spark{}" viewBox="0 0 {} {}" preserveAspectRatio="none" role="img">'
        '<title>{}</title><path d="{}" /></svg>',
        f" spark--{size}" if size else "",
        max(LEAST[size], len(curve.counts)),
        SPARKLINE_HEIGHT,
        describe_curve(curve),
        bars,
    )


@register.simple_tag(name="sparkline_text")
def describe_curve(curve: SalesCurve) -> str:
    """Say what the picture shows."""
    values: dict[str, int] = {
        "most": Whole(max(curve.counts)),
        "last": Whole(curve.counts[-1]),
    }
    if curve.step % MINUTE:
        values["seconds"] = curve.step
        text = _("Cards sold in %(seconds)s seconds: %(most)s at most, %(last)s of late")
    elif curve.step == MINUTE:
        text = _("Cards sold in a minute: %(most)s at most, %(last)s of late")
    else:
        values["minutes"] = curve.step // MINUTE
        text = _("Cards sold in %(minutes)s minutes: %(most)s at most, %(last)s of late")
    return text % values


def _height(count: int, most: int) -> int:
    """Return a bar's height; the smallest can still be seen."""
    return max(2, round(count * SPARKLINE_HEIGHT / most))


@register.filter
def piece(worth: int, hall: Hall) -> str:
    """Name a note or coin by its worth: 2 000 for two thousand, 0,50 for fifty cents."""
    whole, cents = divmod(worth, 10 ** get_currency_precision(hall.currency))
    writing = Writing(get_language() or "pt", hall.written_currency)
    return writing.amount(worth) if cents else writing.whole(whole)


@register.filter
def phase(game: Game) -> Promise | str:
    """Name where a game stands (R45)."""
    first = game.issue.double and game.first_half_id is None
    rulebook = rulebooks.get(game.session.state["terms"]["rulebook"])
    later = first and not rulebook.double_paid_at_once
    return trade_words.PHASES["paid_later" if later and game.phase == Phase.PAYING else game.phase]


@register.filter
def combination(code: str) -> Promise | str:
    """Name a prize."""
    return trade_words.COMBINATIONS[code]


@register.filter
def cards(part: Any) -> str:
    """Write the cards of a sale, a block or any part that has or is a first and a last: 7, or 5–8."""
    return number_range(*_ends(part))


@register.filter
def named_cards(part: Any) -> str:
    """Likewise, with what they are: card 7, or cards 5–8."""
    first, last = _ends(part)
    told = ngettext("card %(cards)s", "cards %(cards)s", last - first + 1)
    return told % {"cards": number_range(first, last)}


def _ends(part: Any) -> tuple[int, int]:
    if isinstance(part, Mapping):
        return part["first"], part["last"]
    if isinstance(part, Sequence):
        return part[0], part[-1]
    return part.first, part.last
