"""Form fields of an authorisation's prizes by kind of game, and a sample game tried on them.

The sample shows what a game would pay before anything is recorded.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from django.utils.functional import Promise
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from bingo import money_and_dates
from bingo.rules import authorisations, formats, prize_distributions, rulebooks
from bingo.rules.journal_json_and_chain import Data
from bingo.rules.patterns import LINES, ROWS
from bingo.rules.prize_distributions import ADDITIONAL_PRIZES, PRIMA, Distribution, load, quote
from bingo.rules.prize_shares import Extra, Shares
from bingo.rules.refusal import Refusal
from bingo.rules.rulebooks import Rulebook
from draws.authorisations import labels as authorisations_labels
from draws.authorisations.labels import percent, today
from draws.authorisations.views import jackpot_fields
from draws.prizes import labels as prizes_labels
from draws.prizes.labels import SharePart
from draws.refusals import text
from draws.web.forms import FormFields

LINE, BINGO, LIMIT = "line", "bingo", "prima_limit"
# The field beside which a refusal is told, where it is about one; it stands at the block else.
KIND_BESIDE: Mapping[str, str] = {
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
        return authorisations_labels.code(self.format, figure=self.figure)

    @property
    def name(self) -> Promise:
        """What the hall calls it."""
        return authorisations_labels.KINDS[self.format, self.figure]

    @property
    def shares(self) -> tuple[str, ...]:
        """The prizes that may have a share, in the order they are won."""
        extras = () if self.figure else (LINE, *ADDITIONAL_PRIZES[self.format])
        return (*extras, BINGO, PRIMA)

    @property
    def lines(self) -> tuple[str, ...]:
        """What may be chosen to count as a line; nothing where only rows can."""
        return LINES if formats.get_format(self.format).full and not self.figure else ()


def kind_of(book: Rulebook) -> list[Kind]:
    """Return the kinds of game that a rule book has."""
    return [Kind(*one) for one in authorisations_labels.KINDS if one[0] in book.column_counts]


def wanted(form: FormFields, book: Rulebook) -> list[Kind]:
    """Return the kinds of game whose boxes are ticked."""
    return [one for one in kind_of(book) if form.ticked(one.code)]


def read_kind(form: FormFields, kind: Kind) -> Distribution:
    """Return a kind's distribution as it was typed; an empty share is none. Raises Refusal bad_input."""
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


def field_of_refusal(kind: Kind, refusal: Refusal) -> str:
    """Name the field that a refusal of a kind's distribution is about, the kind's box where none is."""
    if "field" in refusal.values:
        return str(refusal.values["field"])
    if refusal.code == "extra_share_missing":
        return f"{kind.code}-{refusal.values['prize']}"
    if refusal.code == "line_missing" and kind.lines:
        return f"{kind.code}-{kind.lines[0]}"
    return f"{kind.code}-{KIND_BESIDE[refusal.code]}" if refusal.code in KIND_BESIDE else kind.code


@dataclass(frozen=True, slots=True)
class Field:
    """A field of a kind's block, with what stands in it and what is wrong with it."""

    name: str
    label: Promise
    value: str
    wrong: str = ""


@dataclass(frozen=True, slots=True)
class LineBox:
    """A box of what may count as a line."""

    name: str
    label: Promise
    ticked: bool


@dataclass(frozen=True, slots=True)
class KindFields:
    """A kind of game on the form: whether it has shares of its own, and its fields."""

    kind: Kind
    ticked: bool
    lines: list[LineBox]
    fields: list[Field]
    wrong: str
    wrong_lines: str


def blocks(
    book: Rulebook, *, typed: FormFields | None, granted: list[Data], wrong: Mapping[str, str]
) -> list[KindFields]:
    """Return a block for each kind of game: as it was typed, else as the last authorisation has it."""
    last = {(one["format"], one["figure"]): load(one) for one in granted}
    return [
        _block(kind, _values(kind, typed, last.get((kind.format, kind.figure))), wrong)
        for kind in kind_of(book)
    ]


def _values(kind: Kind, typed: FormFields | None, granted: Distribution | None) -> dict[str, str]:
    """Return what stands in each field of a kind's block, by what follows its code."""
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


def _block(kind: Kind, values: Mapping[str, str], wrong: Mapping[str, str]) -> KindFields:
    lines = [
        LineBox(f"{kind.code}-{one}", authorisations_labels.LINES[one], values.get(one) == "on")
        for one in kind.lines
    ]
    fields = [
        Field(
            f"{kind.code}-{name}",
            authorisations_labels.SHARES[name],
            values.get(name, ""),
            wrong.get(f"{kind.code}-{name}", ""),
        )
        for name in (*kind.shares, LIMIT)
    ]
    told = next((wrong[one.name] for one in lines if one.name in wrong), "")
    return KindFields(kind, values.get("") == "on", lines, fields, wrong.get(kind.code, ""), told)


CARDS = 420  # of the sample, where no other number is asked for
EVERY, OTHER = _("Every game"), _("Every other game")
# The field beside which a refusal is told that is about no single field of the usual shares.
SHARES = "line_share"
# The field beside which a refusal is told, whatever kind of game it came from.
SAMPLE_BESIDE: Mapping[str, str] = {
    "no_cards": "sample_cards",
    "faces_missing": "faces",
    "jackpot_rate_out_of_range": "jackpot_rate",
    "jackpot_rate_differs": "jackpot_rate",
    "jackpot_over_its_source": "jackpot_rate",
}


PRICE = ("bad_amount", "bad_face")  # refusals of the price that the sample is tried with


@dataclass(frozen=True, slots=True)
class SampleOutcome:
    """What a kind of game pays, part by part, or why it may not be so."""

    title: Promise | str
    parts: list[SharePart] = field(default_factory=list)
    wrong: str = ""


@dataclass(slots=True)
class SampleForm:
    """A form being tried: what each kind of game pays, and what is wrong, by its field.

    `cards` at `face` minor units, `gross` in all; 0 where nothing can be worked out.
    """

    form: FormFields
    book: Rulebook
    cards: int = 0
    face: int = 0
    outcomes: list[SampleOutcome] = field(default_factory=list)
    wrong: dict[str, str] = field(default_factory=dict)

    @property
    def gross(self) -> int:
        """The sample's sales in minor units."""
        return self.cards * self.face

    def take(
        self,
        title: Promise | str,
        shares: Callable[[], Shares],
        beside: Callable[[Refusal], str],
        *,
        format: int,
        figure: bool = False,
    ) -> None:
        """Work out what a kind of game pays, or note beside its field why it may not be so."""
        try:
            granted = shares()
            rates = jackpot_fields.rates(self.form, format=format, figure=figure)
            cards, face = self.form.integer("sample_cards"), _face(self.form)
            found = quote(
                cards=cards,
                face=face,
                shares=granted,
                jackpot_rate=sum(rates),
                rates=rates,
                rulebook=self.book,
                source=jackpot_fields.source(self.form),
            )
        except Refusal as refusal:
            told = text.refusal(_with_prices(self.form, refusal))
            at_price = _price(self.form) if refusal.code in PRICE else ""
            self.wrong[at_price or SAMPLE_BESIDE.get(refusal.code) or beside(refusal)] = told
            self.outcomes.append(SampleOutcome(title, wrong=told))
        else:
            self.cards, self.face = cards, face
            self.outcomes.append(SampleOutcome(title, prizes_labels.of_prizes(found.prizes)))


def sample(form: FormFields) -> SampleForm:
    """Try the form of an authorisation, and record nothing."""
    tried = SampleForm(form, rulebooks.get(form.hall.rulebook))
    own = wanted(form, tried.book)
    for title, format in _usual(form, own):
        tried.take(
            title,
            lambda: Shares(form.points("line_share"), form.points("bingo_share")),
            _beside_usual,
            format=format,
        )
    for kind in own:
        _take_own(tried, kind)
    return tried


def _usual(form: FormFields, own: Sequence[Kind]) -> list[tuple[Promise | str, int]]:
    """Return what games with the usual shares are called, and a format of them.

    There are two kinds where the jackpot is played for with some of their cards only (R9).
    """
    apart = {kind.format for kind in own if not kind.figure}
    usual = [one for one in formats_of(form) if one not in apart] or [formats.NINETY.highest]
    title = OTHER if own else EVERY
    by_rates: dict[tuple[bool, ...], list[int]] = {}
    for one in usual:
        by_rates.setdefault(jackpot_fields.played(form, format=one), []).append(one)
    if len(by_rates) == 1:
        return [(title, usual[0])]
    return [
        (
            gettext("%(games)s with cards of %(formats)s")
            % {"games": title, "formats": ", ".join(map(str, alike))},
            alike[0],
        )
        for alike in by_rates.values()
    ]


def _take_own(tried: SampleForm, kind: Kind) -> None:
    def granted() -> Shares:
        asked, form = read_kind(tried.form, kind), tried.form
        authorisations.require_format(kind.format, formats_of(form))
        prize_distributions.check(
            asked,
            jackpot_rate=sum(jackpot_fields.rates(form, format=kind.format, figure=kind.figure)),
            rulebook=tried.book,
            source=jackpot_fields.source(form),
        )
        return asked.shares

    tried.take(
        kind.name, granted, lambda refusal: field_of_refusal(kind, refusal),
        format=kind.format, figure=kind.figure,
    )  # fmt: skip


def formats_of(form: FormFields) -> list[int]:
    """Return the kinds of card that are ticked."""
    return [one for one in formats.FORMATS if form.ticked(f"format-{one}")]


def _price(form: FormFields) -> str:
    """Return the field that the price of the sample stands in."""
    return "sample_face" if form.fields.get("sample_face") else "faces"


def _face(form: FormFields) -> int:
    """Return the price asked for, else the first of the form.

    Raises Refusal: bad_input, bad_amount, faces_missing.
    """
    if _price(form) == "sample_face":
        return form.amount("sample_face")
    faces = form.lines("faces")
    if not faces:
        raise Refusal("faces_missing")
    return money_and_dates.read_amounts(faces[0], currency=form.hall.currency)


def _with_prices(form: FormFields, refusal: Refusal) -> Refusal:
    """Let the refusal of a price tell the prices that are authorised, where any are (R17)."""
    found = today(form.hall) if refusal.code == "bad_face" else None
    if found is None:
        return refusal
    return Refusal("bad_face", face=refusal.values["face"], faces=list(found.faces))


def _beside_usual(refusal: Refusal) -> str:
    if refusal.code == "bingo_below_floor":
        return "bingo_share"
    return str(refusal.values.get("field", SHARES))
