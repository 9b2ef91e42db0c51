"""How the sales of a game are divided, as a bar drawn to scale."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate

from django import template
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString

from draws.documents.divided import Part
from halls.templatetags.hall import percent

register = template.Library()

LENGTH, HEIGHT = 1000, 10


@register.simple_tag
def division(parts: Sequence[Part]) -> SafeString:
    """Give parts of one whole as a bar, put into words too."""
    ends = list(accumulate(_length(part) for part in parts))
    told = ", ".join(f"{part.label} {percent(part.points)}" for part in parts)
    drawn = format_html_join(
        "",
        '<rect class="is-{}" x="{}" width="{}" height="{}" />',
        (
            (part.code, round(end - _length(part), 2), round(_length(part), 2), HEIGHT)
            for part, end in zip(parts, ends, strict=True)
        ),
    )
    return format_html(
        '<svg class="division" viewBox="0 0 {} {}" preserveAspectRatio="none" role="img"'
        ' aria-label="{}"><title>{}</title>{}</svg>',
        LENGTH, HEIGHT, told, told, drawn,
    )  # fmt: skip


@register.simple_tag
def part_key(part: Part) -> SafeString:
    """Give the colour that a part has in the bar."""
    return format_html(
        '<svg class="division__key" viewBox="0 0 10 10" aria-hidden="true">'
        '<rect class="is-{}" width="10" height="10" /></svg>',
        part.code,
    )


def _length(part: Part) -> float:
    return part.amount / part.whole * LENGTH
