"""The page of the jackpot: what each level holds, on what terms, and its account (R9-R13).

Linked jackpots stand there too, with what the hall manager may do. Money is moved to any hall of
the same money and rule book (rule 23).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any

from django.core.paginator import Paginator
from django.db.models import Q, QuerySet
from django.http import HttpRequest, HttpResponse
from django.urls import URLPattern, path, reverse
from django.utils import timezone
from django.utils.translation import gettext as _

from bingo.rules import (
    jackpot_account,
    jackpot_chances,
    jackpots,
    linked_jackpots,
    rulebooks,
    session_state,
)
from bingo.rules.jackpots import Jackpot
from bingo.rules.refusal import Refusal
from draws.authorisations import labels as authorisations_labels
from draws.authorisations.labels import ink_money
from draws.authorisations.views import jackpot_fields
from draws.authorisations.views.jackpot_fields import Chance
from draws.jackpots import queries
from draws.jackpots.queries import AccountStatement, LinkSummary, growth_chart
from draws.web.forms import CommandForm, witness_of
from draws.web.page_classes import Context, Page, PageRequest, Success, file_response, reading
from halls import authorisations, sessions
from halls import jackpots as halls_jackpots
from halls.journal.queries import open_session
from halls.models import Hall, Person
from halls.policy import queries as policy_queries


def halls(hall: Hall) -> QuerySet[Hall]:
    """Return the halls that this one's jackpot may be moved to, itself among them."""
    same = Hall.objects.filter(currency=hall.currency, rulebook=hall.rulebook)
    there = Q(pk=hall.pk) if hall.is_training else Q(trains=None)
    return same.filter(there).order_by("name")


def hall(order: CommandForm) -> Hall:
    """Return the hall that was chosen. Raises Refusal bad_input."""
    found = halls(order.hall).filter(code=order.text("to")).first()
    if found is None:
        raise Refusal("bad_input", field="to", wanted="choice")
    return found


def take_part(order: CommandForm, _asked: PageRequest) -> Success:
    """Let the hall take part in a link; the first to do so begins it."""
    halls_jackpots.link(
        hall=order.hall,
        code=order.text("code").strip(),
        name=order.text("name").strip(),
        limits=jackpot_fields.read_limit(
            order, jackpot_fields.LINK, rulebooks.get(order.hall.rulebook)
        ),
        base=order.amount("base"),
        reference=order.text("reference"),
        **order.who,
    )
    return Success(_("The hall takes part in the linked jackpot"), reverse("jackpot"))


def linked_context(hall: Hall) -> list[dict[str, Any]]:
    """Return each link of a hall as the page shows it."""
    return [_link_context(hall, one) for one in queries.list_links(hall)]


def _link_context(hall: Hall, one: LinkSummary) -> dict[str, Any]:
    return {
        "link": one.link,
        "worth": ink_money(hall, one.worth),
        "held": ink_money(hall, one.link.balance),
        "waiting": ink_money(hall, one.waiting) if one.waiting else "",
        "base": ink_money(hall, one.link.base),
        "limits": authorisations_labels.within(jackpots.read_limits(one.link.limits), hall=hall)
        or authorisations_labels.any_bingo(one.link.limit),
        "halls": ", ".join(member.hall.name for member in one.members),
        "movements": [
            {
                "moved": moved,
                "kind": queries.LINKED[moved.kind],
                "amount": ink_money(hall, moved.amount),
                "balance": ink_money(hall, moved.balance),
            }
            for moved in one.movements
        ],
    }


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


def _ordered(order: CommandForm, *, kind: str, kind_of_link: str) -> dict[str, Any]:
    """Return what each order about money that is held says: which jackpot, on what paper, before whom.

    A jackpot of several halls is named by its `link`, else it is a `level` of the hall's own.
    """
    if linked := "link" in order.fields:
        named: dict[str, Any] = {"link": order.text("link")}
    else:
        named = {"level": order.integer("level")}
    return {
        "hall": order.hall,
        **named,
        "reference": order.text("reference"),
        "witness": witness_of(order, kind=kind_of_link if linked else kind),
        **order.who,
    }


def _done(order: CommandForm, said: str, said_of_link: str) -> Success:
    return Success(said_of_link if "link" in order.fields else said, reverse("jackpot"))


def fund(order: CommandForm, _asked: PageRequest) -> Success:
    """Put a base, or more, into a jackpot."""
    ordered = _ordered(order, kind=jackpot_account.FUNDED, kind_of_link=linked_jackpots.FUNDED)
    halls_jackpots.fund_jackpot(amount=order.amount("amount"), **ordered)
    return _done(order, _("The base is in the jackpot"), _("The base is in the linked jackpot"))


def move(order: CommandForm, _asked: PageRequest) -> Success:
    """Move what a jackpot holds to a level of this hall's own or another's."""
    order.require_sure()
    ordered = _ordered(order, kind=jackpot_account.MOVED, kind_of_link=linked_jackpots.MOVED)
    halls_jackpots.move_jackpot(to=hall(order), to_level=order.integer("to_level"), **ordered)
    return _done(order, _("The jackpot is moved"), _("The linked jackpot is moved"))


def end(order: CommandForm, _asked: PageRequest) -> Success:
    """Hand over what a jackpot holds, as the regulator says."""
    order.require_sure()
    ordered = _ordered(order, kind=jackpot_account.ENDED, kind_of_link=linked_jackpots.ENDED)
    halls_jackpots.end_jackpot(to=order.text("to"), **ordered)
    return _done(
        order,
        _("The jackpot has ended: hand the money over now"),
        _("The linked jackpot has ended: hand the money over now"),
    )


def context(asked: PageRequest) -> Context:
    """Return each level, the proof, and the movements, the newest first."""
    hall = asked.hall
    told = queries.statement(hall)
    played, until = _terms(hall)
    page = Paginator(told.lines[::-1], SHOWN).get_page(asked.query.get("page"))
    session, shown = open_session(hall), linked_context(hall)
    return {
        "levels": _levels(asked.person, told, played),
        "proof": told,
        "growth": growth_chart(told),
        "movements": [
            {
                "line": line,
                "kind": queries.MOVEMENTS[line.movement.kind],
                "level": queries.jackpot_name(line.movement.level),
                "amount": ink_money(hall, line.movement.amount),
                "balance": ink_money(hall, line.movement.balance),
            }
            for line in page
        ],
        "page": page,
        "chance_cards": jackpot_chances.CARDS,
        **_part(asked),
        "session": session,
        "until": until,
        "choices": [(level, queries.jackpot_name(level)) for level in range(jackpots.MOST_LEVELS)],
        "halls": halls(hall).values_list("code", "name"),
        "links": shown,
        "two": dict.fromkeys(policy_queries.in_force(hall, timezone.now()).four_eyes, True),
        "link_choices": [
            (one["link"].code, one["link"].name) for one in shown if not one["link"].ended_at
        ],
    }


def _levels(person: Person, told: AccountStatement, played: Sequence[Jackpot]) -> list[Level]:
    return [
        _level(person, level, told, played[level] if level < len(played) else None)
        for level in range(max(len(played), len(told.balances)))
        # A linked level is shown with its link.
        if not (level < len(played) and played[level].link and not _held(told, level))
    ]


def _level(person: Person, level: int, told: AccountStatement, terms: Jackpot | None) -> Level:
    hall = person.hall
    balance = _held(told, level)
    sums: Mapping[str, int] = told.sums[level] if level < len(told.sums) else {}
    ceiling = terms.ceiling if terms else 0
    return Level(
        name=queries.jackpot_name(level),
        holds=ink_money(hall, balance),
        terms=terms,
        base=ink_money(hall, terms.base) if terms else "",
        ceiling=ink_money(hall, ceiling) if ceiling else "",
        full=min(100, balance * 100 // ceiling) if ceiling else 0,
        sums=[
            (str(queries.MOVEMENTS[kind]), ink_money(hall, sums[kind]))
            for kind in queries.MOVEMENTS
            if kind in sums
        ],
        chances=jackpot_fields.chances_of_level(person, terms) if terms else (),
    )


def _held(told: AccountStatement, level: int) -> int:
    return told.balances[level] if level < len(told.balances) else 0


def _part(asked: PageRequest) -> Context:
    """Return the fields of a linked jackpot's limits, as they were typed."""
    typed = {name: asked.typed.get(name, "") for name in asked.typed}
    book = rulebooks.get(asked.hall.rulebook)
    return {
        "part_limits": jackpot_fields.limit_rows(typed, jackpot_fields.LINK, book),
        "part_chances": jackpot_fields.chances_of(asked.person, typed, jackpot_fields.LINK),
    }


def _terms(hall: Hall) -> tuple[tuple[Jackpot, ...], date | None]:
    """Return the levels and the last day on which they may be played for (R12), None without one.

    As the open session plays for them, else as they are authorised today.
    """
    session = open_session(hall)
    if session is not None:
        state = session_state.load(session.state)
        return state.jackpots, _day(state.terms.get("until"))
    try:
        granted = sessions.in_force(hall, timezone.now())
    except Refusal:
        return (), None
    return authorisations.levels_of(granted), _day(granted.jackpot_terms.get("until"))


def _day(until: str | None) -> date | None:
    return date.fromisoformat(until) if until else None


def as_csv(_request: HttpRequest, asked: PageRequest) -> HttpResponse:
    """Return the whole account as a table for other programs."""
    told = queries.statement(asked.hall)
    text = queries.account_file_as_csv(told, currency=asked.hall.currency)
    return file_response(text, kind="text/csv; charset=utf-8", name="jackpot.csv", keep=True)


PAGE = Page(
    "jackpot", "jackpot/", "jackpots/jackpots.html", context,
    {
        "fund": fund, "move": move, "end": end, "take_part": take_part,
        "fund_link": fund, "move_link": move, "end_link": end,
    },
)  # fmt: skip


def urls() -> list[URLPattern]:
    """Return the page's addresses and that of its file."""
    return [*PAGE.urls(), path("jackpot/jackpot.csv", reading(as_csv), name="jackpot-csv")]
