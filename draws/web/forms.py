"""Read and authorise a POST: who, when, its key, its fields, and the rows that it names.

A view says who may come to it, and what is answered to whoever may not; a refused order may leave
an entry in the journal. A second person, who stands for an order beside the person that gives it,
is read from the order's own fields. A document typed into a form is put back nowhere. Rows are
found in the person's own hall. Also what the open session was opened with.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from datetime import date, datetime
from decimal import Decimal
from functools import wraps
from typing import Any
from uuid import UUID

from django.contrib.auth.views import redirect_to_login
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse, HttpResponseBase, QueryDict
from django.shortcuts import render
from django.urls import reverse
from django.utils import timezone
from django.utils.datastructures import MultiValueDict
from django.utils.translation import get_language

from bingo import money_and_dates
from bingo.rules import admission, policies, rulebooks
from bingo.rules.admission import Document
from bingo.rules.journal_json_and_chain import is_printable
from bingo.rules.policies import DEFAULT, HallPolicy
from bingo.rules.refusal import Refusal
from draws.boards import announcements
from draws.cards import labels as cards_labels
from draws.cards import print_queries, stock_queries
from draws.complaints import services as complaints_services
from draws.games import progress
from draws.games.queries import HallState
from draws.models import Complaint, Game, Issue, PrintJob, Reading, Series, Transfer
from draws.refusals import text
from halls import second_person, security_log, tills
from halls.admission.queries import DOCUMENTS
from halls.journal import queries as journal_queries
from halls.journal import services as journal_services
from halls.models import Hall, JournalEntry, Person, Role, Session, Shift
from halls.setup import own_halls
from halls.web.fields import LONGEST

LARGEST = 2**31 - 1
# Python's own readers also take other scripts' digits, exponents and underscores.
WHOLE = re.compile(r"-?[0-9]{1,10}")
DAY = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")  # as a field of type date sends it
PERCENT = re.compile(r"([0-9]{1,3})(?:[.,]([0-9]{1,2}))?")


@dataclass(frozen=True, slots=True)
class FormFields:
    """What a person has typed into a form."""

    person: Person
    fields: QueryDict = field(repr=False)  # no log tells what was typed

    @property
    def hall(self) -> Hall:
        """The person's hall."""
        return self.person.hall

    def text(self, name: str, *, longest: int = LONGEST) -> str:
        """Return a text field, trimmed. Raises Refusal bad_input when it is missing or too long."""
        value = self.fields.get(name)
        if value is None or len(value) > longest or not is_printable(value):
            raise Refusal("bad_input", field=name, wanted="text", most=longest)
        return value.strip()

    def choice(self, name: str, among: tuple[str, ...]) -> str:
        """Return one of the texts that a list offers. Raises Refusal bad_input."""
        value = self.text(name)
        if value not in among:
            raise Refusal("bad_input", field=name, wanted="choice")
        return value

    def integer(self, name: str) -> int:
        """Return a whole number. Raises Refusal bad_input."""
        value = self.text(name)
        if not WHOLE.fullmatch(value) or abs(int(value)) > LARGEST:
            raise Refusal("bad_input", field=name, wanted="whole")
        return int(value)

    def optional_integer(self, name: str) -> int | None:
        """Return a whole number, or None when the field is empty."""
        return self.integer(name) if self.fields.get(name) else None

    def amount(self, name: str) -> int:
        """Return typed money in minor units. Raises Refusal: bad_input, bad_amount."""
        return money_and_dates.read_amounts(self.text(name), currency=self.hall.currency)

    def money(self, amount: int) -> str:
        """Write minor units of the hall's currency in the language of the page."""
        language = get_language() or self.person.language
        return money_and_dates.amounts_text(
            amount, currency=self.hall.written_currency, language=language
        )

    def day(self, name: str) -> date:
        """Return a day. Raises Refusal bad_input."""
        value = self.text(name)
        if not DAY.fullmatch(value):
            raise Refusal("bad_input", field=name, wanted="day")
        try:
            return date.fromisoformat(value)
        except ValueError:
            raise Refusal("bad_input", field=name, wanted="day") from None

    def points(self, name: str) -> int:
        """Return a typed percentage, such as 2,4, in basis points. Raises Refusal bad_input."""
        found = PERCENT.fullmatch(self.text(name).removesuffix("%").rstrip())
        if found is None:
            raise Refusal("bad_input", field=name, wanted="percent")
        return int(Decimal(f"{found[1]}.{found[2] or '0'}") * 100)

    def optional_points(self, name: str) -> int:
        """Return a typed percentage in basis points, 0 when the field is empty. Raises Refusal bad_input."""
        return self.points(name) if self.fields.get(name) else 0

    def lines(self, name: str) -> list[str]:
        """Return the lines of a text that have something in them. Raises Refusal bad_input."""
        return [line.strip() for line in self.text(name).splitlines() if line.strip()]

    def require_sure(self) -> None:
        """Hold back what can never be undone until its box is ticked. Raises Refusal not_confirmed."""
        if not self.ticked("sure"):
            raise Refusal("not_confirmed", field="sure")

    def ticked(self, name: str) -> bool:
        """Return whether a box is ticked."""
        return self.fields.get(name) == "on"


@dataclass(frozen=True, slots=True)
class CommandForm(FormFields):
    """One command from a page."""

    at: datetime
    key: UUID
    files: MultiValueDict[str, Any] = field(default_factory=MultiValueDict)
    request: HttpRequest = field(default_factory=HttpRequest, repr=False)

    @property
    def who(self) -> dict[str, Any]:
        """Return what every service wants to know."""
        return {"by": self.person, "at": self.at, "key": self.key}


def read_form(request: HttpRequest, person: Person) -> CommandForm:
    """Read a person's POST. Raises Refusal bad_input when it carries no key."""
    try:
        key = UUID(request.POST.get("key", ""))
    except ValueError:
        raise Refusal("bad_input", field="key") from None
    return CommandForm(person, request.POST, timezone.now(), key, request.FILES, request)


def witness_of(order: CommandForm, *, kind: str) -> Person | None:
    """Return the second person of an order of that kind, or None when nobody was named.

    Raises Refusal: bad_input, or what `second_person.witness` refuses.
    """
    username = order.text("witness_username") if "witness_username" in order.fields else ""
    # A password is taken as it was typed: its spaces are part of it.
    password = order.fields.get("witness_password", "")
    if not username and not password:
        return None
    return second_person.witness(
        hall=order.hall, username=username, password=password, request=order.request,
        by=order.person, kind=kind, at=order.at,
    )  # fmt: skip


def read_identity(typed: FormFields) -> Document | None:
    """Return the document of a form, None where its number is empty.

    Raises Refusal: bad_input, or what `bingo.rules.admission.read_document` refuses.
    """
    number = typed.text("document") if typed.fields.get("document") else ""
    if not number:
        return None
    return admission.read_document(
        typed.text("document_kind"), typed.text("document_country"), number
    )


def required(typed: FormFields) -> Document:
    """Return the document of a form that is nothing without one. Raises Refusal bad_document too."""
    return read_identity(typed) or admission.read_document(
        admission.IDENTITY_CARD, rulebooks.get(typed.hall.rulebook).country, ""
    )


def offered(hall: Hall) -> dict[str, Any]:
    """Return the kinds of document, and the country whose documents are the usual ones."""
    return {
        "document_kinds": list(DOCUMENTS.items()),
        "country": rulebooks.get(hall.rulebook).country,
        "longest_document": admission.LONGEST,
    }


def forbidden(request: HttpRequest, roles: Iterable[Role]) -> HttpResponse:
    """Say that a page or an order is for others; an order is journalled too (BOE III)."""
    refusal = Refusal("not_allowed", roles=[role.value for role in roles])
    security_log.record("forbidden", request=request, path=request.path)
    if request.method == "POST":
        note_refusal(request, refusal, command=request.path)
    context = {"text": text.refusal(refusal), "code": refusal.code}
    return render(request, "web/refusal.html", context, status=403)


View = Callable[..., HttpResponseBase]


def for_roles(*roles: Role, back: str = "") -> Callable[[View], View]:
    """Let only people of some roles come to a view, which is given the person who asks.

    Whoever is not logged in does that first and comes back to the same address, or to the page
    `back` where orders are sent to the address.
    """

    def decorate(view: View) -> View:
        @wraps(view)
        def bound(request: HttpRequest, **place: Any) -> HttpResponseBase:
            person = request.user
            if not person.is_authenticated:
                named = {name: value for name, value in place.items() if name != "verb"}
                page = reverse(back, kwargs=named) if back else request.get_full_path()
                # Who sent an order is told that nothing came of it.
                asking = f"{reverse('login')}?undone=1" if request.method == "POST" else None
                return redirect_to_login(page, asking)
            if not isinstance(person, Person) or not set(roles) & set(person.roles):
                return forbidden(request, roles)
            return view(request, person, **place)

        return bound

    return decorate


def note_refusal(request: HttpRequest, refusal: Refusal, *, command: str) -> None:
    """Journal a person's refused order, where law or the hall's safety care; log each of them."""
    person = request.user
    if isinstance(person, Person):
        kind = "second_person_failed" if refusal.code.startswith("witness_") else "refused"
        security_log.record(kind, request=request, code=refusal.code, command=command)
        journal_services.refused(
            person.hall,
            command=command,
            refusal=refusal,
            by=person,
            at=timezone.now(),
            session=journal_queries.open_session(person.hall),
        )


LONGEST_NAME = 60  # of a symbol, typed with whatever blanks


def session_of(order: CommandForm) -> Session:
    """Return the open session. Raises Refusal: no_session, key_reused, stale_page.

    A repeated order finds the one it was carried out in, which it may have closed itself: its
    service answers it as it did, and tells it from another order of that key. What a form orders of
    a session that it names by number is done in no other one, opened since.
    """
    done = made(order)
    session = done.session if done else journal_queries.the_open_session(order.hall)
    if session is None:
        raise Refusal("key_reused")
    if order.optional_integer("session") not in (None, session.number):
        raise Refusal("stale_page")
    return session


def shift_of(order: CommandForm) -> Shift:
    """Return the shift that the person has open; a repeated order finds the one they had open then.

    Raises Refusal: no_session, no_shift, key_reused.
    """
    session, done = session_of(order), made(order)
    if done is None:
        return tills.shift_of(session, order.person)
    opened = JournalEntry.objects.filter(
        session=session, by=order.person, kind="shift_opened", number__lte=done.number
    )
    if (last := opened.order_by("number").last()) is None:
        raise Refusal("key_reused")
    shifts = session.shifts.select_related("till", "session__hall")
    return shifts.get(number=last.data["shift"])


def shift_and_game(order: CommandForm) -> tuple[Shift, Game]:
    """Return the person's shift and the game under way. Raises Refusal as `shift_of` and `game_of`."""
    return shift_of(order), game_of(order)


def game_of(order: CommandForm) -> Game:
    """Return the game that is open; a repeated order finds the one that it was carried out in.

    Raises Refusal: no_session, no_game, key_reused, or what `require_game` refuses.
    """
    done = made(order)
    if done is None:
        game = progress.current(order.hall)
        require_game(order, game)
        return game
    of_session = Game.objects.filter(session=done.session_id, number=done.game or 0)
    found = of_session.select_related("session__hall", "issue").first()
    if found is None:
        raise Refusal("key_reused")
    return found


def made(order: CommandForm) -> JournalEntry | None:
    """Return what the person made by the order's key, where it was sent before."""
    return journal_services.made(order.hall, by=order.person, key=order.key)


def require_game(order: CommandForm, game: Game) -> None:
    """Refuse an order that was meant for another game and comes late: stale_page.

    What a player wanted in one game is no purchase in the next, at whatever price (R41); nor does
    the void of a game, or the close of its sale, end the next one's.
    """
    meant = order.optional_integer("game")
    if meant is not None and meant != game.pk:
        raise Refusal("stale_page")


def complaint_of(order: CommandForm) -> Complaint:
    """Return the complaint that the form names. Raises Refusal: bad_input, unknown_complaint."""
    found = complaints_services.of_hall(order.hall).filter(pk=order.integer("complaint")).first()
    if found is None:
        raise Refusal("unknown_complaint")
    return found


def issue_of(order: CommandForm) -> Issue:
    """Return the issue that the form names. Raises Refusal: bad_input, unknown_issue."""
    found = Issue.objects.filter(hall=order.hall, pk=order.integer("issue")).first()
    if found is None:
        raise Refusal("unknown_issue")
    return found


def card_of(order: CommandForm) -> tuple[Issue, int]:
    """Return the card that the form names by its number, or by the code that a scanner read.

    Raises Refusal: bad_input, bad_code, unknown_issue (also for a card of another hall).
    """
    typed = order.text("card")
    if stock_queries.is_code(typed):
        return stock_queries.card_of(order.hall, typed)
    return issue_of(order), order.integer("card")


def reading_of(order: CommandForm) -> Reading:
    """Return the reading that the form names. Raises Refusal: bad_input, reading_settled."""
    ours = Reading.objects.filter(game__session__hall=order.hall, pk=order.integer("reading"))
    found = ours.select_related("game__session__hall").first()
    if found is None:
        raise Refusal("reading_settled")
    return found


def ball_of(order: CommandForm, now: HallState) -> int:
    """Return the number of the ball that the form names; in a game of symbols by its name too (R80).

    Raises Refusal: bad_input, symbol_unknown, symbol_ambiguous.
    """
    if now.game_state is None or not now.game_state.symbols:
        return order.integer("number")
    typed = order.text("number", longest=LONGEST_NAME)
    also = (now.state.terms.get("languages") if now.state else None) or ()
    spoken = [
        one.language
        for one in announcements.voices(now.game_state.rulebook, currency="", also=also)
    ]
    return cards_labels.read_symbol(typed, languages=[get_language() or now.hall.language, *spoken])


def series_of(order: CommandForm) -> Series:
    """Return the series that the form names. Raises Refusal: bad_input, unknown_series."""
    found = Series.objects.filter(hall=order.hall, pk=order.integer("series")).first()
    if found is None:
        raise Refusal("unknown_series")
    return found


def transfer_of(order: CommandForm) -> Transfer:
    """Return what another hall has sent to this one. Raises Refusal: bad_input, unknown_transfer."""
    sent = Transfer.objects.filter(to=order.hall, pk=order.integer("transfer"))
    found = sent.select_related("issue__hall", "issue__series", "to").first()
    if found is None:
        raise Refusal("unknown_transfer")
    return found


def other_halls(issue: Issue) -> QuerySet[Hall]:
    """Return the halls in which people work that an issue's rule book lets take it in, by name.

    Training halls send none and are sent none.
    """
    if issue.hall.is_training:
        return Hall.objects.none()
    found = own_halls().filter(rulebook=issue.series.rulebook)
    return found.exclude(pk=issue.hall_id).order_by("name")


def hall_of(order: CommandForm, issue: Issue) -> Hall:
    """Return the other hall that the form sends an issue to. Raises Refusal: bad_input, unknown_hall."""
    found = other_halls(issue).filter(pk=order.integer("to")).first()
    if found is None:
        raise Refusal("unknown_hall")
    return found


def print_of(order: CommandForm) -> PrintJob:
    """Return the print that the form names. Raises Refusal: bad_input, print_unknown."""
    return print_queries.get_print_job(order.hall, order.integer("print"))


def policy(now: HallState) -> HallPolicy:
    """Return the hall's own rules as they hold for the session, the defaults without one."""
    return policies.of(now.state.terms) if now.state else DEFAULT
