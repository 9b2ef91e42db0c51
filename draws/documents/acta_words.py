"""The acta's recurring words in the reader's language, found by their codes."""

from django.utils.translation import gettext as _


def combination(code: str) -> str:
    """The name of a prize combination; an unknown code is printed as it is."""
    return {
        "line": _("Line"),
        "bingo": _("Bingo"),
        "jackpot": _("Jackpot"),
        "corners": _("Four corners"),
        "column": _("Column"),
        "pattern": _("Pattern"),
    }.get(code, code)


def letter(article: str, name: str) -> str:
    """The paragraph of the law an item answers to: "R61 c", nothing where no rule is named."""
    return f"{article} {name}" if article else ""
