"""The code of a printed card: sixteen digits that name a card of an issue and check themselves."""

import re

from bingo.rules.refusal import Refusal

HIGHEST_ISSUE = 99_999_999
HIGHEST_CARD = 999_999
# Digits of other scripts are numbers to Python, not to a scanner.
WRITTEN = re.compile(" ?".join(["([0-9]{4})"] * 4))


def encode(issue: int, card: int) -> str:
    """Return the code: issue in eight digits, card in six, two that check (ISO/IEC 7064 MOD 97-10).

    Refusal code_out_of_range for an issue or a card from 0 down or of more digits.
    """
    if not (1 <= issue <= HIGHEST_ISSUE and 1 <= card <= HIGHEST_CARD):
        raise Refusal("code_out_of_range", issue=issue, card=card)
    named = issue * 1_000_000 + card
    return f"{named:014}{98 - named * 100 % 97:02}"


def decode(text: str) -> tuple[int, int]:
    """Return issue and card of a code as scanned, or as typed with a space between groups of four.

    One wrong digit, or two changed round wherever they stand, is always found: Refusal bad_code.
    """
    found = WRITTEN.fullmatch(text.strip())
    digits = "".join(found.groups()) if found else ""
    issue, card = int(digits[:8] or 0), int(digits[8:14] or 0)
    if not issue or not card or encode(issue, card) != digits:
        raise Refusal("bad_code", written=text[:20])
    return issue, card


def grouped(code: str) -> str:
    """Return the code as people read it: four groups of four."""
    return f"{code[:4]} {code[4:8]} {code[8:12]} {code[12:]}"
