"""The page of the training hall: entered from any desk, lessons dealt, begun anew.

Three tasks are watched while they are done: sell, draw, check. A task belongs to the newest game of
the training hall, and counts what this person did in it.
"""

from __future__ import annotations

from dataclasses import dataclass

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import URLPattern, path, reverse
from django.utils import timezone
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET, require_POST

from bingo.rules.refusal import Refusal
from draws.games.queries import get_hall_state
from draws.refusals import text
from draws.training import services as training
from draws.web.forms import CommandForm, for_roles
from draws.web.page_classes import Context, Page, PageRequest, Success
from halls import training as halls_training
from halls.models import JournalEntry, Person, Role, Session
from halls.web.menu_and_theme import PAGES
from halls.web.middleware import PREFIX

STAFF = (
    Role.CASHIER, Role.SELLER, Role.CALLER, Role.TABLE_CHIEF, Role.FLOOR_ASSISTANT, Role.DOOR,
    Role.HALL_MANAGER,
)  # fmt: skip
# Where each lesson goes on.
DESKS = {training.SALE: "till", training.DRAW: "caller", training.CLAIM: "table"}


@require_POST
@for_roles(*STAFF)
def enter(request: HttpRequest, person: Person) -> HttpResponse:
    """Take a person to the same desk of the training hall, whose addresses begin with /training/.

    409 where the hall's terms are refused there.
    """
    if not person.hall.is_training:
        try:
            training.enter(person, at=timezone.now())
        except Refusal as refusal:
            told = {"text": text.refusal(refusal), "code": refusal.code}
            return render(request, "web/refusal.html", told, status=409)
    desk = request.POST.get("desk", "")
    address = reverse(desk if desk in PAGES else "practise")
    return redirect(address if person.hall.is_training else f"{PREFIX}{address}")


def deal(order: CommandForm, _asked: PageRequest) -> Success:
    """Deal a game, and go to the desk where its lesson goes on."""
    lesson = order.text("lesson")
    game = training.deal(lesson=lesson, by=order.person, at=order.at)
    told = _("The game is dealt: go on from here")
    if lesson == training.CLAIM:
        sides = training.sides(game)
        told = _("Somebody calls. Card %(right)s has it, card %(wrong)s has not: check both")
        told %= {"right": sides.right, "wrong": sides.wrong}
    return Success(told, reverse(DESKS[lesson]))


def renew(order: CommandForm, _asked: PageRequest) -> Success:
    """Leave all that was played behind, and go on in a training hall made anew."""
    training.begin_anew(by=order.person, at=order.at)
    return Success(_("Training begins anew"), reverse("practise"))


def context(asked: PageRequest) -> Context:
    """Return who may begin anew, and cards to claim with; outside of training there is only the way in."""
    hall = asked.hall
    if not hall.is_training:
        return {}
    return {"may_renew": Role.HALL_MANAGER in asked.person.roles, **_claimed(asked)}


def _claimed(asked: PageRequest) -> Context:
    """Return the cards that a claim may be tried with while balls are drawn."""
    now = get_hall_state(asked.hall.code)
    if now.session is None or now.game_state is None or not now.game_state.balls:
        return {}
    found = now.session.games.select_related("issue__series")
    return {"sides": training.sides(found.get(number=now.game_state.number))}


PAGE = Page(
    name="practise",
    route="practise/",
    template="training/practise.html",
    context=context,
    verbs={"deal": deal, "renew": renew},
    readers=STAFF,
    writers=STAFF,
)


@require_GET
@never_cache
@for_roles(*STAFF)
def show_tasks(request: HttpRequest, person: Person) -> HttpResponse:
    """Show what is to be done in the lesson, and what of it is done."""
    found = tasks(person) if person.hall.is_training else []
    left = [one for one in found if not one.is_done]
    # One thing at a time: what is done at the desk where the person sits, else what comes first.
    here = request.headers.get("HX-Current-URL", "").partition("?")[0]
    now = next((one for one in left if f"/{one.desk}/" in here), next(iter(left), None))
    shown = [one for one in found if one.is_done or one is now]
    return render(request, "training/tasks.html", {"tasks": shown, "all_done": found and not left})


def urls() -> list[URLPattern]:
    """Return the page, its orders, the way in, and the part that tells what is done."""
    return [
        path("practise/enter/", enter, name="practise-enter"),
        path("practise/tasks/", show_tasks, name="practise-tasks"),
        *PAGE.urls(),
    ]


SALES, BALLS, CHECKS = 3, 5, 2


@dataclass(frozen=True, slots=True)
class Task:
    """A task in words, how much of it is done, of how much, and the page where it is done."""

    words: Promise | str
    done: int
    wanted: int
    desk: str

    @property
    def is_done(self) -> bool:
        """Whether nothing of it is left."""
        return self.done >= self.wanted


TASKS = (
    ("cards_sold", gettext_lazy("Sell cards three times"), SALES, "till"),
    ("ball_announced", gettext_lazy("Announce five balls"), BALLS, "caller"),
    (
        "claim_checked",
        gettext_lazy("Check two cards that are called, one right and one wrong"),
        CHECKS,
        "table",
    ),
)


def tasks(person: Person) -> list[Task]:
    """Return the tasks of the game that is dealt; none before one is."""
    session = Session.objects.filter(hall=person.hall).order_by("-number").first()
    newest = session.games.order_by("-number").first() if session else None
    if session is None or newest is None:
        return []
    done = JournalEntry.objects.filter(session=session, game=newest.number)
    # The first sales of a game that the partner opened are those by which the lesson was dealt.
    partner = halls_training.partner_name(person.hall)
    is_dealt = done.filter(kind="game_opened", by__username=partner).exists()
    first = len(training.bought(session.authorisation.player_limit)) if is_dealt else 0
    dealt = done.filter(kind="cards_sold").order_by("number").values("pk")[:first]
    own = done.filter(by=person).exclude(pk__in=dealt)
    found = []
    for kind, words, wanted, desk in TASKS:
        found.append(Task(words, min(wanted, own.filter(kind=kind).count()), wanted, desk))
    return found
