"""Money that nobody fetched, in the acta: set aside, paid later, and what the hall owes (R44, R60)."""

from __future__ import annotations

from django.utils.translation import gettext as _
from reportlab.platypus import Flowable, Paragraph, Table

from bingo.pdf import kit
from bingo.writing import Writing
from draws.documents import acta_headings, unclaimed_words
from draws.documents.acta_session_values import AsideValues, SettledValues, UnclaimedValues
from draws.documents.acta_values import ActaValues
from draws.documents.acta_words import NONE, rule
from draws.documents.beside import both as _both


def section(values: ActaValues, writing: Writing) -> list[Flowable]:
    """As it stood when the session was closed; nothing where nothing was ever owed."""
    account = values.unclaimed
    if account is None:
        return []
    tongues, article = values.languages, values.article
    owed = _("The hall owes players %(amount)s that nobody has fetched.")
    told: list[Flowable] = []
    if account.set_aside:
        body = _aside(account, writing)
        told += acta_headings.part("set_aside", rule(article, "R44, R50, R60"), tongues, body)
    if account.settled:
        body = _settled(account, writing)
        told += acta_headings.part("unclaimed", rule(article, "R44"), tongues, body)
    return [*told, kit.paragraph(owed % {"amount": writing.amount(account.owed)}, kit.SMALL)]


def _aside(account: UnclaimedValues, writing: Writing) -> Paragraph | Table:
    rows: list[list[object]] = [
        [_both("At"), _both("Game"), _both("Cards"), _both("Reason"), _both("By"), _both("Amount")],
        *([*_row_of(one, writing)] for one in account.set_aside),
    ]
    return kit.ledger(rows, [44, 34, 96, kit.WIDTH - 364, 120, 70], right=(5,))


def _row_of(one: AsideValues, writing: Writing) -> list[object]:
    until = _("until %(day)s") % {"day": writing.day(one.until)} if one.until else ""
    return [
        writing.hour(one.at),
        one.game,
        kit.paragraph(_cards(one), kit.CELL),
        kit.paragraph(" · ".join(filter(None, [one.reason, until])), kit.CELL),
        kit.paragraph(_people(one), kit.CELL),
        writing.amount(one.amount),
    ]


def _settled(account: UnclaimedValues, writing: Writing) -> Paragraph | Table:
    rows: list[list[object]] = [
        [_both("At"), _both("Of"), _both("Cards"), _both("How"), _both("By"), _both("Amount")],
        *(
            [
                writing.hour(one.at),
                f"{one.session}/{one.game}",
                kit.paragraph(_cards(one), kit.CELL),
                kit.paragraph(_how(one), kit.CELL),
                kit.paragraph(_people(one), kit.CELL),
                writing.amount(one.amount),
            ]
            for one in account.settled
        ),
    ]
    return kit.ledger(rows, [44, 34, 96, kit.WIDTH - 364, 120, 70], right=(5,))


def _cards(one: AsideValues | SettledValues) -> str:
    what = unclaimed_words.what(one.owed)
    return f"{what} · {one.issue}: {unclaimed_words.cards(one.first, one.last)}"


def _how(one: SettledValues) -> str:
    if not one.till:
        return _("Period over")
    how = _("complaint %(number)s") % {"number": one.complaint} if one.complaint else ""
    return " · ".join(filter(None, [_("Paid"), one.till, how]))


def _people(one: AsideValues | SettledValues) -> str:
    return ", ".join(filter(None, [one.by, one.witness])) or NONE
