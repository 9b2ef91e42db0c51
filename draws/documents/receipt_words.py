"""What a receipt says in the active language, the same on a page and on till paper."""

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from bingo.writing import Writing
from draws.documents.complaint_values import ComplaintSlip
from draws.documents.payment_values import PaymentReceipt
from draws.documents.receipt_values import Receipt, ReceiptLine

SHOWN, GROUP = 12, 4  # hexadecimal digits of the digest, as many as a slip has room for


def title(values: Receipt | PaymentReceipt) -> str:
    """Name the game: "Session 12, game 3"."""
    return _("Session %(session)s, game %(game)s") % {
        "session": values.session,
        "game": values.game,
    }


def numbers(line: ReceiptLine) -> str:
    """Give the cards as they are printed: "17 – 22", or one number."""
    if line.first == line.last:
        return str(line.first)
    return f"{line.first} \N{EN DASH} {line.last}"


def issue(line: ReceiptLine) -> str:
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
    """Give the cash handed over and the change, when it was typed."""
    named = ((_("Cash given"), values.given), (_("Change given"), values.change))
    return [(name, writing.money(amount)) for name, amount in named if amount is not None]


def terms(values: Receipt) -> list[str]:
    """Say what the player should know of what was bought (R15, R41)."""
    bought = _("A purchase of cards cannot be undone.")
    if values.double:
        return [_("Each card is good for this game and the next one."), bought]
    return [bought]


def record(values: Receipt | PaymentReceipt | ComplaintSlip) -> str:
    """Say where in the hall's journal the sale, payment or complaint is."""
    digest = values.digest[:SHOWN]
    groups = " ".join(digest[place : place + GROUP] for place in range(0, len(digest), GROUP))
    return _("Journal entry %(number)s · %(digest)s") % {"number": values.entry, "digest": groups}
