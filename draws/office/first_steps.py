"""The pages of a new hall: open the first one, then its steps to the first session, one by one.

On a server that has no hall yet, whoever has the word of its terminal opens the first. The steps
say what is done, what is next, and where; they are read from a hall's rows and folders.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable
from datetime import datetime
from functools import partial
from itertools import chain, repeat
from pathlib import Path
from typing import Any
from zoneinfo import available_timezones

from django.conf import settings
from django.contrib import messages
from django.contrib.auth import login
from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone, translation
from django.utils.translation import get_language_info
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_http_methods

from bingo.pdf import SealError, keys
from bingo.rules import equipment as equipment_rules
from bingo.rules import policies, rulebooks, setup, staff
from bingo.rules.approvals_and_roll_calls_due import APPROVAL, OPENING, SET
from bingo.rules.checkpoints_and_clock import LONGEST_FOLDER
from bingo.rules.equipment import SetPlace
from bingo.rules.refusal import Refusal
from bingo.rules.setup import SetupStep, StepsDone, first_steps, next_step
from bingo.rules.stock import BoxPlace
from draws.equipment import labels as equipment_labels
from draws.games import randomness
from draws.models import Issue, Series
from draws.record import seal_queries, sealing
from draws.refusals import text
from draws.sales import issues_to_offer
from draws.web.forms import CommandForm
from draws.web.page_classes import Context, Page, PageRequest, Success
from halls import authorisations, jackpots, sessions
from halls import setup as halls_setup
from halls import staff as halls_staff
from halls.checkpoints import folders
from halls.checkpoints import queries as checkpoints_queries
from halls.checkpoints import services as checkpoints_services
from halls.equipment import approvals_and_roll_calls_due, check_before_session
from halls.equipment.approvals_and_roll_calls_due import Due
from halls.journal.queries import had_an_evening
from halls.models import Authorisation, BallSet, CheckpointPlace, Hall, Role
from halls.policy import queries as policy_queries
from halls.sign_in import factors
from halls.staff import members

LONGEST = 500
LANGUAGES = tuple(code for code, _name in settings.LANGUAGES)
# Longer ones than any rule allows are as wrong as those just too long.
# How many persons stand for what costs money or rewrites rights, as the page asks.
TWO, ONE = "two", "one"
FIELDS = ("code", "name", "licence", "currency", "time_zone", "manager_name")


@sensitive_post_parameters("word", "password", "password_again")
@never_cache
@require_http_methods(["GET", "POST"])
def first_page(request: HttpRequest) -> HttpResponse:
    """Show the form, or open the first hall and let its manager in; 409 where that is refused."""
    if halls_setup.own_halls().exists():
        return redirect("home")
    if request.method == "GET":
        return _render_steps(request, QueryDict(), {})
    typed = request.POST
    try:
        hall = _open(request, typed)
    except Refusal as refusal:
        notice = text.notice(refusal)
        return _render_steps(request, typed, {"notice": notice}, status=409)
    _warn(request, hall)
    return _enter(request, hall)


def _warn(request: HttpRequest, hall: Hall) -> None:
    usual = setup.unusual_currency(currency=hall.currency, rulebook=hall.rulebook)
    if usual is not None:
        told = _("Halls of this rule book use %(usual)s; this one was opened with %(currency)s.")
        messages.warning(request, told % {"usual": usual, "currency": hall.currency})


def _open(request: HttpRequest, typed: QueryDict) -> Hall:
    """Open the hall. Raises Refusal: those of the word first, so that a stranger learns nothing."""
    halls_setup.require(typed.get("word", ""), request=request, at=timezone.now())
    if typed.get("password", "") != typed.get("password_again", ""):
        raise Refusal("passwords_differ")
    fields: dict[str, Any] = {name: typed.get(name, "")[:LONGEST].strip() for name in FIELDS}
    # Nobody has to know how time zones are written: those of the rule book's country stand for both.
    if book := rulebooks.RULEBOOKS.get(typed.get("rulebook", "")):
        fields["currency"] = fields["currency"] or book.currency
        fields["time_zone"] = fields["time_zone"] or book.time_zone
    language = typed.get("language", "")
    hall = halls_setup.open_hall(
        **fields,
        language=language,
        rulebook=typed.get("rulebook", "")[:LONGEST],
        tills=halls_setup.numbered_tills(_count(typed.get("tills", "")), language=language),
        manager=typed.get("manager", "")[:LONGEST].strip().lower(),
        password=typed.get("password", ""),
        first=True,
        four_eyes=_protection(typed),
        at=timezone.now(),
    )
    halls_setup.forget()
    # A folder that cannot be written to keeps no hall shut: its first steps make the key then.
    with contextlib.suppress(SealError):
        sealing.first_key(hall, at=timezone.now())
    return hall


def _protection(typed: QueryDict) -> tuple[str, ...]:
    """Return what needs a second person from the first session on: the strict list, unless one is enough."""
    return () if typed.get("four_eyes") == ONE else policies.STRICT


def _count(written: str) -> int:
    """Return a number of tills; what is none is as wrong as none at all."""
    plain = written.strip()
    good = plain.isascii() and plain.isdecimal() and len(plain) <= len(str(setup.MOST_TILLS))
    return min(int(plain), setup.MOST_TILLS + 1) if good else 0


def _enter(request: HttpRequest, hall: Hall) -> HttpResponse:
    """Log the first manager in."""
    person = hall.people.get()
    login(request, person, backend="halls.web.middleware.Backend")
    return redirect("first-steps")


def _render_steps(
    request: HttpRequest, typed: QueryDict, told: dict[str, Any], *, status: int = 200
) -> HttpResponse:
    language = typed.get("language") or translation.get_language() or settings.LANGUAGE_CODE
    shown = {
        "typed": typed,
        "languages": [(code, get_language_info(code)["name_local"]) for code in LANGUAGES],
        "language": language,
        "rulebooks": rulebooks.RULEBOOKS.values(),
        "rulebook": typed.get("rulebook") or next(iter(rulebooks.RULEBOOKS)),
        "currencies": sorted({book.currency for book in rulebooks.RULEBOOKS.values()}),
        "time_zones": sorted(available_timezones()),
        "most_tills": setup.MOST_TILLS,
        "four_eyes": typed.get("four_eyes") or TWO,
        "strict": policy_queries.policy_named(policies.STRICT),
    }
    return render(request, "setup/first.html", shown | told, status=status)


def of(hall: Hall, *, at: datetime) -> tuple[SetupStep, ...]:
    """Return a hall's steps, done or not."""
    return first_steps(get_steps_done(hall, at=at))


def get_steps_done(hall: Hall, *, at: datetime) -> StepsDone:
    """Return what the hall has."""
    granted = authorisations.granted(hall, at)
    opened = hall.sessions.exists()
    series = Series.objects.filter(hall=hall)
    issues = issues_to_offer.to_open_by(granted) if granted else issues_to_offer.to_open(hall)
    sets = set(BallSet.objects.filter(hall=hall).values_list("standing", flat=True))
    check = check_before_session.checked(hall, at=at)
    return StepsDone(
        missing_roles=staff.missing(members(hall)),
        authorised=granted is not None,
        policy=hall.policies.exists(),
        # What was won since is restored by the games themselves (R11).
        jackpot_lacks=0 if opened or granted is None else _jackpot_lacks(hall, granted),
        series=series.filter(seed="").exists(),
        demonstration=series.exclude(seed="").exists(),
        issues=issues.filter(series__seed="").exists(),
        received=Issue.objects.filter(
            hall=hall, series__seed="", place=BoxPlace.RECEIVED.value
        ).exists(),
        ball_set=SetPlace.IN_USE.value in sets,
        kept_set=SetPlace.KEPT.value in sets,
        source=policy_queries.in_force(hall, timezone.now()).source,
        camera=hall.cameras.filter(active=True).exists(),
        seal=_has_files(hall),
        checkpoints=checkpoints_queries.is_kept_elsewhere(hall),
        board=hall.wall_screens.exists(),
        equipment=opened or check.stands,
        session=opened,
        factors=not any(Role.HALL_MANAGER in one.roles for one in factors.lacking(hall)),
        asks_factors=hall.asks_for_factors(timezone.now()),
        refused=refused(hall, check, at=at),
    )


def _jackpot_lacks(hall: Hall, granted: Authorisation) -> int:
    """Return what the hall's own levels hold less than their bases, in minor units (R11).

    A linked one holds nothing of the hall's.
    """
    levels = authorisations.levels_of(granted)
    balances = chain(jackpots.list_balances(hall), repeat(0))
    own = ((one, held) for one, held in zip(levels, balances, strict=False) if not one.link)
    return sum(max(0, one.base - held) for one, held in own)


# With what code a sale is refused while a duty is not done.
REFUSED_AS = {SET: "ball_set_missing", APPROVAL: "not_approved", OPENING: "roll_call_missing"}


def refused(hall: Hall, check: check_before_session.Checked, *, at: datetime) -> list[str]:
    """Return the codes with which a session, or its first sale, would be refused now.

    After the hall's first session its desks tell of each evening themselves.
    """
    codes = [REFUSED_AS[one.duty] for one in _due(hall, at=at)]
    drawn = policy_queries.in_force(hall, at).source == setup.RNG
    if not drawn:
        for used in BallSet.objects.filter(hall=hall, standing=SetPlace.IN_USE.value):
            codes += _code_of(partial(equipment_rules.require_fit, used.as_state, used.wear))
    if not hall.sessions.exists():
        codes += _code_of(partial(sessions.require_ready, hall, check, at=at))
        if drawn and (fault := randomness.fault()):
            codes.append(fault)
    return codes


def _code_of(asked: Callable[[], object]) -> list[str]:
    try:
        asked()
    except Refusal as refusal:
        return [refusal.code]
    return []


def _due(hall: Hall, *, at: datetime) -> list[Due]:
    """Return what is due of the balls before the first sale."""
    session = hall.sessions.filter(closed_at__isnull=True).first()
    if session is not None:
        able = partial(randomness.can_draw, session)
        found = approvals_and_roll_calls_due.due(session, at=at, rng_draws=able)
        return [one for one in found if one.duty in REFUSED_AS]
    return [] if hall.sessions.exists() else approvals_and_roll_calls_due.due_to_open(hall, at=at)


def _has_files(hall: Hall) -> bool:
    return (seal_queries.folder(hall) / keys.CERTIFICATE).exists()


def make_key(order: CommandForm, _asked: PageRequest) -> Success:
    """Make the key that seals the hall's actas, where it has none. Raises Refusal seal_key_not_made."""
    try:
        made = sealing.first_key(order.hall, at=order.at)
    except SealError as error:
        raise Refusal("seal_key_not_made", why=str(seal_queries.seal_fault(error.code))) from error
    told = _("The key of the seal is made") if made else _("The key of the seal is being made")
    return Success(told, reverse("first-steps"))


def context(asked: PageRequest) -> Context:
    """Return every step, what is next, and how many are done."""
    hall = asked.hall
    found = of(hall, at=timezone.now())
    after = next_step(found)
    return {
        "steps": [_row(hall, one, is_next=one == after) for one in found],
        "next": _row(hall, after, is_next=True) if after else None,
        "done": sum(one.done for one in found),
        "all": len(found),
    }


def progress(hall: Hall) -> Context:
    """Return what the manager's page shows of it: nothing once all is done, or the first evening over.

    In a session nobody is shown it: the page is asked for every second then.
    """
    if hall.is_training or had_an_evening(hall):
        return {}
    found = of(hall, at=timezone.now())
    after = next_step(found)
    if after is None:
        return {}
    return {
        "first_steps": {
            "name": halls_setup.STEPS[after.name].name,
            "opens": after.name == "session",
            "done": sum(one.done for one in found),
            "all": len(found),
        }
    }


def _row(hall: Hall, step: SetupStep, *, is_next: bool) -> dict[str, Any]:
    words = halls_setup.STEPS[step.name]
    address, leads = halls_setup.ELSEWHERE.get((step.name, step.why), (words.address, words.leads))
    due = _due_of(hall, step)
    return {
        "step": step,
        "words": words,
        "address": equipment_labels.due_url(due) if due else reverse(address) if address else "",
        "leads": leads,
        "said": halls_setup.FURTHER.get((step.name, step.why), ""),
        "told": _say_due(due) if due else _step_summary(hall, step),
        "is_next": is_next,
    }


def _due_of(hall: Hall, step: SetupStep) -> Due | None:
    """Return the first duty of the balls that keeps a step from being done."""
    if step.done or step.name not in ("approval", "roll_call"):
        return None
    due = _due(hall, at=timezone.now())
    return next((one for one in due if setup.ASKED_BY[REFUSED_AS[one.duty]] == step.name), None)


def _say_due(due: Due) -> str:
    text = equipment_labels.equipment_due(due.duty, due.subject)
    amiss = equipment_labels.due_amiss(due)
    return f"{text} ({amiss})" if amiss else text


def _step_summary(hall: Hall, step: SetupStep) -> str:
    """Return what stands there now, where it can be said in a few words."""
    match step.name:
        case "hall":
            return f"{hall.name} · {hall.licence}"
        case "rulebook":
            return f"{rulebooks.title(hall.rulebook)} · {hall.currency} · {hall.time_zone}"
        case "checkpoints":
            return " · ".join(checkpoints_queries.folders(hall))
        case "source" if not step.done and step.why == setup.RNG:
            fault = randomness.fault()
            return f"{equipment_labels.rng_fault(fault)} {equipment_labels.rng_remedy(fault)}"
        case "staff" if not step.done:
            lacking = halls_staff.roles(staff.missing(members(hall)))
            return _("Still missing: %(roles)s") % {"roles": lacking}
    return ""


PAGE = Page(
    "first-steps",
    "first-steps/",
    "setup/first_steps.html",
    context,
    {"make-key": make_key},
    readers=(Role.HALL_MANAGER,),
)


def choose_folder(order: CommandForm, _asked: PageRequest) -> Success:
    """Write to the folder at once, and from then on. Raises what `checkpoints.services.choose_folder` does."""
    # A path that a person types or pastes ends in a slash as well as not.
    folder = order.text("folder", longest=LONGEST_FOLDER)
    folder = folder.rstrip("/") or folder
    checkpoints_services.choose_folder(hall=order.hall, folder=folder, **order.who)
    place = CheckpointPlace.objects.filter(hall=order.hall, place=folder).first()
    here = reverse("checkpoint-folder")
    if place is None or place.fault or not place.number:
        return Success(_("The folder is noted; no checkpoint is there yet"), here, warning=True)
    if folders.is_on_our_disk(Path(folder)):
        text = _("The checkpoint is written, on the same disk as the hall's data")
        return Success(text, here, warning=True)
    return Success(_("The checkpoint is written"), here)


def folder_context(asked: PageRequest) -> Context:
    """Return the folders in force with what stands there, and the disks that are offered."""
    held = {one.place: one for one in CheckpointPlace.objects.filter(hall=asked.hall)}
    return {
        "given": bool(settings.CHECKPOINT_DIRS),
        "places": [_place(one, held.get(one)) for one in checkpoints_queries.folders(asked.hall)],
        "faults": [
            checkpoints_queries.checkpoint_fault(one)
            for one in checkpoints_queries.faults(asked.hall)
        ],
        "disks": folders.offered(folders.mounted()),
        "longest": LONGEST_FOLDER,
    }


def _place(folder: str, held: CheckpointPlace | None) -> Context:
    return {
        "folder": folder,
        "number": held.number if held and not held.fault else 0,
        "same_disk": folders.is_on_our_disk(Path(folder)),
    }


FOLDER_PAGE = Page(
    "checkpoint-folder",
    "first-steps/checkpoints/",
    "setup/checkpoint_folder.html",
    folder_context,
    {"choose": choose_folder},
    readers=(Role.HALL_MANAGER,),
)
