"""The words of the draw: why a reading was not announced, and what is wrong with a camera."""

from __future__ import annotations

from collections.abc import Mapping

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

Text = Promise | str

# Why a ball is put to the caller.
REASONS: Mapping[str, Text] = {
    "": _("Waits to be confirmed"),
    "low": _("The number cannot be read with certainty"),
    "close": _("Two numbers look alike"),
    "no_mark": _("Nothing tells which way up the number is read"),
    "drawn_already": _("This number is out already"),
    "out_of_range": _("There is no such number in this game"),
    "two_balls": _("Two balls at once"),
    "blank": _("No number can be seen on the ball"),
    "hand": _("Something covers the ball"),
    "missing": _("No ball where one should be"),
    "moved": _("The ball did not come to rest"),
    "recalled": _("The ball was recalled: look at it again"),
    "nothing": _("No ball was there"),
    "other_set": _("A ball of another set"),
    "told_twice": _("The same ball once more"),
    "not_on_ball": _("The second person saw another number"),
    "mistyped": _("Keyed wrongly"),
    "game_over": _("The game ended before it was announced"),
    "waited": _("The caller went on waiting"),
    "came": _("A ball came after all"),
    "not_awaited": _("No ball was waited for any more"),
}

# What is wrong with a camera.
HEALTH: Mapping[str, Text] = {
    "": _("The camera sees well"),
    "no_signal": _("The camera gives no picture"),
    "frozen": _("The camera's picture stands still"),
    "dark": _("It is too dark for the camera"),
    "out_of_focus": _("The camera is out of focus"),
    "moved": _("The camera was moved"),
    "covered": _("Something covers the camera"),
    "wrong_rate": _("The camera gives too few pictures"),
    "resolution_changed": _("The camera's pictures have another size"),
    "bad_settings": _("The camera's settings cannot be used"),
    "not_kept": _("What the camera sees cannot be kept"),
    "silent": _("Nothing watches the camera"),
}


def reason(code: str) -> Text:
    """Say why a reading was put to the caller, or ended; what somebody wrote stays as it is."""
    return REASONS.get(code, code)


def health(code: str) -> Text:
    """Say what is wrong with a camera."""
    return HEALTH.get(code, code)
