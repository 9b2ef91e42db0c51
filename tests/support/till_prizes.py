"""What the tests of till prizes share with others."""

import re


def plain(page: str) -> str:
    """Return a page's text without marks, one space at a time."""
    return " ".join(re.sub(r"<[^>]+>", " ", page).replace("\xa0", " ").split())
