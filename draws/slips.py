"""Everything a receipt says, as frozen values; amounts are minor units, the hour the hall's own.

Everything the receipt of a payment says, as frozen values; amounts are minor units.

Everything a player's slip of a complaint says, as frozen values.

What a slip of paper and an acta say of a checkpoint.

A checkpoint as a QR code, on a page or as a picture of its own.

A page as wide as till paper and as long as it needs: what receipts of all kinds are made of.

A thermal printer in memory, on the one code page that has Iberian letters and the euro.

A checkpoint in the commands of a thermal printer (ESC/POS, paper of 80 mm), with its QR code.

What a receipt says in the active language, the same on a page and on till paper.
"""

from __future__ import annotations

import functools
import os
import shutil
import textwrap
import unicodedata
from dataclasses import dataclass
from datetime import datetime
from io import BytesIO
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING

import segno
from django.utils import translation
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from reportlab.lib.enums import TA_CENTER
from reportlab.lib.styles import ParagraphStyle
from reportlab.lib.units import mm
from reportlab.pdfgen.canvas import Canvas
from reportlab.platypus import Flowable, Spacer, TableStyle

from bingo.pdf import archive, kit
from bingo.pdf.tagging import RuleLine, Structure, TaggedTable
from bingo.rules import journal
from bingo.writing import Writing

if TYPE_CHECKING:
    from escpos.printer import Dummy


@dataclass(frozen=True, slots=True)
class ReceiptLine:
    """One unbroken run of cards of an issue: `face` is the price of a card, `amount` of all."""

    issue: str
    first: int
    last: int
    cards: int
    face: int
    amount: int


@dataclass(frozen=True, slots=True)
class Receipt:
    """One sale (R39).

    `given` and `change` are None when nobody typed the cash; `double`: each card is good for two
    games (R15); `entry` and `digest` are those of the sale's journal entry.
    """

    hall: str
    licence: str
    language: str
    currency: str
    session: int
    game: int
    at: datetime
    till: str
    cashier: str
    lines: tuple[ReceiptLine, ...]
    total: int
    given: int | None
    change: int | None
    double: bool
    entry: int
    digest: str


@dataclass(frozen=True, slots=True)
class PaidPrize:
    """One prize of the card: `game` is the one it was won in, `amount` before tax."""

    game: int
    combination: str
    amount: int
    tax: int


@dataclass(frozen=True, slots=True)
class PaymentReceipt:
    """Prizes paid against a card (R44, R50).

    `net` is handed over: `gross` less `tax` and less `left_over`, which coins cannot pay. `rate` of the tax in basis points of what a prize has above `threshold` (R61 g); `witness` is
    the second person's name or empty; `entry` and `digest` are those of the payment's journal
    entry; `copy`: the receipt itself was given before.
    """

    hall: str
    licence: str
    language: str
    currency: str
    session: int
    game: int
    at: datetime
    till: str
    cashier: str
    witness: str
    issue: str
    card: int
    prizes: tuple[PaidPrize, ...]
    gross: int
    tax: int
    rate: int
    threshold: int
    net: int
    entry: int
    digest: str
    copy: bool
    left_over: int = 0


@dataclass(frozen=True, slots=True)
class ComplaintSlip:
    """A complaint as it stands (R61 j).

    `game` is None where it is about none, `ball` its place and `number` what was on it, both None
    where it is about no ball, `card` empty likewise; `decision` is a code, empty while it is open,
    and `decided_by` names whoever decided; `entry` and `digest` are those of the entry that opened it.
    """

    hall: str
    licence: str
    language: str
    currency: str
    session: int
    complaint: int
    at: datetime
    taken_by: str
    game: int | None
    ball: int | None
    number: int | None
    card: str
    picture: str
    text: str
    decision: str
    reason: str
    decided_by: str
    entry: int
    digest: str


@dataclass(frozen=True, slots=True)
class CheckpointValues:
    """A signed head; `session` and `game` are None where the entry is of none, `at` is local."""

    hall: str
    licence: str
    language: str
    currency: str
    session: int | None
    game: int | None
    at: datetime
    number: int
    digest: str
    note: str


def checkpoint_slip_place(values: CheckpointValues) -> str:
    """Name the session, and the game where it is of one; empty where it is of none."""
    if values.session is None:
        return ""
    if values.game is None:
        return _("Session %(session)s") % {"session": values.session}
    told = {"session": values.session, "game": values.game}
    return _("Session %(session)s, game %(game)s") % told


def checkpoint_slip_entry(values: CheckpointValues) -> str:
    """Name the journal's entry."""
    return _("Journal entry %(number)s") % {"number": values.number}


def short(values: CheckpointValues) -> str:
    """Return the beginning of the digest as it is compared by eye."""
    return journal.short(values.digest)


def drawn(note: str) -> str:
    """Return the code of a signed checkpoint as SVG for a page."""
    made = segno.make(note, error="l", micro=False, boost_error=False)
    drawing: str = made.svg_inline(scale=4, border=4, light="white")
    return drawing


def checkpoint_code_picture(note: str) -> bytes:
    """Return the code of a signed checkpoint as an SVG file, as large as it is shown."""
    out = BytesIO()
    made = segno.make(note, error="l", micro=False, boost_error=False)
    made.save(out, kind="svg", border=4, light="white", omitsize=True)
    return out.getvalue()


PAPER: float = 80 * mm
WIDTH: float = 72 * mm  # what a till printer can print of it
MARGIN: float = 6 * mm
LONGEST: float = 5000 * mm  # of a page, by ISO 32000-1 (annex C)

CENTRED = ParagraphStyle("receipt", kit.TEXT, alignment=TA_CENTER)
HALL = ParagraphStyle("receipt-hall", CENTRED, fontName=kit.BOLD, fontSize=13, leading=15.5)
SMALL = ParagraphStyle("receipt-small", CENTRED, fontSize=8, leading=10.5)
GAME = ParagraphStyle("receipt-game", CENTRED, fontName=kit.SEMIBOLD, fontSize=11, leading=14)
CARDS = ParagraphStyle("receipt-cards", CENTRED, fontName=kit.BOLD, fontSize=26, leading=30)
TERMS = ParagraphStyle("receipt-terms", CENTRED, fontName=kit.SEMIBOLD, fontSize=9, leading=11.5)


def columns(rows: list[tuple[str, str]], *, bold: int | None = None) -> TaggedTable:
    """Return names at the left and amounts at the right; the row `bold` is the sum."""
    made = TaggedTable(
        rows,
        colWidths=[WIDTH * 0.5, WIDTH * 0.5],
        style=TableStyle(
            [
                ("FONT", (0, 0), (-1, -1), kit.REGULAR, 9.5, 12),
                ("TEXTCOLOR", (0, 0), (-1, -1), kit.INK),
                ("ALIGN", (1, 0), (1, -1), "RIGHT"),
                ("LEFTPADDING", (0, 0), (-1, -1), 0),
                ("RIGHTPADDING", (0, 0), (-1, -1), 0),
                ("TOPPADDING", (0, 0), (-1, -1), 1),
                ("BOTTOMPADDING", (0, 0), (-1, -1), 2),
            ]
        ),
    )
    if bold is not None:
        made.setStyle(TableStyle([("FONT", (0, bold), (-1, bold), kit.BOLD, 14, 18)]))
    return made


def rule() -> list[Flowable]:
    """Return a line across the paper."""
    line = RuleLine(width="100%", thickness=0.6, color=kit.INK, spaceBefore=0, spaceAfter=0)
    return [Spacer(0, 5), line, Spacer(0, 4)]


def slip_page(
    story: list[Flowable], *, title: str, hall: str, language: str, at: datetime
) -> bytes:
    """Return a tagged PDF/A-3u of one page with the story on it, of the aware time `at`.

    The same story gives the same bytes.
    """
    heights = [part.wrap(WIDTH, LONGEST)[1] for part in story]
    place = sum(heights) + MARGIN
    out = BytesIO()
    canvas = Canvas(
        out,
        pagesize=(PAPER, place + MARGIN),
        initialFontName=kit.REGULAR,
        invariant=1,
        pageCompression=1,
    )
    canvas.structure = Structure()
    for part, height in zip(story, heights, strict=True):
        place -= height
        part.drawOn(canvas, (PAPER - WIDTH) / 2, place)
    canvas.showPage()
    canvas.structure.write(canvas._doc)
    archive.describe(canvas, archive.Metadata(title, hall, "", language, at))
    canvas.save()
    return archive.finish(canvas._doc, out.getvalue())


CODE_PAGE = "CP858"  # page 19 of every ESC/POS printer: á ã ç ñ · and €
COLUMNS = 42  # of font A on 80 mm, at 180 dots an inch; at 203 there are 48
RULE = "-" * COLUMNS
# What the page lacks, as it is typed where there is nothing better.
PLAIN = MappingProxyType(
    str.maketrans(
        {
            "\N{NO-BREAK SPACE}": " ",
            "\N{NARROW NO-BREAK SPACE}": " ",
            "\N{EN DASH}": "-",
            "\N{EM DASH}": "-",
            "\N{MINUS SIGN}": "-",
            "\N{LEFT DOUBLE QUOTATION MARK}": '"',
            "\N{RIGHT DOUBLE QUOTATION MARK}": '"',
            "\N{LEFT SINGLE QUOTATION MARK}": "'",
            "\N{RIGHT SINGLE QUOTATION MARK}": "'",
            "\N{HORIZONTAL ELLIPSIS}": "...",
        }
    )
)


def printer() -> Dummy:
    """Return a printer that keeps the commands it is sent, set back and on its code page."""
    made: Dummy = _dummy()()
    made.hw("INIT")
    made.charcode(CODE_PAGE)
    return made


def centred(out: Dummy, text: str, *, size: int = 1, bold: bool = False) -> None:
    """Print lines in the middle, `size` times as wide and high as usual."""
    out.set(align="center", bold=bold, custom_size=True, width=size, height=size)
    for line in textwrap.wrap(printable(text), COLUMNS // size):
        out.textln(line)


def row(out: Dummy, name: str, amount: str, *, size: int = 1) -> None:
    """Print a name at the left and an amount at the right, on two lines where one is too short."""
    out.set(align="left", bold=size > 1, custom_size=True, width=size, height=size)
    left, right, room = printable(name), printable(amount), COLUMNS // size
    if len(left) + 1 + len(right) > room:
        out.textln(left)
        left = ""
    out.textln(left + right.rjust(room - len(left)))


def printable(text: str) -> str:
    """Return text in signs of the code page: a strange letter without its accent, or ?."""
    return "".join(map(_sign, text.translate(PLAIN)))


def _sign(sign: str) -> str:
    # A name must not carry a command to the printer, such as the one that opens the drawer.
    if not sign.isprintable():
        return " "
    if _fits(sign):
        return sign
    bare = unicodedata.normalize("NFKD", sign)[0]
    return bare if _fits(bare) else "?"


def _fits(sign: str) -> bool:
    try:
        return bool(sign.encode(CODE_PAGE))
    except UnicodeEncodeError:
        return False


@functools.cache
def _dummy() -> type[Dummy]:
    # Half a second to import, and only the process that prints a receipt has to wait for it.
    from escpos import capabilities
    from escpos.printer import Dummy

    # At import it makes a folder for a copy of its table, and leaves it there.
    if "ESCPOS_CAPABILITIES_PICKLE_DIR" not in os.environ:
        shutil.rmtree(Path(capabilities.pickle_path).parent, ignore_errors=True)
    found: type[Dummy] = Dummy
    return found


# Dots of one square: the longest note, that of a new key, still fits the paper's 512.
DOTS = 4


def checkpoint_escpos(values: CheckpointValues) -> bytes:
    """Return what a printer is sent, in the hall's language, up to the cut of the paper.

    The same values give the same bytes. The printer itself draws the code.
    """
    writing = Writing(values.language, values.currency)
    with translation.override(values.language):
        out = printer()
        centred(out, values.hall, size=2)
        centred(out, values.licence)
        centred(out, RULE)
        centred(out, _("Checkpoint of the journal"), bold=True)
        centred(out, checkpoint_slip_place(values))
        centred(out, writing.instant(values.at))
        centred(out, RULE)
        centred(out, checkpoint_slip_entry(values))
        centred(out, short(values), bold=True)
        out.qr(values.note, size=DOTS, native=True)
        centred(out, _("Keep this slip: it shows whether the journal was changed afterwards."))
    out.cut()
    written: bytes = out.output
    return written


SHOWN, GROUP = 12, 4  # hexadecimal digits of the digest, as many as a slip has room for


def receipt_title(values: Receipt | PaymentReceipt) -> str:
    """Name the game: "Session 12, game 3"."""
    return _("Session %(session)s, game %(game)s") % {
        "session": values.session,
        "game": values.game,
    }


def receipt_numbers(line: ReceiptLine) -> str:
    """Return the cards as they are printed: "17 – 22", or one number."""
    if line.first == line.last:
        return str(line.first)
    return f"{line.first} \N{EN DASH} {line.last}"


def receipt_issue(line: ReceiptLine) -> str:
    """Name the issue."""
    return of_issue(line.issue)


def of_issue(issue: str) -> str:
    """Name an issue by its letter and identification."""
    return _("Issue %(issue)s") % {"issue": issue}


def price(line: ReceiptLine, writing: Writing) -> str:
    """Say how many cards at what price."""
    told = ngettext("%(count)s card at %(face)s", "%(count)s cards at %(face)s", line.cards)
    return told % {"count": line.cards, "face": writing.amount(line.face)}


def cash(values: Receipt, writing: Writing) -> list[tuple[str, str]]:
    """Return the cash handed over and the change, when it was typed."""
    named = ((_("Cash given"), values.given), (_("Change given"), values.change))
    return [(name, writing.money(amount)) for name, amount in named if amount is not None]


def terms(values: Receipt) -> list[str]:
    """Say what the player should know of what was bought (R15, R41)."""
    bought = _("A purchase of cards cannot be undone.")
    if values.double:
        return [_("Each card is good for this game and the next one."), bought]
    return [bought]


def record_receipt(values: Receipt | PaymentReceipt | ComplaintSlip) -> str:
    """Say where in the hall's journal the sale, payment or complaint is."""
    digest = values.digest[:SHOWN]
    groups = " ".join(digest[place : place + GROUP] for place in range(0, len(digest), GROUP))
    return _("Journal entry %(number)s · %(digest)s") % {"number": values.entry, "digest": groups}
