"""Template tags for the fields, boxes and buttons of every form.

A field is stated once: its name gives its id, its kind its limits (`halls.web.fields`); what was
typed into a form that was refused stands in it again, without another word.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Any

from django import template
from django.template.base import render_value_in_context
from django.template.context import Context
from django.urls import reverse
from django.utils.functional import Promise
from django.utils.html import escape, format_html, format_html_join
from django.utils.safestring import SafeString

from halls.web.fields import KINDS

register = template.Library()

Text = Promise | str

TYPED = "form_typed"  # what the form under way held, where it is the one that was refused

# The attributes of an option up to the one that chooses it.
CHOSEN = re.compile(r'(<option(?:\s+[\w-]+(?:="[^"]*")?)*?)\s+selected(?=[\s>])')


def typed_value(context: Context, name: str, default: Any = "") -> Any:
    """Return what a field of the form under way held when it was refused, else what it begins with."""
    held = context.get(TYPED)
    if held is not None:
        return held.get(name, "")
    return "" if default is None else default


def _chosen(context: Context, name: str, chosen: Any) -> Any:
    """Return what was chosen of several in the form under way when it was refused, else `chosen`.

    A form says nothing of those that it did not have, or of which none was chosen.
    """
    return (context.get(TYPED) or {}).get(name, chosen)


def attributes(named: Mapping[str, Any]) -> SafeString:
    """Return an element's attributes: what is true stands alone, what is nothing is left out."""
    return format_html_join(
        "",
        "{}",
        (
            [format_html(" {}", name) if value is True else format_html(' {}="{}"', name, value)]
            for name, value in named.items()
            if value is not None and value is not False and value != ""
        ),
    )


def _id(id: str, *of: Any) -> str:
    """Return the id of a field, told apart from those of other rows by what it is of."""
    return "-".join([id, *(str(one) for one in of if one != "")])


def _box(
    control: SafeString, label: Text, *, id: str, looks: str, box: str, hint: Text, unseen: bool
) -> SafeString:
    """Return a field whole: its label, its control and what explains it."""
    return format_html(
        '<div class="{}">\n<label{} for="{}">{}</label>\n{}\n{}</div>',
        " ".join(filter(None, ["field", *(f"field--{look}" for look in looks.split()), box])),
        attributes({"class": "visually-hidden" if unseen else ""}),
        id,
        label,
        control,
        format_html('<p class="field__hint">{}</p>', hint) if hint else "",
    )


def _wrong(name: str, wrong: Text) -> dict[str, str]:
    """Return what ties a field to the words beside it that say what is wrong with it."""
    return {"aria-invalid": "true", "aria-describedby": f"wrong-{name}"} if wrong else {}


def html_names(more: Mapping[str, Any]) -> dict[str, Any]:
    """Return attributes under their names in HTML: `accept_charset` is accept-charset."""
    return {name.replace("_", "-"): value for name, value in more.items()}


@register.simple_tag(takes_context=True)
def field(
    context: Context, name: str, label: Text, kind: str = "text", *, id: str = "",
    of: Any = "", part: Any = "", looks: str = "", box: str = "", hint: Text = "",
    wrong: Text = "", unseen: bool = False,
    value: Any = None, default: Any = "", blank: bool = False, optional: bool = False,
    first: bool = False, suggested: Iterable[Text] = (), **more: Any,
) -> SafeString:  # fmt: skip
    """Return a field of one line: `kind` is one of KINDS, `more` are attributes of its input.

    It holds what was typed, else `default`; or `value`, or nothing (`blank`), whatever was typed.
    `first` puts the cursor into it unless the page has something to say. `id` is its name unless
    another has it, `of` tells apart the fields of several rows, `unseen` hides its label from eyes.
    """
    its = KINDS[kind]
    if value is None:
        value = str(typed_value(context, name, default))
    shown = render_value_in_context(value, context)
    id = _id(id or name, of, part)
    names = f"{id}-names" if suggested else ""
    named = {
        "id": id,
        "name": name,
        **its.attributes,
        **html_names(more),
        "required": bool(more.get("required", not optional)),
        "autofocus": bool(more.get("autofocus", first and not context.get("notice"))),
        "list": names,
        **_wrong(name, wrong),
    }
    holds = "" if blank or its.secret else format_html(' value="{}"', shown)
    control = format_html("<input{}{} />{}", attributes(named), holds, _suggested(names, suggested))
    looks = f"{its.looks} {looks}"
    return _box(control, label, id=id, looks=looks, box=box, hint=hint, unseen=unseen)


def _suggested(id: str, values: Iterable[Text]) -> SafeString:
    """Return the values that a browser proposes for a field, nothing where there are none."""
    drawn = format_html_join("", '<option value="{}"></option>', ((value,) for value in values))
    return format_html('<datalist id="{}">{}</datalist>', id, drawn) if drawn else drawn


@register.simple_tag(takes_context=True)
def text_field(
    context: Context, name: str, label: Text, *, id: str = "",
    of: Any = "", part: Any = "", hint: Text = "", wrong: Text = "",
    value: Any = None, default: Any = "", blank: bool = False, optional: bool = False, **more: Any,
) -> SafeString:  # fmt: skip
    """Return a field of several lines; see `field`."""
    if value is None:
        value = "" if blank else typed_value(context, name, default)
    id = _id(id or name, of, part)
    named = {"id": id, "name": name, "required": not optional, **html_names(more)}
    named |= _wrong(name, wrong)
    control = format_html("<textarea{}>{}</textarea>", attributes(named), value)
    return _box(control, label, id=id, looks="", box="", hint=hint, unseen=False)


@register.simple_tag(takes_context=True)
def choice(
    context: Context, name: str, label: Text, options: Any, *, id: str = "",
    of: Any = "", part: Any = "", chosen: Any = "", none: Text = "", looks: str = "", unseen: bool = False,
    required: bool = False, **more: Any,
) -> SafeString:  # fmt: skip
    """Return a list to choose from: `options` are pairs of a value and its words, or rows, or values.

    `chosen` is the value that stands in it at first; `none` are the words of the choice of nothing,
    where there is one.
    """
    chosen = _chosen(context, name, chosen)
    id = _id(id or name, of, part)
    pairs = [("", none)] if none else []
    pairs += options.items() if isinstance(options, Mapping) else map(_pair, options)
    drawn = format_html_join(
        "",
        '<option value="{}"{}>{}</option>',
        (
            (value, attributes({"selected": value != "" and str(value) == str(chosen)}), words)
            for value, words in pairs
        ),
    )
    named = {"id": id, "name": name, "required": required, **html_names(more)}
    control = format_html("<select{}>{}</select>", attributes(named), drawn)
    return _box(control, label, id=id, looks=looks, box="", hint="", unseen=unseen)


def _pair(option: Any) -> tuple[Any, Any]:
    return option if isinstance(option, tuple) else (getattr(option, "pk", option), option)


@register.simple_block_tag(takes_context=True)
def select(
    context: Context, content: str, name: str, label: Text, *, id: str = "",
    of: Any = "", part: Any = "", looks: str = "", box: str = "",
    hint: Text = "", unseen: bool = False, first: bool = False, **more: Any,
) -> SafeString:  # fmt: skip
    """Return a list to choose from whose options the template writes itself, with the value first."""
    sent = _chosen(context, name, None)
    again = f'<option value="{escape(sent)}"'
    if sent is not None and again in content:
        content = CHOSEN.sub(r"\1", content).replace(again, f"{again} selected", 1)
    id = _id(id or name, of, part)
    named = html_names(
        {"id": id, "name": name, **more, "autofocus": first and not context.get("notice")}
    )
    options = SafeString(content)  # nosec B703: as the template rendered it
    control = format_html("<select{}>{}</select>", attributes(named), options)
    return _box(control, label, id=id, looks=looks, box=box, hint=hint, unseen=unseen)


@register.simple_tag(takes_context=True)
def check(
    context: Context, name: str, label: Text, *, id: str | None = None, default: bool = False,
    checked: bool | None = None, value: str = "", type: str = "checkbox", box: str = "",
    wrong: Text = "", **more: Any,
) -> SafeString:  # fmt: skip
    """Return a box to tick: ticked again in a form that was refused, else by `default`.

    `checked` says so whatever was sent.
    """
    if checked is None:
        held = typed_value(context, name, "on" if default else "")
        checked = held == (value or "on")
    id = name if id is None else id
    named = {
        **html_names({"type": type, "id": id, "name": name, "value": value, **more}),
        "checked": bool(checked),
        **_wrong(name, wrong),
    }
    return format_html(
        '<label class="{}"><input{} /><span>{}</span></label>',
        " ".join(filter(None, ["check", box])),
        attributes(named),
        label,
    )


@register.simple_block_tag(takes_context=True)
def radio(
    context: Context, content: str, name: str, value: Any, *, chosen: Any = None,
    checked: bool | None = None, looks: str = "", disabled: bool = False, **more: Any,
) -> SafeString:  # fmt: skip
    """Return one of several choices, whose words stand between: `chosen` is the value that holds.

    `checked` says so whatever was sent.
    """
    if checked is None:
        checked = str(value) == str(_chosen(context, name, chosen))
    named = {
        **html_names(more),
        "checked": bool(checked),
        "disabled": bool(disabled),
    }
    return format_html(
        '<label class="{}"><input type="radio" name="{}" value="{}"{} /><span>{}</span></label>',
        " ".join(["choice", *(f"choice--{look}" for look in looks.split())]),
        name,
        value,
        attributes(named),
        content,
    )


@register.simple_tag
def button(
    label: Text, looks: str = "", *, key: str = "", sign: Text = "", **more: Any
) -> SafeString:
    """Return a button and the key that presses it; `sign` is what the key is called, if not its name.

    A key as `data_key` presses it unseen.
    """
    return _pressed("button", label, looks, key, sign, html_names(more))


@register.simple_tag
def link_button(
    label: Text, page: str, *of: Any,
    looks: str = "", key: str = "", sign: Text = "", icon: str = "", query: str | None = None,
    **more: Any,
) -> SafeString:  # fmt: skip
    """Return a link that looks like a button, to a page by its name; see `button`.

    `of` is what the page is about, `query` what is asked of it.
    """
    address = reverse(page, args=of) + ("" if query is None else f"?{query}")
    drawn = (
        format_html('<span class="icon icon--{}" aria-hidden="true"></span>', icon) if icon else ""
    )
    named = {"href": address, **html_names(more)}
    return _pressed("a", label, looks, key, sign, named, drawn=drawn)


def _pressed(
    element: str, label: Text, looks: str, key: str, sign: Text, named: dict[str, Any],
    drawn: Text = "",
) -> SafeString:  # fmt: skip
    return format_html(
        '<{0} class="{1}"{2}>{3}{4}{5}</{0}>',
        element,
        " ".join(["button", *(f"button--{look}" for look in looks.split())]),
        attributes({**named, "data-key": key or named.get("data-key")}),
        drawn,
        format_html("<span>{}</span>", label) if key or drawn else label,
        format_html("<kbd>{}</kbd>", sign or key) if key else "",
    )


@register.simple_tag
def submit(label: Text, looks: str = "primary", **more: Any) -> SafeString:
    """Return the row of a form's one button; see `button`."""
    return format_html('<div class="buttons">{}</div>', button(label, looks, **more))
