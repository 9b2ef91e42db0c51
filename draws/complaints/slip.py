"""What is said of complaints: in the record, on the page, in the acta and on the player's slip (R61 j).

What the slip of a complaint says in the active language, the same on a page and on till paper.

The player's slip of a complaint as a page: till paper's width, as long as it needs (R61 j).

The player's slip of a complaint in the commands of a thermal printer (ESC/POS, paper of 80 mm).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from django.utils import translation
from django.utils.functional import Promise
from django.utils.translation import gettext as _now
from django.utils.translation import gettext_lazy as _
from reportlab.platypus import Flowable, Spacer

from bingo.pdf import kit
from bingo.rules.record import REJECTED, UPHELD, WITHDRAWN
from bingo.writing import Writing
from draws import slips
from draws.sales.words import Data, Money
from draws.slips import RULE, ComplaintSlip, centred, printer

DECISIONS: Mapping[str, Promise | str] = {
    UPHELD: _("Upheld"),
    REJECTED: _("Rejected"),
    WITHDRAWN: _("Withdrawn by the player"),
}


def complaint_about(complaint: Any) -> str:
    """Name a complaint (a row) by its number, ball and card: "complaint 2 · ball 12 · card A 7 · 5"."""
    card = f"{complaint.issue} · {complaint.card}" if complaint.card is not None else None
    return _told(complaint.number, complaint.ball, card)


def _told(number: int, ball: int | None, card: object) -> str:
    told = [_now("complaint %(number)s") % {"number": number}]
    if ball is not None:
        told.append(_now("ball no. %(place)s") % {"place": ball})
    if card is not None:
        told.append(_now("card %(card)s") % {"card": card})
    return " · ".join(told)


def _opened(data: Data, _money: Money) -> str:
    return f"{_told(data['complaint'], data['ball'], data['card'])}: {data['text']}"


def _decided(data: Data, _money: Money) -> str:
    named = {"number": data["complaint"], "session": data["session"]}
    told = _now("complaint %(number)s of session %(session)s") % named
    return f"{told} · {DECISIONS[data['decision']]}: {data['text']}"


TELLERS: Mapping[str, Callable[[Data, Money], str]] = {
    "complaint_opened": _opened,
    "complaint_decided": _decided,
}


def slip_kind(_values: ComplaintSlip) -> str:
    """Name the paper."""
    return _now("Complaint of a player")


def number(values: ComplaintSlip) -> str:
    """Return the complaint's number, by which it is found again: session and place there."""
    return f"{values.session}/{values.complaint}"


def slip_title(values: ComplaintSlip) -> str:
    """Name session and game: "Session 12, game 3"."""
    if values.game is None:
        return _now("Session %(session)s") % {"session": values.session}
    return _now("Session %(session)s, game %(game)s") % {
        "session": values.session,
        "game": values.game,
    }


def slip_about(values: ComplaintSlip) -> list[str]:
    """Name ball, card and picture, as far as there are any."""
    told = []
    if values.ball is not None and values.number is not None:
        named = {"place": values.ball, "number": values.number}
        told.append(_now("Ball no. %(place)s: %(number)s") % named)
    elif values.ball is not None:
        told.append(_now("Ball no. %(place)s") % {"place": values.ball})
    if values.card:
        told.append(_now("Card %(card)s") % {"card": values.card})
    if values.picture:
        told.append(_now("The picture of the ball is kept."))
    return told


def quote_complaint(values: ComplaintSlip) -> str:
    """Quote what the player said."""
    return f"“{values.text}”"


def taken_by(values: ComplaintSlip) -> str:
    """Name whoever took it down."""
    return _now("Taken down by %(name)s") % {"name": values.taken_by}


def outcome(values: ComplaintSlip) -> str:
    """Say what was decided and by whom, or that it is open."""
    if not values.decision:
        return _now("Open: not decided yet.")
    told = {
        "decision": DECISIONS[values.decision],
        "reason": values.reason,
        "name": values.decided_by,
    }
    return _now("%(decision)s: %(reason)s (decided by %(name)s)") % told


def where_to_go(values: ComplaintSlip) -> list[str]:
    """Say who decides, where it is written down, and where a player may go who does not agree."""
    written = _now("It stands in the acta of the session, which the gaming authority reads.")
    further = _now("Whoever does not agree may turn to the gaming authority, with this slip.")
    if values.decision:
        return [written, further]
    first = _now(
        "Ask for the decision at the chief's table or of the hall manager, by this number."
    )
    return [first, written, further]


def complaint_slip(values: ComplaintSlip) -> bytes:
    """Return a PDF of one page 80 mm wide in the hall's language.

    The same values give the same bytes.
    """
    with translation.override(values.language):
        return slips.slip_page(
            _story(values, Writing(values.language, values.currency)),
            title=f"{slip_kind(values)} · {slip_title(values)} · {values.hall}",
            hall=values.hall,
            language=values.language,
            at=values.at,
        )


def _story(values: ComplaintSlip, writing: Writing) -> list[Flowable]:
    return [
        kit.paragraph(values.hall, slips.HALL),
        kit.paragraph(values.licence, slips.SMALL),
        *slips.rule(),
        kit.paragraph(slip_kind(values), slips.GAME),
        kit.paragraph(number(values), slips.CARDS),
        Spacer(0, 2),
        kit.paragraph(slip_title(values), slips.GAME),
        kit.paragraph(writing.instant(values.at), slips.SMALL),
        *(kit.paragraph(about, slips.CENTRED) for about in slip_about(values)),
        *slips.rule(),
        kit.paragraph(quote_complaint(values), slips.CENTRED),
        kit.paragraph(taken_by(values), slips.SMALL),
        *slips.rule(),
        kit.paragraph(outcome(values), slips.TERMS),
        Spacer(0, 3),
        *(kit.paragraph(told, slips.SMALL) for told in where_to_go(values)),
        Spacer(0, 3),
        kit.paragraph(slips.record_receipt(values), slips.SMALL),
    ]


def complaint_escpos(values: ComplaintSlip) -> bytes:
    """Return what a printer is sent, in the hall's language, up to the cut of the paper.

    The same values give the same bytes.
    """
    writing = Writing(values.language, values.currency)
    with translation.override(values.language):
        out = printer()
        centred(out, values.hall, size=2)
        centred(out, values.licence)
        centred(out, RULE)
        centred(out, slip_kind(values), bold=True)
        centred(out, number(values), size=2, bold=True)
        centred(out, slip_title(values), bold=True)
        centred(out, writing.instant(values.at))
        for about in slip_about(values):
            centred(out, about)
        centred(out, RULE)
        centred(out, quote_complaint(values))
        centred(out, taken_by(values))
        centred(out, RULE)
        centred(out, outcome(values), bold=True)
        for told in where_to_go(values):
            centred(out, told)
        centred(out, slips.record_receipt(values))
    out.cut()
    written: bytes = out.output
    return written
