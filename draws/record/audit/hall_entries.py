"""The audit's table for entries beside a session's facts: what each must say and have written.

The rules of sessions know nothing of these: whatever judges them stands here.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any

from bingo.rules import (
    actas_after_sealing,
    admission,
    authorisations,
    checkpoints_and_clock,
    complaints,
    custody,
    equipment,
    jackpot_account,
    linked_jackpots,
    policies,
    retention,
    setup,
    sign_in_and_pins,
    staff,
    till_cash_and_shifts,
    unclaimed,
)
from bingo.rules.equipment import SetPlace
from bingo.rules.journal_json_and_chain import Data
from bingo.rules.stock import BoxPlace
from draws.models import Standing
from draws.record.audit import admission as door
from draws.record.audit import balls, cards, games, jackpots, sign_in_proofs, staff_and_commands
from draws.record.audit import custody as shelf
from draws.record.audit import equipment as sets
from draws.record.audit import retention as removals
from draws.record.audit import seals_and_remarks as actas
from draws.record.audit.engine import (
    AT,
    ENTRY,
    HALL,
    KIND,
    LEFT_OUT,
    RULEBOOK,
    Day,
    Decided,
    Each,
    Field,
    Source,
    Step,
    change,
    clocked,
    require,
    row,
    second_person_of_entry,
    two_persons,
)
from draws.record.audit.expected_rows import GAME, Books
from halls.models import JournalEntry

# What a policy tells only where it is not this.
TOLD_SELDOM = MappingProxyType({name: getattr(policies.DEFAULT, name) for name in policies.SELDOM})


def change_policy(books: Books, entry: JournalEntry) -> None:
    """Follow a change of the policy, or that what waited was withdrawn.

    Raises Refusal: the rules', second_person_needed, fact_disagrees.
    """
    told = {name: value for name, value in entry.data.items() if name != "witness"}
    books.noticed |= bool({"later", "withdraws"} & set(told))
    if "withdraws" in told:
        decided = policies.withdraw(books.policy, entry.at, entry=books.policy_number)
    else:
        decided = _changed_policy(books, entry, told)
    require(entry, decided == told)
    kept = {name: told[name] for name in (*policies.NAMES, "later") if name in told}
    books.put("policy", (entry.pk,), entry.number, **({"later": None} | TOLD_SELDOM | kept))
    books.policy, books.policy_number = entry.data, entry.number


def _changed_policy(books: Books, entry: JournalEntry, told: dict[str, Any]) -> dict[str, Any]:
    later = told.get("later", {}).get("policy", {})
    asked = {name: told[name] for name in policies.NAMES if name in told} | later
    settled = bool(books.states) and books.noticed
    before = books.policy_at(entry)
    after = policies.of({"policy": asked})
    if settled and policies.needs_two(before, after):
        two_persons(books, entry)
    elif "witness" in entry.data:
        second_person_of_entry(books, entry)
    # Of the tills only the rows tell, and a till that was renamed is found beside its shifts.
    tills = {*after.printers, *before.printers}
    return policies.change(before, tills=tills, at=entry.at, settled=settled, **asked)


APPROVAL: Mapping[str, Any] = MappingProxyType(
    {
        "approval": Field("approval"), "authority": Field("authority", ""),
        "approved_on": Day("approved_on"), "approved_until": Day("approved_until"),
    }
)  # fmt: skip
# Custody names the session of its game by number.
OF_A_GAME: Mapping[str, Any] = MappingProxyType(
    {"game__session": shelf.session_of, "game__number": Field("game")}
)
SERIAL = Field("ball_set")
KEPT: Mapping[str, Any] = MappingProxyType(
    {"standing": SetPlace.KEPT.value, "extractor__name": None}
)
DOOR: tuple[Step, ...] = (
    door.pass_door,
    row(
        "admission", "entry", "inside", "at", number=door.next_number, kind=KIND,
        capacity=Field("capacity", None), reason=Field("reason", ""),
    ),
)  # fmt: skip


def _link(rule: Callable[..., Data], held: Any, amount: Source) -> tuple[Step, ...]:
    """Return the steps of what moves a linked jackpot; what it held is proven over all its halls."""
    return (
        Decided(rule, held, witness=second_person_of_entry),
        jackpots.require_part,
        row("link_movement", kind=KIND, entry__hall=HALL, link__code=Field("link"), amount=amount),
    )


def _level(rule: Callable[..., Data], sign: int) -> tuple[Step, ...]:
    """Return the steps of what moves a level of the hall's own jackpot between sessions."""
    decided = Decided(rule, jackpots.level_balances, witness=second_person_of_entry)
    return (decided, jackpots.move_level(sign))


def _departures(how: str) -> Step:
    """Return the rows of cards that left the shelf."""
    return Each("cards", row("departure", "issue", "card", "entry", "at", how=how))


def _taken(_books: Books, entry: JournalEntry) -> int:
    return -int(entry.data["amount"])


def _session_of_game(books: Books, entry: JournalEntry) -> int | None:
    if "of_session" in entry.data:
        return shelf.session_numbered(books, entry.data["of_session"])
    return None if entry.data["game"] is None else entry.session_id


def _number_of_game(_books: Books, entry: JournalEntry) -> int | None:
    number: int | None = entry.data.get("of_game", entry.data["game"])
    return number


HALL_ENTRIES: Mapping[str, tuple[Step, ...]] = MappingProxyType(
    {
        # The house: what it was opened as, who works in it, what it decides
        setup.OPENED: (staff_and_commands.open_hall,),
        staff.BEGUN: (staff_and_commands.begin_training,),
        staff.CHANGED: (staff_and_commands.change_staff,),
        staff.INSPECTOR_CHANGED: (staff_and_commands.change_inspectors,),
        staff.AT_MACHINE: (staff_and_commands.change_at_machine,),
        till_cash_and_shifts.CHANGED: (staff_and_commands.change_till,),
        "policy_set": (change_policy,),
        # How people show who they are; of what proves it there is the digest
        staff.PASSWORD_CHANGED: (sign_in_proofs.change_password,),
        sign_in_and_pins.CHANGED: (Decided(sign_in_and_pins.change_own), sign_in_proofs.change_own),
        sign_in_and_pins.REMOVED: (Decided(sign_in_and_pins.remove, witness=two_persons), sign_in_proofs.remove_factor),
        sign_in_and_pins.UNLINKED: (Decided(sign_in_and_pins.unlink, witness=two_persons), sign_in_proofs.unlink),
        sign_in_and_pins.BROWSER: (Decided(sign_in_and_pins.change_browser), sign_in_proofs.change_browser),
        sign_in_and_pins.DUTY: (staff_and_commands.set_factor_duty,),
        "authorisation_recorded": (
            Decided(authorisations.record, witness=second_person_of_entry, rulebook=RULEBOOK),
            cards.book_authorisation,
        ),
        retention.SET: (removals.set_days,),
        retention.APPLIED: (
            removals.apply_removal,
            row("removal", "entry", "list", number=Field("removal"), visits_upto=Field("visits_upto", None)),
        ),
        "pictures_forgotten": (balls.forget_pictures,),
        # The door
        **dict.fromkeys(admission.KINDS, DOOR),
        admission.KEY_MADE: (door.make_key,),
        admission.ADDED: (
            door.list_exclusion,
            row(
                "exclusion", "entry", "document", "key", "reason", number=Field("exclusion"),
                begins=Day("begins"), ends=Day("ends"),
            ),
        ),
        admission.LIFTED: (
            door.lift_exclusion,
            row("lifted_exclusion", "entry", "reason", exclusion__number=Field("exclusion")),
        ),
        # Equipment (R2, R4, R20-R26, R61 l)
        "device_registered": (
            Decided(equipment.register_device),
            row("device", "kind", "maker", **APPROVAL, registered_at=AT, retired_at=None),
        ),
        "device_retired": (change("device", retired_at=AT),),
        "approval_recorded": (Decided(equipment.record_approval), sets.book_approval),
        "ball_set_registered": (
            Decided(equipment.register_set),
            row(
                "ball_set", "format", "maker", "model", "marks", "zeros", "games", **APPROVAL,
                **KEPT, serial=SERIAL, fit=True, registered_at=AT,
            ),
        ),
        "ball_set_used": (sets.use_set,),
        "ball_set_kept": (
            Decided(equipment.put_on_shelf, sets.ball_set),
            change("ball_set", **KEPT, serial=SERIAL),
        ),
        "ball_set_retired": (
            Decided(equipment.retire, sets.ball_set),
            change("ball_set", serial=SERIAL, standing=SetPlace.RETIRED.value, extractor__name=None),
        ),
        "ball_replaced": (Decided(equipment.replace_ball, sets.ball_set),),
        "ball_set_inspected": (
            Decided(equipment.inspect, sets.ball_set), change("ball_set", "fit", serial=SERIAL),
        ),
        "balls_called": (
            Decided(equipment.call_balls, sets.ball_set, drawn=sets.drawn_from),
            sets.remember_roll_call,
        ),
        "equipment_checked": (
            Decided(
                equipment.check, Field("items"),
                due=lambda _books, entry: [(one["kind"], one["name"]) for one in entry.data["items"]],
            ),
            sets.require_all,
            row("equipment_check", "items", "passed", "at"),
        ),
        "equipment_waived": (Decided(equipment.waive, witness=sets.second_person_of_waiver),),
        "breakdown_opened": (
            Decided(equipment.open_breakdown),
            row(
                "breakdown", "entry", "reason", device__name=Field("equipment"), opened_at=AT,
                ended_at=None, remedy="",
            ),
        ),
        "breakdown_ended": (
            Decided(equipment.end_breakdown),
            change("breakdown", "remedy", entry__number=Field("breakdown"), ended_at=AT),
        ),
        # Cards: series, issues, prints (R14-R19)
        "series_published": (
            row(
                "series", "format", "letter", "size", "seed", version=cards.next_version,
                rulebook=Field("rulebook", RULEBOOK), columns=Field("columns", False),
                source=Field("source", "emitted"), published_at=clocked,
            ),
        ),
        "pattern_saved": (row("pattern", "drawing", saved_at=AT),),
        "issue_received": (
            cards.receive_issue,
            row(
                "issue", "identification", "face", pk=Field("issue"),
                last_sold=Field("last_sold", 0), place=Field("place", BoxPlace.SHELF.value),
                series__letter=Field("letter"), series__size=Field("size"),
                series__digest=Field("digest"),
                authorisation__reference=Field("authorisation", None),
                arrival__issue__hall__code=cards.origin("hall"),
                arrival__issue=cards.origin("issue"), arrival__entry__number=cards.origin("sent"),
                received_at=clocked, **{name: Field(name, LEFT_OUT) for name in cards.LOOK},
            ),
        ),
        "issue_counted": (
            cards.audit_issue, row("recount", "issue", "expected", "counted", "comment", "at"),
        ),
        "cards_retired": (
            cards.audit_issue, row("retirement", "issue", "first", "last", "reason", "at"),
        ),
        "issue_withdrawn": (cards.audit_issue,),
        "issue_reinstated": (cards.audit_issue,),
        "issue_sent": (
            cards.audit_issue,
            row("transfer", "entry", "issue", to__code=Field("to"), sent_at=AT, recalled_at=None),
        ),
        "transfer_recalled": (
            cards.audit_issue, change("transfer", entry__number=Field("sent"), recalled_at=AT),
        ),
        "print_ordered": (
            row(
                "print", "entry", "issue", "first", "last", "paper", "code", "back", "crop",
                "reason", "copies", pk=Field("job"), ordered_at=AT, ended_at=None,
                standing="queued", pages=None, digest="", fault="",
            ),
        ),
        "print_finished": (
            change("print", "pages", "digest", pk=Field("job"), standing="done", ended_at=AT),
        ),
        "print_failed": (
            change("print", "fault", pk=Field("job"), standing="failed", ended_at=AT),
        ),
        "print_cancelled": (
            change("print", pk=Field("job"), standing="cancelled", ended_at=AT),
        ),
        # Cameras, their readings, and the balls shown to them
        "ball_read": (
            row(
                "reading", *GAME, "order", "number", "source", "confidence", "picture",
                pk=Field("reading"), standing=Standing.PENDING, entry=None,
                camera__name=Field("camera", empty=None),
            ),
        ),
        "camera_set": (balls.set_camera,),
        "camera_fault": (change("camera", name=Field("camera"), health=Field("fault")),),
        "camera_restored": (change("camera", name=Field("camera"), health=""),),
        "balls_enrolled": (
            row(
                "certificate", "threshold", "model", "found", "at", paper=Field("certificate"),
                camera__name=Field("camera"), ball_set__serial=SERIAL,
            ),
        ),
        # What is held of jackpots between sessions (R9-R12, rules 20-24)
        jackpot_account.FUNDED: _level(jackpot_account.fund, 1),
        jackpot_account.RECEIVED: _level(jackpot_account.receive, 1),
        jackpot_account.ENDED: _level(jackpot_account.end, -1),
        jackpot_account.MOVED: _level(jackpot_account.move, -1),
        linked_jackpots.LINKED: (
            Decided(linked_jackpots.link),
            jackpots.take_part,
            row(
                "link_member", "entry", "reference", link__code=Field("link"),
                link__name=Field("name"), link__base=Field("base"),
                link__currency=Field("currency"), link__rulebook=Field("rulebook"),
                link__limit=Field("limit", None), link__limits=Field("limits", []),
            ),
        ),
        linked_jackpots.FUNDED: _link(linked_jackpots.fund, 0, Field("amount")),
        linked_jackpots.ENDED: _link(linked_jackpots.end, Field("amount"), _taken),
        linked_jackpots.MOVED: _link(linked_jackpots.move, Field("amount"), _taken),
        unclaimed.EXPIRED: (games.expire_unclaimed,),
        # A game, beside its rules
        "draw_taken_over": (games.take_over,),
        "card_shown": (
            games.show_card, row("shown_card", "picture", claim__entry=games.last_check, seen_at=AT),
        ),
        custody.CARRIED: (
            shelf.carry_card,
            row(
                "carried_card", "call", "issue", "card", "at", **OF_A_GAME,
                place=Field("place", ""),
            ),
        ),
        # Cards after their game (R51, R52), and complaints (R61 j)
        custody.COLLECTED: (
            shelf.collect_used, row("collection", "cards", "at", **OF_A_GAME),
        ),
        "used_cards_destroyed": (
            shelf.destroy_used,
            row("used_destruction", "entry", "cards", "missing", "at", **OF_A_GAME),
        ),
        "winning_cards_destroyed": (shelf.destroy_winning, _departures(custody.DESTROYED)),
        "kept_card_lost": (shelf.lose_card, _departures(custody.GONE_MISSING)),
        "evidence_handed_over": (shelf.hand_over_evidence, _departures(custody.HANDED_OVER)),
        "case_opened": (
            shelf.open_case,
            row(
                "case", "entry", "reference", "reason", number=Field("case"), **OF_A_GAME,
                opened_at=AT, closed_at=None, outcome="",
            ),
        ),
        "case_closed": (
            Decided(custody.close_case, lambda books, entry: books.cases[entry.data["case"]]),
            shelf.close_case,
            change("case", "outcome", number=Field("case"), closed_at=AT),
        ),
        "complaint_opened": (
            shelf.open_complaint,
            row(
                "complaint", "entry", "text", "ball", "issue", "card",
                session__number=Field("session"), number=Field("complaint"),
                game__session=_session_of_game, game__number=_number_of_game,
                picture=Field("picture", empty=""), opened_at=AT,
                decision="", reason="", decided_at=None, decided_by=None,
            ),
        ),
        "complaint_decided": (
            Decided(
                complaints.decide_complaint,
                lambda books, entry: books.complaints[entry.data["session"], entry.data["complaint"]],
                witness=second_person_of_entry,
            ),
            shelf.decide_complaint,
            change(
                "complaint", "decision", session__number=Field("session"),
                number=Field("complaint"), reason=Field("text"), decided_at=AT, decided_by=ENTRY,
            ),
        ),
        # Seals, what is said of actas, signed checkpoints, the clock (R58, R59, R61)
        "acta_sealed": (actas.seal_acta,),
        actas_after_sealing.RECTIFIED: (
            actas.rectify_acta,
            row(
                "rectification", "session", "entry", "reason", "what", "at",
                number=Field("rectification"), previous=Field("rectifies", empty=None),
                rectifies=Field("digest"),
            ),
        ),
        actas_after_sealing.KEY_CHANGED: (actas.change_seal_key,),
        "acta_acknowledged": (
            actas.require_remark,
            Decided(
                actas_after_sealing.acknowledge, session=actas.session_number,
                known=lambda books, _entry: books.acknowledged,
            ),
            lambda books, entry: books.acknowledged.add(entry.data["acta"]),
        ),
        "acta_remarked": (
            actas.require_remark,
            Decided(actas_after_sealing.remark, session=actas.session_number),
            lambda books, entry: actas.remarks(books, entry).add(entry.number),
        ),
        "remark_answered": (
            actas.require_remark,
            Decided(
                actas_after_sealing.answer, session=actas.session_number, remarks=actas.remarks,
                answered=lambda books, _entry: books.answered,
            ),
            lambda books, entry: books.answered.add(entry.data["remark"]),
        ),
        checkpoints_and_clock.KEY_CHANGED: (Decided(checkpoints_and_clock.change_key),),
        checkpoints_and_clock.SET_BACK: (Decided(checkpoints_and_clock.set_back),),
        checkpoints_and_clock.FOLDER_CHOSEN: (Decided(checkpoints_and_clock.choose_folder),),
        checkpoints_and_clock.READ: (actas.read_clock,),
    }
)  # fmt: skip
