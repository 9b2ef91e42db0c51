"""What the forms of an office page need: where they send, and what they held when refused."""

from typing import Any

from django import template
from django.urls import reverse
from django.utils.html import format_html
from django.utils.safestring import SafeString

register = template.Library()


@register.simple_tag(takes_context=True)
def send(context: dict[str, Any], verb: str) -> SafeString:
    """Give the attributes of a form that sends an order to the page's own address."""
    address = reverse(f"{context['page_name']}-do", kwargs={**context["place"], "verb": verb})
    return format_html('method="post" action="{}" autocomplete="off"', address)


@register.simple_tag(takes_context=True)
def typed(context: dict[str, Any], verb: str, name: str, default: Any = "") -> Any:
    """Give what a field of a refused form held, else what stands in it at first."""
    if context["verb"] != verb:
        return "" if default is None else default
    return context["typed"].get(name, "")


@register.simple_tag(takes_context=True)
def ticked(context: dict[str, Any], verb: str, name: str, default: bool = False) -> SafeString:
    """Give the mark of a box that was ticked when its form was refused, or is so at first."""
    on = context["typed"].get(name) == "on" if context["verb"] == verb else default
    return SafeString("checked") if on else SafeString("")


@register.simple_tag(takes_context=True)
def refused(context: dict[str, Any], verb: str) -> bool:
    """Tell whether it is this form that was refused."""
    return bool(context["verb"] == verb)
