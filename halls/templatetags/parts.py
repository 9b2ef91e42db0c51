"""Template tags for the parts of pages: heads, tabs, panels, notices, facts, figures and tables."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from django import template
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
from django.templatetags.static import static
from django.urls import reverse
from django.utils.functional import Promise
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString

from bingo.money_and_dates import Whole
from halls.templatetags.forms import attributes, html_names, link_button

register = template.Library()

Text = Promise | str


@register.simple_tag
def styles(*names: str) -> SafeString:
    """Return what loads style sheets of static/css by their names, in that order."""
    links = ([static(f"css/{name}.css")] for name in names)
    return format_html_join("\n", '<link rel="stylesheet" href="{}" />', links)


@register.simple_tag
def scripts(*names: str) -> SafeString:
    """Return what loads scripts of static/js by their names: run in that order, after the page."""
    sources = ([static(f"js/{name}.js")] for name in names)
    return format_html_join("\n", '<script src="{}" defer></script>', sources)


@register.simple_tag
def page_head(title: Text, label: Text = "", page: str = "", *of: Any) -> SafeString:
    """Return the head of a page: its title, and the link to another page by that page's name."""
    return format_html(
        '<div class="console__head"><h1>{}</h1>{}</div>',
        title,
        link_button(label, page, *of, looks="quiet") if label else "",
    )


@register.simple_tag(takes_context=True)
def tab(context: Context, label: Text, page: str, *, name: str = "", key: str = "") -> SafeString:
    """Return a link to one of several pages beside each other, by that page's name.

    It is marked on that page, and on those that say that they belong to the tab of that `name`.
    """
    address = reverse(page)
    here = context["request"].path == address or context.get("tab") == name
    return format_html(
        "<a{}>{}{}</a>",
        attributes({"href": address, "data-key": key, "aria-current": here and "page"}),
        label,
        format_html("&nbsp;<kbd>{}</kbd>", key) if key else "",
    )


@register.simple_tag
def next_step(kind: str, title: Text, text: Text = "") -> SafeString:
    """Return what somebody has to do next, or waits for: `kind` is wait, stop or prize."""
    return format_html(
        '<div class="next-step next-step--{}">\n<p class="next-step__title">{}</p>\n{}</div>',
        kind,
        title,
        format_html('<p class="next-step__text">{}</p>', text) if text else "",
    )


@register.simple_block_tag
def panel(
    content: SafeString, title: Text, *, looks: str = "", box: str = "", id: str | None = None,
    title_id: str | None = None, part: Text | None = None, **more: Any,
) -> SafeString:  # fmt: skip
    """Return a part of a page under its title; `part` names it where a telephone shows one at a time."""
    head = format_html("<h2{}>{}</h2>", attributes({"id": title_id}), title)
    named = {
        "class": " ".join(
            filter(None, ["panel", *(f"panel--{one}" for one in looks.split()), box])
        ),
        "id": id,
        "aria-labelledby": title_id,
        "data-part": part,
        **html_names(more),
    }
    return format_html(
        "<section{}>\n{}\n{}</section>",
        attributes(named),
        format_html("<header>{}</header>", head) if "flush" in looks.split() else head,
        content,
    )


@register.simple_tag
def notice(kind: str, title: Text, text: Text = "", **more: Any) -> SafeString:
    """Return words that stand out: `kind` is ok, info, warning or error."""
    return format_html(
        '<div class="notice notice--{}"{}>\n<p class="notice__title">{}</p>\n{}</div>',
        kind,
        attributes(html_names(more)),
        title,
        format_html("<p>{}</p>", text) if text else "",
    )


@register.simple_tag(takes_context=True)
def fact(context: Context, label: Text, value: Any) -> SafeString:
    """Return one line of a list of facts."""
    shown = render_value_in_context(value, context)
    return format_html("<dt>{}</dt>\n<dd>{}</dd>", label, shown)


@register.simple_tag(takes_context=True)
def stat(
    context: Context, label: Text, number: Any, note: Any = "", looks: str = "", **more: Any
) -> SafeString:
    """Return a figure that is to be seen from afar, what it counts, and a note under it.

    `more` are attributes of the figure, as of one that a script keeps up to date.
    """
    return format_html(
        '<div class="stat{}">\n<p class="stat__label">{}</p>\n'
        '<p class="stat__number"{}>{}</p>\n{}</div>',
        f" stat--{looks}" if looks else "",
        label,
        attributes(html_names(more)),
        Whole(number) if type(number) is int else render_value_in_context(number, context),
        format_html('<p class="stat__note">{}</p>', note) if note else "",
    )


@dataclass(frozen=True, slots=True)
class Column:
    """A column of a table: what its head says, how both are written, and what stands in a cell."""

    label: FilterExpression
    named: dict[str, FilterExpression]
    cell: NodeList


class TableNode(Node):
    """A table whose columns are stated once, each with its head and its cell."""

    def __init__(
        self, rows: FilterExpression, names: list[str], named: dict[str, FilterExpression],
        columns: list[Column], row: dict[str, FilterExpression], foot: NodeList,
    ) -> None:  # fmt: skip
        self.rows, self.names, self.named = rows, names, named
        self.columns, self.row, self.foot = columns, row, foot

    def render(self, context: Context) -> SafeString:
        """Return the table, under its title in a panel of its own where it has one."""
        named = _resolved(self.named, context)
        drawn = self._framed(context, named)
        if not named.get("title"):
            return drawn
        return panel(
            drawn, named["title"], looks="flush", id=named.get("panel"),
            title_id=named.get("title_id"), part=named.get("part"),
        )  # fmt: skip

    def _framed(self, context: Context, named: dict[str, Any]) -> SafeString:
        """Return the table in its frame; without rows the words `empty`, where they are given."""
        rows = list(self.rows.resolve(context) or ())
        if not rows and named.get("empty"):
            return format_html('<p class="empty">{}</p>', named["empty"])
        columns = [(column, _resolved(column.named, context)) for column in self.columns]
        columns = [one for one in columns if one[1].get("shown", True) and not one[1].get("hidden")]
        labels = [column.label.resolve(context) for column, _its in columns]
        looks = str(named.get("looks", "")).split()
        heads = [_head(label, its) for label, (_column, its) in zip(labels, columns, strict=True)]
        told = labels if "list" in looks else [""] * len(labels)
        cells = [
            (column.cell, its, label) for (column, its), label in zip(columns, told, strict=True)
        ]
        body = [self._row(context, cells, row, at, len(rows)) for at, row in enumerate(rows)]
        if not rows and named.get("none"):
            wide = attributes({"colspan": len(heads) if any(labels) else ""})
            nothing = '<tr>\n<td{} class="empty">{}</td>\n</tr>'
            body.append(format_html(nothing, wide, named["none"]))
        table = format_html(
            '<table class="{}">{}\n{}\n<tbody{}>{}</tbody>{}</table>',
            " ".join(["table", *(f"table--{look}" for look in looks)]),
            _caption(named.get("caption")),
            format_html("<thead>\n<tr>{}</tr>\n</thead>", _together(heads)) if any(labels) else "",
            attributes({"id": named.get("body")}),
            _together(body),
            self.foot.render(context),
        )
        frame = '<div class="table-frame" id="{}" tabindex="0">{}</div>'
        return format_html(frame, named["frame"], table) if named.get("frame") else table

    def _row(self, context: Context, cells: list[Cell], row: Any, at: int, of: int) -> SafeString:
        values = row if len(self.names) > 1 else (row,)
        place = {
            "counter": at + 1, "counter0": at, "first": at == 0, "last": at == of - 1,
        }  # fmt: skip
        with context.push(forloop=place, **dict(zip(self.names, values, strict=True))):
            drawn = [_cell(nodes.render(context), its, label) for nodes, its, label in cells]
            named = _resolved(self.row, context)
        if (key := named.pop("of", None)) is not None:
            named["id"] = f"{named['id']}-{key}"
        return format_html("<tr{}>\n{}\n</tr>", attributes(html_names(named)), _together(drawn))


Cell = tuple[NodeList, dict[str, Any], Text]


def _resolved(named: dict[str, FilterExpression], context: Context) -> dict[str, Any]:
    return {name: value.resolve(context) for name, value in named.items()}


def _together(pieces: list[SafeString]) -> SafeString:
    return format_html_join("\n", "{}", ([piece] for piece in pieces))


def _caption(caption: Text | None) -> SafeString:
    if not caption:
        return SafeString("")
    return format_html('<caption class="visually-hidden">{}</caption>', caption)


def _looks(its: dict[str, Any], name: str) -> str:
    """Return the classes of a head or a cell of a column."""
    return " ".join(filter(None, ["is-number" if its.get("number") else "", its.get(name, "")]))


def _head(label: Text, its: dict[str, Any]) -> SafeString:
    if its.get("unseen"):
        label = format_html('<span class="visually-hidden">{}</span>', label)
    named = {"scope": "col", "class": _looks(its, "looks")}
    return format_html("<th{}>{}</th>", attributes(named), label)


def _cell(content: SafeString, its: dict[str, Any], label: Text) -> SafeString:
    """Return a cell; the one that names its row is its head. `label` stands by it on a small screen."""
    named = {
        "scope": "row" if its.get("head") else "",
        "data-label": label,
        "class": _looks(its, "cell" if "cell" in its else "looks"),
    }
    drawn = "<th{}>{}</th>" if its.get("head") else "<td{}>{}</td>"
    # What stands in a cell was escaped as it was written.
    return format_html(drawn, attributes(named), SafeString(content.rstrip()))  # nosec B703


PARTS = ("column", "row", "foot", "endtable")


@register.tag
def table(parser: Parser, token: Token) -> TableNode:
    """Read `{% table rows "one, two" title= panel= part= looks= frame= caption= empty= none= %}`.

    Each `{% column label head= number= looks= cell= shown= hidden= unseen= %}` is followed by what
    stands in its cells, where a row has the names given; `{% row %}` gives the attributes of each row, the
    `id` ending in `of=`, its key; `{% foot %}` is followed by what stands below them.
    """
    _name, rows, names, *more = token.split_contents()
    parser.parse(PARTS)
    columns: list[Column] = []
    row: dict[str, FilterExpression] = {}
    foot = NodeList()
    while (part := parser.next_token().split_contents())[0] != "endtable":
        nodes = parser.parse(PARTS)
        if part[0] == "foot":
            foot = nodes
        elif part[0] == "row":
            row = token_kwargs(part[1:], parser)
        else:
            label = part.pop(1) if len(part) > 1 and "=" not in part[1].partition("(")[0] else '""'
            named = token_kwargs(part[1:], parser)
            columns.append(Column(parser.compile_filter(label), named, nodes))
    each = [name.strip() for name in names.strip("\"'").split(",")]
    return TableNode(
        parser.compile_filter(rows), each, token_kwargs(more, parser), columns, row, foot
    )
