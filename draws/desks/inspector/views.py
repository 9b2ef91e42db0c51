"""The inspector's pages: halls, sessions and games, to read; nothing changes.

Files to take away are in `acta_journal_and_verifier_downloads`, who looked at what in
`search_and_access_log`.

The halls of one inspector are shown with the sessions of some days side by side. A hall's live page
shows all that its people see and gives no order.
"""

from __future__ import annotations

from datetime import date
from typing import Any

from django.contrib.auth import login
from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.urls import path, reverse
from django.utils import timezone
from django.utils.translation import gettext as _

from bingo.rules import jackpots
from bingo.rules.refusal import Refusal
from bingo.rules.session_state import GameState
from draws import trade_words
from draws.balls.views import rng_state_and_ball_pictures
from draws.boards.queries import card_name
from draws.claims import queries as claims_queries
from draws.complaints import services as complaints_services
from draws.complaints import slip
from draws.desks import hall_manager
from draws.desks.inspector import acta_journal_and_verifier_downloads, replay, search_and_access_log
from draws.desks.table import claims, games
from draws.games import queries as games_queries
from draws.games.queries import HallState
from draws.models import Acta, ClaimCheck, Game
from draws.office import staff_tills_and_inspectors
from draws.prize_statistics import views as prize_statistics_views
from draws.record import journal_text
from draws.record import queries as record_queries
from draws.record import views as record_views
from draws.record.archive import views as archive_views
from draws.record.queries import month_chart
from draws.sales import issues_to_offer
from draws.sales import queries as sales_queries
from draws.web import forms as web_forms
from draws.web import listing
from draws.web.forms import CommandForm
from draws.web.page_classes import Context, Desk, Page, PageRequest, Success, reading
from halls import inspection
from halls import sessions as halls_sessions
from halls.equipment import queries as equipment_queries
from halls.journal import queries as journal_queries
from halls.models import JournalEntry, Person, Role, Session
from halls.models.journal import INCIDENTS
from halls.policy import queries as policy_queries
from halls.sign_in import changes, factors
from halls.web.fields import LONGEST_USERNAME

BACKEND = "halls.web.middleware.Backend"
PER_HALL = 20  # sessions; the hall's own page has the others


def join(order: CommandForm, _asked: PageRequest) -> Success:
    """Join the account in another hall, known by its password."""
    other = inspection.join(
        person=order.person,
        username=order.text("username", longest=LONGEST_USERNAME),
        # A password is taken as it was typed: its spaces are part of it.
        password=order.fields.get("password", ""),
        request=order.request,
        at=order.at,
    )
    _looked(order, other)
    told = _("%(hall)s is joined: both halls are one click away from each other")
    return Success(told % {"hall": other.hall.name}, reverse("inspector-halls"))


def enter_halls(order: CommandForm, _asked: PageRequest) -> Success:
    """Go to another hall, as the account there. Raises Refusal: desk_not_joined, bad_input."""
    other = inspection.other(order.person, order.integer("account"))
    address = reverse("inspector")
    if (number := order.optional_integer("session")) is not None:
        if number < 1:
            raise Refusal("bad_input", field="session", wanted="whole")
        address = reverse("inspector-session", args=[number])
    _looked(order, other)
    login(order.request, other, backend=BACKEND)
    return Success("", address)


def unlink_halls(order: CommandForm, _asked: PageRequest) -> Success:
    """Part two halls' accounts."""
    inspection.unlink_accounts(order.person, order.integer("account"))
    return Success(_("The halls are parted"), reverse("inspector-halls"))


def halls_context(asked: PageRequest) -> Context:
    """Return each hall with its sessions of the days asked for, read as its own inspector reads."""
    begins, ends = (
        listing.day(asked.query, "from"),
        listing.day(asked.query, "to"),
    )
    accounts = [asked.person, *inspection.others(asked.person)]
    for other in accounts[1:]:
        inspection.record_look(
            other,
            at=timezone.now(),
            method="GET",
            route="inspector-halls",
            path=reverse("inspector-halls"),
            source="",
        )
    return {
        "begins": begins,
        "ends": ends,
        "halls": [_hall(one, begins, ends, own=one.pk == asked.person.pk) for one in accounts],
    }


def _hall(account: Person, begins: date | None, ends: date | None, *, own: bool) -> dict[str, Any]:
    hall = account.hall
    with inspection.reading(hall):
        found = record_queries.sessions(hall, begins=begins, ends=ends, per_page=PER_HALL)
        waiting = len(list(complaints_services.still_open(hall)))
    return {
        "account": account,
        "hall": hall,
        "own": own,
        "elsewhere": not own,
        "held": found.held,
        "further": found.older is not None,
        "open": next((one for one in found.held if one.state == record_queries.OPEN), None),
        "complaints": waiting,
    }


def _looked(order: CommandForm, other: Person) -> None:
    """Write into the other hall's looks who came, and from which account."""
    came = f"{order.request.path} ← {order.person.username} ({order.hall.code})"
    source = order.request.META.get("REMOTE_ADDR") or ""
    inspection.record_look(
        other, at=order.at, method="POST", route="inspector-halls", path=came, source=source
    )


PAGE = Page(
    name="inspector-halls",
    route="inspector/halls/",
    template="desks/inspector/halls.html",
    context=halls_context,
    verbs={"join": join, "enter": enter_halls, "part": unlink_halls},
    readers=(Role.INSPECTOR,),
    writers=(Role.INSPECTOR,),
)


INCIDENTS_SHOWN = 8
CHECKS_SHOWN = 12


def live_hall_context(_person: Person, now: HallState) -> dict[str, Any]:
    """Return what the hall's people see: the game, its claims, the sale, the tills, the alarms."""
    at = timezone.now()
    policy = (
        web_forms.policy(now) if now.session else policy_queries.in_force(now.hall, timezone.now())
    )
    shown: dict[str, Any] = {
        "rng": rng_state_and_ball_pictures.of_hall(now, policy.source).get("rng")
    }
    broken = equipment_queries.breakdowns(now.hall).filter(ended_at__isnull=True)
    shown |= {"broken": list(broken), "incidents": _incidents(now)}
    if now.session is None or now.state is None:
        return shown
    if now.game_state is not None:
        shown |= _game(now, now.game_state)
        shown |= games.suspending_context(now, now.game_state, at=at) | claims.wins_with_cards(
            now, now.game_state
        )
    shown |= {"shortages": issues_to_offer.short(now)}
    return shown | hall_manager.sale_context(now.session, now.state, at=at)


def _game(now: HallState, known: GameState) -> dict[str, Any]:
    prizes = [(trade_words.COMBINATIONS[name], amount) for name, amount in known.played_for.items()]
    prizes += [
        (trade_words.COMBINATIONS[jackpots.prize(level)], amount)
        for level, amount in known.played_balances
    ]
    return {
        "prizes": prizes,
        "source": trade_words.source(known.source) if known.source else "",
        "checks": _checks(now, known),
        "pending": [
            (trade_words.COMBINATIONS[one.combination], card_name(known, one.issue, one.card))
            for one in known.pending
        ],
        "signalled": [
            (card_name(known, issue, card), place) for issue, card, place in known.signalled
        ],
        "awards": [
            (trade_words.COMBINATIONS[one.combination], card_name(known, one.issue, one.card), one)
            for one in known.awards
        ],
    }


def _checks(now: HallState, known: GameState) -> list[dict[str, Any]]:
    """Return the cards looked at in this game, the newest first."""
    found = ClaimCheck.objects.filter(game=now.game).select_related("entry").order_by("-pk")
    return [
        {
            "at": one.at,
            "card": card_name(known, one.issue_id, one.card),
            "label": trade_words.COMBINATIONS[one.combination],
            "valid": one.valid,
            "verdict": claims_queries.verdict(one.entry.data),
        }
        for one in found[:CHECKS_SHOWN]
    ]


def _incidents(now: HallState) -> list[tuple[JournalEntry, object, str]]:
    if now.session is None:
        return []
    found = JournalEntry.objects.filter(session=now.session, kind__in=INCIDENTS)
    newest = found.select_related("by", "hall").order_by("-number")[:INCIDENTS_SHOWN]
    return [
        (entry, trade_words.kind(entry.kind), journal_text.describe_entry(entry))
        for entry in newest
    ]


DESK = Desk(name="watch", context=live_hall_context, verbs={})


@reading
def sessions(request: HttpRequest, asked: PageRequest) -> HttpResponse:
    """List the hall's sessions of some days, newest first."""
    query = asked.query
    begins, ends = listing.day(query, "from"), listing.day(query, "to")
    found = record_queries.sessions(
        asked.hall,
        begins=begins,
        ends=ends,
        before=listing.number(query, "before"),
        after=listing.number(query, "after"),
    )
    context = {
        "period": found,
        "month": month_chart(asked.hall, ends or begins),
        "begins": begins,
        "ends": ends,
        "totals": halls_sessions.carried(asked.hall).items(),
        "complaints": complaints_services.still_open(asked.hall),
        "later": policy_queries.says_waiting(asked.hall, timezone.now()),
        "waived_from": factors.waived_from(asked.hall),
        "unattended": changes.unattended(asked.hall, at=timezone.now()),
        "at_machine": staff_tills_and_inspectors.changed_at_machine(asked.hall),
    }
    return render(request, "desks/inspector/sessions.html", context)


@reading
def session(request: HttpRequest, asked: PageRequest) -> HttpResponse:
    """Show one session: its games, its entries, its acta."""
    shown = get_object_or_404(
        Session.objects.select_related("hall", "opened_by", "closed_by", "authorisation"),
        hall=asked.hall,
        number=asked.place["number"],
    )
    entries = JournalEntry.objects.filter(session=shown).select_related("by").order_by("number")
    kind = asked.query.get("kind", "")
    game = asked.query.get("game", "")
    if kind in trade_words.KINDS:
        entries = entries.filter(kind=kind)
    if game.isascii() and game.isdigit() and len(game) < 6:
        entries = entries.filter(game=int(game))
    since = listing.number(asked.query, "from", most=search_and_access_log.LARGEST)
    if since is not None:
        entries = entries.filter(number__gte=since)
    page = Paginator(entries, search_and_access_log.PER_PAGE).get_page(asked.query.get("page"))
    for entry in page:
        # The hall that was read with the person: it knows how it writes its money.
        entry.hall = asked.hall
    played = list(games_queries.games_of(shown))
    worth = games_queries.amounts_of(played)
    issues = {one.number: games_queries.several_issues(one) for one in played}
    context = {
        "session": shown,
        "games": [(one, worth.get(one.number, {})) for one in played],
        "page": page,
        "rows": [
            (
                entry,
                trade_words.kind(entry.kind),
                journal_text.describe_entry(entry, issues.get(entry.game or 0, {})),
            )
            for entry in page
        ],
        "kinds": trade_words.KINDS,
        "kind": kind,
        "game": game,
        "since": since,
        "acta": Acta.objects.filter(session=shown).defer("pdf").first(),
        "complaints": [
            (one, slip.DECISIONS.get(one.decision, ""), complaints_services.decided_by(one))
            for one in complaints_services.of_session(shown)
        ],
        **record_views.rectifications_of(asked.person, shown),
    }
    return render(request, "desks/inspector/session.html", context)


@reading
def game(request: HttpRequest, asked: PageRequest) -> HttpResponse:
    """Show one game: sales, balls, claims, prizes, payments."""
    shown = get_object_or_404(
        Game.objects.select_related("session__hall", "issue__series", "first_half"),
        session__hall=asked.hall,
        session__number=asked.place["number"],
        number=asked.place["game"],
    )
    found = games_queries.details(shown)
    context = {
        "game": shown,
        **found,
        "paid": [*found["payments"], *found["paid_later"]],
        "halves": 2 if shown.issue.double else 1,
        "of_symbols": shown.issue.symbols,
        "second_half": Game.objects.filter(first_half=shown).first(),
        "collected": games_queries.collected(shown),
        "runs": sales_queries.runs(shown),
        "refunds": sales_queries.refunds(shown),
        "witnessed": [
            (trade_words.kind(done.entry.kind), done)
            for done in journal_queries.second_person_of_game(shown.session, shown.number)
        ],
    }
    return render(request, "desks/inspector/game.html", context)


def inspector_urls() -> list[Any]:
    """Return the inspector's addresses."""
    return [
        path("inspector/", sessions, name="inspector"),
        path("inspector/<int:number>/", session, name="inspector-session"),
        path("inspector/<int:number>/<int:game>/", game, name="inspector-game"),
        path(
            "inspector/<int:number>/acta.pdf", acta_journal_and_verifier_downloads.acta, name="acta"
        ),
        path(
            "inspector/<int:number>/acta-<int:part>.pdf",
            acta_journal_and_verifier_downloads.rectified,
            name="rectified-acta",
        ),
        *record_views.RECTIFYING_PAGE.urls(),
        path(
            "inspector/<int:number>/certificate.pem",
            acta_journal_and_verifier_downloads.acta_certificate,
            name="acta-certificate",
        ),
        path(
            "inspector/journal.jsonl", acta_journal_and_verifier_downloads.journal, name="journal"
        ),
        *DESK.urls(),
        *search_and_access_log.search_and_access_log_urls,
        *replay.replay_urls,
        *record_views.REMARKING_PAGE.urls(),
        *archive_views.export_urls,
        *prize_statistics_views.prize_urls,
        *PAGE.urls(),
    ]
