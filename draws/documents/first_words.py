"""The words of a new hall's first steps: what each is, why, and where it is done."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _


@dataclass(frozen=True, slots=True)
class Words:
    """A step's name and why it is there; `address` of its page and what leads there, if it has one."""

    name: Promise
    why: Promise
    address: str = ""
    leads: Promise | str = ""


STEPS: Mapping[str, Words] = {
    "hall": Words(_("Hall and licence"), _("Every acta carries the hall's name and its licence.")),
    "rulebook": Words(
        _("Rule book and currency"),
        _("They say what is played, how prizes are shared, and in what money."),
    ),
    "staff": Words(
        _("Staff"),
        _("Each function of the law has its person, who logs in under their own name."),
        "staff", _("Add the staff"),
    ),
    "authorisation": Words(
        _("Authorisation of the prizes"),
        _("It names the formats, the prices and the shares that the hall may use."),
        "cards-authorise", _("Record an authorisation"),
    ),
    "policy": Words(
        _("Rules of the hall"),
        _("How tills are counted, what needs two persons, and where the balls come from."),
        "policy", _("Set the rules"),
    ),
    "jackpot": Words(
        _("Base of the jackpot"),
        _("The authorisation grants a jackpot: its base is put in before the first game (R11)."),
        "jackpot", _("Put the base in"),
    ),
    "series": Words(
        _("Matrix"),
        _("The matrix of the cards: made here, or taken in from a file."),
        "cards-publish", _("Publish a series"),
    ),
    "stock": Words(
        _("Cards in stock"),
        _("The cards of a series with a number, a price and their colours."),
        "cards-receive", _("Receive an issue"),
    ),
    "balls": Words(
        _("Ball set"),
        _("Each set is known by its serial number, and how many games it has served is counted (R22, R25)."),
        "equipment", _("Register a ball set"),
    ),
    "source": Words(
        _("Extractor and camera"),
        _("A camera reads the balls. Without one, say in the rules of the hall that they come from the RNG or are keyed by hand."),
        "cameras", _("Set up a camera"),
    ),
    "seal": Words(
        _("Key of the seal"),
        _("Each acta is sealed with the hall's own key. Keep a copy of its folder elsewhere."),
    ),
    "checkpoints": Words(
        _("Folder of the checkpoints"),
        _("The signed head of the journal is written outside of this machine, so that nobody can rewrite the past unseen. Whoever runs the server names the folder in BINGO_CHECKPOINTS."),
    ),
    "board": Words(
        _("Board on the wall"),
        _("Players see numbers, prices and prizes on a screen of the hall (R28, R29)."),
        "screens", _("Pair a screen"),
    ),
    "check": Words(
        _("Check of the equipment"),
        _("All equipment is checked before each session (R32)."),
        "equipment-check", _("Check the equipment item by item"),
    ),
    "session": Words(
        _("First session"),
        _("Everything is there: open the session, then the first game."),
        "manager", _("Open the first session"),
    ),
}  # fmt: skip

# What is said of a step that is done, or not, in its own way.
FURTHER: Mapping[tuple[str, str], Promise] = {
    ("balls", "rng"): _("None is needed: the RNG draws the numbers."),
    ("balls", "kept"): _("A set is registered, and none is in use yet."),
    ("source", "rng"): _("No camera: the RNG draws the numbers."),
    ("source", "by_hand"): _("No camera: the numbers are keyed by hand."),
    ("jackpot", "whole"): _("Nothing is to be put in."),
    ("stock", "received"): _("It has come, but it was neither counted nor printed yet."),
    ("series", "demonstration"): _("A series made for demonstration must not be played for money."),
}

# Where a step goes on that was begun elsewhere.
ELSEWHERE: Mapping[tuple[str, str], tuple[str, Promise]] = {
    ("balls", "kept"): ("equipment", _("Put a set in use")),
    ("stock", "received"): ("cards", _("Count the cards")),
}
