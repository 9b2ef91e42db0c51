"""What the receipt of a payment says in the active language, on a page and on till paper."""

from django.utils.formats import number_format
from django.utils.translation import gettext as _

from bingo.writing import Writing
from draws.documents import words
from draws.documents.payment_values import PaidPrize, PaymentReceipt

POINTS = 100  # basis points in a per cent


def kind(values: PaymentReceipt) -> str:
    """Name the paper; a copy says first that it is one."""
    if values.copy:
        return _("COPY · receipt of a payment")
    return _("Receipt of a payment")


def prize(values: PaymentReceipt, paid: PaidPrize) -> str:
    """Name a prize, and its game where that is another than the payment's (R45)."""
    name = str(words.combination(paid.combination))
    if paid.game == values.game:
        return name
    return _("%(prize)s, game %(game)s") % {"prize": name, "game": paid.game}


def prizes(values: PaymentReceipt, writing: Writing) -> list[tuple[str, str]]:
    """Give each prize with its amount before tax."""
    return [(prize(values, paid), writing.amount(paid.amount)) for paid in values.prizes]


def sums(values: PaymentReceipt, writing: Writing) -> list[tuple[str, str]]:
    """Return gross, tax, what coins leave over, and net last; only the net where it is the gross."""
    net = (_("Paid"), writing.money(values.net))
    if not values.tax and not values.left_over:
        return [net]
    left_over = (_("Left over by the smallest coin"), writing.signed(-values.left_over))
    return [
        (_("Before tax"), writing.amount(values.gross)),
        (_("Tax withheld"), writing.signed(-values.tax)),
        *([left_over] if values.left_over else []),
        net,
    ]


def tax(values: PaymentReceipt, writing: Writing) -> str:
    """Say by what rate and from what amount on tax is withheld (R61 g)."""
    if not values.rate:
        return _("No tax is withheld from prizes.")
    rate = number_format(values.rate / POINTS, 2 if values.rate % POINTS else 0)
    told = {"rate": rate, "threshold": writing.amount(values.threshold)}
    if not values.threshold:
        return _("Tax: %(rate)s %% of each prize.") % told
    return _("Tax: %(rate)s %% of what a prize has above %(threshold)s.") % told


def persons(values: PaymentReceipt) -> str:
    """Name the till and whoever paid, with the second person where there was one."""
    told = [values.till, values.cashier]
    if values.witness:
        told.append(_("before %(witness)s") % {"witness": values.witness})
    return " · ".join(told)


def terms() -> str:
    """Say what was given for it (R50)."""
    return _("Paid against the card, which the hall keeps.")
