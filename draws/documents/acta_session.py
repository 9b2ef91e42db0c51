"""The head of the acta: whose it is, and the session from opening to close (R53, R61 a)."""

from __future__ import annotations

from django.utils.translation import gettext as _
from reportlab.lib.styles import ParagraphStyle
from reportlab.platypus import Flowable, Spacer, TableStyle

from bingo.pdf import kit
from bingo.pdf.tagging import Table
from bingo.writing import Writing
from draws.documents import acta_headings, acta_hours
from draws.documents.acta_prizes import percent
from draws.documents.acta_session_values import EndingValues, LastGameValues, TermsValues
from draws.documents.acta_values import ActaValues, cards_sold
from draws.documents.acta_words import NONE, letter, rule
from draws.documents.beside import both as _both

COLUMNS = (0.4, 0.35, 0.25)
HALL = ParagraphStyle("hall", kit.VALUE, fontName=kit.BOLD, fontSize=13, leading=16)


def masthead(values: ActaValues, writing: Writing) -> list[Flowable]:
    """The hall with its licence and law, then the title."""
    number = {"number": values.session}
    title = [kit.paragraph(str(acta_headings.TITLE) % number, kit.TITLE), Spacer(0, 3)]
    beside = acta_headings.beside(acta_headings.TITLE, values.languages, **number)
    if beside:
        title += [kit.paragraph(beside, kit.SMALL), Spacer(0, 2)]
    return [
        _hall(values),
        Spacer(0, 14),
        *title,
        kit.paragraph(writing.day(values.opened_at)),
    ]


def _hall(values: ActaValues) -> Table:
    return Table(
        [
            [kit.paragraph(values.hall, HALL), _right(_licensed(values))],
            ["", _right(values.rulebook)],
        ],
        colWidths=[kit.WIDTH * 0.5, kit.WIDTH * 0.5],
        style=TableStyle(
            [
                kit.BASE,
                ("LEFTPADDING", (0, 0), (-1, -1), 0),
                ("RIGHTPADDING", (0, 0), (-1, -1), 0),
                ("TOPPADDING", (0, 0), (-1, -1), 0),
                ("BOTTOMPADDING", (0, 0), (-1, -1), 1),
                ("VALIGN", (0, 0), (-1, -1), "TOP"),
                ("SPAN", (0, 0), (0, 1)),
                ("LINEBELOW", (0, -1), (-1, -1), 1.1, kit.INK),
                ("BOTTOMPADDING", (0, -1), (-1, -1), 6),
            ]
        ),
    )


def _licensed(values: ActaValues) -> str:
    return _("Licence: %(licence)s") % {"licence": values.licence}


def facts(values: ActaValues, writing: Writing) -> list[Flowable]:
    """The session at a glance, then how its end was planned and its last game announced."""
    return [_grid(values, writing), *_endings(values, writing)]


def _grid(values: ActaValues, writing: Writing) -> Table:
    void = sum(game.voided is not None for game in values.games)
    told: list[tuple[str, str, str]] = [
        (_both("Session opened"), "a", writing.instant(values.opened_at)),
        (_both("Opened by"), "", values.opened_by),
        (_both("Games"), "", writing.whole(len(values.games))),
        (_both("Session closed"), "", writing.instant(values.closed_at)),
        (_both("Closed by"), "", values.closed_by),
        (_both("Void games"), "i", writing.whole(void)),
        (_both("Time zone"), "", acta_hours.zones(values, writing)),
        (_both("Cards sold"), "d", writing.whole(cards_sold(values.games))),
        (_both("Collected"), "e", writing.money(sum(game.gross for game in values.games))),
    ]
    if values.terms:
        told += _terms(values.terms, writing)
    cells = [
        [
            kit.labelled(name, letter(values.article, mark) if mark else ""),
            kit.paragraph(text, kit.VALUE),
        ]
        for name, mark, text in told
    ]
    return Table(
        [[*cells[n : n + 3]] for n in range(0, len(cells), 3)],
        colWidths=[kit.WIDTH * share for share in COLUMNS],
        style=TableStyle(
            [
                kit.BASE,
                ("LEFTPADDING", (0, 0), (-1, -1), 0),
                ("TOPPADDING", (0, 0), (-1, -1), 2.5),
                ("BOTTOMPADDING", (0, 0), (-1, -1), 3.5),
                ("LINEBELOW", (0, 0), (-1, -1), 0.3, kit.RULE),
                ("LINEABOVE", (0, 0), (-1, 0), 0.3, kit.RULE),
                ("VALIGN", (0, 0), (-1, -1), "TOP"),
            ]
        ),
    )


def _terms(terms: TermsValues, writing: Writing) -> list[tuple[str, str, str]]:
    tax = percent(terms.tax_rate)
    if terms.tax_rate and terms.tax_threshold:
        above = {"rate": tax, "amount": writing.money(terms.tax_threshold)}
        tax = _("%(rate)s above %(amount)s") % above
    shares = _("Line %(line)s, bingo %(bingo)s") % {
        "line": percent(terms.line), "bingo": percent(terms.bingo),
    }  # fmt: skip
    return [
        (_both("Authorisation"), "", terms.authorisation),
        (_both("Prizes, of the sales"), "", shares),
        (_both("Tax on prizes"), "", tax if terms.tax_rate else NONE),
    ]


def _endings(values: ActaValues, writing: Writing) -> list[Flowable]:
    told = [_planned(one, writing) for one in values.endings]
    if values.last_game:
        told.append(_last(values.last_game, writing))
    elif values.template:
        told.append(_("The last game was not announced."))
    mark = rule(values.article, "R53")
    return [Spacer(0, 5), *(_line(one, mark) for one in told)] if told else []


def _planned(one: EndingValues, writing: Writing) -> str:
    said = _("End planned for %(end)s, set at %(hour)s by %(by)s.") % {
        "end": writing.instant(one.ends_at), "hour": writing.hour(one.at), "by": one.by,
    }  # fmt: skip
    if not one.reason:
        return said
    return f"{said} " + _("Reason: %(reason)s") % {"reason": one.reason}


def _last(one: LastGameValues, writing: Writing) -> str:
    said = {"game": one.game, "hour": writing.hour(one.at), "by": one.by}
    told = _("Last game, number %(game)s, announced at %(hour)s by %(by)s.") % said
    if one.ends_at is None:
        return told
    return f"{told} " + _("End planned by then: %(end)s.") % {"end": writing.instant(one.ends_at)}


def _line(text: str, mark: str) -> Flowable:
    return kit.labelled(text, mark, kit.SMALL)


def _right(text: str) -> Flowable:
    return kit.paragraph(text, kit.SMALL_RIGHT)
