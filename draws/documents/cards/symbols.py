"""The thirty symbols as forms (R80)."""

import re
from collections.abc import Mapping
from functools import partial

from bingo.symbols import SYMBOLS
from draws.documents.cards.press import Press

SIDE = 64.0
TOKEN = re.compile(r"[MLCZ]|-?[0-9]+(?:\.[0-9]+)?")
OPERATORS = {"M": "m", "L": "l", "C": "c", "Z": "h"}


def forms(press: Press) -> Mapping[int, str]:
    """Draw each symbol once; give, by number, the operator that shows it in a SIDE square."""
    return {
        symbol.number: press.form(
            f"Symbol{symbol.number}", (SIDE, SIDE), partial(_fill, path=symbol.path)
        )
        for symbol in SYMBOLS
    }


def operators(path: str) -> str:
    """Give an SVG path of absolute M, L, C, Z, y downwards, as PDF path operators."""
    written: list[str] = []
    command, numbers = "", list[str]()
    for token in [*TOKEN.findall(path), "Z"]:
        if token not in OPERATORS:
            numbers.append(token)
            continue
        if command:
            written += [*numbers, OPERATORS[command]]
        command, numbers = token, []
    return " ".join(written)


def _fill(press: Press, path: str) -> None:
    press.setFillGray(0)
    press.transform(1, 0, 0, -1, 0, SIDE)
    press.raw(f"{operators(path)} f")
