"""What the pages of a hall need in every form and figure."""

from typing import Any
from uuid import uuid4

from babel.numbers import format_percent
from django import template
from django.middleware.csrf import get_token
from django.urls import reverse
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import get_language

from bingo import amounts
from halls.models import Hall

register = template.Library()


@register.filter
def money(amount: int, hall: Hall) -> str:
    """Write an amount of minor units in the reader's language."""
    return amounts.text(amount or 0, currency=hall.currency, language=get_language() or "pt")


@register.filter
def money_in(amount: int, currency: str) -> str:
    """Write an amount of minor units of a currency in the reader's language."""
    return amounts.text(amount, currency=currency, language=get_language() or "pt")


@register.filter
def percent(points: float) -> str:
    """Write basis points as a percentage."""
    return format_percent(points / 10_000, "#,##0.##%", locale=get_language() or "pt")


@register.simple_tag(takes_context=True)
def order(context: dict[str, Any], verb: str) -> SafeString:
    """Give the attributes of a form that sends an order to the page's desk."""
    address = reverse(f"{context['desk']}-do", args=[verb])
    return format_html(
        'method="post" action="{0}" hx-post="{0}" hx-target="#live" hx-swap="outerHTML"'
        ' hx-disabled-elt="find button" autocomplete="off"',
        address,
    )


@register.simple_tag(takes_context=True)
def key(context: dict[str, Any]) -> SafeString:
    """Give a form's hidden fields: the key that makes a repeated sending harmless, and the token."""
    return format_html(
        '<input type="hidden" name="key" value="{}" />'
        '<input type="hidden" name="csrfmiddlewaretoken" value="{}" />',
        uuid4(),
        get_token(context["request"]),
    )


@register.simple_tag(takes_context=True)
def live(context: dict[str, Any]) -> SafeString:
    """Give the attributes of the part of a page that follows the hall's journal."""
    return format_html(
        'id="live" data-number="{}" data-place="{}" hx-get="{}" hx-trigger="live"'
        ' hx-swap="outerHTML"',
        context["now"].number,
        context["place"],
        reverse(f"{context['desk']}-live"),
    )
