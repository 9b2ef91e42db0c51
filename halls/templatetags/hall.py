"""Template tags for money, order keys, addresses, and the forms of office pages.

They give where those forms send, and what a form held when it was refused.
"""

from typing import Any
from uuid import uuid4

from babel.numbers import format_decimal
from django import template
from django.middleware.csrf import get_token
from django.template import TemplateSyntaxError
from django.template.base import (
    FilterExpression,
    Node,
    NodeList,
    Parser,
    Token,
    render_value_in_context,
    token_kwargs,
)
from django.template.context import Context
from django.urls import reverse
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString
from django.utils.translation import get_language

from bingo import money_and_dates
from bingo.money_and_dates import Whole
from halls.models import Hall
from halls.templatetags.forms import TYPED, attributes

register = template.Library()


@register.filter
def money(amount: int, hall: Hall) -> str:
    """Write an amount of minor units in the reader's language."""
    return money_and_dates.amounts_text(
        amount or 0, currency=hall.written_currency, language=get_language() or "pt"
    )


@register.filter
def money_in(amount: int, currency: str) -> str:
    """Write an amount of minor units of a currency in the reader's language, the hall's own as it does."""
    active = money_and_dates.active_currency()
    own = currency == active.removesuffix(money_and_dates.SIGN)
    return money_and_dates.amounts_text(
        amount, currency=active if own else currency, language=get_language() or "pt"
    )


@register.filter
def whole(number: int | str | None) -> Whole | str:
    """Write a count in groups of three, in the reader's language; nothing for none."""
    return "" if number in (None, "") else Whole(int(number))


@register.filter
def percent(points: float) -> str:
    """Write basis points as a percentage."""
    language = get_language() or "pt"
    return money_and_dates.per_cent(
        format_decimal(points / 100, "#,##0.##", locale=language), language
    )


@register.simple_tag(takes_context=True)
def order(context: Context, verb: str) -> SafeString:
    """Return the attributes of a form that sends an order to the page's desk."""
    address = reverse(f"{context['desk']}-do", args=[verb])
    return format_html(
        'method="post" action="{0}" hx-post="{0}" hx-target="#live" hx-swap="outerHTML"'
        ' hx-disabled-elt="find button" autocomplete="off"',
        address,
    )


@register.simple_tag(takes_context=True)
def key(context: Context, **unseen: Any) -> SafeString:
    """Return a form's hidden fields: the key that makes a repeated sending harmless, and the token.

    `unseen` is what else the form sends of itself, as a row's key.
    """
    sent = {"key": uuid4(), "csrfmiddlewaretoken": get_token(context["request"]), **unseen}
    return format_html_join(
        "",
        '<input type="hidden" name="{}" value="{}" />',
        ((name, render_value_in_context(value, context)) for name, value in sent.items()),
    )


@register.simple_tag(takes_context=True)
def live(context: Context) -> SafeString:
    """Return the attributes of the part of a page that follows the hall's journal."""
    return format_html(
        'id="live" data-number="{}" data-place="{}" hx-get="{}" hx-trigger="live"'
        ' hx-swap="outerHTML"',
        context["now"].number,
        context["place"],
        reverse(f"{context['desk']}-live"),
    )


@register.simple_tag(takes_context=True)
def send(context: Context, verb: str, **of: Any) -> SafeString:
    """Return the attributes of a form that sends an order to the page's own address.

    `of` several rows with the same form, what this one sends of its row; see `refused`.
    """
    context[TYPED] = context["typed"] if refused(context, verb, **of) else None
    address = reverse(f"{context['page_name']}-do", kwargs={**context["place"], "verb": verb})
    return format_html('method="post" action="{}" autocomplete="off"', address)


@register.simple_tag(takes_context=True)
def refused(context: Context, verb: str, **of: Any) -> bool:
    """Return whether it is this form that was refused: `of` several rows, the one that sent these.

    A part of a page that follows what is under way is drawn without what was sent: none was.
    """
    if context.get("verb") != verb:
        return False
    return all(context["typed"].get(name) == str(its) for name, its in of.items())


class OfficeForm(Node):
    """A form that sends an order to the page's own address; see `form`."""

    def __init__(
        self, verb: FilterExpression, named: dict[str, FilterExpression], content: NodeList
    ) -> None:
        self.verb, self.named, self.content = verb, named, content

    def render(self, context: Context) -> SafeString:
        """Return the form with its key, and with what it is of in hidden fields."""
        named = {name: value.resolve(context) for name, value in self.named.items()}
        return self.drawn(context, self.verb.resolve(context), **named)

    def drawn(self, context: Context, verb: str, *, id: str = "", **more: Any) -> SafeString:
        """Return it; a refused one holds what was typed, and nothing after it does."""
        own = attributes({"class": more.pop("class", "form"), "id": id})
        with context.push():
            return format_html(
                "<form{} {}>\n{}\n{}</form>",
                own,
                send(context, verb, **more),
                key(context, **more),
                self.content.render(context),
            )


class FoldedForm(OfficeForm):
    """A form folded under its words; see `folded`."""

    def __init__(self, words: FilterExpression, *of: Any) -> None:
        super().__init__(*of)
        self.words = words

    def drawn(
        self, context: Context, verb: str, *, id: str = "", box: str = "panel",
        part: str = "", summary: str = "", open: Any = False, **more: Any,
    ) -> SafeString:  # fmt: skip
        """Return it open where it is to be, or was refused."""
        of = {name: its for name, its in more.items() if name != "class"}
        open = bool(open) or refused(context, verb, **of)
        return format_html(
            "<details{}>\n<summary{}>{}</summary>\n{}</details>",
            attributes({"class": box, "id": id, "data-part": part, "open": open}),
            attributes({"class": summary}),
            self.words.resolve(context),
            super().drawn(context, verb, **more),
        )


@register.tag
def form(parser: Parser, token: Token) -> OfficeForm:
    """Read `{% form verb class= id= item=one.pk %}`: a form as `send` sends it, up to `endform`.

    It has its key; of several rows with the same form, what it sends of its row is hidden in it: all
    that is named but `class` and `id`. Raises TemplateSyntaxError for data_… and aria_….
    """
    _name, verb, *named = token.split_contents()
    return OfficeForm(*_form_parts(parser, verb, named, "endform"))


@register.tag
def folded(parser: Parser, token: Token) -> FoldedForm:
    """Read `{% folded words verb id= box= part= summary= open= class= item=one.pk %}`, up to `endfolded`.

    It is a form under words that open it, which stands open where it was refused; see `form`. Besides
    `class` and `id`, `box`, `part`, `summary` and `open` are its own and not sent.
    """
    _name, words, verb, *named = token.split_contents()
    parts = _form_parts(parser, verb, named, "endfolded")
    return FoldedForm(parser.compile_filter(words), *parts)


def _form_parts(
    parser: Parser, verb: str, named: list[str], end: str
) -> tuple[FilterExpression, dict[str, FilterExpression], NodeList]:
    content = parser.parse((end,))
    parser.delete_first_token()
    its = token_kwargs(named, parser)
    if wrong := [name for name in its if name.startswith(("data_", "aria_"))]:
        raise TemplateSyntaxError(f"{wrong[0]} would be sent as a field: write the form's own tag")
    return parser.compile_filter(verb), its, content
