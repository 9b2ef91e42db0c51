"""The RNG in a game: bound before the sale, asked ball by ball, opened at the end.

Whoever calls this holds the hall's lock; no answer is waited for longer than a second. The process
also remembers the last head of a journal, beside the signer.
"""

from __future__ import annotations

import hashlib
from pathlib import Path
from typing import Any
from uuid import UUID

from django.conf import settings

from bingo.rules import policies, session_state
from bingo.rules import session as rules
from bingo.rules.refusal import Refusal
from bingo.rules.rng import Draw
from bingo.rules.session_state import Phase
from bingo.rules.steps.drawing import RNG
from draws.models import Game
from draws.rng import client
from halls import permissions
from halls.journal import head
from halls.journal import services as journal_services
from halls.models import Hall, JournalEntry, Person, Session

# A game whose balls may still come from the RNG: the hall wants it, or the first ball decides.
MAY_DRAW = (RNG, "")
PROOF = ("opening", "unproven")  # what a completed entry tells of it


def commitment(game: Game, *, by: Person, key: UUID | None) -> str | None:
    """Return what the RNG binds itself to before a game's sale; None where it will not draw.

    A hall that draws from the RNG sells nothing before that, unless its manager has decided that
    this game is drawn otherwise (`draw.decide_ball_source`).
    A hall that has not decided where its balls come from goes on without a commitment when the RNG
    does not answer: it draws by camera or by hand. Raises Refusal: not_allowed, rng_not_running, rng_failed.
    """
    hall = _locked(game.session, "sale_announced", by=by)
    if done := journal_services.earlier(hall, kind="sale_announced", by=by, key=key):
        told: str | None = done.data.get("commitment")
        return told
    game.refresh_from_db(fields=["phase"])
    if game.phase != Phase.PREPARED:
        return None
    begun = _entry(game.session, game.number, "game_opened")
    return _committed(hall, game.session, draw_of(game), begun)


def commitment_of_second(session: Session, *, by: Person, key: UUID | None) -> str | None:
    """Return the same for the second game of double cards, whose first is the session's last game."""
    hall = _locked(session, "second_half_opened", by=by)
    if done := journal_services.earlier(hall, kind="second_half_opened", by=by, key=key):
        told: str | None = done.data.get("commitment")
        return told
    first = session.games.select_related("session__hall", "issue__series").last()
    if first is None or first.phase != Phase.COMPLETE or not first.issue.double:
        return None
    begun = _entry(session, first.number, "entry_completed")
    return _committed(hall, session, draw_of(first, number=first.number + 1), begun)


def next_ball(*, game: Game, order: int) -> int:
    """Return ball `order` of a game, from 1; the first one binds the RNG to the announced draw.

    Raises Refusal: rng_not_running; rng_not_bound without a commitment from before the sale;
    rng_lost when the process has been started again since; rng_failed; rng_opened;
    rng_other_head; stale_page.
    """
    if game.commitment is None:
        raise Refusal("rng_not_bound")
    head = _entry(game.session, game.number, "draw_announced")
    if head is None:
        raise Refusal("stale_page", number=order)
    bound = game.commitment
    return client.ball(_folder(), draw_of(game), commitment=bound, head=head.digest, order=order)


def opening(game: Game, *, unproven: bool = False, by: Person, key: UUID | None) -> dict[str, Any]:
    """Return what opens a game's commitment, as its entry tells it, once no ball of it can follow.

    Nothing without a commitment, or where the RNG has lost it: the entry is completed all the
    same, and shows that nobody can prove those balls. While the RNG does not answer it may have it
    yet: only who says `unproven` goes on without it. Raises Refusal: not_allowed, no_proof.
    """
    hall = _locked(game.session, "entry_completed", by=by)
    if done := journal_services.earlier(hall, kind="entry_completed", by=by, key=key):
        return {name: done.data[name] for name in PROOF if name in done.data}
    game.refresh_from_db(fields=["commitment"])
    if game.commitment is None or not _may_complete(game):
        return {}
    try:
        opened = client.opening(_folder(), draw_of(game), commitment=game.commitment)
    except Refusal as refusal:
        if refusal.code == "rng_lost":
            return {}
        if unproven:
            return {"unproven": refusal.code}
        raise Refusal("no_proof", rng=refusal.code) from refusal
    return {"opening": opened.to_data()}


def fault() -> str:
    """Return the code of what keeps the RNG from drawing, nothing when it can."""
    try:
        return "rng_failed" if client.failure(_folder()) else ""
    except Refusal as refusal:
        return refusal.code


def can_draw(session: Session) -> bool:
    """Return whether the RNG can give the next ball: of the game under way, else of the next one.

    Once cards of a game are sold it can where it bound itself to it before and has not lost it.
    """
    state = session_state.load(session.state)
    if state.game is None or not state.playing or state.game.phase == Phase.PREPARED:
        return not fault()
    game = session.games.select_related("session__hall", "issue__series").last()
    if game is None or game.commitment is None:
        return False
    return client.keeps(_folder(), draw_of(game), commitment=game.commitment)


def source_of(session: Session, number: int) -> str:
    """Return where a game's balls come from: as decided for it alone, else as the hall has decided.

    Empty where the first ball decides.
    """
    session.refresh_from_db(fields=["state"])
    known = session_state.load(session.state).game
    if known is not None and known.number == number and known.sources:
        return known.sources[0][0]
    return policies.of(session.state["terms"]).source


def draw_of(game: Game, *, number: int | None = None) -> Draw:
    """Return which draw a game is, or the game of another number with the same cards."""
    return Draw(
        hall=game.session.hall.code,
        session=game.session.number,
        game=number or game.number,
        format=game.issue.series.format,
    )


def _locked(session: Session, kind: str, *, by: Person) -> Hall:
    permissions.require(by, kind, hall=session.hall_id)
    return head.lock(session.hall_id)


def _may_complete(game: Game) -> bool:
    """Return whether the entry can be completed, so that no seed is shown for one that cannot."""
    state = session_state.load(
        Session.objects.values_list("state", flat=True).get(pk=game.session_id)
    )
    if state.game is None or state.game.number != game.number:
        return False
    try:
        rules.decide(state, "entry_completed")
    except Refusal:
        return False
    return True


def _committed(hall: Hall, session: Session, draw: Draw, begun: JournalEntry | None) -> str | None:
    source = source_of(session, draw.game)
    if source not in MAY_DRAW or begun is None:
        return None
    try:
        return client.commit(_folder(), draw, begun=begun.digest)
    except Refusal:
        if source == RNG:
            raise
        return None


def _entry(session: Session, game: int, kind: str) -> JournalEntry | None:
    return JournalEntry.objects.filter(session=session, game=game, kind=kind).last()


def _folder() -> Path:
    return Path(settings.RNG_DIR)


def journal_name(hall: Hall) -> str:
    """Return how the process names a hall's journal: by its code, and by the keys that sign it.

    Two installations that share the process have halls of the same code.
    """
    place = hashlib.sha256(str(Path(settings.KEYS_DIR).resolve()).encode()).hexdigest()
    return f"{hall.code}@{place[:16]}"


def read_note(hall: Hall) -> str | None:
    """Return the note that is remembered, nothing where there is none, None without an answer."""
    return client.head(settings.RNG_DIR, journal_name(hall))


def replace_note(hall: Hall, note: str, before: str) -> bool:
    """Remember a note in the place of the one before; tell whether that was done."""
    return client.keep_head(settings.RNG_DIR, journal_name(hall), note, before=before)
