"""The words of setting a camera up and of showing balls to it."""

from __future__ import annotations

from collections.abc import Mapping

from django.utils.functional import Promise
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from draws.documents.sentences import REFUSALS

Text = Promise | str

NAMES: Mapping[str, Text] = {
    "light": _("Light"),
    "focus": _("Focus"),
    "size": _("Size of a ball"),
    "scene": _("Surroundings to know the place by"),
}

# What a figure means and what to do, by its name and where it lies.
HINTS: Mapping[tuple[str, str], Text] = {
    ("light", "good"): _("Good light."),
    ("light", "low"): _("Too dark around the ball: more light."),
    ("light", "high"): _("Too bright around the ball: less light, or a shorter exposure."),
    ("focus", "good"): _("Sharp."),
    ("focus", "low"): _("Not sharp: set the focus on the ball."),
    ("size", "good"): _("Large enough for both figures."),
    ("size", "low"): _("The ball is small: bring the camera nearer, or use a longer lens."),
    ("scene", "good"): _("A movement of the camera will be noticed."),
    ("scene", "low"): _("Little stands still around the exit: a movement could go unseen."),
}

# How far the taking of a picture has come.
TAKEN: Mapping[str, Text] = {
    "": _("None yet"),
    "taking": _("The camera is being looked at: five seconds at most"),
    "done": _("Taken"),
    "no_picture": _(
        "The camera gave no picture within five seconds: look at its cable and address"
    ),
    "not_a_camera": _("No camera answers at this address"),
    "camera_sends_on": _(
        "What answers there sends on to another address: give the one the camera is itself reached at"
    ),
}

# What is in the way while balls are shown.
TROUBLES: Mapping[str, Text] = {
    "silent": _(
        "Nothing watches this camera: start its program, or wait a few seconds if it has just begun"
    ),
    "two_balls": _("Two balls at once: leave one"),
    "hand": _("Take your hand away"),
    "game": _("A game is being drawn before this camera: the balls wait"),
}

PURPOSES: Mapping[str, Text] = {
    "enrol": _("Enrolment of the balls"),
    "opening": _("Roll call at the session's start"),
    "closing": _("Roll call at the session's end"),
}


def hint(name: str, verdict: str) -> tuple[str, str]:
    """Name a figure, and say what to do."""
    return str(NAMES[name]), str(HINTS.get((name, verdict), HINTS[name, "good"]))


def taken(code: str) -> str:
    """Say how far the taking of a picture has come, or why there is none."""
    said = TAKEN.get(code) or REFUSALS.get(code)
    return str(said) if said else gettext("It failed (%(code)s)") % {"code": code}


def trouble(code: str) -> str:
    """Say what is in the way; nothing where nothing is."""
    return str(TROUBLES.get(code) or REFUSALS.get(code) or code)
