"""The page of the hall's policy: what it decides for itself, since when, and by whom."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from django.db.models import QuerySet
from django.urls import reverse
from django.utils import timezone
from django.utils.formats import number_format
from django.utils.translation import gettext as _

from bingo.money_and_dates import ESCUDO, SIGN, Whole
from bingo.rules import policies as rules
from bingo.rules import rulebooks
from bingo.rules.refusal import Refusal
from bingo.rules.session import DECIDERS
from bingo.rules.steps.drawing import SOURCES
from draws.authorisations.labels import ink_money
from draws.record import journal_text
from draws.web import listing
from draws.web.forms import CommandForm, witness_of
from draws.web.page_classes import Context, Page, PageRequest, Success
from halls.journal.queries import open_session
from halls.models import Hall, Till
from halls.policy import queries as policy_queries
from halls.policy import services
from halls.sign_in import changes, factors

POINTS = 10  # basis points in one per mille
RAW_PORT = 9100  # where a receipt printer listens


def change(order: CommandForm, _asked: PageRequest) -> Success:
    """Set the rules as the form has them."""
    numbers: dict[str, Any] = {name: _number(order, name) for name in policy_queries.NUMBERS}
    made = services.set_policy(
        hall=order.hall,
        blind_count=order.ticked("blind_count"),
        escudo_sign=order.ticked("escudo_sign"),
        four_eyes=[kind for kind in rules.FOUR_EYES if order.ticked(f"second-{kind}")],
        receipts=order.choice("receipts", rules.RECEIPTS),
        printers=_printers(order),
        source=order.choice("source", ("", *SOURCES)),
        automatic=_per_mille(order),
        interval=order.integer("interval"),
        # How long pictures are kept is decided on a page of its own.
        picture_days=policy_queries.in_force(order.hall, timezone.now()).picture_days,
        checkpoint_till=order.choice("checkpoint_till", ("", *_names(order.hall))),
        witness=witness_of(order, kind=services.SET),
        after=order.optional_integer("after"),
        **numbers,
        **order.who,
    )
    if made.later is not None:
        told = _("The rules of the hall are set; what protects less waits, and can be withdrawn")
        return Success(told, reverse("policy"))
    return Success(_("The rules of the hall are set"), reverse("policy"))


def withdraw(order: CommandForm, _asked: PageRequest) -> Success:
    """Withdraw what waits."""
    services.withdraw(hall=order.hall, **order.who)
    return Success(_("What waited is withdrawn"), reverse("policy"))


def _number(order: CommandForm, name: str) -> int:
    return order.amount(name) if rules.NUMBERS[name].money else order.integer(name)


def _per_mille(order: CommandForm) -> int:
    """Return the confidence typed in per cent. Raises Refusal: bad_input, bad_automatic."""
    points = order.points("automatic")
    if points % POINTS or points // POINTS > rules.SURE:
        raise Refusal("bad_automatic", most=rules.SURE // 10)
    return points // POINTS


def _printers(order: CommandForm) -> dict[str, str]:
    """Return the printers typed, by the names of their tills."""
    typed = {till.name: order.fields.get(_field(till), "").strip() for till in _tills(order.hall)}
    return {
        till: address if ":" in address else f"{address}:{RAW_PORT}"
        for till, address in typed.items()
        if address
    }


def context(asked: PageRequest) -> Context:
    """Return what holds, the form filled with it, and every decision before."""
    hall, policy = asked.hall, policy_queries.in_force(asked.hall, timezone.now())
    history = listing.listed(policy_queries.history(hall), columns=(), query=asked.query)
    session = open_session(hall)
    frozen = rules.of(session.state["terms"]) if session else policy
    settled = policy_queries.settled(hall)
    return {
        "policy": policy,
        "after": policy_queries.newest_number(hall),
        "escudos": hall.currency == ESCUDO.removesuffix(SIGN),
        "numbers": _numbers(hall, policy),
        "second": policy_queries.policy_named(policy.four_eyes),
        "receipts": policy_queries.RECEIPTS[policy.receipts],
        "waiting": session if _of_games(frozen) != _of_games(policy) else None,
        "later": policy_queries.says_waiting(hall, timezone.now()),
        "waived_from": factors.waived_from(hall),
        "unattended": changes.unattended(hall, at=timezone.now()),
        "two": settled,
        "hours": int(rules.NOTICE.total_seconds()) // 3600 if settled else 0,
        "kinds": [
            (f"second-{kind}", name, kind in policy.four_eyes)
            for kind, name in policy_queries.FOUR_EYES.items()
        ],
        "choices": policy_queries.RECEIPTS.items(),
        "source": policy_queries.SOURCES[policy.source],
        "sources": policy_queries.SOURCES.items(),
        "pace": rules.pace(policy, rulebooks.get(hall.rulebook)),
        "automatic": number_format(policy.automatic / 10, 1 if policy.automatic % 10 else 0),
        "tills": [
            (_field(till), till.name, policy.printers.get(till.name, "")) for till in _tills(hall)
        ],
        "checkpoint_tills": _names(hall),
        "history": [(one, journal_text.describe_entry(one.entry)) for one in history.page],
        "listing": history,
    }


def _of_games(policy: rules.HallPolicy) -> rules.HallPolicy:
    """Return a policy without what holds at once also in a session that was opened with another."""
    of_games = tuple(kind for kind in policy.four_eyes if kind in DECIDERS)
    at_once = ("printers", "picture_days", "escudo_sign")
    usual = {name: getattr(rules.DEFAULT, name) for name in at_once}
    return replace(policy, four_eyes=of_games, **usual)


def _numbers(hall: Hall, policy: rules.HallPolicy) -> dict[str, list[Context]]:
    """Return the numbers of each part of the page: what holds, and the field that sets it."""
    parts: dict[str, list[Context]] = {}
    for name, words in policy_queries.NUMBERS.items():
        value, bounds = getattr(policy, name), rules.NUMBERS[name]
        parts.setdefault(words.part, []).append(
            {
                "name": name,
                "label": words.label,
                "hint": str(words.hint)
                % {"least": Whole(bounds.least), "most": Whole(bounds.most)},
                "kind": "amount" if bounds.money else "whole",
                "value": ink_money(hall, value) if bounds.money else value,
                "says": policy_queries.says(name, value, hall),
            }
        )
    return parts


def _names(hall: Hall) -> list[str]:
    return [till.name for till in _tills(hall)]


def _tills(hall: Hall) -> QuerySet[Till]:
    return hall.tills.order_by("name")


def _field(till: Till) -> str:
    return f"printer-{till.pk}"


PAGE = Page(
    "policy", "policy/", "policy/policy.html", context, {"set": change, "withdraw": withdraw}
)
