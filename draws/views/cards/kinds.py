"""The kinds of game that an authorisation may give shares of their own, as a form has them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from django.utils.functional import Promise

from bingo.rules import formats
from bingo.rules.combinations import LINES, ROWS
from bingo.rules.distributions import ADDITIONAL, PRIMA, Data, Distribution, load
from bingo.rules.refusal import Refusal
from bingo.rules.rulebooks import Rulebook
from bingo.rules.shares import Extra, Shares
from draws.documents import distribution_words
from draws.views.cards.points import percent
from draws.views.order import Fields

LINE, BINGO, LIMIT = "line", "bingo", "prima_limit"
# The field beside which a refusal is told, where it is about one; it stands at the block else.
BESIDE: Mapping[str, str] = {
    "line_share_missing": LINE,
    "bingo_below_floor": BINGO,
    "prima_limit_out_of_range": LIMIT,
}


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind of game: cards of a format, won with the whole card or with a figure (R73 b)."""

    format: int
    figure: bool = False

    @property
    def code(self) -> str:
        """What its box is sent by, and what its fields' names begin with."""
        return distribution_words.code(self.format, figure=self.figure)

    @property
    def name(self) -> Promise:
        """What the hall calls it."""
        return distribution_words.KINDS[self.format, self.figure]

    @property
    def shares(self) -> tuple[str, ...]:
        """The prizes that may have a share, in the order they are won."""
        extras = () if self.figure else (LINE, *ADDITIONAL[self.format])
        return (*extras, BINGO, PRIMA)

    @property
    def lines(self) -> tuple[str, ...]:
        """What may be chosen to count as a line; nothing where only rows can."""
        return LINES if formats.get(self.format).full and not self.figure else ()


def of(book: Rulebook) -> list[Kind]:
    """Give the kinds of game that a rule book has."""
    return [Kind(*one) for one in distribution_words.KINDS if one[0] in book.column_counts]


def wanted(form: Fields, book: Rulebook) -> list[Kind]:
    """Give the kinds of game whose boxes are ticked."""
    return [one for one in of(book) if form.ticked(one.code)]


def read(form: Fields, kind: Kind) -> Distribution:
    """Give a kind's distribution as it was typed; an empty share is none. Raises Refusal bad_input."""
    typed = {name: form.optional_points(f"{kind.code}-{name}") for name in kind.shares}
    limit = form.optional_integer(f"{kind.code}-{LIMIT}") or 0
    line = typed.get(LINE, 0)
    counts = tuple(one for one in kind.lines if form.ticked(f"{kind.code}-{one}"))
    if not kind.lines and line:
        counts = (ROWS,)
    extras = [
        Extra(name, typed[name], limit if name == PRIMA else 0)
        for name in kind.shares
        if name not in (LINE, BINGO) and (typed[name] or (name == PRIMA and limit))
    ]
    return Distribution(kind.format, Shares(line, typed[BINGO], tuple(extras)), counts, kind.figure)


def beside(kind: Kind, refusal: Refusal) -> str:
    """Name the field that a refusal of a kind's distribution is about, the kind's box where none is."""
    if "field" in refusal.values:
        return str(refusal.values["field"])
    if refusal.code == "extra_share_missing":
        return f"{kind.code}-{refusal.values['prize']}"
    if refusal.code == "line_missing" and kind.lines:
        return f"{kind.code}-{kind.lines[0]}"
    return f"{kind.code}-{BESIDE[refusal.code]}" if refusal.code in BESIDE else kind.code


@dataclass(frozen=True, slots=True)
class Field:
    """A field of a kind's block, with what stands in it and what is wrong with it."""

    name: str
    label: Promise
    value: str
    wrong: str = ""


@dataclass(frozen=True, slots=True)
class Line:
    """A box of what may count as a line."""

    name: str
    label: Promise
    ticked: bool


@dataclass(frozen=True, slots=True)
class Block:
    """A kind of game on the form: whether it has shares of its own, and its fields."""

    kind: Kind
    ticked: bool
    lines: list[Line]
    fields: list[Field]
    wrong: str
    wrong_lines: str


def blocks(
    book: Rulebook, *, typed: Fields | None, granted: list[Data], wrong: Mapping[str, str]
) -> list[Block]:
    """Give a block for each kind of game: as it was typed, else as the last authorisation has it."""
    last = {(one["format"], one["figure"]): load(one) for one in granted}
    return [
        _block(kind, _values(kind, typed, last.get((kind.format, kind.figure))), wrong)
        for kind in of(book)
    ]


def _values(kind: Kind, typed: Fields | None, granted: Distribution | None) -> dict[str, str]:
    """Give what stands in each field of a kind's block, by what follows its code."""
    if typed is not None:
        first = len(kind.code) + 1
        sent = typed.fields.items()
        found = {
            name[first:]: str(value) for name, value in sent if name.startswith(f"{kind.code}-")
        }
        return {**found, "": "on" if typed.ticked(kind.code) else ""}
    if granted is None:
        return {"rows": "on"}
    written = {LINE: granted.shares.line, BINGO: granted.shares.bingo}
    written |= {one.prize: one.share for one in granted.shares.extras}
    limit = next((str(one.limit) for one in granted.shares.extras if one.limit), "")
    shares = {name: percent(share) for name, share in written.items() if share}
    return {"": "on", **dict.fromkeys(granted.counts, "on"), **shares, LIMIT: limit}


def _block(kind: Kind, values: Mapping[str, str], wrong: Mapping[str, str]) -> Block:
    lines = [
        Line(f"{kind.code}-{one}", distribution_words.LINES[one], values.get(one) == "on")
        for one in kind.lines
    ]
    fields = [
        Field(
            f"{kind.code}-{name}",
            distribution_words.SHARES[name],
            values.get(name, ""),
            wrong.get(f"{kind.code}-{name}", ""),
        )
        for name in (*kind.shares, LIMIT)
    ]
    told = next((wrong[one.name] for one in lines if one.name in wrong), "")
    return Block(kind, values.get("") == "on", lines, fields, wrong.get(kind.code, ""), told)
