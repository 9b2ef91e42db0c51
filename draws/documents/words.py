"""The field's terms, and what a refusal says, in the reader's language."""

from __future__ import annotations

from collections.abc import Mapping

from django.utils.functional import Promise
from django.utils.translation import gettext, ngettext
from django.utils.translation import gettext_lazy as _

from bingo.rules.refusal import Refusal
from halls.models import Role

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
    "bingo": _("Bingo"),
    "jackpot": _("Jackpot"),
}

SOURCES: Mapping[str, Text] = {
    "rng": _("drawn by the RNG"),
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
    "announcement_error": _("A number was announced wrongly (R57)"),
    "fault": _("A fault before the first ball (R55)"),
    "nothing_sold": _("No card was sold"),
    "other": _("Another cause"),
}

KINDS: Mapping[str, Text] = {
    "session_opened": _("Session opened"),
    "session_closed": _("Session closed"),
    "acta_sealed": _("Acta sealed"),
    "shift_opened": _("Till opened"),
    "cash_moved": _("Cash brought or taken"),
    "shift_closed": _("Till counted and closed"),
    "note_recorded": _("Note"),
    "series_published": _("Series published"),
    "issue_received": _("Issue received"),
    "game_opened": _("Game prepared"),
    "sale_announced": _("Sale announced"),
    "cards_sold": _("Cards sold"),
    "second_issue_opened": _("Second issue put on sale"),
    "sale_closed": _("Sale closed"),
    "draw_announced": _("Draw announced"),
    "ball_announced": _("Ball"),
    "ball_recalled": _("Ball recalled"),
    "claim_called": _("Somebody called"),
    "claim_checked": _("Card checked"),
    "window_opened": _("Window opened"),
    "window_closed": _("Window closed"),
    "draw_resumed": _("Draw resumed"),
    "game_finished": _("Game finished"),
    "game_voided": _("Game voided"),
    "prize_paid": _("Prize paid"),
    "cards_refunded": _("Cards refunded"),
    "entry_completed": _("Entry completed"),
    "command_refused": _("Command refused"),
    "clock_anomaly": _("Clock went back"),
}

_WRONG_TERMS = _("The authorisation in force does not agree with the rules: ask the operator.")

# Each says what to do next. Values of the refusal are named in braces.
REFUSALS: Mapping[str, Text] = {
    "already_claimed": _("Card {card} has already been checked and is right: open the window."),
    "already_paid": _("Card {card} has already been paid. Call the table chief."),
    "already_refunded": _("Card {card} has already been refunded."),
    "already_two": _("Two issues are already on sale: close the sale when they are sold out."),
    "bad_amount": _("This amount cannot be read with certainty: type it like 5000 or 5000,50."),
    "bad_face": _("The price of a card must be above zero."),
    "bad_input": _("Look at “{field}”: a plain number or a text of at most 500 characters."),
    "ball_already_drawn": _("Ball {number} is already out: look at the ball again."),
    "ball_out_of_range": _("There is no ball {number}: balls go from 1 to {highest}."),
    "bad_jackpot": _WRONG_TERMS,
    "bad_tax": _WRONG_TERMS,
    "bingo_already_awarded": _("The bingo has been awarded: finish the game."),
    "bingo_below_floor": _WRONG_TERMS,
    "bingo_not_awarded": _("Nobody has won the bingo yet: resume the draw."),
    "cards_were_sold": _("Cards have been sold in this game: choose another cause."),
    "cash_short": _("The till has too little cash: ask the hall manager to bring some."),
    "cash_too_little": _("The cash given is less than what is due: ask the player for the rest."),
    "cashier_has_a_shift": _("You already have a till open: close it first."),
    "claim_on_ball": _("A card was checked on ball {number}: it can no longer be recalled."),
    "difference_needs_comment": _("The count differs from the cash due: count again, or explain."),
    "face_not_authorised": _("This price is not authorised for the hall: choose another."),
    "fault_after_first_ball": _(
        "A ball is already out, so a fault voids nothing: go on by hand (R55)."
    ),
    "first_not_exhausted": _("The first issue still has {left} cards: sell them first."),
    "fund_differs": _WRONG_TERMS,
    "game_not_complete": _("Complete the entry of the last game first (R60)."),
    "identification_missing": _("Type the identification number of the issue."),
    "identification_used": _("Issue {identification} is already in stock: check the number."),
    "issue_exhausted": _("Issue {letter} {identification} is sold out: choose another issue."),
    "issue_not_on_sale": _("That issue is not in this game: read the card again."),
    "jackpot_rate_differs": _WRONG_TERMS,
    "jackpot_rate_out_of_range": _WRONG_TERMS,
    "key_reused": _("This form was sent before: reload the page and start again."),
    "matrix_changed": _(
        "The stored cards are not those of the published series: stop, and call the operator."
    ),
    "negative_share": _WRONG_TERMS,
    "no_authorisation": _("The hall has no authorisation in force: ask the operator."),
    "no_balls_left": _("Every ball is out: check the cards."),
    "no_game": _("No game is open: wait until the next one is prepared."),
    "no_prize": _("Card {card} has won nothing in this game."),
    "no_room_for_second": _(
        "A second issue would sell equal cards in this game (R38): close the sale."
    ),
    "no_session": _("No session is open: ask the hall manager to open it."),
    "no_shift": _("Your till is closed: open it with its float first."),
    "no_such_card": _("The series has no card {card}: read the number again."),
    "no_valid_claim": _("No card was found right: check one, or resume the draw."),
    "not_allowed": _("Your role does not allow this. Ask: {roles}."),
    "not_sold": _("Card {card} was not sold in this game."),
    "not_your_shift": _("This till belongs to another cashier: use your own."),
    "nothing_sold": _("No card has been sold: sell some, or void the game."),
    "nothing_to_distribute": _WRONG_TERMS,
    "only_last_ball": _("Only the last ball can be recalled."),
    "only_left": _("Only {left} cards are left: sell {left}, or open the second issue."),
    "other_series": _("The second issue must be of the same series (R38): choose another."),
    "out_of_order": _("Cards are sold in order: the next is {next}. Hand out that card."),
    "price_differs": _("The second issue must have the same price (R38): choose another."),
    "prize_closed": _("That prize is closed: no more claims are heard (R47)."),
    "prizes_unpaid": _("{left} winning cards are still to be paid."),
    "quantity_not_positive": _("Type how many cards: 1 or more."),
    "reason_missing": _("Write the reason: it goes into the acta."),
    "refunds_due": _("{left} cards are still to be refunded."),
    "second_must_start_at_one": _("The second issue must be unused (R38): choose another."),
    "session_already_open": _("A session is already open: close it first."),
    "session_closed": _("The session is closed: reload the page."),
    "shares_over_gross": _WRONG_TERMS,
    "shift_already_open": _("This till is already open: choose another."),
    "shift_not_open": _("This till is closed: open it first."),
    "shifts_open": _("{left} tills are still open: their cashiers must close them."),
    "size_not_of_letter": _("Series {letter} does not have {size} cards (R16)."),
    "sold_out": _("The issue is sold out: open the second issue, or close the sale."),
    "drawn_by_rng": _("Ball {number} was drawn by the RNG: it stands."),
    "equipment_not_checked": _("Check the equipment first, and say so (R32)."),
    "stale_page": _("The hall has moved on: look at the page again."),
    "text_missing": _("Write what happened."),
    "unknown_category": _("Choose a category from the list."),
    "unknown_cause": _("Choose a cause from the list."),
    "unknown_combination": _("Choose line or bingo."),
    "unknown_issue": _("Choose an issue of this hall."),
    "unknown_seller": _("Choose a floor seller of this hall."),
    "unknown_till": _("Choose a till of this hall."),
    "window_too_short": _("Give the hall time to answer: wait {left} seconds more (R46)."),
    "window_not_held": _("A card is right: ask for more before going on (R46)."),
    "wrong_phase": _("Not now: {phase}. Wait for the next step."),
}

UNEXPECTED = _("The rules do not allow this ({code}).")


def phase(code: str) -> Text:
    """Name a game's phase."""
    return PHASES[code]


def combination(code: str) -> Text:
    """Name a prize."""
    return COMBINATIONS[code]


def source(code: str) -> Text:
    """Name where a ball came from."""
    return SOURCES.get(code, code)


def verdict(reason: str | None, missing: int) -> str:
    """Say what the check of a card found; `missing` counts the numbers not drawn."""
    if reason is None:
        return gettext("Right")
    if reason == "not_sold":
        return gettext("Wrong: this card was not sold in this game")
    if reason == "not_sound":
        return gettext("Wrong: the card is not marked or not intact (R30, R50)")
    return ngettext("Wrong: %d number missing", "Wrong: %d numbers missing", missing) % missing


def kind(code: str) -> Text:
    """Name a kind of journal entry."""
    return KINDS.get(code, code)


FIELDS: Mapping[str, Text] = {
    "quantity": _("How many cards"),
    "given": _("Cash given"),
    "seller": _("Sold by"),
    "till": _("Till"),
    "float": _("Float"),
    "counted": _("Cash counted in the drawer"),
    "comment": _("If it differs: why"),
    "issue": _("Issue"),
    "card": _("Card"),
    "number": _("Number"),
    "category": _("What kind"),
    "text": _("What happened"),
    "decision": _("Decision taken"),
    "reason": _("Reason"),
    "series": _("Series"),
    "identification": _("Identification number"),
    "face": _("Price of a card"),
    "amount": _("Amount"),
    "direction": _("Direction"),
}


def refusal(refused: Refusal) -> str:
    """Say why something was refused and what to do now, in the active language."""
    values = dict(refused.values)
    if refused.code == "not_allowed":
        values["roles"] = ", ".join(str(Role(role).label) for role in values["roles"])  # type: ignore[attr-defined]
    if "phase" in values:
        values["phase"] = str(phase(str(values["phase"]))).lower()
    if "field" in values:
        values["field"] = FIELDS.get(str(values["field"]), values["field"])
    known = REFUSALS.get(refused.code)
    if known is None:
        return str(UNEXPECTED).format(code=refused.code)
    return str(known).format(**values)
