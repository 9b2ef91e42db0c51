"""How the acta names the paragraph of the law that an item answers to."""

NONE = "\N{EN DASH}"


def letter(article: str, name: str) -> str:
    """The paragraph of the law an item answers to: "R61 c", nothing where no rule is named."""
    return f"{article}\N{NO-BREAK SPACE}{name}" if article else ""


def rule(article: str, name: str) -> str:
    """Another rule of the same law, nothing of a law whose rules the acta does not name."""
    return name if article else ""


def numbers(first: int, last: int) -> str:
    """Write the cards from the first to the last."""
    return str(first) if first == last else f"{first}\N{EN DASH}{last}"
