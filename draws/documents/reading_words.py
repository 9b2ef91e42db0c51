"""What the caller is told of a reading: why it is put to them, and what to do about a camera."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from django.utils.functional import Promise
from django.utils.translation import gettext, ngettext
from django.utils.translation import gettext_lazy as _

from draws.documents import draw_words
from draws.documents.draw_facts import sure

Text = Promise | str

# Why no ball comes of a reading, to choose from.
DISMISSALS = ("nothing", "hand", "two_balls", "other_set", "told_twice")

# What to do about a camera, by what is wrong with it.
REMEDIES: Mapping[str, Text] = {
    "no_signal": _("Look at its cable and its power; it is tried again by itself."),
    "frozen": _("Take its power away and give it back."),
    "dark": _("Switch the light over the exit on."),
    "out_of_focus": _("Clean its glass, then set the focus."),
    "moved": _("Put it back as it was, or let the hall manager calibrate it anew."),
    "covered": _("Take away what stands before it."),
    "wrong_rate": _("Set its pictures a second as they were calibrated."),
    "resolution_changed": _("Set their size back, or let the hall manager calibrate it anew."),
    "bad_settings": _("Nothing is wrong with its cable: let the hall manager calibrate it anew."),
    "not_kept": _(
        "Compare the balls that are out with the board; the hall manager sees whether the disk is full."
    ),
    "silent": _("Tell the hall manager: the program of the camera does not run."),
}

# What stands against announcing at once, where it needs no number.
LOOKS: Mapping[str, Text] = {
    "low": _("The reader is not sure: look at the ball"),
    "two_balls": _("Two balls at once: leave one before the camera"),
    "blank": _("No number can be seen: turn the ball"),
    "hand": _("Something covers the ball: take it away"),
    "missing": _("No ball where one should be: look at the extractor"),
    "moved": _("The ball did not come to rest: look at it"),
    "recalled": _("The ball was recalled: look at it again"),
}


def why(reason: str, numbers: Sequence[int | str], *, confidence: int, automatic: int) -> str:
    """Say why a reading was not announced by itself; `numbers` are the guesses, best first.

    In a game of symbols they are the symbols' names (R80).

    `automatic` is the hall's rule, per mille, 0 where the caller announces every ball.
    """
    values = dict(zip(("first", "second"), numbers, strict=False))
    if len(numbers) > 1 and reason == "no_mark":
        return gettext("%(first)s or %(second)s: nothing marks which way up") % values
    if len(numbers) > 1 and reason == "close":
        return gettext("%(first)s or %(second)s: they look alike") % values
    if numbers and reason == "drawn_already":
        return gettext("%(first)s is out already: look at the ball") % values
    if numbers and reason == "out_of_range":
        return gettext("There is no %(first)s in this game: a ball of another set?") % values
    if reason:
        return str(LOOKS.get(reason, draw_words.reason(reason)))
    return _unhindered(confidence, automatic)


def _unhindered(confidence: int, automatic: int) -> str:
    if automatic and confidence < automatic:
        values = {"asked": sure(automatic)}
        return gettext("Less sure than the hall asks for (%(asked)s): look at the ball") % values
    return gettext("Compare it with the ball, then announce it")


def missed(patience: int) -> str:
    """Say that no ball came before the camera in so many seconds, of which the hall may ask none."""
    if not patience:
        return str(LOOKS["missing"])
    said = ngettext(
        "No ball came within %(n)s second", "No ball came within %(n)s seconds", patience
    )
    return said % {"n": patience}


def remedy(fault: str) -> Text:
    """Say what to do about a camera's fault; nothing where nothing is wrong."""
    return REMEDIES.get(fault, "")
