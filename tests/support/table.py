"""What the tests of table share with others."""

from __future__ import annotations

import html
import re

from tests.support.evening import Evening


def page(evening: Evening, desk: str = "table") -> str:
    """Return the part of a desk that follows the game, blanks as one."""
    content = evening.at(desk).get(f"/{desk}/live/").content.decode()
    return re.sub(r"\s+", " ", html.unescape(content))
