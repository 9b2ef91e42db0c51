"""Ball sets: register, put in use, inspect, replace a ball, retire (R20-R26)."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from datetime import date
from typing import Any, Unpack

from django.db import transaction

from bingo.rules import equipment as rules
from bingo.rules import session_state
from bingo.rules.equipment import BallSetState, SetPlace
from bingo.rules.game_flow import Fact
from bingo.rules.refusal import Refusal
from bingo.rules.session_state import Phase
from halls import permissions
from halls.equipment import queries
from halls.journal import services as journal_services
from halls.journal.queries import open_session
from halls.journal.services import Who, begin_command
from halls.models import BallSet, Device, Hall, JournalEntry

Data = dict[str, Any]

DRAWN = (Phase.DRAWING, Phase.STOPPED, Phase.WINDOW)


@transaction.atomic
def register(
    *,
    hall: Hall,
    serial: str,
    format: int,
    maker: str = "",
    model: str = "",
    approval: str = "",
    marks: Iterable[int] = (),
    zeros: bool = False,
    games: int = 0,
    authority: str = "",
    approved_on: date | None = None,
    approved_until: date | None = None,
    **who: Unpack[Who],
) -> BallSet:
    """Take a set into the hall's books; `games` are those it served before (R20-R22, R25).

    Raises Refusal: not_allowed, key_reused, ball_set_known, or what `rules.register_set` refuses.
    """
    permissions.require(who["by"], "ball_set_registered", hall=hall.pk)
    asked = rules.register_set(
        ball_set=serial, format=format, maker=maker, model=model, approval=approval, marks=marks,
        zeros=zeros, games=games, authority=authority, **rules.approval_days(approved_on, approved_until),
    )  # fmt: skip
    hall, done = begin_command(hall.pk, "ball_set_registered", inputs=asked, **who)
    if done:
        return BallSet.objects.get(hall=hall, serial=serial)
    if BallSet.objects.filter(hall=hall, serial=serial).exists():
        raise Refusal("ball_set_known", ball_set=serial)
    fact = Fact("ball_set_registered", asked)
    entry = journal_services.entry_append(hall, fact, **who)
    told = {name: asked[name] for name in asked if name != "ball_set"}
    kept = told | rules.approved(asked)
    return BallSet.objects.create(hall=hall, serial=serial, registered_at=entry.at, **kept)


@transaction.atomic
def use(*, ball_set: BallSet, extractor: Device | None = None, **who: Unpack[Who]) -> BallSet:
    """Put a set in use for its format; the one in use until then is kept (R25).

    Raises Refusal: not_allowed, key_reused, unknown_device, ball_set_in_game, or what `rules.use`
    refuses.
    """
    named = extractor.name if extractor else None
    asked = {"ball_set": ball_set.serial, "extractor": named}
    hall, done = begin_command(ball_set.hall_id, "ball_set_used", inputs=asked, **who)
    if done:
        return _again(ball_set)
    if extractor is not None and (extractor.hall_id != hall.pk or extractor.retired_at):
        raise Refusal("unknown_device", kind=named)
    chosen, kind = _again(ball_set), extractor.kind if extractor else None
    before = queries.in_use(hall, chosen.format)
    worn = rules.wear(chosen.games, rulebook=hall.rulebook, extractor=kind)
    data = rules.use(
        chosen.as_state,
        worn,
        extractor=named,
        kind=kind,
        replaced=before.serial if before else None,
    )
    if before is not None:
        _require_not_drawn(hall, before)
        before.standing, before.extractor = SetPlace.KEPT, None
        before.save(update_fields=["standing", "extractor"])
    chosen.standing, chosen.extractor = SetPlace.IN_USE, extractor
    chosen.save(update_fields=["standing", "extractor"])
    journal_services.entry_append(hall, Fact("ball_set_used", data), **who)
    return chosen


@transaction.atomic
def put_on_shelf(*, ball_set: BallSet, reason: str, **who: Unpack[Who]) -> BallSet:
    """Take a set out of use and put none in its place.

    Raises Refusal: not_allowed, key_reused, ball_set_in_game, ball_set_not_in_use, reason_missing.
    """
    return _put_away(ball_set, "ball_set_kept", SetPlace.KEPT, rules.put_on_shelf, reason, **who)


@transaction.atomic
def retire(*, ball_set: BallSet, reason: str, **who: Unpack[Who]) -> BallSet:
    """Have done with a set for good.

    Raises Refusal: not_allowed, key_reused, ball_set_in_game, ball_set_retired, reason_missing.
    """
    return _put_away(ball_set, "ball_set_retired", SetPlace.RETIRED, rules.retire, reason, **who)


def _put_away(
    ball_set: BallSet,
    kind: str,
    standing: SetPlace,
    decide: Callable[..., Data],
    reason: str,
    **who: Unpack[Who],
) -> BallSet:
    _entry, new = _decided(ball_set, kind, decide, {"reason": reason}, still=True, **who)
    kept = _again(ball_set)
    if new:
        kept.standing, kept.extractor = standing, None
        kept.save(update_fields=["standing", "extractor"])
    return kept


@transaction.atomic
def replace_ball(
    *, ball_set: BallSet, number: int, reason: str, old: str = "", new: str = "", **who: Unpack[Who]
) -> JournalEntry:
    """Put another ball in the place of one that is worn or lost (R26).

    Raises Refusal: not_allowed, key_reused, ball_set_in_game, or what `rules.replace_ball` refuses.
    """
    inputs = {"number": number, "reason": reason, "old": old, "new": new}
    entry, _new = _decided(ball_set, "ball_replaced", rules.replace_ball, inputs, still=True, **who)
    return entry


@transaction.atomic
def inspect(*, ball_set: BallSet, fit: bool, note: str = "", **who: Unpack[Who]) -> BallSet:
    """Write down what an inspection found; no game begins with a set that is not fit (R25).

    Raises Refusal: not_allowed, key_reused, ball_set_retired, reason_missing.
    """
    inputs = {"fit": fit, "note": note}
    _entry, new = _decided(
        ball_set, "ball_set_inspected", rules.inspect, inputs, still=False, **who
    )
    found = _again(ball_set)
    if new:
        found.fit = fit
        found.save(update_fields=["fit"])
    return found


def _decided(
    ball_set: BallSet,
    kind: str,
    decide: Callable[..., Data],
    inputs: Data,
    *,
    still: bool,
    **who: Unpack[Who],
) -> tuple[JournalEntry, bool]:
    """Decide a command about one set and write its entry; return it, and whether it is new.

    `still`: the set must not be the one that balls are coming from just now.
    """
    told = {name: one.strip() if isinstance(one, str) else one for name, one in inputs.items()}
    asked = {"ball_set": ball_set.serial} | told
    hall, done = begin_command(ball_set.hall_id, kind, inputs=asked, **who)
    if done:
        return done, False
    known: BallSetState = _again(ball_set).as_state
    data = decide(known, **told)
    if still:
        _require_not_drawn(hall, ball_set)
    return journal_services.entry_append(hall, Fact(kind, data), **who), True


def _again(ball_set: BallSet) -> BallSet:
    """Read a set as it stands now."""
    return BallSet.objects.select_related("hall", "extractor").get(pk=ball_set.pk)


def _require_not_drawn(hall: Hall, ball_set: BallSet) -> None:
    """Refuse to touch a set while the game that has begun with it is drawn: ball_set_in_game."""
    session = open_session(hall)
    game = session_state.load(session.state).game if session else None
    if session is None or game is None or game.phase not in DRAWN:
        return
    drawn = JournalEntry.objects.filter(
        session=session, game=game.number, kind="ball_announced", data__ball_set=ball_set.serial
    )
    if drawn.exists():
        raise Refusal("ball_set_in_game", ball_set=ball_set.serial)
