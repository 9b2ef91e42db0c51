"""PDF documents of the hall: typeface, tables, tagging, attachments, and the seal.

`SealError` says why something could not be sealed.
"""


class SealError(Exception):
    """Why a key could not be used or a document could not be sealed: a code and its values."""

    def __init__(self, code: str, **values: object) -> None:
        super().__init__(code, values)
        self.code = code
        self.values = values
