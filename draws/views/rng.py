"""How the RNG is, on the pages of those who wait for it, and what may be decided when it fails."""

from __future__ import annotations

import json
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET

from bingo.rules.state import GameState, Phase
from bingo.rules.steps.drawing import BY_HAND, CAMERA, FIRST, RNG
from draws.documents import policy_words, rng_words
from draws.queries import readings
from draws.queries.standing import Standing
from draws.services import randomness, sourcing
from draws.views import terms
from draws.views.meant import game_of
from draws.views.order import Order
from halls.models import JournalEntry, Person, Role
from halls.queries.sessions import the_open_session

Context = dict[str, Any]

FOLLOWERS = (Role.CALLER, Role.HALL_MANAGER)
UNDECIDED = ("", FIRST)
WAITED_FOR = (Phase.PREPARED, Phase.SELLING, Phase.CLOSED, Phase.DRAWING)


def decide(order: Order, now: Standing) -> str:
    """Decide where the next game's balls come from; second halves are opened by it."""
    source, reason = order.choice("source", (RNG, CAMERA, BY_HAND)), order.text("reason")
    if now.state is not None and now.state.half_due:
        session = the_open_session(order.hall)
        game = sourcing.open_second_half(session=session, source=source, reason=reason, **order.who)
        told = _("Game %(number)s is open; its balls: %(source)s")
        return told % {"number": game.number, "source": policy_words.SOURCES[source]}
    sourcing.decide(game=game_of(order), source=source, reason=reason, **order.who)
    return _("The balls of this game: %(source)s") % {"source": policy_words.SOURCES[source]}


def state() -> Context:
    """Give how the RNG is, in words, and what to do about it."""
    code = randomness.fault()
    return {"code": code, "text": rng_words.fault(code), "remedy": rng_words.remedy(code)}


def of_game(now: Standing, known: GameState) -> Context:
    """Give how the RNG is where a game's balls come from it, for whoever draws them."""
    if not _draws(now, known):
        return {}
    found = state()
    # The reason for another source, as it is put into the form.
    return {"rng": found} | ({"fault": found["text"]} if found["code"] else {})


def _draws(now: Standing, known: GameState) -> bool:
    if known.phase not in WAITED_FOR:
        return False
    source = known.source or terms.policy(now).source
    bound = now.game is not None and now.game.commitment is not None
    return source == RNG or (source in UNDECIDED and bound)


def of_hall(now: Standing, source: str) -> Context:
    """Give the hall manager how the RNG is where the hall draws from it, and what may be decided.

    `source` is what the hall has decided; of a game about to be sold, or of the second game of
    double cards, it may be decided otherwise.
    """
    if source != RNG:
        return {}
    found = {"rng": state()}
    decided = now.known.source if now.known and now.phase == Phase.PREPARED else ""
    due = now.state is not None and now.state.half_due
    if decided or ((due or now.phase == Phase.PREPARED) and found["rng"]["code"]):
        found |= {"choice": _choice(now, decided, failing=bool(found["rng"]["code"]))}
    return found


def _choice(now: Standing, decided: str, *, failing: bool) -> Context:
    cameras = bool(readings.cameras(now.hall))
    offered = [one for one in (CAMERA, BY_HAND) if one != decided and (one != CAMERA or cameras)]
    if decided and not failing:
        offered.append(RNG)
    return {
        "decided": policy_words.SOURCES[decided] if decided else "",
        "entry": _decision(now) if decided else None,
        "sources": [(one, policy_words.SOURCES[one]) for one in offered],
    }


def _decision(now: Standing) -> JournalEntry | None:
    if now.game is None:
        return None
    made = JournalEntry.objects.filter(
        session=now.session, game=now.game.number, kind="source_changed"
    )
    return made.select_related("by").last()


@require_GET
@never_cache
def changed(request: HttpRequest) -> HttpResponse:
    """Tell a page that shows the RNG in one state, `was`, to renew itself once it is in another."""
    person = request.user
    response = HttpResponse(status=204)
    if not isinstance(person, Person) or not set(FOLLOWERS) & set(person.roles):
        return response
    if randomness.fault() != request.GET.get("was", ""):
        response["HX-Trigger"] = json.dumps({"live": {"target": "#live"}})
    return response
