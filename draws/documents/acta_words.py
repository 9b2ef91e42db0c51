"""How the acta names the paragraph of the law that an item answers to."""


def letter(article: str, name: str) -> str:
    """The paragraph of the law an item answers to: "R61 c", nothing where no rule is named."""
    return f"{article} {name}" if article else ""
