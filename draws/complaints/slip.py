"""Words and slip of a complaint: what the record, page, acta and player's paper say of it (R61 j)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from django.utils import translation
from django.utils.functional import Promise
from django.utils.translation import gettext as _now
from django.utils.translation import gettext_lazy as _

from bingo.money_and_dates import Writing
from bingo.rules.complaints import REJECTED, UPHELD, WITHDRAWN
from bingo.slips.slip import Line, LineStyle, TillPaper, TillSlip, journal_reference
from draws import trade_words
from draws.cards import labels as cards_labels
from draws.sales.labels import Data, Money

DECISIONS: Mapping[str, Promise | str] = {
    UPHELD: _("Upheld"),
    REJECTED: _("Rejected"),
    WITHDRAWN: _("Withdrawn by the player"),
}


def complaint_about(complaint: Any) -> str:
    """Name a complaint (a row) by its number, ball and card: "complaint 2 · ball 12 · card A 7 · 5"."""
    card = f"{complaint.issue} · {complaint.card}" if complaint.card is not None else None
    game = complaint.game
    earlier = game is not None and game.session_id != complaint.session_id
    of = (game.session.number, game.number) if earlier else None
    return _subject_line(complaint.number, complaint.ball, card, of)


def _subject_line(
    number: int, ball: int | None, card: object, of: tuple[int, int] | None = None
) -> str:
    told = [_now("complaint %(number)s") % {"number": number}]
    if of is not None:
        told.append(trade_words.session_and_game(*of))
    if ball is not None:
        told.append(_now("ball no. %(place)s") % {"place": ball})
    if card is not None:
        told.append(_now("card %(card)s") % {"card": card})
    return " · ".join(told)


def _opened(data: Data, _money: Money) -> str:
    of = (data["of_session"], data["of_game"]) if "of_session" in data else None
    subject = _subject_line(data["complaint"], data["ball"], data["card"], of)
    return f"{subject}: {data['text']}"


def _decided(data: Data, _money: Money) -> str:
    named = {"number": data["complaint"], "session": data["session"]}
    told = _now("complaint %(number)s of session %(session)s") % named
    return f"{told} · {DECISIONS[data['decision']]}: {data['text']}"


TELLERS: Mapping[str, Callable[[Data, Money], str]] = {
    "complaint_opened": _opened,
    "complaint_decided": _decided,
}


@dataclass(frozen=True, slots=True)
class ComplaintSlip(TillPaper):
    """A complaint as it stands (R61 j).

    `of_session` is the session of the game, which may be an earlier one.
    `game` is None where it is about none, `ball` its place and `number` what was on it, both None
    where it is about no ball, `card` empty likewise; `decision` is a code, empty while it is open,
    and `decided_by` names whoever decided; `entry` and `digest` are those of the entry that opened it.
    A ball of a game `of_symbols` is called by its symbol (R80).
    """

    session: int
    of_session: int
    complaint: int
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
    of_symbols: bool = False


def complaint_slip(values: ComplaintSlip) -> TillSlip:
    """Return the player's slip of a complaint in the hall's language."""
    writing = Writing(values.language, values.currency)
    with translation.override(values.language):
        kind = _now("Complaint of a player")
        game = trade_words.session_and_game(values.of_session, values.game)
        return values.slip(
            f"{kind} · {game}",
            (
                Line(kind, LineStyle.TITLE),
                # By its session and its place there a complaint is found again.
                Line(f"{values.session}/{values.complaint}", LineStyle.NUMBER),
                Line(game, LineStyle.TITLE),
                Line(writing.instant(values.at), LineStyle.SMALL),
                *map(Line, _about(values)),
            ),
            (
                Line(f"“{values.text}”"),
                Line(_now("Taken down by %(name)s") % {"name": values.taken_by}, LineStyle.SMALL),
            ),
            (
                Line(_outcome(values), LineStyle.NOTICE),
                *(Line(told, LineStyle.SMALL) for told in _where_to_go(values)),
                journal_reference(values.entry, values.digest),
            ),
        )


def _about(values: ComplaintSlip) -> list[str]:
    """Name ball, card and picture, as far as there are any."""
    told = []
    if values.ball is not None and values.number is not None:
        called = cards_labels.ball(values.number, of_symbols=values.of_symbols)
        named = {"place": values.ball, "number": called}
        told.append(_now("Ball no. %(place)s: %(number)s") % named)
    elif values.ball is not None:
        told.append(_now("Ball no. %(place)s") % {"place": values.ball})
    if values.card:
        told.append(_now("Card %(card)s") % {"card": values.card})
    if values.picture:
        told.append(_now("The picture of the ball is kept."))
    return told


def _outcome(values: ComplaintSlip) -> str:
    """Say what was decided and by whom, or that it is open."""
    if not values.decision:
        return _now("Open: not decided yet.")
    told = {
        "decision": DECISIONS[values.decision],
        "reason": values.reason,
        "name": values.decided_by,
    }
    return _now("%(decision)s: %(reason)s (decided by %(name)s)") % told


def _where_to_go(values: ComplaintSlip) -> list[str]:
    """Say who decides, where it is written down, and where a player may go who does not agree."""
    written = _now("It stands in the acta of the session, which the gaming authority reads.")
    further = _now("Whoever does not agree may turn to the gaming authority, with this slip.")
    if values.decision:
        return [written, further]
    first = _now(
        "Ask for the decision at the chief's table or of the hall manager, by this number."
    )
    return [first, written, further]
