"""The state of the RNG on pages that wait for it, and decisions when it fails.

Also the picture of a ball: to the people of its hall, and to all once the ball is posted.
"""

from __future__ import annotations

import json
from typing import Any

from django.http import FileResponse, Http404, HttpRequest, HttpResponse, HttpResponseBase
from django.urls import re_path
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET

from bingo.rules.session_state import GameState, Phase
from bingo.rules.steps.drawing import BY_HAND, CAMERA, FIRST, RNG
from draws.balls import draw
from draws.balls import queries as balls_queries
from draws.equipment import labels as equipment_labels
from draws.games import randomness
from draws.games.queries import HallState
from draws.web import forms as web_forms
from draws.web.forms import CommandForm, game_of, made, session_of
from halls.models import JournalEntry, Person, Role
from halls.policy import queries as policy_queries

Context = dict[str, Any]

FOLLOWERS = (Role.CALLER, Role.HALL_MANAGER)
UNDECIDED = ("", FIRST)
WAITED_FOR = (Phase.PREPARED, Phase.SELLING, Phase.CLOSED, Phase.DRAWING)


def decide(order: CommandForm, now: HallState) -> str:
    """Decide where the next game's balls come from; second halves are opened by it."""
    source, reason = order.choice("source", (RNG, CAMERA, BY_HAND)), order.text("reason")
    done, due = made(order), now.state is not None and now.state.half_due
    if done.kind == "second_half_opened" if done else due:
        session = session_of(order)
        game = draw.open_second_half(session=session, source=source, reason=reason, **order.who)
        told = _("Game %(number)s is open; its balls: %(source)s")
        return told % {"number": game.number, "source": policy_queries.SOURCES[source]}
    draw.decide_ball_source(game=game_of(order), source=source, reason=reason, **order.who)
    return _("The balls of this game: %(source)s") % {"source": policy_queries.SOURCES[source]}


def state() -> Context:
    """Return how the RNG is, in words, and what to do about it."""
    code = randomness.fault()
    return {
        "code": code,
        "text": equipment_labels.rng_fault(code),
        "remedy": equipment_labels.rng_remedy(code),
    }


def of_game(now: HallState, known: GameState) -> Context:
    """Return how the RNG is where a game's balls come from it, for whoever draws them."""
    if not _draws(now, known):
        return {}
    found = state()
    # The reason for another source, as it is put into the form.
    return {"rng": found} | ({"fault": found["text"]} if found["code"] else {})


def _draws(now: HallState, known: GameState) -> bool:
    if known.phase not in WAITED_FOR:
        return False
    source = known.source or web_forms.policy(now).source
    bound = now.game is not None and now.game.commitment is not None
    return source == RNG or (source in UNDECIDED and bound)


def of_hall(now: HallState, source: str) -> Context:
    """Return the hall manager how the RNG is where the hall draws from it, and what may be decided.

    `source` is what the hall has decided; of a game about to be sold, or of the second game of
    double cards, it may be decided otherwise.
    """
    if source != RNG:
        return {}
    found = {"rng": state()}
    decided = now.game_state.source if now.game_state and now.phase == Phase.PREPARED else ""
    due = now.state is not None and now.state.half_due
    if decided or ((due or now.phase == Phase.PREPARED) and found["rng"]["code"]):
        found |= {"choice": _choice(now, decided, failing=bool(found["rng"]["code"]))}
    return found


def _choice(now: HallState, decided: str, *, failing: bool) -> Context:
    cameras = bool(balls_queries.cameras(now.hall))
    offered = [one for one in (CAMERA, BY_HAND) if one != decided and (one != CAMERA or cameras)]
    if decided and not failing:
        offered.append(RNG)
    return {
        "decided": policy_queries.SOURCES[decided] if decided else "",
        "entry": _decision(now) if decided else None,
        "sources": [(one, policy_queries.SOURCES[one]) for one in offered],
    }


def _decision(now: HallState) -> JournalEntry | None:
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


A_YEAR = 365 * 24 * 3600  # seconds; a picture's name is what it shows


@require_GET
def ball_picture(request: HttpRequest, digest: str) -> HttpResponseBase:
    """Send a picture; whoever may not see it hears no more than that there is none."""
    public = balls_queries.is_public(digest)
    if not public and not _may_see(request, digest):
        raise Http404
    try:
        file = balls_queries.picture_path(digest).open("rb")
    except FileNotFoundError:
        raise Http404 from None
    answer = FileResponse(file, content_type="image/jpeg")
    kept = "public" if public else "private"
    answer["Cache-Control"] = f"{kept}, max-age={A_YEAR}, immutable"
    answer["X-Content-Type-Options"] = "nosniff"
    return answer


def _may_see(request: HttpRequest, digest: str) -> bool:
    person = request.user
    return isinstance(person, Person) and balls_queries.is_of(person.hall, digest)


picture_urls = [re_path(r"^pictures/(?P<digest>[0-9a-f]{64})\.jpg$", ball_picture, name="picture")]
