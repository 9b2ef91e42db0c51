"""The receipts of a sale and of a payment, from frozen values; amounts are minor units."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from django.utils import translation
from django.utils.formats import number_format
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from bingo.slips.slip import Amounts, Line, LineStyle, Part, TillPaper, TillSlip, journal_reference
from bingo.writing import Writing
from draws import terms

POINTS = 100  # basis points in a per cent


@dataclass(frozen=True, slots=True)
class ReceiptLine:
    """One unbroken run of cards of an issue: `face` is the price of a card, `amount` of all."""

    issue: str
    first: int
    last: int
    cards: int
    face: int
    amount: int


@dataclass(frozen=True, slots=True, kw_only=True)
class TillReceipt(TillPaper):
    """What a cashier did at a till; `entry` and `digest` are those of its journal entry."""

    session: int
    game: int
    till: str
    cashier: str
    entry: int
    digest: str


@dataclass(frozen=True, slots=True)
class Receipt(TillReceipt):
    """One sale (R39).

    `given` and `change` are None when nobody typed the cash; `double`: each card is good for two
    games (R15).
    """

    lines: tuple[ReceiptLine, ...]
    total: int
    given: int | None
    change: int | None
    double: bool


@dataclass(frozen=True, slots=True)
class PaidPrize:
    """One prize of the card: `game` is the one it was won in, `amount` before tax."""

    game: int
    combination: str
    amount: int
    tax: int


@dataclass(frozen=True, slots=True)
class PaymentReceipt(TillReceipt):
    """Prizes paid against a card (R44, R50).

    `net` is handed over: `gross` less `tax` and less `left_over`, which coins cannot pay. `rate` of
    the tax in basis points of what a prize has above `threshold` (R61 g); `witness` is the second
    person's name or empty; `copy`: the receipt itself was given before.
    """

    witness: str
    issue: str
    card: int
    prizes: tuple[PaidPrize, ...]
    gross: int
    tax: int
    rate: int
    threshold: int
    net: int
    copy: bool
    left_over: int = 0


def sale_slip(values: Receipt) -> TillSlip:
    """Return the receipt of a sale in the hall's language (R39, R41)."""
    writing = Writing(values.language, values.currency)
    with translation.override(values.language):
        title = terms.session_and_game(values.session, values.game)
        return values.slip(
            title,
            (
                Line(title, LineStyle.TITLE),
                Line(writing.instant(values.at), LineStyle.SMALL),
                Line(f"{values.till} · {values.cashier}", LineStyle.SMALL),
            ),
            tuple(part for line in values.lines for part in _cards(line, writing)),
            (_cash(values, writing),),
            (
                *(Line(text, LineStyle.NOTICE) for text in _terms(values)),
                journal_reference(values.entry, values.digest),
            ),
        )


def _cards(line: ReceiptLine, writing: Writing) -> Iterator[Part]:
    """Say which cards, how many at what price."""
    one = line.first == line.last
    price = ngettext("%(count)s card at %(face)s", "%(count)s cards at %(face)s", line.cards)
    told = price % {"count": line.cards, "face": writing.amount(line.face)}
    yield _issue(line.issue)
    yield Line(
        str(line.first) if one else f"{line.first} \N{EN DASH} {line.last}", LineStyle.NUMBER
    )
    yield Amounts(((told, writing.amount(line.amount)),))


def _issue(issue: str) -> Line:
    return Line(_("Issue %(issue)s") % {"issue": issue})


def _cash(values: Receipt, writing: Writing) -> Amounts:
    """Return the total, and the cash handed over with the change when it was typed."""
    named = (
        (_("Total"), values.total),
        (_("Cash given"), values.given),
        (_("Change given"), values.change),
    )
    rows = [(name, writing.money(amount)) for name, amount in named if amount is not None]
    return Amounts(tuple(rows), total=0)


def _terms(values: Receipt) -> list[str]:
    """Say what the player should know of what was bought (R15, R41)."""
    bought = _("A purchase of cards cannot be undone.")
    if values.double:
        return [_("Each card is good for this game and the next one."), bought]
    return [bought]


def payment_slip(values: PaymentReceipt) -> TillSlip:
    """Return the receipt of a payment in the hall's language (R44, R50)."""
    writing = Writing(values.language, values.currency)
    with translation.override(values.language):
        # A copy says first that it is one.
        kind = _("COPY · receipt of a payment") if values.copy else _("Receipt of a payment")
        game = terms.session_and_game(values.session, values.game)
        prizes = [(_prize(values, paid), writing.amount(paid.amount)) for paid in values.prizes]
        return values.slip(
            f"{kind} · {game}",
            (
                Line(kind, LineStyle.TITLE),
                Line(game, LineStyle.TITLE),
                Line(writing.instant(values.at), LineStyle.SMALL),
                Line(_persons(values), LineStyle.SMALL),
            ),
            (
                _issue(values.issue),
                Line(str(values.card), LineStyle.NUMBER),
                Amounts(tuple(prizes)),
            ),
            (_sums(values, writing), Line(_tax(values, writing), LineStyle.SMALL)),
            (
                Line(_("Paid against the card, which the hall keeps."), LineStyle.NOTICE),
                journal_reference(values.entry, values.digest),
            ),
        )


def _persons(values: PaymentReceipt) -> str:
    """Name the till and whoever paid, with the second person where there was one."""
    told = [values.till, values.cashier]
    if values.witness:
        told.append(_("before %(witness)s") % {"witness": values.witness})
    return " · ".join(told)


def _prize(values: PaymentReceipt, paid: PaidPrize) -> str:
    """Name a prize, and its game where that is another than the payment's (R45)."""
    name = str(terms.COMBINATIONS[paid.combination])
    if paid.game == values.game:
        return name
    return _("%(prize)s, game %(game)s") % {"prize": name, "game": paid.game}


def _sums(values: PaymentReceipt, writing: Writing) -> Amounts:
    """Return gross, tax, what coins leave over, and net last; only the net where it is the gross."""
    rows = []
    if values.tax or values.left_over:
        rows += [
            (_("Before tax"), writing.amount(values.gross)),
            (_("Tax withheld"), writing.signed(-values.tax)),
        ]
    if values.left_over:
        rows.append((_("Left over by the smallest coin"), writing.signed(-values.left_over)))
    rows.append((_("Paid"), writing.money(values.net)))
    return Amounts(tuple(rows), total=len(rows) - 1)


def _tax(values: PaymentReceipt, writing: Writing) -> str:
    """Say by what rate and from what amount on tax is withheld (R61 g)."""
    if not values.rate:
        return _("No tax is withheld from prizes.")
    rate = number_format(values.rate / POINTS, 2 if values.rate % POINTS else 0)
    told = {"rate": rate, "threshold": writing.amount(values.threshold)}
    if not values.threshold:
        return _("Tax: %(rate)s %% of each prize.") % told
    return _("Tax: %(rate)s %% of what a prize has above %(threshold)s.") % told
