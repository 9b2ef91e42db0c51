"""The names of the figures of the card of 75."""

from collections.abc import Mapping

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

NAMES: Mapping[str, Promise] = {
    "x": _("Letter X"),
    "plus": _("Cross"),
    "frame": _("Frame"),
    "small_frame": _("Small frame"),
    "diamond": _("Diamond"),
    "four_corners": _("Four corners"),
    "postage_stamp": _("Postage stamp"),
    "four_blocks": _("Four blocks"),
    "letter_c": _("Letter C"),
    "letter_e": _("Letter E"),
    "letter_h": _("Letter H"),
    "letter_i": _("Letter I"),
    "letter_l": _("Letter L"),
    "letter_n": _("Letter N"),
    "letter_t": _("Letter T"),
    "letter_u": _("Letter U"),
    "letter_v": _("Letter V"),
    "letter_y": _("Letter Y"),
    "letter_z": _("Letter Z"),
    "arrow": _("Arrow"),
    "heart": _("Heart"),
    "kite": _("Kite"),
    "ladder": _("Ladder"),
    "checker": _("Chequers"),
    "pyramid": _("Pyramid"),
    "hourglass": _("Hourglass"),
    "airplane": _("Aeroplane"),
    "house": _("House"),
    "tree": _("Tree"),
    "umbrella": _("Umbrella"),
    "boat": _("Boat"),
    "smile": _("Smile"),
}
