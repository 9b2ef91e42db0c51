"""What the slip of a complaint says in the active language, the same on a page and on till paper."""

from django.utils.translation import gettext as _

from draws.documents.complaint_values import ComplaintSlip
from draws.documents.complaint_words import DECISIONS


def kind(_values: ComplaintSlip) -> str:
    """Name the paper."""
    return _("Complaint of a player")


def number(values: ComplaintSlip) -> str:
    """Give the complaint's number, by which it is found again: session and place there."""
    return f"{values.session}/{values.complaint}"


def title(values: ComplaintSlip) -> str:
    """Name session and game: "Session 12, game 3"."""
    if values.game is None:
        return _("Session %(session)s") % {"session": values.session}
    return _("Session %(session)s, game %(game)s") % {
        "session": values.session,
        "game": values.game,
    }


def about(values: ComplaintSlip) -> list[str]:
    """Name ball, card and picture, as far as there are any."""
    told = []
    if values.ball is not None and values.number is not None:
        named = {"place": values.ball, "number": values.number}
        told.append(_("Ball no. %(place)s: %(number)s") % named)
    elif values.ball is not None:
        told.append(_("Ball no. %(place)s") % {"place": values.ball})
    if values.card:
        told.append(_("Card %(card)s") % {"card": values.card})
    if values.picture:
        told.append(_("The picture of the ball is kept."))
    return told


def said(values: ComplaintSlip) -> str:
    """Quote what the player said."""
    return f"“{values.text}”"


def taken_by(values: ComplaintSlip) -> str:
    """Name whoever took it down."""
    return _("Taken down by %(name)s") % {"name": values.taken_by}


def outcome(values: ComplaintSlip) -> str:
    """Say what was decided and by whom, or that it is open."""
    if not values.decision:
        return _("Open: not decided yet.")
    told = {
        "decision": DECISIONS[values.decision],
        "reason": values.reason,
        "name": values.decided_by,
    }
    return _("%(decision)s: %(reason)s (decided by %(name)s)") % told


def where_to_go(values: ComplaintSlip) -> list[str]:
    """Say who decides, where it is written down, and where a player may go who does not agree."""
    written = _("It stands in the acta of the session, which the gaming authority reads.")
    further = _("Whoever does not agree may turn to the gaming authority, with this slip.")
    if values.decision:
        return [written, further]
    first = _("Ask for the decision at the chief's table or of the hall manager, by this number.")
    return [first, written, further]
