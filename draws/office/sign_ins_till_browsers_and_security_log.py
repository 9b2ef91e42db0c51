"""The pages of how the hall's people sign in: second factors, browsers of tills, the duty, and the log.

What is lost is removed before a second person, and so is the duty itself. The security log tells who
came in, who was refused, whose rights changed.
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date
from itertools import islice
from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import URLPattern, path, reverse
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.timezone import localtime
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from bingo.rules import sign_in_and_pins as rules
from bingo.rules import staff
from bingo.rules.refusal import Refusal
from draws.record import journal_text
from draws.refusals import text
from draws.web import fresh_proof, listing
from draws.web.forms import CommandForm, for_roles, witness_of
from draws.web.listing import FilterChoice
from draws.web.page_classes import READERS, Context, Page, PageRequest, Success
from halls import security_log
from halls.models import Factor, Hall, JournalEntry, Person, ProviderLink, Role, TillBrowser
from halls.security_log import EVENTS
from halls.sign_in import changes, factors, labels, links, logins, pins, provider


def remove(order: CommandForm, _asked: PageRequest) -> Success:
    """Take a lost factor from somebody, before a second person."""
    gone = factors.remove(
        hall=order.hall,
        pk=order.integer("factor"),
        witness=witness_of(order, kind=rules.REMOVED),
        **order.who,
    )
    told = _("“%(factor)s” of %(person)s is removed, and their logins are ended")
    return _done(told % {"factor": gone.name, "person": gone.person})


def unlink(order: CommandForm, _asked: PageRequest) -> Success:
    """Part somebody from the chain's provider, before a second person."""
    owner = links.unlink_other(
        hall=order.hall,
        pk=order.integer("link"),
        witness=witness_of(order, kind=rules.UNLINKED),
        **order.who,
    )
    told = _("%(person)s is linked no more, and their logins are ended")
    return _done(told % {"person": owner})


def end_logins(order: CommandForm, _asked: PageRequest) -> Success:
    """End somebody's logins, and do nothing else."""
    owner = logins.end_of_other(
        hall=order.hall, username=order.text("username"), by=order.person, at=order.at
    )
    return _done(_("The logins of %(person)s are ended") % {"person": owner})


def end_browser(order: CommandForm, _asked: PageRequest) -> Success:
    """Let a PIN be enough at a browser no more."""
    name = order.text("browser")
    pins.end_browser(hall=order.hall, name=name, **order.who)
    return _done(_("A PIN is no longer enough at %(browser)s") % {"browser": name})


def require_factors(order: CommandForm, _asked: PageRequest) -> Success:
    """Let the hall ask for second factors."""
    _set_duty(order, required=True)
    return _done(_("The hall asks for a second factor"))


def waive_factors(order: CommandForm, _asked: PageRequest) -> Success:
    """Let the hall ask for none any more, before a second person and a day later."""
    _set_duty(order, required=False)
    if (since := order.hall.factor_waived_from) is None:
        return _done(_("The hall asks for no second factor any more"))
    told = _("The hall asks nobody for a second factor from %(moment)s on")
    return _done(told % {"moment": date_format(localtime(since), "SHORT_DATETIME_FORMAT")})


def _set_duty(order: CommandForm, *, required: bool) -> None:
    reason, witness = order.text("reason"), witness_of(order, kind=rules.DUTY)
    factors.set_duty(
        hall=order.hall, required=required, reason=reason, witness=witness, **order.who
    )


def _done(told: str) -> Success:
    return Success(told, reverse("sign-ins"))


@never_cache
@require_http_methods(["GET", "POST"])
@for_roles(Role.HALL_MANAGER, back="sign-ins")
def enrol_browser(request: HttpRequest, person: Person) -> HttpResponse:
    """Enrol the browser that asks. One that opens the address anew comes to the page."""
    if request.method == "GET":
        return redirect("sign-ins")
    if (
        asking := fresh_proof.hold(request, person, page="sign-ins", verb="", always=True)
    ) is not None:
        return asking
    name = request.POST.get("browser", "").strip()
    try:
        row, token = pins.enrol_browser(hall=person.hall, name=name, by=person, at=timezone.now())
    except Refusal as refusal:
        messages.error(request, text.refusal(refusal))
        return redirect("sign-ins")
    messages.success(request, _("This browser is %(browser)s") % {"browser": row.name})
    answer = redirect("sign-ins")
    pins.keep_browser(answer, token)
    return answer


def context(asked: PageRequest) -> Context:
    """Return who has what, the browsers, what the hall asks for, and what was changed before."""
    hall = asked.hall
    found = Factor.objects.filter(hall=hall, removed_at=None).select_related("person")
    linked = ProviderLink.objects.filter(hall=hall, ended_at=None).select_related("person")
    history = listing.listed(_history(asked), columns=(), query=asked.query)
    chosen = _chosen(asked, "factor", found)
    return {
        "factors": [
            {
                "row": one,
                "kind": labels.kind(one.kind),
                "own": one.person_id == asked.person.pk,
                "may": factors.may_remove(one.person, asked.person),
            }
            for one in found.order_by("person__name", "name", "pk")
        ],
        "logged_in": [
            {
                "row": one,
                "own": one.pk == asked.person.pk,
                "may": logins.who_ends(one) in asked.person.roles,
            }
            for one in logins.counted(hall, at=timezone.now())
        ],
        "chosen": chosen if chosen and factors.may_remove(chosen.person, asked.person) else None,
        "provider": provider.label(),
        "links": [
            {"row": one, "own": one.person_id == asked.person.pk}
            for one in linked.order_by("person__name", "pk")
        ],
        "chosen_link": _chosen(asked, "link", linked),
        "lacking": ", ".join(one.name for one in factors.lacking(hall)),
        "browsers": TillBrowser.objects.filter(hall=hall, ended_at=None)
        .select_related("enrolled_by")
        .order_by("name"),
        "manages": Role.HALL_MANAGER in asked.person.roles,
        "required": hall.asks_for_factors(timezone.now()),
        "waived_from": factors.waived_from(hall),
        "unattended": changes.unattended(hall, at=timezone.now()),
        "history": [(one, journal_text.describe_entry(one)) for one in history.page],
        "listing": history,
    }


def _chosen(asked: PageRequest, name: str, found: Any) -> Any:
    """Return somebody else's factor or link that the page is asked about, None where there is none."""
    wanted = asked.fields.get(name, "")
    good = wanted.isascii() and wanted.isdecimal() and len(wanted) < 19
    return found.filter(pk=int(wanted)).exclude(person=asked.person).first() if good else None


def _history(asked: PageRequest) -> Any:
    kinds = (
        rules.CHANGED, staff.PASSWORD_CHANGED, rules.REMOVED, rules.UNLINKED, rules.BROWSER, rules.DUTY,
    )  # fmt: skip
    found = JournalEntry.objects.filter(hall=asked.hall, kind__in=kinds)
    return found.select_related("by", "hall").order_by("-number")


PAGE = Page(
    "sign-ins",
    "sign-ins/",
    "sign_in/sign_ins.html",
    context,
    {
        "remove": remove,
        "unlink": unlink,
        "end-logins": end_logins,
        "end-browser": end_browser,
        "require": require_factors,
        "waive": waive_factors,
    },
    writers=READERS,
)


def urls() -> list[URLPattern]:
    """Return the page's addresses, and the one at which a browser is enrolled."""
    return [*PAGE.urls(), path("sign-ins/enrol/", enrol_browser, name="sign-ins-enrol")]


SHOWN = 200


def log_context(asked: PageRequest) -> Context:
    """Return the newest events of a hall, of a day, a person or a kind where that is asked for."""
    people = list(asked.hall.people.order_by("username").values_list("username", "name"))
    person = listing.chosen(asked.query, "person", [username for username, _name in people])
    event = listing.chosen(asked.query, "event", EVENTS)
    day = _day(asked.query.get("day", ""))
    found = _found(asked.hall, day=day, person=person, event=event)
    events = [(name, one.words) for name, one in EVENTS.items()]
    return {
        "events": list(islice(found, SHOWN)),
        "more": next(found, None) is not None,
        "day": day,
        "choices": [
            FilterChoice("person", _("Person"), people, person),
            FilterChoice("event", _("What"), events, event),
        ],
    }


def _day(typed: str) -> date | None:
    try:
        return date.fromisoformat(typed[:10])
    except ValueError:
        return None


def _found(hall: Hall, *, day: date | None, person: str, event: str) -> Iterator[dict[str, Any]]:
    # All of it, whatever the day: a clock set back tells an earlier one in between.
    for one in security_log.lines(hall):
        right = not day or hall.day(one["at"]) == day
        if right and person in ("", one["person"]) and event in ("", one["event"]):
            known = EVENTS.get(one["event"])
            yield one | {"words": known.words if known else one["event"], "more": _more(one)}


def _more(one: dict[str, Any]) -> str:
    """Return what else a line tells: its fields, as it names them."""
    told = {name: value for name, value in one.items() if name not in (*security_log.ALWAYS, "at")}
    return ", ".join(
        f"{name}: {' '.join(map(str, value)) if isinstance(value, list) else value}"
        for name, value in told.items()
    )


SECURITY_LOG_PAGE = Page(
    name="security-log",
    route="security-log/",
    template="web/security_log.html",
    context=log_context,
)
