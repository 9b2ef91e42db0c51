"""What the thirty symbols are called when they are drawn (R80): one plain word each."""

from collections.abc import Mapping

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

# No two may sound alike in any language of the hall, for they are called aloud.
NAMES: Mapping[str, Promise] = {
    "sun": _("The sun"),  # "Sun" alone is Django's Sunday
    "cloud": _("Cloud"),
    "snowflake": _("Snowflake"),
    "mountain": _("Mountain"),
    "palm": _("Palm tree"),
    "flower": _("Flower"),
    "apple": _("Apple"),
    "cherries": _("Cherries"),
    "banana": _("Banana"),
    "corn": _("Corn"),
    "fish": _("Fish"),
    "cat": _("Cat"),
    "snail": _("Snail"),
    "butterfly": _("Butterfly"),
    "crab": _("Crab"),
    "snake": _("Snake"),
    "rabbit": _("Rabbit"),
    "elephant": _("Elephant"),
    "giraffe": _("Giraffe"),
    "penguin": _("Penguin"),
    "key": _("Key"),
    "house": _("House"),
    "boat": _("Boat"),
    "umbrella": _("Umbrella"),
    "guitar": _("Guitar"),
    "bicycle": _("Bicycle"),
    "clock": _("Clock"),
    "scissors": _("Scissors"),
    "teapot": _("Teapot"),
    "chair": _("Chair"),
}
