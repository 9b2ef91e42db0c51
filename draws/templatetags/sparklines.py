"""A curve of sales as a small picture between words: bars, drawn on the server."""

from django import template
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _

from draws.queries.curves import Curve

register = template.Library()

HEIGHT = 20
NONE = "–"
LEAST = {"": 20, "wide": 60}  # bars that there is room for: two sales make no wall
MINUTE = 60


@register.simple_tag
def sparkline(curve: Curve, size: str = "") -> SafeString:
    """Give a curve as SVG with its text; `size` is empty, or wide for one that fills its line."""
    if not curve.counts:
        return format_html('<span class="soft" aria-hidden="true">{}</span>', NONE)
    most = max(curve.counts)
    bars = "".join(
        f"M{place} {HEIGHT}v-{_height(count, most)}h.8v{_height(count, most)}z"
        for place, count in enumerate(curve.counts)
        if count
    )
    return format_html(
        '<svg class="spark{}" viewBox="0 0 {} {}" preserveAspectRatio="none" role="img">'
        '<title>{}</title><path d="{}" /></svg>',
        f" spark--{size}" if size else "",
        max(LEAST[size], len(curve.counts)),
        HEIGHT,
        told(curve),
        bars,
    )


@register.simple_tag
def sparkline_text(curve: Curve) -> str:
    """Say what the picture of a curve shows, for those who read it beside the picture."""
    return told(curve)


def told(curve: Curve) -> str:
    """Say what the picture shows."""
    values = {"most": max(curve.counts), "last": curve.counts[-1]}
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
    """Give a bar's height; the smallest can still be seen."""
    return max(2, round(count * HEIGHT / most))
