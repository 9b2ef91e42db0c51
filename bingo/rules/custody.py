"""Custody of cards after a game: destroyed, kept, held by a case, handed over (R51, R52).

Also what a floor assistant may do with cards: bring called ones to the table and collect used ones,
never money (BOE III); and a called card shown to the hall by a camera, beside the system's own
(R43, BOE II).
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, MutableMapping, Sequence
from dataclasses import dataclass, replace
from datetime import date, timedelta
from types import MappingProxyType
from typing import Any

from bingo.rules.journal_json_and_chain import Data
from bingo.rules.refusal import Refusal
from bingo.rules.session_state import GameState, Phase
from bingo.rules.steps.claiming import LONGEST_PLACE, is_place
from bingo.rules.texts import require_record, require_text

Card = tuple[int, int]  # the issue's number, the card's
Holder = tuple[int, int]  # a complaint: its session's number, its own there

NOBODY: Mapping[str, Any] = MappingProxyType({})
DESTROYED, HANDED_OVER, GONE_MISSING = "destroyed", "handed_over", "lost"
LONGEST_REFERENCE = 120
# What two persons can look through at once, and what a record of some pages can list.
MOST_AT_ONCE = 500


@dataclass(frozen=True, slots=True)
class KeptCard:
    """A card that came into the hall's keeping.

    `game` is the one it is filed under, `play` that of double cards' first half (else the same);
    `played` is the game's day and `paid` the day of its payment, None for a card that was set
    aside as evidence and not paid since. `gone` says how it left, empty while it is there.
    """

    issue: int
    card: int
    session: int
    game: int
    play: int
    played: date
    paid: date | None
    gone: str = ""

    @property
    def key(self) -> Card:
        """What names the card in the hall."""
        return (self.issue, self.card)


@dataclass(frozen=True, slots=True)
class CaseState:
    """A case, which while it is open holds all kept cards of a game (of both halves of double cards)."""

    number: int
    session: int
    play: int
    open: bool = True


Shelf = Mapping[Card, KeptCard]
NOT_HELD: Mapping[Card, Holder] = MappingProxyType({})


def free_from(kept: KeptCard, *, days: int | None) -> date:
    """Return the first day on which a card may be destroyed, unless a case holds it (R52).

    A term in days does not count the day it begins on: paid on the 1st and kept for eight days, a
    card is destroyed from the 10th on. What was set aside waits for nothing but its case.
    """
    if kept.paid is None:
        return kept.played
    return kept.paid + timedelta(days=(days or 0) + 1)


def holding(kept: KeptCard, cases: Iterable[CaseState]) -> CaseState | None:
    """Return the open case with the lowest number that holds a card."""
    held = [one for one in cases if one.open and (one.session, one.play) == _play(kept)]
    return min(held, key=lambda one: one.number, default=None)


def destroy(
    shelf: Shelf,
    asked: Sequence[Card],
    *,
    cases: Collection[CaseState],
    held: Mapping[Card, Holder] = NOT_HELD,
    open_session: int | None,
    days: int | None,
    on: date,
) -> Data:
    """Destroy kept cards whose days are over on a day (R52); `held` are those of open complaints.

    Raises Refusal: nothing_to_destroy, too_many_cards, not_on_shelf, destroyed_already,
    handed_over_already, lost_already, session_still_open, held_by_case, held_by_complaint, kept_too_short.
    """
    if not asked:
        raise Refusal("nothing_to_destroy")
    found = _there(shelf, asked)
    for kept in found:
        if kept.session == open_session:
            raise Refusal("session_still_open", card=kept.card, session=kept.session)
        if case := holding(kept, cases):
            raise Refusal("held_by_case", card=kept.card, case=case.number)
        require_not_held([kept.key], held)
        first = free_from(kept, days=days)
        if on < first:
            raise Refusal("kept_too_short", card=kept.card, day=first.isoformat())
    return {"cards": [_describe_kept_card(kept) for kept in found]}


def hand_over_cards(
    shelf: Shelf, asked: Sequence[Card], *, case: CaseState, acta: str | None, to: str
) -> Data:
    """Hand cards that a case holds to the regulator, with the acta of their session (R51).

    `acta` is the digest of the sealed one. Raises Refusal: nothing_to_hand_over, too_many_cards,
    case_closed, recipient_missing, bad_text, acta_not_sealed, not_on_shelf, destroyed_already,
    handed_over_already, lost_already, card_of_other_game.
    """
    if not case.open:
        raise Refusal("case_closed", case=case.number)
    if not asked:
        raise Refusal("nothing_to_hand_over")
    require_text(to, missing=Refusal("recipient_missing"))
    receiver = require_record(to, longest=LONGEST_REFERENCE)
    if acta is None:
        raise Refusal("acta_not_sealed", session=case.session)
    found = _there(shelf, asked)
    for kept in found:
        if _play(kept) != (case.session, case.play):
            raise Refusal("card_of_other_game", card=kept.card, case=case.number)
    return {
        "case": case.number,
        "session": case.session,
        "acta": acta,
        "to": receiver,
        "cards": [_describe_kept_card(kept) for kept in found],
    }


def leave(
    shelf: MutableMapping[Card, KeptCard], cards: Iterable[Mapping[str, Any]], how: str
) -> None:
    """Take off the shelf what an entry says was destroyed, handed over or lost."""
    for told in cards:
        key = (told["issue"], told["card"])
        shelf[key] = replace(shelf[key], gone=how)


def lose(shelf: Shelf, asked: Sequence[Card], *, reason: str) -> Data:
    """Record that kept cards are lost: nothing awaits their destruction any more (R52).

    What holds them, a case or a complaint, holds the rest; that they are gone is a fact all the
    same. Raise Refusal: nothing_lost, reason_missing, bad_text, too_many_cards, not_on_shelf,
    destroyed_already, handed_over_already, lost_already.
    """
    if not asked:
        raise Refusal("nothing_lost")
    said = _reason(reason)
    return {"cards": [_describe_kept_card(kept) for kept in _there(shelf, asked)], "reason": said}


def destroy_used(
    *,
    session: int,
    game: int,
    used: int,
    cards: int,
    note: str,
    collected: Mapping[str, Any] = NOBODY,
) -> Data:
    """Destroy the used cards of a game that were collected, of `used` there should be (R51).

    `collected` is what `custody.by_whom` gives of who collected them. Raises Refusal: nothing_to_destroy, bad_count, bad_text.
    """
    if not used:
        raise Refusal("nothing_to_destroy")
    if not 0 <= cards <= used:
        raise Refusal("bad_count", most=used)
    said = require_record(note)
    told: Data = {"session": session, "game": game, "cards": cards, "missing": used - cards}
    return told | ({"note": said} if said else {}) | dict(collected)


def require_not_held(cards: Iterable[Card], held: Mapping[Card, Holder]) -> None:
    """Refuse to destroy a card that an open complaint is about (R51, R52): held_by_complaint."""
    for issue, card in cards:
        if (issue, card) in held:
            session, complaint = held[issue, card]
            raise Refusal("held_by_complaint", card=card, complaint=complaint, session=session)


def require_over(*, game: int, over: bool) -> None:
    """Refuse a game that goes on: game_not_over."""
    if not over:
        raise Refusal("game_not_over", game=game)


def require_used_up(*, game: int, played_on: bool) -> None:
    """Refuse double cards that were played on in their second game (R15): played_on."""
    if played_on:
        raise Refusal("played_on", game=game, next=game + 1)


def open_case(
    *, case: int, session: int, game: int, reference: str, reason: str, cards: Sequence[Card] = ()
) -> Data:
    """Open a case about a game, which holds its kept cards and sets `cards` aside (R51, R52).

    Raises Refusal: case_reference_missing, reason_missing, bad_text, too_many_cards.
    """
    require_text(reference, missing=Refusal("case_reference_missing"))
    paper = require_record(reference, longest=LONGEST_REFERENCE)
    _require_few(cards)
    told: Data = {
        "case": case,
        "session": session,
        "game": game,
        "reference": paper,
        "reason": _reason(reason),
    }
    return told | ({"cards": [list(card) for card in cards]} if cards else {})


def require_set_aside(
    cards: Iterable[Card],
    *,
    shelf: Shelf,
    winning: Collection[Card],
    destroyed: bool,
    was_sold: Callable[[int, int], bool],
) -> None:
    """Refuse to set cards of a game aside that are not there to be.

    `winning` are those that won in it, of which one that was not paid may lie with the hall;
    `destroyed`: its used cards were. Raises Refusal: not_sold, kept_already, destroyed_already.
    """
    for issue, card in cards:
        if not was_sold(issue, card):
            raise Refusal("not_sold", card=card)
        if (issue, card) in shelf:
            raise Refusal("kept_already", card=card)
        if destroyed and (issue, card) not in winning:
            raise Refusal("destroyed_already", card=card)


def close_case(case: CaseState, *, outcome: str) -> Data:
    """Close a case: what it held is destroyed like any other card from now on (R52).

    Raises Refusal: case_closed, reason_missing, bad_text.
    """
    if not case.open:
        raise Refusal("case_closed", case=case.number)
    return {"case": case.number, "outcome": _reason(outcome)}


def in_order(asked: Iterable[Card]) -> list[Card]:
    """Return the cards asked for, each once, in order."""
    return sorted(set(asked))


def _there(shelf: Shelf, asked: Sequence[Card]) -> list[KeptCard]:
    _require_few(asked)
    found = []
    for key in in_order(asked):
        kept = shelf.get(key)
        if kept is None:
            raise Refusal("not_on_shelf", card=key[1])
        if kept.gone == DESTROYED:
            raise Refusal("destroyed_already", card=kept.card)
        if kept.gone == GONE_MISSING:
            raise Refusal("lost_already", card=kept.card)
        if kept.gone:
            raise Refusal("handed_over_already", card=kept.card)
        found.append(kept)
    return sorted(found, key=lambda one: (one.session, one.game, one.issue, one.card))


def _require_few(asked: Sequence[Card]) -> None:
    if len(asked) > MOST_AT_ONCE:
        raise Refusal("too_many_cards", most=MOST_AT_ONCE)


def _describe_kept_card(kept: KeptCard) -> Data:
    told: Data = {
        "session": kept.session,
        "game": kept.game,
        "issue": kept.issue,
        "card": kept.card,
        "day": kept.played.isoformat(),
    }
    return told if kept.paid is None else told | {"paid": kept.paid.isoformat()}


def _play(kept: KeptCard) -> tuple[int, int]:
    return (kept.session, kept.play)


def _reason(text: str) -> str:
    require_text(text)
    return require_record(text)


CARRIED, COLLECTED = "card_carried", "used_cards_collected"
CALLED = (Phase.STOPPED, Phase.WINDOW)


@dataclass(frozen=True, slots=True)
class Collected:
    """What somebody says they have collected of a game: the newest word of each person counts."""

    by: str
    cards: int


def sought(game: GameState, called: str) -> str:
    """Return the combination whose cards are brought to the table, empty where no claim is heard.

    It is the one last called, until its window has closed; then what was found right beside it and
    is still to be asked for (R46, R47).
    """
    if game.phase not in CALLED:
        return ""
    right = (claim.combination for claim in game.pending)
    return called if game.hears(called) else next(right, "")


def carry(
    game: GameState | None,
    *,
    session: int,
    call: int | None,
    issue: int,
    card: int,
    size: int,
    place: str,
    brought: Collection[Card],
) -> Data:
    """Bring a called card to the table, while the draw stands still for it (R43).

    `call` is the number of the entry by which somebody called, `size` how many cards the issue has,
    `place` where the player sits, empty where it was not asked (R48); `brought` holds the cards
    brought since that call. Raises Refusal: nobody_called, issue_not_on_sale, no_such_card,
    bad_place, brought_already.
    """
    if game is None or game.phase not in CALLED or call is None:
        raise Refusal("nobody_called")
    if issue not in {run.issue for run in game.runs}:
        raise Refusal("issue_not_on_sale")
    if not 1 <= card <= size:
        raise Refusal("no_such_card", card=card)
    if place and not is_place(place):
        raise Refusal("bad_place", most=LONGEST_PLACE)
    if (issue, card) in brought:
        raise Refusal("brought_already", card=card)
    told: Data = {
        "session": session, "game": game.number, "call": call, "issue": issue, "card": card,
    }  # fmt: skip
    return told | ({"place": place} if place else {})


def collect(
    *, session: int, game: int, used: int, cards: int, by: str, others: Sequence[Collected]
) -> Data:
    """Say how many used cards of a game that is over somebody has collected, in all (R51).

    It replaces what the same person said before; `others` is what everybody has said. Raises
    Refusal: bad_count, nothing_changed.
    """
    elsewhere = sum(one.cards for one in others if one.by != by)
    if not 0 <= cards <= used - elsewhere:
        raise Refusal("bad_count", most=max(0, used - elsewhere))
    if cards == sum(one.cards for one in others if one.by == by):
        raise Refusal("nothing_changed")
    return {"session": session, "game": game, "cards": cards}


def newest(said: Iterable[Collected]) -> list[Collected]:
    """Return the newest word of each person, of what was said in order; whoever has none is left out."""
    last = {one.by: one for one in said}
    return sorted((one for one in last.values() if one.cards), key=lambda one: one.by)


def by_whom(said: Iterable[Collected]) -> Data:
    """Return who has collected how many as an entry has it, nothing where nobody has."""
    found = [{"by": one.by, "cards": one.cards} for one in newest(said)]
    return {"collected": found} if found else {}


STILL = (Phase.STOPPED, Phase.WINDOW)  # the draw stands still while cards are looked at


def show_called_card(
    *, phase: Phase, check: int, last: int | None, issue: int, card: int, picture: str
) -> Data:
    """Show the picture of a card that is being checked.

    `check` and `last` are the numbers of the entries of its check and of the game's last one,
    `picture` the SHA-256 of its JPEG. Raises Refusal card_not_looked_at.
    """
    if phase not in STILL or check != last:
        raise Refusal("card_not_looked_at")
    return {"check": check, "issue": issue, "card": card, "picture": picture}
