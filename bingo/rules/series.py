"""A series of cards: how large it can be, drawing it, judging it, and its file."""

from bingo.rules.bounds import limit, require
from bingo.rules.emission import emit
from bingo.rules.judging import SeriesFault, faults, found, in_strips, size_faults
from bingo.rules.series_csv import from_csv, to_csv
from bingo.rules.series_document import Series, digest, document, read, read_letter
from bingo.rules.series_json import from_json, to_json, values

__all__ = [
    "Series",
    "SeriesFault",
    "digest",
    "document",
    "emit",
    "faults",
    "found",
    "from_csv",
    "from_json",
    "in_strips",
    "limit",
    "parse",
    "read",
    "read_letter",
    "require",
    "size_faults",
    "to_csv",
    "to_json",
    "values",
]


def parse(text: str) -> Series:
    """Give format, rule book, letter and cards of a stranger's CSV or JSON text.

    Refusal bad_series_file with the place (`where`): see `from_csv` and `from_json`.
    """
    return from_csv(text) if text.startswith("format,") else from_json(text)
