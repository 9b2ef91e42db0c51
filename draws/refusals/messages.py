"""What each refusal says, by its code: why, and what to do now."""

from __future__ import annotations

from collections.abc import Mapping

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from draws.refusals.messages_a_to_i import A_TO_I
from draws.refusals.messages_j_to_z import J_TO_Z

# Values of the refusal are named in braces.
REFUSALS: Mapping[str, Promise] = {**A_TO_I, **J_TO_Z}

# What a refusal says where it knows more, by its code and the value that tells it.
FURTHER: Mapping[tuple[str, str], Promise] = {
    ("ball_already_drawn", "symbol"): _("{symbol} is already out: look at the ball again."),
    ("cash_short", "tills"): _(
        "The till has too little cash, and {tills} has enough: pay there, or ask the hall manager to bring some."
    ),
    ("bad_face", "most"): _("No card costs {face}: type a price above zero and up to {most}."),
    ("bad_face", "faces"): _(
        "No card costs {face}: the prices authorised for the hall are {faces}."
    ),
    ("second_person_needed", "balls"): _(
        "With {cards} cards of {format} the jackpot would be won within {balls} balls in more than one of two games (R9): look at the number again, or let a second person compare it with the paper and type name and password."
    ),
    ("second_person_needed", "limit"): _(
        "{amount} is above the {limit} that one person may pay here: ask a second one to type name and password."
    ),
}

# What a field should have held, by the kind that a `bad_input` names.
WANTED: Mapping[str, Promise] = {
    "text": _("Look at “{field}”: it takes a text of at most {most} characters."),
    "whole": _("Look at “{field}”: it takes a whole number, such as 90."),
    "percent": _("Look at “{field}”: it takes a percentage from 0 to 100, such as 20 or 2,5."),
    "day": _("Look at “{field}”: it takes a day of the calendar."),
    "hour": _("Look at “{field}”: it takes an hour of the day, such as 23:30."),
    "choice": _("Look at “{field}”: choose one of those offered."),
    "size": _("Look at “{field}”: each line takes a letter and its cards, such as L 60."),
}

# What an archive failed of, where it is no refusal.
EXPORT_FAULTS: Mapping[str, Promise] = {
    "export_disk_full": _(
        "The hall's disk is full: tell the hall manager, then ask again; without pictures it takes less."
    ),
    "export_not_written": _(
        "The file could not be written: tell the hall manager, then ask again."
    ),
    "export_not_signed": _(
        "The hall's key could not sign it: tell the hall manager, then ask again."
    ),
    "export_failed": _("The archive could not be made: tell the hall manager."),
    "export_worker_gone": _(
        "The writing was broken off too often: tell the hall manager, then ask again."
    ),
}

# What a print failed of, where it is no refusal.
PRINT_FAULTS: Mapping[str, Promise] = {
    "print_disk_full": _("The disk is full: make room, then order the print again."),
    "print_file_not_written": _(
        "The file could not be written: call the operator, then order the print again."
    ),
    "print_drawing_failed": _("The cards could not be drawn: call the operator."),
    "print_worker_gone": _(
        "The print was broken off too often: call the operator, then order it again."
    ),
    "issue_withdrawn": _("The issue was withdrawn meanwhile: destroy what was printed."),
    "issue_sent": _("The issue was sent to another hall meanwhile: destroy what was printed."),
}
