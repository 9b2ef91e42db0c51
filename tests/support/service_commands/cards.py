"""The commands of series, figures, issues, their transfers and their prints."""

from __future__ import annotations

from random import Random
from typing import Any

from bingo.rules import formats, rulebooks, series, series_files
from draws.cards import hall_patterns, prints, stock
from draws.cards import series as cards_series
from draws.models import Issue, Pattern, PrintJob, Recount, Retirement, Series, Transfer
from halls.models import Hall, Role
from tests.support.evening import BACK_COLOUR, FACE, FACE_COLOUR, Evening
from tests.support.service_commands.command import MANAGER, Command

CROSS = ("..X..", "..X..", "XXXXX", "..X..", "..X..")


def publish(evening: Evening, who: dict[str, Any], *, seed: str = "7") -> object:
    """Publish a matrix."""
    return cards_series.publish(hall=evening.hall, format=90, letter="A", size=90, seed=seed, **who)


def receive(evening: Evening, who: dict[str, Any], **changed: Any) -> Issue:
    """Receive an issue like the hall's first, uncounted."""
    usual: dict[str, Any] = {
        "hall": evening.hall, "series": evening.issue().series, "identification": "9001",
        "face": FACE, "face_colour": FACE_COLOUR, "back_colour": BACK_COLOUR,
    }  # fmt: skip
    return stock.receive(**(usual | changed), **who)


def take_in(evening: Evening, who: dict[str, Any], *, name: str = "9") -> Series:
    """Publish a matrix that somebody else made."""
    return cards_series.take_in(hall=evening.hall, text=foreign(name), **who)


def foreign(name: str, *, letter: str = "A", size: int = 90, format: int = 90) -> str:
    """Return the file of a matrix that somebody else made."""
    kind, book = formats.get_format(format), rulebooks.get("cape-verde-2017")
    cards = series.emit(size, format=kind, rulebook=book, rng=Random(name))
    return series_files.to_json(cards, format=kind, rulebook=book, letter=letter)


def save_pattern(evening: Evening, who: dict[str, Any], *, name: str = "Cruz") -> Pattern:
    """Keep a figure."""
    return hall_patterns.save(hall=evening.hall, name=name, drawing=CROSS, **who)


def count(evening: Evening, who: dict[str, Any], *, counted: int = 90) -> Recount:
    """Count the second issue."""
    return stock.count(issue=evening.issue(2), counted=counted, comment="Faltam", **who)


def retire(evening: Evening, who: dict[str, Any], *, first: int = 8) -> Retirement:
    """Retire cards of the second issue."""
    return stock.retire(issue=evening.issue(2), first=first, last=9, reason="Rasgados", **who)


def withdraw(evening: Evening, who: dict[str, Any], *, reason: str = "Molhados") -> None:
    """Withdraw the second issue."""
    stock.withdraw(issue=evening.issue(2), reason=reason, **who)


def reinstate(evening: Evening, who: dict[str, Any], *, reason: str = "Secos") -> None:
    """Reinstate the second issue."""
    stock.reinstate(issue=evening.issue(2), reason=reason, **who)


def neighbour() -> Evening:
    """Another hall under the same rules."""
    found = Hall.objects.filter(code="norte").first()
    return Evening("norte", hall=found)


def send(evening: Evening, who: dict[str, Any], *, reason: str = "Falta lá") -> Transfer:
    """Send the second issue to the neighbour."""
    return stock.send_transfer(issue=evening.issue(2), to=neighbour().hall, reason=reason, **who)


def recall(evening: Evening, who: dict[str, Any], *, reason: str = "Engano") -> Transfer:
    """Call the issue sent back."""
    sent = Transfer.objects.select_related("issue").get(issue=evening.issue(2))
    return stock.recall_transfer(transfer=sent, reason=reason, **who)


def accept(evening: Evening, who: dict[str, Any], *, counted: int = 90) -> Issue:
    """Take in what the neighbour has sent."""
    return stock.accept(transfer=evening.hall.arrivals.get(), counted=counted, **who)


def sent_by_the_neighbour(evening: Evening) -> None:
    """Let another hall send its second issue here, where the matrix is known already."""
    other = neighbour()
    manager = other.who(Role.HALL_MANAGER)
    known = other.issue(2).series
    cards_series.publish(
        hall=evening.hall, format=known.format, letter=known.letter, size=known.size,
        seed=known.seed, **evening.who(Role.HALL_MANAGER),
    )  # fmt: skip
    stock.send_transfer(issue=other.issue(2), to=evening.hall, reason="Sobra", **manager)


def print_cards(evening: Evening, who: dict[str, Any], *, last: int = 12) -> PrintJob:
    """Order a print of the second issue."""
    return prints.order(
        issue=evening.issue(2), first=1, last=last, paper="a4", code="qr", back=False, crop=False,
        reason="", **who,
    )  # fmt: skip


def cancel_print(evening: Evening, who: dict[str, Any]) -> PrintJob:
    """Cancel the print."""
    job = PrintJob.objects.select_related("issue__hall").latest("pk")
    return prints.cancel(job=job, **who)


COMMANDS = (
    Command("series_published", MANAGER, "none", publish, lambda e, w: publish(e, w, seed="8")),
    Command("series_published", MANAGER, "none", take_in, lambda e, w: take_in(e, w, name="8")),
    Command("pattern_saved", MANAGER, "none", save_pattern, lambda e, w: save_pattern(e, w, name="X")),
    Command(
        "issue_received", MANAGER, "none", receive,
        lambda e, w: receive(e, w, identification="9002"),
    ),
    Command(
        "issue_received", MANAGER, "none", accept, lambda e, w: accept(e, w, counted=89),
        prepare=sent_by_the_neighbour,
    ),
    Command("issue_counted", MANAGER, "none", count, lambda e, w: count(e, w, counted=89)),
    Command("cards_retired", MANAGER, "none", retire, lambda e, w: retire(e, w, first=9)),
    Command("issue_withdrawn", MANAGER, "none", withdraw, lambda e, w: withdraw(e, w, reason="X")),
    Command(
        "issue_reinstated", MANAGER, "none", reinstate, lambda e, w: reinstate(e, w, reason="X"),
        prepare=lambda e: withdraw(e, e.who(MANAGER)),
    ),
    Command(
        "issue_sent", MANAGER, "none", send, lambda e, w: send(e, w, reason="X"),
        prepare=lambda _e: neighbour(),
    ),
    Command(
        "transfer_recalled", MANAGER, "none", recall, lambda e, w: recall(e, w, reason="X"),
        prepare=lambda e: send(e, e.who(MANAGER)),
    ),
    Command(
        "print_ordered", MANAGER, "none", print_cards, lambda e, w: print_cards(e, w, last=13)
    ),
    Command(
        "print_cancelled", MANAGER, "none", cancel_print,
        prepare=lambda e: print_cards(e, e.who(MANAGER)),
    ),
)  # fmt: skip
