"""The terms of the trade in the reader's language: phases, prizes, sources, kinds of entries."""

from __future__ import annotations

from collections.abc import Mapping

from django.utils.functional import Promise
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

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


def session_and_game(session: int, game: int | None) -> str:
    """Name a session, and the game where it is of one: "Session 12, game 3"."""
    if game is None:
        return gettext("Session %(session)s") % {"session": session}
    named = {"session": session, "game": game}
    return gettext("Session %(session)s, game %(game)s") % named
