"""Every command of a hall once: who gives it, at which stage, how, and how a slip of it looks."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Any

from django.test import override_settings

from bingo import signed_notes
from bingo.rules import admission, formats, rulebooks, series, series_files
from bingo.rules.journal import JournalHead as Head
from bingo.rules.journal import origin, written
from draws.balls import cameras, draw, enrolment_queries, enrolments, readings
from draws.cards import hall_patterns, prints, stock
from draws.cards import series as cards_series
from draws.claims import services as claims_services
from draws.custody import services as custody_services
from draws.games import services as games_services
from draws.models import (
    Camera,
    Issue,
    Pattern,
    PrintJob,
    Recount,
    Retirement,
    Sale,
    Series,
    Transfer,
    UnclaimedItem,
)
from draws.prizes import services as prizes_services
from draws.prizes import unclaimed
from draws.sales import floor
from draws.sales import services as sales_services
from halls import jackpots, retention, sessions, staff, tills
from halls.admission import services as admission_services
from halls.checkpoints import queries as checkpoints_queries
from halls.checkpoints import services as checkpoints_services
from halls.equipment import ball_sets, duties
from halls.equipment import services as equipment_services
from halls.models import Exclusion, Hall, JournalEntry, Person, Retention, Role
from halls.policy.services import set_policy
from halls.tills import change_tills
from tests.support import (
    complaints,
    custody_hall,
    departing_players,
    filmed_balls,
    floor_assistants,
    photographs,
    remarks,
    shown_cards,
)
from tests.support.ball_sets import (
    ball_set,
    break_down,
    call_balls,
    checked,
    device,
    inspect,
    mend,
    own,
    put_away,
    replace_ball,
    retire_device,
    tick_all,
    use_set,
    waive,
)
from tests.support.draw_takeover import called_by_another
from tests.support.evening import (
    APPROVAL,
    BACK_COLOUR,
    FACE,
    FACE_COLOUR,
    FLOAT,
    Evening,
    authorise,
    tonight,
)
from tests.support.linked_jackpots import CODE, fund, take_part
from tests.support.session_ends import ended

Act = Callable[[Evening, dict[str, Any]], Any]

TEXT = "Uma queixa"
OTHER_FACE = 300_00
CROSS = ("..X..", "..X..", "XXXXX", "..X..", "..X..")


@dataclass(frozen=True, slots=True)
class Command:
    """One command; `other` is the same one with another input, where it has inputs.

    `entries` it makes in the hall's journal, the first of its own kind; `later` is how long after
    the evening it is due.
    """

    kind: str
    role: Role
    stage: str
    act: Act
    other: Act | None = None
    prepare: Callable[[Evening], object] = lambda _evening: None
    entries: int = 1
    later: timedelta = timedelta(0)

    def ready(self) -> Evening:
        """Return an evening in which the command is due."""
        evening = Evening().reach(self.stage)
        self.prepare(evening)
        return evening


def take_on(evening: Evening, who: dict[str, Any], *, name: str = "Maria Lima") -> Person:
    """Take a caller on."""
    return staff.enrol(
        hall=evening.hall, username="maria.lima", name=name, roles=["caller"], language="pt",
        password="sete-bolas-42", **who,
    )  # fmt: skip


def plan_end(evening: Evening, who: dict[str, Any], *, minutes: int = 5) -> JournalEntry:
    """Plan the end of the session in a few minutes, counted from the opening's own time."""
    ends_at = evening.session.opened_at + timedelta(minutes=minutes)
    return sessions.plan_session_end(
        session=evening.session, ends_at=ends_at, reason="Sala vazia", **who
    )


def without_a_set(
    evening: Evening, who: dict[str, Any], *, reason: str = "Na alfândega"
) -> JournalEntry:
    """Let the session's games be drawn from no registered set, by two persons."""
    chief = evening.person(Role.TABLE_CHIEF)
    return duties.leave_out(
        session=evening.session, duty="ball_set", subject="90", reason=reason, witness=chief, **who
    )


def approve(evening: Evening, who: dict[str, Any], **changed: Any) -> JournalEntry:
    """Record the approval of the extractor."""
    machine = evening.hall.devices.get()
    return equipment_services.record_approval(of=machine, **(APPROVAL | changed), **who)


def renew_key(evening: Evening, who: dict[str, Any]) -> JournalEntry:
    """Renew the key of the checkpoints, in a folder that no hall keeps."""
    with TemporaryDirectory() as folder, override_settings(KEYS_DIR=Path(folder)):
        return checkpoints_services.renew_key(hall=evening.hall, **who)


def set_back_history(evening: Evening, who: dict[str, Any]) -> JournalEntry:
    """Accept an older history, beside a head of what is gone in a folder that no hall keeps."""
    with TemporaryDirectory() as folder, override_settings(KEYS_DIR=Path(folder)):
        key = signed_notes.ensure(
            checkpoints_queries.keys_folder(evening.hall), name=origin("sala")
        )[1]
        note = signed_notes.sign_note(written(Head("sala", 9_999, "ab" * 32)), [key])
        signed_notes.write_note_head(checkpoints_queries.keys_folder(evening.hall), note)
        witness = evening.person(Role.TABLE_CHIEF)
        return checkpoints_services.accept(
            hall=evening.hall, witness=witness, reason="cópia", **who
        )


def leave(evening: Evening, who: dict[str, Any], *, to: str = "8") -> JournalEntry:
    """Hand the first two cards of player 7 on to another."""
    return floor.transfer(
        game=evening.game, issue=evening.issue(), first=1, last=2, player="7", to=to, **who
    )


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


def sell(evening: Evening, who: dict[str, Any], *, quantity: int = 3, **named: Any) -> list[Sale]:
    """Sell cards."""
    return sales_services.sell(
        game=evening.game, shift=evening.shift, quantity=quantity, **named, **who
    )


def seller(evening: Evening, number: int = 1) -> Person:
    """Return one of the two floor sellers."""
    sellers = evening.hall.people.filter(roles__contains=[Role.SELLER])
    return sellers.order_by("username")[number - 1]


def hand_out(evening: Evening, who: dict[str, Any], *, quantity: int = 5) -> JournalEntry:
    """Hand the next cards to the first seller."""
    return floor.hand_out(
        game=evening.game, shift=evening.shift, seller=seller(evening), quantity=quantity, **who
    )


def settle(evening: Evening, who: dict[str, Any], *, back: int = 4, last: int = 5) -> JournalEntry:
    """Settle cards 1 to 5 of the first seller, who brings back those from `back` on."""
    returned = [(back, last)] if back <= last else []
    return floor.settle(
        game=evening.game, shift=evening.shift, seller=seller(evening), issue=evening.issue(),
        first=1, last=last, returned=returned, **who,
    )  # fmt: skip


def hand_over(evening: Evening, who: dict[str, Any], *, first: int = 1) -> JournalEntry:
    """Pass cards of the first seller to the second."""
    return floor.hand_over(
        game=evening.game, seller=seller(evening), to=seller(evening, 2), issue=evening.issue(),
        first=first, last=5, **who,
    )  # fmt: skip


def write_off(
    evening: Evening, who: dict[str, Any], *, first: int = 8, last: int = 9
) -> JournalEntry:
    """Write off cards of the issue on sale."""
    return floor.write_off(
        game=evening.game, issue=evening.issue(), first=first, last=last, reason="Molhados", **who
    )


def handed_out(evening: Evening) -> None:
    """Let the first seller have cards 1 to 5."""
    hand_out(evening, evening.who(Role.CASHIER))


def double_cards(evening: Evening) -> Issue:
    """Receive an issue of double cards, which becomes the hall's first (R15)."""
    manager = evening.who(Role.HALL_MANAGER)
    return receive(evening, manager, identification="dupla-1", double=True, counted=90)


def first_half(evening: Evening) -> None:
    """Play the first game of double cards to its end; nothing is paid yet."""
    double_cards(evening)
    evening.reach("paying")
    games_services.complete(game=evening.game, **evening.who(Role.TABLE_CHIEF))


def several_prices(evening: Evening) -> None:
    """Prepare a game in a hall that may sell several prices at once, and two issues of another."""
    faces = [FACE, OTHER_FACE]
    authorise(evening.hall, reference="2/2026", faces=faces, several_prices=True)
    manager = evening.who(Role.HALL_MANAGER)
    other = cards_series.publish(
        hall=evening.hall, format=90, letter="L", size=60, seed="1979", **manager
    )
    for identification in ("z-1", "z-2"):
        stock.receive(
            hall=evening.hall, series=other, identification=identification, face=OTHER_FACE,
            face_colour="white", back_colour="red", counted=60, **manager,
        )  # fmt: skip
    evening.reach("prepared")


def add_issue(evening: Evening, who: dict[str, Any], *, identification: str = "z-1") -> None:
    """Put an issue of the other price beside the first."""
    issue = evening.hall.issues.get(identification=identification)
    games_services.add_issue(game=evening.game, issue=issue, **who)


def key_ball(evening: Evening, who: dict[str, Any], *, place: int = 0) -> object:
    """Announce a ball by hand: the first number, or another, that has not come."""
    come = set(evening.numbers())
    left = [number for number in range(1, 91) if number not in come]
    return draw.announce_ball(game=evening.game, number=left[place], **who)


def recall_ball(evening: Evening, who: dict[str, Any], *, place: int = -1) -> None:
    """Recall the last ball of card 1."""
    draw.recall_ball(game=evening.game, number=evening.numbers()[place], **who)


def draw_announced(evening: Evening) -> None:
    """Begin the draw."""
    games_services.announce_draw(game=evening.game, **evening.who(Role.CALLER))


def drawn_by_rng(evening: Evening) -> None:
    """Begin the draw, and let the RNG draw the first ball."""
    draw_announced(evening)
    draw.draw_ball(game=evening.game, **evening.who(Role.CALLER))


def seen_on_camera(evening: Evening) -> None:
    """Let the camera see the first ball, of which it is not sure."""
    filmed_balls.camera_of(evening)
    draw_announced(evening)
    filmed_balls.see(filmed_balls.camera_of(evening), 68, sure=400, reason="close", runner_up=89)


def set_camera(evening: Evening, who: dict[str, Any], *, active: bool = True) -> Camera:
    """Set a camera up."""
    return cameras.set_up(
        hall=evening.hall, name="Saída", url=filmed_balls.URL, settings={}, active=active, **who
    )


def shown_all(evening: Evening) -> None:
    """Show every ball of a small set to a camera, and name it."""
    shown_cards.show_all(shown_cards.begun(evening), evening.person(Role.HALL_MANAGER))


def enrol(evening: Evening, who: dict[str, Any]) -> object:
    """Certify the camera on them."""
    return enrolments.finish_certification(
        enrolment=enrolment_queries.enrolment_of_hall(evening.hall)[0], **who
    )


def confirm(evening: Evening, who: dict[str, Any], *, number: int = 68) -> object:
    """Confirm what the camera saw."""
    return readings.confirm(reading=evening.game.readings.get(), number=number, **who)


def dismiss(evening: Evening, who: dict[str, Any], *, reason: str = "Tubo vazio") -> None:
    """Dismiss what the camera saw."""
    readings.dismiss(reading=evening.game.readings.get(), reason=reason, **who)


def by_hand(evening: Evening, who: dict[str, Any], *, reason: str = "Sem resposta") -> None:
    """Go on by hand."""
    draw.change_source(game=evening.game, source="by_hand", reason=reason, **who)


def suspend(evening: Evening, who: dict[str, Any], *, reason: str = "Sem luz") -> None:
    """Suspend the game."""
    readings.suspend(game=evening.game, reason=reason, **who)


def resume(evening: Evening, who: dict[str, Any], *, decision: str = "Há luz") -> None:
    """Resume it."""
    readings.resume_suspension(game=evening.game, decision=decision, **who)


def check(evening: Evening, who: dict[str, Any], *, card: int = 1) -> object:
    """Check a card."""
    issue = evening.issue()
    return claims_services.check(
        game=evening.game, combination="bingo", issue=issue, card=card, sound=True, **who
    )


def refused(evening: Evening) -> None:
    """Refuse cards 1 and 2 for their marks."""
    for card in (1, 2):
        claims_services.check(
            game=evening.game, combination="bingo", issue=evening.issue(), card=card, sound=False,
            **evening.who(Role.TABLE_CHIEF),
        )  # fmt: skip


def reverse(evening: Evening, who: dict[str, Any], *, reason: str = "Era da luz") -> object:
    """Reverse the refusal of card 1, with the hall manager."""
    return claims_services.reverse_refusal(
        game=evening.game, combination="bingo", issue=evening.issue(), card=1, reason=reason,
        witness=evening.person(Role.HALL_MANAGER), **who,
    )  # fmt: skip


def pay(evening: Evening, who: dict[str, Any], *, card: int = 1) -> object:
    """Pay a card."""
    return prizes_services.pay_payment(
        game=evening.game, issue=evening.issue(), card=card, shift=evening.shift, **who
    )


def void(evening: Evening, who: dict[str, Any], *, reason: str = "Som cortado") -> None:
    """Void the game."""
    games_services.void(game=evening.game, cause="announcement_error", reason=reason, **who)


def refund(evening: Evening, who: dict[str, Any], *, first: int = 1) -> object:
    """Refund the cards of a sale."""
    found = Sale.objects.select_related("game__session__hall", "issue")
    sale = found.get(first=first, issue__hall=evening.hall)
    return prizes_services.refund(
        game=sale.game, issue=sale.issue, first=sale.first, last=sale.last, shift=evening.shift,
        **who,
    )  # fmt: skip


def refunds_left(evening: Evening) -> None:
    """Void the game, and set aside the price of all its cards."""
    voided(evening)
    departing_players.refunds_aside(evening)
    departing_players.complete(evening)


def pay_later(evening: Evening, who: dict[str, Any], *, first: int = 1) -> object:
    """Pay the price of a card that was set aside."""
    return departing_players.pay(evening, UnclaimedItem.objects.earliest("pk"), first=first, **who)


def prize_left(evening: Evening) -> None:
    """Play an evening whose winner has left, where a prize is owed for a day."""
    authorise(
        evening.hall, reference="2/2026", valid_from=evening.today.replace(month=1, day=2),
        unclaimed_terms={"days": 1, "to": "treasury"},
    )  # fmt: skip
    departing_players.not_fetched(evening)
    ended(evening)


def expire(evening: Evening, who: dict[str, Any], *, reference: str = "DUC 4") -> JournalEntry:
    """Let what is past its period go to the treasury."""
    chief = evening.person(Role.TABLE_CHIEF)
    return unclaimed.expire(
        hall=evening.hall, to="treasury", reference=reference, witness=chief, **who
    )


def lose(
    evening: Evening, who: dict[str, Any], *, reason: str = "Não está no cofre"
) -> JournalEntry:
    """Record that the kept card is lost."""
    chief = evening.person(Role.TABLE_CHIEF)
    return custody_services.lose(
        hall=evening.hall, cards=[custody_hall.card(evening)], reason=reason, witness=chief, **who
    )


def voided(evening: Evening) -> None:
    """Void the game, which sold cards 1 to 6 and 7 to 9."""
    sell(evening, evening.who(Role.CASHIER))
    void(evening, evening.who(Role.TABLE_CHIEF))


def paid(evening: Evening) -> None:
    """Pay the winning card."""
    pay(evening, evening.who(Role.CASHIER))


def exhausted(evening: Evening) -> None:
    """Sell the first issue out in a second game, which began at card 7 of it."""
    cashier, chief = evening.who(Role.CASHIER), evening.who(Role.TABLE_CHIEF)
    void(evening, chief)
    refund(evening, cashier)
    games_services.complete(game=evening.game, **chief)
    games_services.open_game(session=evening.session, issue=evening.issue(), **chief)
    games_services.announce_sale(game=evening.game, **evening.who(Role.CALLER))
    sell(evening, cashier, quantity=84)


def drop(evening: Evening, who: dict[str, Any], *, amount: int) -> None:
    """Take cash to the safe before the table chief."""
    witness = evening.person(Role.TABLE_CHIEF)
    tills.move_cash(shift=evening.shift, amount=amount, reason="cofre", witness=witness, **who)


def counted(evening: Evening) -> None:
    """Close the only shift."""
    tills.close_shift(shift=evening.shift, counted=FLOAT, comment="", **evening.who(Role.CASHIER))


def of_game(service: Callable[..., Any]) -> Act:
    """Return a service that asks for nothing but the game."""
    return lambda evening, who: service(game=evening.game, **who)


def put_into_the_jackpot(evening: Evening) -> None:
    """Put a base into the hall's jackpot."""
    jackpots.fund_jackpot(
        hall=evening.hall, amount=500, reference="base", **evening.who(Role.HALL_MANAGER)
    )


def base_in_the_link(evening: Evening) -> None:
    """Let the hall take part in a linked jackpot, and put a base in."""
    take_part(evening)
    fund(evening)


def exclude(e: Evening, who: dict[str, Any], reason: str = "own_request") -> Exclusion:
    document = admission.read_document("passport", "PT", "AB123456")
    return admission_services.add_exclusion(
        hall=e.hall, document=document, reason=reason, begins=e.today, ends=e.today, **who
    )


def lift(e: Evening, who: dict[str, Any], reason: str = "Cumprida") -> JournalEntry:
    chief = e.person(Role.TABLE_CHIEF)
    return admission_services.lift(hall=e.hall, number=1, reason=reason, witness=chief, **who)


def keep_for(evening: Evening, who: dict[str, Any], *, looks: int = 90) -> Retention:
    """Set for how many days things are kept, from tomorrow on."""
    days = {"pictures": 30, "looks": looks, "prints": 7, "stills": 7, "admissions": 0}
    tomorrow = (who["at"] + timedelta(days=2)).date()
    return retention.set_days(hall=evening.hall, days=days, valid_from=tomorrow, **who)


CASHIER, CALLER = Role.CASHIER, Role.CALLER
CHIEF, MANAGER = Role.TABLE_CHIEF, Role.HALL_MANAGER

COMMANDS = (
    Command(
        "authorisation_recorded", MANAGER, "none",
        lambda e, w: authorise(e.hall, reference="2/2026", **w),
        lambda e, w: authorise(e.hall, reference="3/2026", **w),
    ),
    Command(
        "policy_set", MANAGER, "none",
        lambda e, w: set_policy(hall=e.hall, low_stock=30, **w),
        lambda e, w: set_policy(hall=e.hall, low_stock=31, **w),
    ),
    Command(
        "retention_set", MANAGER, "none", keep_for, lambda e, w: keep_for(e, w, looks=100),
    ),
    Command(
        "staff_changed", MANAGER, "none", take_on, lambda e, w: take_on(e, w, name="Outra"),
    ),
    Command(
        "tills_changed", MANAGER, "none",
        lambda e, w: change_tills(hall=e.hall, change="added", till="Caixa 7", **w),
        lambda e, w: change_tills(hall=e.hall, change="added", till="Caixa 8", **w),
    ),
    Command(
        "jackpot_funded", MANAGER, "none",
        lambda e, w: jackpots.fund_jackpot(hall=e.hall, amount=100, reference="base", **w),
        lambda e, w: jackpots.fund_jackpot(hall=e.hall, amount=200, reference="base", **w),
    ),
    Command(
        "jackpot_moved", MANAGER, "none",
        lambda e, w: jackpots.move_jackpot(hall=e.hall, to=e.hall, to_level=1, reference="1/2026", **w),
        lambda e, w: jackpots.move_jackpot(hall=e.hall, to=e.hall, to_level=2, reference="1/2026", **w),
        prepare=put_into_the_jackpot,
        entries=2,
    ),
    Command(
        "jackpot_ended", MANAGER, "none",
        lambda e, w: jackpots.end_jackpot(hall=e.hall, to="Cruz Vermelha", reference="1/2026", **w),
        lambda e, w: jackpots.end_jackpot(hall=e.hall, to="Caritas", reference="1/2026", **w),
        prepare=put_into_the_jackpot,
    ),
    Command(
        "jackpot_linked", MANAGER, "none",
        lambda e, w: take_part(e, **w),
        lambda e, w: take_part(e, code="outra", **w),
    ),
    Command(
        "link_funded", MANAGER, "none",
        lambda e, w: jackpots.fund_jackpot(hall=e.hall, link=CODE, amount=100, reference="base", **w),
        lambda e, w: jackpots.fund_jackpot(hall=e.hall, link=CODE, amount=200, reference="base", **w),
        prepare=take_part,
    ),
    Command(
        "link_moved", MANAGER, "none",
        lambda e, w: jackpots.move_jackpot(hall=e.hall, link=CODE, to=e.hall, reference="1/2026", **w),
        lambda e, w: jackpots.move_jackpot(hall=e.hall, link=CODE, to=e.hall, reference="2/2026", **w),
        prepare=base_in_the_link,
        entries=2,
    ),
    Command(
        "link_ended", MANAGER, "none",
        lambda e, w: jackpots.end_jackpot(hall=e.hall, link=CODE, to="Caritas", reference="1/2026", **w),
        lambda e, w: jackpots.end_jackpot(hall=e.hall, link=CODE, to="x", reference="1/2026", **w),
        prepare=base_in_the_link,
    ),
    Command(
        "checkpoint_key_changed", MANAGER, "none",
        renew_key,
    ),
    Command(
        "checkpoint_history_set_back", MANAGER, "none",
        set_back_history,
    ),
    Command(
        "camera_set", MANAGER, "none", set_camera, lambda e, w: set_camera(e, w, active=False)
    ),
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
    Command(
        "device_registered", MANAGER, "none", device, lambda e, w: device(e, w, name="Bombo 2")
    ),
    Command(
        "device_retired", MANAGER, "none", retire_device,
        lambda e, w: retire_device(e, w, reason="Vendido"), prepare=own(device),
    ),
    Command(
        "ball_set_registered", MANAGER, "none", ball_set, lambda e, w: ball_set(e, w, games=1)
    ),
    Command(
        "ball_set_used", CHIEF, "none", use_set, lambda e, w: use_set(e, w, extractor=None),
        prepare=own(device, ball_set),
    ),
    Command(
        "ball_set_kept", CHIEF, "none", put_away(ball_sets.put_on_shelf),
        put_away(ball_sets.put_on_shelf, reason="X"), prepare=own(device, ball_set, use_set),
    ),
    Command(
        "ball_set_retired", MANAGER, "none", put_away(ball_sets.retire),
        put_away(ball_sets.retire, reason="X"), prepare=own(device, ball_set, use_set),
    ),
    Command(
        "ball_replaced", CHIEF, "none", replace_ball, lambda e, w: replace_ball(e, w, number=8),
        prepare=own(ball_set),
    ),
    Command(
        "ball_set_inspected", CHIEF, "none", inspect, lambda e, w: inspect(e, w, note="X"),
        prepare=own(ball_set),
    ),
    Command(
        "balls_called", CALLER, "none", call_balls, lambda e, w: call_balls(e, w, when="closing"),
        prepare=own(ball_set),
    ),
    Command("balls_enrolled", CHIEF, "none", enrol, prepare=shown_all),
    Command(
        "equipment_checked", MANAGER, "none",
        lambda e, w: equipment_services.finish_check(hall=e.hall, **w), prepare=tick_all,
    ),
    Command(
        "equipment_waived", MANAGER, "none", waive, lambda e, w: waive(e, w, reason="X"),
        prepare=lambda e: checked(e, failed="sound"),
    ),
    Command(
        "duty_left_out", MANAGER, "session", without_a_set,
        lambda e, w: without_a_set(e, w, reason="X"),
    ),
    Command(
        "approval_recorded", MANAGER, "none", approve,
        lambda e, w: approve(e, w, authority="X"), prepare=own(device),
    ),
    Command(
        "breakdown_opened", CHIEF, "none", break_down, lambda e, w: break_down(e, w, reason="X"),
        prepare=own(device),
    ),
    Command(
        "breakdown_ended", CHIEF, "none", mend, lambda e, w: mend(e, w, remedy="X"),
        prepare=own(device, break_down),
    ),
    Command(
        "session_opened", MANAGER, "none",
        lambda e, w: sessions.open_session(hall=e.hall, checked=True, ends_at=tonight(), **w),
        lambda e, w: sessions.open_session(hall=e.hall, checked=False, ends_at=tonight(), **w),
    ),
    Command(
        "shift_opened", CASHIER, "session",
        lambda e, w: tills.open_shift(session=e.session, till=e.hall.tills.order_by("pk")[0], float=5, **w),
        lambda e, w: tills.open_shift(session=e.session, till=e.hall.tills.order_by("pk")[1], float=5, **w),
    ),
    Command(
        "cash_moved", MANAGER, "shift",
        lambda e, w: tills.move_cash(shift=e.shift, amount=-500, reason="cofre", **w),
        lambda e, w: tills.move_cash(shift=e.shift, amount=500, reason="cofre", **w),
    ),
    Command(
        "cash_moved", CASHIER, "shift",
        lambda e, w: drop(e, w, amount=-500), lambda e, w: drop(e, w, amount=-600),
    ),
    Command(
        "shift_closed", CASHIER, "shift",
        lambda e, w: tills.close_shift(
            shift=e.hall.sessions.get().shifts.get(), counted=FLOAT - 1, comment="Falta 1", **w
        ),
        lambda e, w: tills.close_shift(
            shift=e.hall.sessions.get().shifts.get(), counted=FLOAT, comment="", **w
        ),
    ),
    Command(
        "note_recorded", MANAGER, "session",
        lambda e, w: sessions.record_note(
            session=e.session, category="complaint", text=TEXT, decision="", **w
        ),
        lambda e, w: sessions.record_note(
            session=e.session, category="breakdown", text=TEXT, decision="", **w
        ),
    ),
    Command(
        "session_closed", MANAGER, "shift",
        lambda e, w: sessions.close_session(session=e.hall.sessions.get(), **w), prepare=counted,
    ),
    Command(
        "session_end_planned", MANAGER, "session", plan_end,
        lambda e, w: plan_end(e, w, minutes=6),
    ),
    Command(
        "last_game_announced", CALLER, "session",
        lambda e, w: sessions.announce_last_game(session=e.session, **w),
        prepare=lambda e: plan_end(e, e.who(MANAGER)),
    ),
    Command(
        "game_opened", CHIEF, "shift",
        lambda e, w: games_services.open_game(session=e.session, issue=e.issue(), **w),
        lambda e, w: games_services.open_game(session=e.session, issue=e.issue(2), **w),
    ),
    Command(
        "second_half_opened", CHIEF, "shift",
        lambda e, w: games_services.open_second_half(session=e.session, **w), prepare=first_half,
    ),
    Command(
        "issue_added", CHIEF, "none", add_issue,
        lambda e, w: add_issue(e, w, identification="z-2"), prepare=several_prices,
    ),
    Command("sale_announced", CALLER, "prepared", of_game(games_services.announce_sale)),
    Command("cards_sold", CASHIER, "selling", sell, lambda e, w: sell(e, w, quantity=4)),
    Command(
        "cards_sold", CASHIER, "selling",
        lambda e, w: sell(e, w, player="7"), lambda e, w: sell(e, w, player="8"),
    ),
    Command(
        "cards_handed_out", CASHIER, "selling", hand_out, lambda e, w: hand_out(e, w, quantity=6)
    ),
    Command(
        "block_settled", CASHIER, "selling", settle, lambda e, w: settle(e, w, back=6),
        prepare=handed_out,
    ),
    Command(
        "block_handed_over", CASHIER, "selling", hand_over, lambda e, w: hand_over(e, w, first=2),
        prepare=handed_out,
    ),
    Command(
        "cards_transferred", CASHIER, "selling", leave, lambda e, w: leave(e, w, to="9"),
        prepare=lambda e: sell(e, e.who(CASHIER), player="7"),
    ),
    Command(
        "cards_written_off", CASHIER, "selling", write_off, lambda e, w: write_off(e, w, first=9)
    ),
    Command(
        "cards_written_off", MANAGER, "prepared", write_off, lambda e, w: write_off(e, w, last=8)
    ),
    Command(
        "second_issue_opened", CHIEF, "sold",
        lambda e, w: games_services.open_second_issue(game=e.game, issue=e.issue(2), **w),
        prepare=exhausted,
    ),
    Command("sale_closed", CALLER, "sold", of_game(games_services.close_sale)),
    Command("draw_announced", CALLER, "closed", of_game(games_services.announce_draw)),
    Command(
        "draw_taken_over", CALLER, "drawing", of_game(draw.take_over),
        prepare=called_by_another,
    ),
    Command("ball_announced", CALLER, "drawing", key_ball, lambda e, w: key_ball(e, w, place=1)),
    Command(
        "ball_announced", CALLER, "closed", of_game(draw.draw_ball), key_ball, prepare=draw_announced
    ),
    Command(
        "ball_announced", CALLER, "closed", confirm, lambda e, w: confirm(e, w, number=7),
        prepare=seen_on_camera,
    ),
    Command(
        "reading_dismissed", CALLER, "closed", dismiss, lambda e, w: dismiss(e, w, reason="Mão"),
        prepare=seen_on_camera,
    ),
    Command(
        "source_changed", CALLER, "closed", by_hand, lambda e, w: by_hand(e, w, reason="Outra"),
        prepare=drawn_by_rng,
    ),
    Command(
        "game_suspended", CALLER, "closed", suspend, lambda e, w: suspend(e, w, reason="Outra")
    ),
    Command(
        "game_resumed", CHIEF, "closed", resume, lambda e, w: resume(e, w, decision="Outra"),
        prepare=lambda e: suspend(e, e.who(CALLER)),
    ),
    Command(
        "ball_recalled", CALLER, "drawing", recall_ball, lambda e, w: recall_ball(e, w, place=-2)
    ),
    Command(
        "claim_called", CALLER, "drawing",
        lambda e, w: draw.call_claim(game=e.game, combination="line", **w),
        lambda e, w: draw.call_claim(game=e.game, combination="bingo", **w),
    ),
    Command("claim_checked", CHIEF, "stopped", check, lambda e, w: check(e, w, card=2)),
    Command(
        "refusal_reversed", CHIEF, "stopped", reverse,
        lambda e, w: reverse(e, w, reason="Outra razão"), prepare=refused,
    ),
    Command("window_opened", CHIEF, "checked", of_game(claims_services.open_window)),
    Command("window_closed", CHIEF, "window", of_game(claims_services.close_window)),
    Command(
        "card_shown", CHIEF, "checked", photographs.shown,
        lambda e, w: photographs.shown(e, w, text="2"),
    ),
    Command("draw_resumed", CHIEF, "stopped", of_game(claims_services.resume)),
    Command("game_finished", CHIEF, "awarded", of_game(games_services.finish)),
    Command("game_voided", CHIEF, "window", void, lambda e, w: void(e, w, reason="Outra")),
    Command("prize_paid", CASHIER, "paying", pay, lambda e, w: pay(e, w, card=2)),
    Command(
        "cards_refunded", CASHIER, "sold", refund, lambda e, w: refund(e, w, first=7),
        prepare=voided,
    ),
    Command(
        "prize_set_aside", CASHIER, "paying", lambda e, w: departing_players.set_aside(e, **w),
        lambda e, w: departing_players.set_aside(e, reason="lost", **w),
    ),
    Command(
        "refund_set_aside", CASHIER, "sold", lambda e, w: departing_players.refunds_aside(e, **w),
        lambda e, w: departing_players.refunds_aside(e, [(1, 2)], **w), prepare=voided,
    ),
    Command(
        "unclaimed_paid", CASHIER, "sold", pay_later, lambda e, w: pay_later(e, w, first=2),
        prepare=refunds_left,
    ),
    Command(
        "unclaimed_expired", MANAGER, "none", expire, lambda e, w: expire(e, w, reference="DUC 5"),
        prepare=prize_left, later=timedelta(days=5),
    ),
    Command(
        "kept_card_lost", MANAGER, "paying", lose, lambda e, w: lose(e, w, reason="Molhado"),
        prepare=custody_hall.completed,
    ),
    Command(
        "complaint_opened", CHIEF, "window", complaints.opened,
        lambda e, w: complaints.opened(e, w, card=3),
    ),
    Command(
        "complaint_decided", MANAGER, "window", complaints.decided,
        lambda e, w: complaints.decided(e, w, decision="upheld"),
        prepare=complaints.with_complaint,
    ),
    Command(
        "person_admitted", Role.DOOR, "none", lambda e, w: admission_services.admit(hall=e.hall, **w)
    ),
    Command(
        "person_left", Role.DOOR, "none", lambda e, w: admission_services.leave(hall=e.hall, **w),
        prepare=lambda e: admission_services.admit(hall=e.hall, **e.who(Role.DOOR)),
    ),
    Command(
        "admission_refused", Role.DOOR, "none",
        lambda e, w: admission_services.refuse(hall=e.hall, reason="conduct", **w),
        lambda e, w: admission_services.refuse(hall=e.hall, reason="other", **w),
    ),
    Command(
        "exclusion_added", MANAGER, "none", exclude, lambda e, w: exclude(e, w, reason="authority"),
        prepare=lambda e: exclude(e, e.who(MANAGER), reason="hall"),  # a hall's first makes its key
    ),
    Command(
        "exclusion_lifted", MANAGER, "none", lift, lambda e, w: lift(e, w, reason="Engano"),
        prepare=lambda e: exclude(e, e.who(MANAGER)),
    ),
    Command(
        "inside_counted", Role.DOOR, "none",
        lambda e, w: admission_services.count(hall=e.hall, inside=3, reason="Contados", **w),
        lambda e, w: admission_services.count(hall=e.hall, inside=4, reason="Contados", **w),
    ),
    Command(
        "card_carried", Role.FLOOR_ASSISTANT, "window", floor_assistants.carry,
        lambda e, w: floor_assistants.carry(e, w, card=2),
    ),
    Command(
        "used_cards_collected", Role.FLOOR_ASSISTANT, "paying", floor_assistants.collect,
        lambda e, w: floor_assistants.collect(e, w, cards=4), prepare=custody_hall.completed,
    ),
    Command(
        "used_cards_destroyed", CHIEF, "paying", custody_hall.destroy_used,
        lambda e, w: custody_hall.destroy_used(e, w, cards=4), prepare=custody_hall.completed,
    ),
    Command(
        "winning_cards_destroyed", MANAGER, "paying", custody_hall.destroy_aside,
        lambda e, w: custody_hall.destroy_aside(e, w, last=5), prepare=custody_hall.set_aside_and_free,
    ),
    Command(
        "case_opened", MANAGER, "paying", custody_hall.open_case,
        lambda e, w: custody_hall.open_case(e, w, reference="13/2026"), prepare=custody_hall.completed,
    ),
    Command(
        "case_closed", MANAGER, "paying", custody_hall.close_case,
        lambda e, w: custody_hall.close_case(e, w, outcome="X"), prepare=custody_hall.with_case,
    ),
    Command(
        "evidence_handed_over", MANAGER, "paying", custody_hall.hand_over,
        lambda e, w: custody_hall.hand_over(e, w, to="Tribunal"), prepare=custody_hall.with_case,
    ),
    Command(
        "acta_rectified", MANAGER, "paying", custody_hall.rectify,
        lambda e, w: custody_hall.rectify(e, w, what="Outra"), prepare=custody_hall.sealed_away,
    ),
    Command("acta_acknowledged", Role.INSPECTOR, "shift", remarks.acknowledge, prepare=remarks.seal),
    Command(
        "acta_remarked", Role.INSPECTOR, "shift", remarks.remark,
        lambda e, w: remarks.remark(e, w, text="Outra"), prepare=remarks.seal,
    ),
    Command(
        "remark_answered", MANAGER, "shift", remarks.answer,
        lambda e, w: remarks.answer(e, w, text="Outra"), prepare=remarks.remarked,
    ),
    Command("entry_completed", CHIEF, "paying", of_game(games_services.complete), prepare=paid),
)  # fmt: skip
