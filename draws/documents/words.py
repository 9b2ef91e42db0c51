"""The field's terms, and what a refusal says, in the reader's language."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import date, datetime
from decimal import Decimal
from typing import Any

from django.utils.formats import date_format, number_format
from django.utils.functional import Promise
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from bingo.rules import jackpots
from bingo.rules.refusal import Refusal
from draws.documents import (
    distribution_words,
    equipment_words,
    limit_words,
    series_file_words,
    series_words,
    symbol_names,
)
from draws.documents.cards import palette
from draws.documents.sentences import FURTHER, PRINT_FAULTS, REFUSALS, WANTED
from halls.models import Role

__all__ = ["PRINT_FAULTS", "REFUSALS"]

Text = Promise | str

PHASES: Mapping[str, Text] = {
    "none": _("No session"),
    "open": _("The next game is being prepared"),
    "prepared": _("Next game"),
    "selling": _("Cards on sale"),
    "closed": _("Sale closed"),
    "drawing": _("Draw"),
    "stopped": _("Checking"),
    "window": _("Any more?"),
    "paying": _("Prizes are being paid"),
    "voided": _("Game voided: cards are refunded"),
    "complete": _("Game over"),
}

COMBINATIONS: Mapping[str, Text] = {
    "line": _("Line"),
    "column": _("Column"),
    "corners": _("Four corners"),
    "bingo": _("Bingo"),
    "prima": _("Bonus"),
    "jackpot": _("Jackpot"),
    "jackpot_2": _("Second jackpot"),
    "jackpot_3": _("Third jackpot"),
}

SOURCES: Mapping[str, Text] = {
    "rng": _("drawn by the RNG"),
    "camera": _("read by the camera"),
    "by_hand": _("drawn by hand"),
}

CATEGORIES: Mapping[str, Text] = {
    "complaint": _("Complaint by a player"),
    "substitution": _("Ball set replaced"),
    "breakdown": _("Equipment breakdown"),
    "occurrence": _("Occurrence for the authorities"),
    "other": _("Other"),
}

CAUSES: Mapping[str, Text] = {
    "announcement_error": _("A number was announced wrongly"),
    "fault": _("A fault before the first ball"),
    "nothing_sold": _("No card was sold"),
    "other": _("Another cause"),
}

KINDS: Mapping[str, Text] = {
    "training_begun": _("Training hall begun"),
    "session_opened": _("Session opened"),
    "session_closed": _("Session closed"),
    "session_end_planned": _("End of the session planned"),
    "last_game_announced": _("Last game announced"),
    "acta_sealed": _("Acta sealed"),
    "shift_opened": _("Till opened"),
    "cash_moved": _("Cash brought or taken"),
    "shift_closed": _("Till counted and closed"),
    "note_recorded": _("Note"),
    "device_registered": _("Equipment registered"),
    "device_retired": _("Equipment retired"),
    "ball_set_registered": _("Ball set registered"),
    "ball_set_used": _("Ball set put in use"),
    "ball_set_kept": _("Ball set taken out of use"),
    "ball_set_retired": _("Ball set retired"),
    "ball_replaced": _("Ball replaced"),
    "ball_set_inspected": _("Ball set inspected"),
    "balls_called": _("Roll call of the balls"),
    "balls_enrolled": _("Balls enrolled before a camera"),
    "equipment_checked": _("Equipment checked"),
    "equipment_waived": _("Failing equipment accepted"),
    "duty_left_out": _("Duty left out"),
    "approval_recorded": _("Approval recorded"),
    "breakdown_opened": _("Equipment breaks down"),
    "breakdown_ended": _("Equipment works again"),
    "series_published": _("Series published"),
    "issue_received": _("Issue received"),
    "authorisation_recorded": _("Authorisation recorded"),
    "policy_set": _("Rules of the hall set"),
    "retention_set": _("Days of keeping set"),
    "retention_applied": _("Removed after its days"),
    "hall_opened": _("Hall opened"),
    "staff_changed": _("Staff changed"),
    "tills_changed": _("Tills changed"),
    "password_changed": _("Own password changed"),
    "jackpot_funded": _("Base put into a jackpot"),
    "jackpot_received": _("Jackpot received"),
    "jackpot_moved": _("Jackpot moved"),
    "jackpot_ended": _("Jackpot ended"),
    "jackpot_linked": _("Hall takes part in a linked jackpot"),
    "link_funded": _("Base put into a linked jackpot"),
    "link_moved": _("Linked jackpot moved"),
    "link_ended": _("Linked jackpot ended"),
    "checkpoint_key_changed": _("Key of the checkpoints renewed"),
    "checkpoint_history_set_back": _("History set back to an older copy"),
    "pattern_saved": _("Figure saved"),
    "issue_counted": _("Issue counted"),
    "cards_retired": _("Cards retired"),
    "issue_withdrawn": _("Issue withdrawn"),
    "issue_reinstated": _("Issue reinstated"),
    "issue_sent": _("Issue sent"),
    "transfer_recalled": _("Issue called back"),
    "print_ordered": _("Print ordered"),
    "print_finished": _("Print finished"),
    "print_failed": _("Print failed"),
    "print_cancelled": _("Print cancelled"),
    "game_opened": _("Game prepared"),
    "second_half_opened": _("Second game of double cards prepared"),
    "issue_added": _("Issue of another price put on sale"),
    "sale_announced": _("Sale announced"),
    "cards_sold": _("Cards sold"),
    "cards_handed_out": _("Cards handed to a seller"),
    "block_settled": _("Seller's cards settled"),
    "block_handed_over": _("Cards passed between sellers"),
    "cards_transferred": _("Player's cards handed on"),
    "cards_written_off": _("Cards written off"),
    "second_issue_opened": _("Second issue put on sale"),
    "sale_closed": _("Sale closed"),
    "draw_announced": _("Draw announced"),
    "ball_announced": _("Ball"),
    "ball_recalled": _("Ball recalled"),
    "ball_read": _("Ball put to somebody"),
    "reading_dismissed": _("Reading dismissed"),
    "draw_taken_over": _("Draw taken over by another caller"),
    "source_changed": _("Source of the balls changed"),
    "game_suspended": _("Game suspended"),
    "game_resumed": _("Game resumed"),
    "camera_set": _("Camera set up"),
    "camera_fault": _("Camera fails"),
    "camera_restored": _("Camera works again"),
    "pictures_forgotten": _("Pictures of balls removed"),
    "claim_called": _("Somebody called"),
    "claim_checked": _("Card checked"),
    "refusal_reversed": _("Refusal of a card reversed"),
    "card_shown": _("Card shown to the hall"),
    "window_opened": _("Window opened"),
    "window_closed": _("Window closed"),
    "draw_resumed": _("Draw resumed"),
    "game_finished": _("Game finished"),
    "game_voided": _("Game voided"),
    "prize_paid": _("Prize paid"),
    "cards_refunded": _("Cards refunded"),
    "prize_set_aside": _("Prize set aside"),
    "refund_set_aside": _("Refunds set aside"),
    "unclaimed_paid": _("Unclaimed money paid"),
    "unclaimed_expired": _("Period of unclaimed money over"),
    "entry_completed": _("Entry completed"),
    "person_admitted": _("Somebody came in"),
    "person_left": _("Somebody went out"),
    "admission_refused": _("Somebody sent away at the door"),
    "inside_counted": _("People inside counted"),
    "exclusion_added": _("Person excluded from the hall"),
    "exclusion_lifted": _("Exclusion lifted"),
    "document_key_made": _("Key of the documents made"),
    "card_carried": _("Card brought to the table"),
    "used_cards_collected": _("Used cards collected"),
    "used_cards_destroyed": _("Used cards destroyed"),
    "winning_cards_destroyed": _("Winning cards destroyed"),
    "kept_card_lost": _("Kept card lost"),
    "complaint_opened": _("Complaint opened"),
    "complaint_decided": _("Complaint decided"),
    "case_opened": _("Case opened"),
    "case_closed": _("Case closed"),
    "evidence_handed_over": _("Evidence handed over"),
    "acta_rectified": _("Acta rectified"),
    "seal_key_changed": _("Key of the seal changed"),
    "acta_acknowledged": _("Acta acknowledged"),
    "acta_remarked": _("Remark on the acta"),
    "remark_answered": _("Remark answered"),
    "command_refused": _("Command refused"),
    "clock_anomaly": _("Clock went back"),
    "clock_read": _("Clock of the system read"),
}

UNEXPECTED = _("The rules do not allow this ({code}).")


def phase(code: str) -> Text:
    """Name a game's phase."""
    return PHASES[code]


def combination(code: str) -> Text:
    """Name a prize."""
    return COMBINATIONS[code]


def source(code: str) -> Text:
    """Name where a ball came from; what is no source stays as it is."""
    return SOURCES.get(code, code)


def kind(code: str) -> Text:
    """Name a kind of journal entry."""
    return KINDS.get(code, code)


FIELDS: Mapping[str, Text] = {
    "quantity": _("How many cards"),
    "given": _("Cash given"),
    "seller": _("Sold by"),
    "till": _("Till"),
    "float": _("Float"),
    "counted": _("What was counted"),
    "comment": _("If it differs: why"),
    "issue": _("Issue"),
    "card": _("Card"),
    "number": _("Number"),
    "category": _("What kind"),
    "fault": _("State of the card"),
    "place": _("Seat or table"),
    "text": _("What happened"),
    "decision": _("Decision taken"),
    "reason": _("Reason"),
    "series": _("Matrix"),
    "identification": _("Identification number"),
    "face": _("Price of a card"),
    "amount": _("Amount"),
    "direction": _("Direction"),
    "print": _("Print"),
    "first": _("From card"),
    "last": _("To card"),
    "format": _("Format"),
    "letter": _("Letter"),
    "size": _("Letter and number of cards"),
    "seed": _("Seed"),
    "face_colour": _("Face colour"),
    "back_colour": _("Back colour"),
    "figure": _("Pattern drawn on the cards (R76)"),
    "drawing": _("Figure"),
    "name": _("Name"),
    "paper": _("Paper"),
    "code": _("Code on each card"),
    "to": _("Hall"),
    "transfer": _("Issue"),
    "reference": _("Reference"),
    "valid_from": _("Valid from"),
    "valid_until": _("Last day, if it ends"),
    "faces": _("Prices of a card, one a line"),
    "sizes": _("Other series, letter and cards, one a line"),
    "line_share": _("Line, %"),
    "bingo_share": _("Bingo, %"),
    "jackpot_rate": _("Of the prizes, %"),
    "jackpot_base": _("Base"),
    "tax_rate": _("Tax, %"),
    "tax_threshold": _("On what is above"),
    "player_limit": _("Most cards of a player in a game"),
    "capacity": _("People who may be inside"),
    "document": _("Number of the document"),
    "document_kind": _("Document"),
    "document_country": _("Country"),
    "exclusion_reason": _("Why"),
    "excluded_from": _("First day"),
    "excluded_until": _("Last day, if it ends"),
    "exclusion": _("Number on the list"),
    "born": _("Birth date"),
    "sample_cards": _("Cards sold"),
    "sample_face": _("Price of a card"),
    **distribution_words.FIELDS,
    **limit_words.FIELDS,
    "difference_limit": _("Difference without a reason"),
    "ends": _("Planned end"),
    "player": _("Player or seat"),
    "payment_limit": _("Prizes paid by one person up to"),
    "cash_step": _("Smallest coin that prizes are paid in"),
    "receipts": _("Receipts"),
    "checkpoint_till": _("Checkpoint of each game printed at"),
    "low_stock": _("Stock is short below"),
    "automatic": _("Announced by itself from"),
    "interval": _("Seconds between two balls"),
    "patience": _("Seconds without a ball"),
    "picture_days": _("Days that pictures are kept"),
    "serial": _("Serial number"),
    "maker": _("Maker"),
    "model": _("Model"),
    "approval": _("Approval of the model"),
    "marks": _("Numbers with an underline"),
    "games": _("Games served before"),
    "extractor": _("Extractor"),
    "ball_set": _("Ball set"),
    "kind": _("Kind"),
    "old": _("The ball taken out"),
    "new": _("The ball put in"),
    "note": _("What was found"),
    "found": _("What was found"),
    "when": _("When"),
    "missing": _("Numbers missing"),
    "foreign": _("Numbers of another set"),
    "equipment": _("Equipment"),
    "breakdown": _("Breakdown"),
    "remedy": _("What helped"),
    "session": _("Session"),
    "game": _("Game"),
    "cards": _("Cards"),
    "case": _("Case"),
    "outcome": _("How it ended"),
    "witness_username": _("Name of the second person"),
    "witness_password": _("Password of the second person"),
}

# Fields that one form calls otherwise than the rest, by its verb.
OF_FORM: Mapping[tuple[str, str], Text] = {
    ("receive", "counted"): _("Cards counted"),
    ("accept", "counted"): _("Cards counted"),
    ("count", "counted"): _("Unsold cards counted"),
    ("close-till", "counted"): _("Cash counted in the drawer"),
    ("transfer", "to"): _("Player or seat that takes them"),
    ("order", "reason"): _("Reason, when cards are printed again"),
}


def colour(code: object) -> Text:
    """Name a colour of cards."""
    known = palette.COLOURS.get(str(code))
    return known.name if known else str(code)


def print_fault(code: str) -> Text:
    """Say what a print failed of."""
    return PRINT_FAULTS.get(code) or REFUSALS.get(code) or code


def _hour(moment: Any) -> str:
    """Write when something was, its ISO text being in the hall's own time."""
    try:
        return datetime.fromisoformat(str(moment)).strftime("%H:%M:%S")
    except ValueError:
        return str(moment)


def _price(amount: Any) -> str:
    """Write minor units without their currency, which a refusal does not know."""
    return _hundredths(amount)


def _numbers(told: Any) -> str:
    return equipment_words.numbers(told) or "–"


def _percent(points: Any) -> str:
    """Write basis points as per cent."""
    return _hundredths(points)


def _hundredths(number: int) -> str:
    return number_format(Decimal(number) / 100, 0 if number % 100 == 0 else 2)


def _day(value: Any) -> str:
    """Write a day, or its ISO text, as the reader's language does."""
    try:
        day = value if isinstance(value, date) else date.fromisoformat(str(value))
    except ValueError:
        return str(value)
    return date_format(day, "DATE_FORMAT")


def _roles(codes: Any) -> str:
    return ", ".join(str(Role(role).label) for role in codes)


def _bound(code: Any) -> Text:
    return series_words.BOUNDS.get(code, str(code))


def _fault(refused: Refusal) -> str:
    """Say the fault that a `series_faulty` names, with its own values."""
    code, values = str(refused.values["fault"]), refused.values.get("values")
    if code not in series_words.FAULTS or not isinstance(values, dict):
        return code
    return series_words.says(code, values)


def _of_file(refused: Refusal) -> str:
    """Say what is wrong with a file of a series, and where."""
    where, found = str(refused.values["where"]), str(refused.values.get("found", ""))
    said = series_file_words.says(where, found)
    return f"{said} " + gettext("Place in the file: %(where)s.") % {"where": where}


# How a refusal's values are written, by their names.
WRITTEN: Mapping[str, Callable[[Any], object]] = {
    "roles": _roles,
    "phase": lambda code: str(phase(code)).lower(),
    "field": lambda name: FIELDS.get(name, name),
    "colour": colour,
    "expected_colour": colour,
    "face": _price,
    "bound": _bound,
    "floor": _percent,
    "fund": _percent,
    "bingo": _percent,
    "rate": _percent,
    "at": _hour,
    "begins": _day,
    "ends": _day,
    "day": _day,
    "source": source,
    "expected": source,
    "tills": ", ".join,
    "item": lambda told: equipment_words.item(*told),
    "missing": _numbers,
    "foreign": _numbers,
    "note": equipment_words.note,
    "symbol": lambda code: symbol_names.NAMES.get(code, code),
    "symbols": lambda numbers: ", ".join(map(symbol_names.name, numbers)),
}
IN_MONEY: Mapping[str, Mapping[str, Callable[[Any], object]]] = {
    "second_person_needed": {"amount": _price, "limit": _price},
    "bad_face": {"most": _price, "faces": lambda faces: ", ".join(map(_price, faces))},
    "cash_step_over_prize": {
        "step": _price,
        "amount": _price,
        "prize": lambda code: COMBINATIONS.get(code, code),
    },
    "level_holds_money": {"amount": _price},
    "link_terms_differ": {"base": _price},
    "link_limits_differ": {
        "base": _price,
        "limits": lambda told: limit_words.within(jackpots.read_limits(told)),
    },
}
IN_POINTS = frozenset(["fund_differs", "jackpot_rate_differs"])


def refusal(refused: Refusal, *, form: str = "") -> str:
    """Say why something was refused and what to do now, in the active language.

    `form` is the verb of the form that was refused: its fields are called as they are there.
    """
    if refused.code == "bad_series_file":
        return _of_file(refused)
    known = REFUSALS.get(refused.code)
    for name in refused.values:
        known = FURTHER.get((refused.code, name), known)
    if refused.code == "bad_input":
        known = WANTED.get(str(refused.values.get("wanted")), known)
    if known is None:
        return str(UNEXPECTED).format(code=refused.code)
    written = {**WRITTEN, **IN_MONEY.get(refused.code, {})}
    values = {
        name: written[name](value) if name in written else value
        for name, value in refused.values.items()
    }
    if refused.code in IN_POINTS:
        values["expected"] = _percent(refused.values["expected"])
    if (form, refused.values.get("field")) in OF_FORM:
        values["field"] = OF_FORM[form, str(refused.values["field"])]
    if "fault" in values:
        values["fault"] = _fault(refused)
    return str(known).format(**values)
