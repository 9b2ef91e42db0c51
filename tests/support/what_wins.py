"""What the tests of what wins share with others."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from playwright.sync_api import Page, ViewportSize

from bingo.rules.prize_distributions import Distribution
from bingo.rules.prize_shares import Extra, Shares
from draws.models import Issue
from tests.e2e.conftest import RunningHall
from tests.support.evening import Evening, authorise
from tests.support.people import PICTURES

DESK = ViewportSize(width=1366, height=768)


WALLS = {
    "wide": DESK,
    "square": ViewportSize(width=1024, height=768),
    "tall": ViewportSize(width=1080, height=1920),
}


FACES = [100_00, 200_00, 500_00]


@dataclass(frozen=True, slots=True)
class Played:
    """A game with cards of a format, as a regulator divides its prizes."""

    name: str
    identification: str
    format: int
    counts: tuple[str, ...]
    line: int
    extras: tuple[tuple[str, int], ...]
    portuguese: tuple[str, ...]
    spanish: tuple[str, ...]

    def distribution(self) -> Distribution:
        """Return it as an authorisation grants it."""
        extras = tuple(Extra(prize, share) for prize, share in self.extras)
        return Distribution(self.format, Shares(self.line, 6000, extras), self.counts)


PLAYED = (
    Played(
        "90", "1001", 90, ("rows",), 2000, (),
        ("qualquer das três linhas do cartão", "o cartão completo"),
        ("cualquiera de las tres líneas del cartón", "el cartón completo"),
    ),
    Played(
        "80", "8001", 80, ("rows", "columns", "diagonals"), 2000, (),
        ("qualquer linha horizontal, coluna ou diagonal do cartão", "o cartão completo"),
        ("cualquier línea horizontal, columna o diagonal del cartón", "el cartón completo"),
    ),
    Played(
        "75", "7501", 75, ("rows", "diagonals"), 1500, (("corners", 500),),
        (
            "qualquer linha horizontal ou diagonal do cartão",
            "os quatro cantos do cartão",
            "o cartão completo",
        ),
        (
            "cualquier línea horizontal o diagonal del cartón",
            "las cuatro esquinas del cartón",
            "el cartón completo",
        ),
    ),
    Played(
        "30", "3001", 30, (), 0, (("column", 2000),),
        ("qualquer das três colunas do cartão", "o cartão completo"),
        ("cualquiera de las tres columnas del cartón", "el cartón completo"),
    ),
)  # fmt: skip


class OneIssue(Evening):
    """An evening of the demonstration's hall with the issue that is asked for."""

    identification = ""

    def issue(self, number: int = 1) -> Issue:
        """Return that issue."""
        found = self.hall.issues.select_related("series")
        return found.get(identification=self.identification)


def playing(running: RunningHall, played: Played, stage: str) -> Evening:
    """Play a game of that kind up to a stage; line, column or corners and the bingo are won by card 1."""
    kinds = [played.distribution()] if played.format != 90 else []
    authorise(running.hall, reference=f"{played.name}/2026", faces=FACES, distributions=kinds)
    evening = OneIssue(hall=running.hall)
    evening.identification = played.identification
    return evening.reach(stage)


def keep(page: Page, name: str) -> None:
    """Keep a picture to be looked at, where BINGO_PICTURES names a folder."""
    if PICTURES is not None:
        Path(PICTURES).mkdir(parents=True, exist_ok=True)
        page.screenshot(path=f"{PICTURES}/{name}.png")
