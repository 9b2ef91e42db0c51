"""The receipts of a sale and of a payment, and the slip of a checkpoint; amounts are minor units.

A checkpoint is printed on a slip where a hall wants it, in the acta, and as a QR code on pages. Each
covers all before it, so that the newest is enough.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from io import BytesIO
from zoneinfo import ZoneInfo

import segno
from django.conf import settings
from django.db import transaction
from django.utils import translation
from django.utils.formats import number_format
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from bingo.money_and_dates import Writing
from bingo.rules import checkpoints_and_clock
from bingo.rules.refusal import Refusal
from bingo.slips import printer
from bingo.slips.slip import (
    Amounts,
    Code,
    Line,
    LineStyle,
    Part,
    TillPaper,
    TillSlip,
    journal_reference,
)
from draws import trade_words
from halls.checkpoints import queries as checkpoints_queries
from halls.checkpoints import services as checkpoints_services
from halls.models import Checkpoint, CheckpointPlace, Hall, Session

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
        title = trade_words.session_and_game(values.session, values.game)
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
    told = price % {"count": writing.whole(line.cards), "face": writing.amount(line.face)}
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
        game = trade_words.session_and_game(values.session, values.game)
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
    name = str(trade_words.COMBINATIONS[paid.combination])
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


@dataclass(frozen=True, slots=True)
class CheckpointValues(TillPaper):
    """A signed head; `session` and `game` are None where the entry is of none, `at` is local."""

    session: int | None
    game: int | None
    number: int
    digest: str
    note: str


def place_words(values: CheckpointValues) -> str:
    """Name the session, and the game where it is of one; empty where it is of none."""
    return (
        "" if values.session is None else trade_words.session_and_game(values.session, values.game)
    )


def entry_words(values: CheckpointValues) -> str:
    """Name the journal's entry."""
    return _("Journal entry %(number)s") % {"number": values.number}


def checkpoint_slip(values: CheckpointValues) -> TillSlip:
    """Return the slip of a checkpoint, with its code."""
    writing = Writing(values.language, values.currency)
    with translation.override(values.language):
        title, place = _("Checkpoint of the journal"), place_words(values)
        return values.slip(
            title,
            (
                Line(title, LineStyle.TITLE),
                *([Line(place)] if place else []),
                Line(writing.instant(values.at), LineStyle.SMALL),
            ),
            (
                Line(entry_words(values)),
                Line(checkpoints_and_clock.short(values.digest), LineStyle.NOTICE),
                Code(values.note, title),
                Line(_("Keep this slip: it shows whether the journal was changed afterwards.")),
            ),
        )


def code_drawing(note: str) -> str:
    """Return the code of a signed checkpoint as SVG for a page."""
    drawing: str = _code(note).svg_inline(scale=4, border=4, light="white")
    return drawing


def code_picture(note: str) -> bytes:
    """Return the code of a signed checkpoint as an SVG file, as large as it is shown."""
    out = BytesIO()
    _code(note).save(out, kind="svg", border=4, light="white", omitsize=True)
    return out.getvalue()


def _code(note: str) -> segno.QRCode:
    return segno.make(note, error="l", micro=False, boost_error=False)


def checkpoint_values(checkpoint: Checkpoint, *, note: str) -> CheckpointValues:
    """Return what a paper says of a checkpoint; `note` is what was signed of its entry."""
    entry = checkpoint.entry
    hall = entry.hall
    return CheckpointValues(
        hall=hall.name,
        licence=hall.licence,
        language=hall.language,
        currency=hall.currency,
        session=entry.session.number if entry.session else None,
        game=entry.game,
        at=entry.at.astimezone(ZoneInfo(hall.time_zone)),
        number=entry.number,
        digest=_signed(note) or entry.digest,
        note=note,
    )


def _signed(note: str) -> str:
    """Return the digest that a note tells: after a rewriting the journal would tell another."""
    try:
        return checkpoints_and_clock.read_checkpoint(note.rpartition("\n\n")[0] + "\n").digest
    except Refusal:
        return ""


def checkpoint_of_session(session: Session) -> CheckpointValues | None:
    """Return the last checkpoint signed up to a session's end; None where none was."""
    found = Checkpoint.objects.filter(
        hall=session.hall_id,
        entry__hall=session.hall_id,
        entry__session__number__lte=session.number,
    )
    last = found.select_related("entry__hall", "entry__session").order_by("entry__number").last()
    return checkpoint_values(last, note=last.note) if last else None


def deliver(hall: Hall, *, at: datetime) -> None:
    """Print the newest checkpoint unless it was; a printer that is away is told and tried again.

    What was not printed meanwhile is covered by the next slip.
    """
    wanted = checkpoints_queries.printer(hall)
    if wanted is None:
        return
    place = checkpoints_queries.printed_at(wanted.till)
    keys = checkpoints_services.attempt(hall, at=at)
    CheckpointPlace.objects.get_or_create(hall=hall, place=place)
    with transaction.atomic():
        # Of two workers one prints; the other need not wait for the printer.
        waiting = CheckpointPlace.objects.select_for_update(skip_locked=True)
        row = waiting.filter(hall=hall, place=place).first()
        newest = checkpoints_queries.newest(hall)
        if row is None or newest is None or newest.number <= row.number:
            return
        try:
            note = checkpoints_services.true_note(hall, newest, keys)
            slip = checkpoint_slip(checkpoint_values(newest, note=note))
            printer.send(slip, wanted.address, loopback=settings.PRINTER_LOOPBACK)
        except Refusal as refused:
            checkpoints_services.note_place(hall, place, refused.code, wanted.address, at)
            return
        CheckpointPlace.objects.filter(pk=row.pk).update(number=newest.number)
        checkpoints_services.note_place(hall, place, "", "", at)
