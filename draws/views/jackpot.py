"""The jackpot: what each level holds, on what terms, and the account that proves it (R9-R13)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date

from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.urls import URLPattern, path, reverse
from django.utils import timezone
from django.utils.translation import gettext as _

from bingo.rules import chances, jackpots, rulebooks
from bingo.rules import session as session_rules
from bingo.rules import trust as rules
from bingo.rules.jackpots import Jackpot
from bingo.rules.refusal import Refusal
from draws.documents import jackpot_facts, trust_file
from draws.queries import trust
from draws.queries.trust import Statement
from draws.views import linked, receiving
from draws.views.cards import limit_fields
from draws.views.cards.inks import money
from draws.views.cards.limit_fields import Chance
from draws.views.order import Order
from draws.views.page import Asked, Context, Done, Page, reading
from draws.views.witnessed import witness_of
from halls.models import Hall, Person
from halls.queries import policies
from halls.queries.sessions import open_session
from halls.services import sessions
from halls.services import trust as services

SHOWN = 50  # movements of a page


@dataclass(frozen=True, slots=True)
class Level:
    """A level as the page shows it; amounts as text, `full` how much of its ceiling it has, 0 to 100.

    `chances`: how often it is won with each kind of bingo that has a limit (R9).
    """

    name: str
    holds: str
    terms: Jackpot | None
    base: str
    ceiling: str
    full: int
    sums: list[tuple[str, str]]
    chances: Sequence[Chance] = ()


def fund(order: Order, _asked: Asked) -> Done:
    """Put a base, or more, into a level."""
    services.fund(
        hall=order.hall,
        level=order.integer("level"),
        amount=order.amount("amount"),
        reference=order.text("reference"),
        witness=witness_of(order, kind=rules.FUNDED),
        **order.who,
    )
    return Done(_("The base is in the jackpot"), reverse("jackpot"))


def move(order: Order, _asked: Asked) -> Done:
    """Move what a level holds to another level, or to another hall's."""
    order.require_sure()
    services.move(
        hall=order.hall,
        level=order.integer("level"),
        to=receiving.hall(order),
        to_level=order.integer("to_level"),
        reference=order.text("reference"),
        witness=witness_of(order, kind=rules.MOVED),
        **order.who,
    )
    return Done(_("The jackpot is moved"), reverse("jackpot"))


def end(order: Order, _asked: Asked) -> Done:
    """Hand over what a level holds, as the regulator says."""
    order.require_sure()
    services.end(
        hall=order.hall,
        level=order.integer("level"),
        to=order.text("to"),
        reference=order.text("reference"),
        witness=witness_of(order, kind=rules.ENDED),
        **order.who,
    )
    return Done(_("The jackpot has ended: hand the money over now"), reverse("jackpot"))


def context(asked: Asked) -> Context:
    """Give each level, the proof, and the movements, the newest first."""
    hall = asked.hall
    told = trust.statement(hall)
    page = Paginator(told.lines[::-1], SHOWN).get_page(asked.query.get("page"))
    session, shown = open_session(hall), linked.shown(hall)
    return {
        "levels": _levels(asked.person, told),
        "proof": told,
        "movements": [
            {
                "line": line,
                "kind": jackpot_facts.MOVEMENTS[line.movement.kind],
                "level": jackpot_facts.name(line.movement.level),
                "amount": money(hall, line.movement.amount),
                "balance": money(hall, line.movement.balance),
            }
            for line in page
        ],
        "page": page,
        "chance_cards": chances.CARDS,
        **_part(asked),
        "session": session,
        "until": _until(hall),
        "choices": [(level, jackpot_facts.name(level)) for level in range(jackpots.MOST_LEVELS)],
        "halls": receiving.halls(hall).values_list("code", "name"),
        "links": shown,
        "two": dict.fromkeys(policies.in_force(hall).four_eyes, True),
        "link_choices": [
            (one["link"].code, one["link"].name) for one in shown if not one["link"].ended_at
        ],
    }


def _levels(person: Person, told: Statement) -> list[Level]:
    played = _terms(person.hall)
    return [
        _level(person, level, told, played[level] if level < len(played) else None)
        for level in range(max(len(played), len(told.balances)))
        # A linked level is shown with its link.
        if not (level < len(played) and played[level].link and not _held(told, level))
    ]


def _level(person: Person, level: int, told: Statement, terms: Jackpot | None) -> Level:
    hall = person.hall
    balance = _held(told, level)
    sums: Mapping[str, int] = told.sums[level] if level < len(told.sums) else {}
    ceiling = terms.ceiling if terms else 0
    return Level(
        name=jackpot_facts.name(level),
        holds=money(hall, balance),
        terms=terms,
        base=money(hall, terms.base) if terms else "",
        ceiling=money(hall, ceiling) if ceiling else "",
        full=min(100, balance * 100 // ceiling) if ceiling else 0,
        sums=[
            (str(jackpot_facts.MOVEMENTS[kind]), money(hall, sums[kind]))
            for kind in jackpot_facts.MOVEMENTS
            if kind in sums
        ],
        chances=limit_fields.chances_of_level(person, terms) if terms else (),
    )


def _held(told: Statement, level: int) -> int:
    return told.balances[level] if level < len(told.balances) else 0


def _part(asked: Asked) -> Context:
    """Return the fields of a linked jackpot's limits, as they were typed."""
    typed = {name: asked.typed.get(name, "") for name in asked.typed}
    book = rulebooks.get(asked.hall.rulebook)
    return {
        "part_limits": limit_fields.rows(typed, limit_fields.LINK, book),
        "part_chances": limit_fields.chances_of(asked.person, typed, limit_fields.LINK),
    }


def _terms(hall: Hall) -> tuple[Jackpot, ...]:
    """Give the levels as the open session plays for them, else as they are authorised today."""
    session = open_session(hall)
    if session is not None:
        return session_rules.load(session.state).jackpots
    try:
        granted = sessions.in_force(hall, timezone.now())
    except Refusal:
        return ()
    return sessions.levels_of(granted)


def _until(hall: Hall) -> date | None:
    """Give the last day on which it may be played for (R12), where its authorisation names one."""
    try:
        until = sessions.in_force(hall, timezone.now()).jackpot_terms.get("until")
    except Refusal:
        return None
    return date.fromisoformat(until) if until else None


def as_csv(_request: HttpRequest, asked: Asked) -> HttpResponse:
    """Give the whole account as a table for other programs."""
    answer = HttpResponse(
        trust_file.as_csv(trust.statement(asked.hall), currency=asked.hall.currency),
        content_type="text/csv; charset=utf-8",
    )
    answer["Content-Disposition"] = 'attachment; filename="jackpot.csv"'
    return answer


PAGE = Page(
    "jackpot", "jackpot/", "jackpot.html", context,
    {
        "fund": fund, "move": move, "end": end, "take_part": linked.take_part,
        "fund_link": linked.fund, "move_link": linked.move, "end_link": linked.end,
    },
)  # fmt: skip


def urls() -> list[URLPattern]:
    """Give the page's addresses and that of its file."""
    return [*PAGE.urls(), path("jackpot/jackpot.csv", reading(as_csv), name="jackpot-csv")]
