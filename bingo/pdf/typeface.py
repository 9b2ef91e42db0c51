"""Where the typeface of documents and boards is: Source Sans Pro, as its package carries it."""

from importlib.resources import files


def path(cut: str) -> str:
    """The TrueType file of a cut: Regular, It, Semibold or Bold."""
    return str(files("font_source_sans_pro") / "files" / f"SourceSansPro-{cut}.ttf")
