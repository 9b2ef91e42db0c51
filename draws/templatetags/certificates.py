"""What a page says of a certificate that counts no longer."""

from django import template
from django.utils.functional import Promise

from draws.documents import certificate_words
from draws.queries.certificates import Lapse

register = template.Library()


@register.filter
def lapsed(lapse: Lapse) -> str:
    """Say what has changed since it was made."""
    return certificate_words.lapsed(lapse.change, lapse.balls)


@register.filter
def remedy(lapse: Lapse) -> Promise | str:
    """Say what to do about it."""
    return certificate_words.remedy(lapse.change)
