"""What a sample game would pay by the form of an authorisation, before anything is recorded."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from django.utils.functional import Promise
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from bingo import amounts
from bingo.rules import authorisations, distributions, formats, rulebooks
from bingo.rules.quotes import quote
from bingo.rules.refusal import Refusal
from bingo.rules.rulebooks import Rulebook
from bingo.rules.shares import Shares
from draws.documents import divided, words
from draws.documents.divided import Part
from draws.views.cards import jackpot_fields, kinds
from draws.views.cards.granted import today
from draws.views.cards.kinds import Kind
from draws.views.order import Fields

CARDS = 420  # of the sample, where no other number is asked for
EVERY, OTHER = _("Every game"), _("Every other game")
SHARES = "shares"  # where a refusal is told that is about no single field of the usual shares
# The field beside which a refusal is told, whatever kind of game it came from.
BESIDE: Mapping[str, str] = {
    "no_cards": "sample_cards",
    "bad_amount": "sample_face",
    "bad_face": "sample_face",
    "faces_missing": "faces",
    "jackpot_rate_out_of_range": "jackpot_rate",
    "jackpot_rate_differs": "jackpot_rate",
    "jackpot_over_its_source": "jackpot_rate",
}


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a kind of game pays, part by part, or why it may not be so."""

    title: Promise | str
    parts: list[Part] = field(default_factory=list)
    wrong: str = ""


@dataclass(slots=True)
class Sample:
    """A form being tried: what each kind of game pays, and what is wrong, by its field.

    `cards` at `face` minor units, `gross` in all; 0 where nothing can be worked out.
    """

    form: Fields
    book: Rulebook
    cards: int = 0
    face: int = 0
    outcomes: list[Outcome] = field(default_factory=list)
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
            told = words.refusal(_with_prices(self.form, refusal), form="record")
            self.wrong[BESIDE.get(refusal.code) or beside(refusal)] = told
            self.outcomes.append(Outcome(title, wrong=told))
        else:
            self.cards, self.face = cards, face
            self.outcomes.append(Outcome(title, divided.of_prizes(found.prizes)))


def sample(form: Fields) -> Sample:
    """Try the form of an authorisation, and record nothing."""
    tried = Sample(form, rulebooks.get(form.hall.rulebook))
    own = kinds.wanted(form, tried.book)
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


def _usual(form: Fields, own: Sequence[Kind]) -> list[tuple[Promise | str, int]]:
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


def _take_own(tried: Sample, kind: Kind) -> None:
    def granted() -> Shares:
        asked, form = kinds.read(tried.form, kind), tried.form
        authorisations.require_format(kind.format, formats_of(form))
        distributions.check(
            asked,
            jackpot_rate=sum(jackpot_fields.rates(form, format=kind.format, figure=kind.figure)),
            rulebook=tried.book,
            source=jackpot_fields.source(form),
        )
        return asked.shares

    tried.take(
        kind.name, granted, lambda refusal: kinds.beside(kind, refusal),
        format=kind.format, figure=kind.figure,
    )  # fmt: skip


def formats_of(form: Fields) -> list[int]:
    """Give the kinds of card that are ticked."""
    return [one for one in formats.FORMATS if form.ticked(f"format-{one}")]


def _face(form: Fields) -> int:
    """Give the price asked for, else the first of the form.

    Raises Refusal: bad_input, bad_amount, faces_missing.
    """
    if form.fields.get("sample_face"):
        return form.amount("sample_face")
    faces = form.lines("faces")
    if not faces:
        raise Refusal("faces_missing")
    return amounts.read(faces[0], currency=form.hall.currency)


def _with_prices(form: Fields, refusal: Refusal) -> Refusal:
    """Let the refusal of a price tell the prices that are authorised, where any are (R17)."""
    found = today(form.hall) if refusal.code == "bad_face" else None
    if found is None:
        return refusal
    return Refusal("bad_face", face=refusal.values["face"], faces=list(found.faces))


def _beside_usual(refusal: Refusal) -> str:
    if refusal.code == "bingo_below_floor":
        return "bingo_share"
    return str(refusal.values.get("field", SHARES))
