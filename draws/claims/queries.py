"""Read claims: winning cards nobody has called yet, tasks of floor assistants, verdicts of checks.

Nothing of the uncalled cards may reach a board or a public socket: it would tell the hall what to
look for. The cards of a game are read once a process and then follow its balls, so that a ball
costs the consoles next to nothing.

Assistants see whose card is called, which cards are at the table, and what to collect. A verdict is
said to the chief, the hall, the acta and the journal.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from itertools import islice
from threading import Lock
from typing import Any

from django.utils.functional import Promise
from django.utils.translation import gettext, ngettext
from django.utils.translation import gettext_lazy as _

from bingo.engine.winners import Winners, table
from bingo.rules import custody, formats
from bingo.rules.custody import Card
from bingo.rules.sale_order import Run
from bingo.rules.session_state import GameState, Phase
from draws.cards import labels as cards_labels
from draws.custody import queries as custody_queries
from draws.models import Card as models_Card
from draws.models import CarriedCard, Game, Issue
from halls.models import Hall, JournalEntry

KEPT = 8  # games a process follows at once, a hall plays one
SHOWN = (Phase.DRAWING, Phase.STOPPED, Phase.WINDOW)

Key = tuple[int, int]  # issue, card
# A hall put back from a copy may give a game's number again, but not at the same moment.
Which = tuple[int, datetime]  # game, opened at


@dataclass(frozen=True, slots=True)
class Uncalled:
    """A combination to be called, and the cards (issue, number) that hold it without a claim."""

    combination: str
    cards: tuple[Key, ...]


@dataclass(slots=True)
class _Followed:
    """The sold cards of a game, and the balls they have been told of, in order."""

    keys: list[Key]
    winners: Winners
    balls: tuple[int, ...] = ()
    lock: Lock = field(default_factory=Lock)


_games: OrderedDict[Which, _Followed] = OrderedDict()
_lock = Lock()


def prepare(game: Game, known: GameState) -> None:
    """Read a game's sold cards before its first ball, which then need not wait for it."""
    if known.phase == Phase.CLOSED:
        _followed(game, known)


def uncalled(game: Game, known: GameState) -> tuple[Uncalled, ...]:
    """Return what is complete and not called, a combination each, those without cards left out."""
    if known.phase not in SHOWN:
        return ()
    followed = _followed(game, known)
    called = {(claim.combination, claim.issue, claim.card) for claim in known.claims}
    with followed.lock:
        _catch_up(followed, known.balls)
        complete = {
            one.name: followed.winners.complete(one.name)
            for one in known.won
            if one.name not in known.closed
        }
    found = (
        Uncalled(
            name, tuple(key for at in places if (name, *(key := followed.keys[at])) not in called)
        )
        for name, places in complete.items()
    )
    return tuple(one for one in found if one.cards)


def _followed(game: Game, known: GameState) -> _Followed:
    """Return a game's cards from the cache, or read them: two readers at once do it twice, no more."""
    which = (game.pk, game.opened_at)
    with _lock:
        if which in _games:
            _games.move_to_end(which)
            return _games[which]
    read = _read(known)
    with _lock:
        kept = _games.setdefault(which, read)
        while len(_games) > KEPT:
            _games.popitem(last=False)
    return kept


def _read(known: GameState) -> _Followed:
    series = dict(
        Issue.objects.filter(pk__in=[run.issue for run in known.runs]).values_list("pk", "series")
    )
    sold = [
        ((run.issue, number), rows)
        for run in known.runs
        for number, rows in _cards(series[run.issue], run)
    ]
    cards = table([rows for _key, rows in sold])
    winners = Winners(cards, format=formats.get_format(known.format), combinations=known.won)
    return _Followed([key for key, _rows in sold], winners)


def _cards(series: int, run: Run) -> list[tuple[int, list[list[int | None]]]]:
    """Return the numbers and rows of the cards that a run sold."""
    return [
        card
        for first, last in run.sold_parts
        for card in models_Card.objects.filter(series=series, number__range=(first, last))
        .order_by("number")
        .values_list("number", "rows")
    ]


def _catch_up(followed: _Followed, balls: tuple[int, ...]) -> None:
    """Tell the cards what was announced since, after taking back what was recalled.

    A page read a moment ago may ask with fewer balls than another: it goes back and forth.
    """
    same = 0
    for ours, theirs in zip(followed.balls, balls, strict=False):
        if ours != theirs:
            break
        same += 1
    for ball in reversed(followed.balls[same:]):
        followed.winners.recall(ball)
    for ball in balls[same:]:
        followed.winners.announce(ball)
    followed.balls = balls


NEWEST = 3  # games to collect; the next of them come when these are destroyed
LOOKED_AT = 12  # games, of which those that nothing is left of are passed over


@dataclass(frozen=True, slots=True)
class ToCollect:
    """A game that is over whose used cards are not destroyed: of `used`, `mine` and all `collected`."""

    game: Game
    used: int
    mine: int
    collected: int

    @property
    def left(self) -> int:
        """How many cards nobody has said to have collected."""
        return self.used - self.collected


def last_call(game: Game) -> JournalEntry | None:
    """Return the entry by which somebody last called in a game, None where nobody has."""
    calls = JournalEntry.objects.filter(session=game.session, game=game.number, kind="claim_called")
    return calls.order_by("-number").first()


def sought(game: Game, known: GameState) -> str:
    """Return the combination whose cards assistants bring, as `bingo.rules.custody.sought` tells it."""
    entry = last_call(game) if known.phase in custody.CALLED else None
    return custody.sought(known, entry.data["combination"]) if entry else ""


def window_waits(game: Game, *, least: float, at: datetime) -> float:
    """Return the seconds, of `least`, that the hall still has to answer "any more?" (R46)."""
    opened = JournalEntry.objects.filter(
        session=game.session_id, game=game.number, kind="window_opened"
    ).last()
    waited = (at - opened.at).total_seconds() if opened else least
    # A clock that was set back cannot tell: the chief, who can, is not kept waiting until it is right.
    return least - waited if 0 <= waited < least else 0.0


def call_assistant(game: Game) -> int | None:
    """Return the number of the entry by which somebody last called."""
    entry = last_call(game)
    return entry.number if entry else None


def brought_since(game: Game, call: int | None) -> set[Card]:
    """Return the cards brought to the table for a call."""
    rows = CarriedCard.objects.filter(game=game, call=call or 0)
    return set(rows.values_list("issue", "card"))


def at_the_table(game: Game) -> list[CarriedCard]:
    """Return the cards brought for the last call, in the order they came."""
    rows = CarriedCard.objects.filter(game=game, call=call_assistant(game) or 0)
    return list(rows.select_related("entry__by", "issue").order_by("pk"))


def place_of(game: Game, issue: Issue, card: int) -> str | None:
    """Return where the player of a card brought for the last call sits, None where nobody said so (R48)."""
    rows = CarriedCard.objects.filter(
        game=game, call=call_assistant(game) or 0, issue=issue, card=card
    )
    return rows.exclude(place="").values_list("place", flat=True).first()


def to_collect(hall: Hall, *, username: str) -> list[ToCollect]:
    """Return the newest games whose used cards are still to be collected, the newest first."""
    waiting = custody_queries.over(hall).filter(used_destruction__isnull=True).order_by("-pk")
    found = (_to_collect(game, username) for game in waiting[:LOOKED_AT])
    return list(islice((one for one in found if one.used), NEWEST))


def _to_collect(game: Game, username: str) -> ToCollect:
    said = custody.newest(custody_queries.collected(game))
    return ToCollect(
        game,
        used=custody_queries.used(game),
        mine=sum(one.cards for one in said if one.by == username),
        collected=sum(one.cards for one in said),
    )


FAULTS: Mapping[str, Promise] = {
    "unmarked": _("Not marked"),
    "damaged": _("Damaged"),
    "altered": _("Altered or written on"),
}

# Why a card that was not sold in this game was not, and what is wrong with one that is not sound.
WRONG: Mapping[str, Promise] = {
    "other_format": _("Wrong: this is another kind of card than this game's"),
    "other_issue": _("Wrong: this card's issue is not in this game"),
    "written_off": _("Wrong: this card was written off or retired"),
    "earlier": _("Wrong: this card comes before those of this game"),
    "not_sold": _("Wrong: this card was not sold in this game"),
    "unmarked": _("Wrong: the numbers are not marked on the card"),
    "damaged": _("Wrong: the card is damaged"),
    "altered": _("Wrong: the card is altered or written on"),
    "not_sound": _("Wrong: the card is not marked or not intact"),
    "refused_before": _("Wrong: refused for its marks before; only two persons may reverse that"),
}

# More numbers than these are seen on the card better than they are read in a line.
MOST_NAMED = 5


def verdict(data: Mapping[str, Any]) -> str:
    """Say what a check found, from the data of its entry (R43)."""
    reason = data["reason"]
    if reason is None:
        return gettext("Right")
    if reason == "numbers_missing":
        return _missing(data["missing"], of_symbols=bool(data.get("symbols")))
    # What is said of its marks now does not undo what was found of them before.
    told = {"not_sold": data.get("why"), "not_sound": data.get("fault")}
    cause = told.get(reason)
    return str(WRONG[cause or reason])


def _missing(numbers: list[int], *, of_symbols: bool) -> str:
    n = len(numbers)
    if of_symbols:
        said = ngettext("Wrong: %d symbol missing", "Wrong: %d symbols missing", n) % n
        named = ", ".join(map(cards_labels.symbol_name, numbers))
    else:
        said = ngettext("Wrong: %d number missing", "Wrong: %d numbers missing", n) % n
        named = ", ".join(map(str, numbers))
    return f"{said}: {named}" if n <= MOST_NAMED else said
