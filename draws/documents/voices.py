"""The languages in which a hall says something aloud: the law's own first, then others (R54)."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass

from bingo import amounts
from bingo.rules import rulebooks
from bingo.rules.rulebooks import Announcements
from bingo.rules.rulebooks.figures import FIGURES, FigureWords
from bingo.rules.rulebooks.jackpots import JACKPOTS, JackpotWords
from bingo.rules.rulebooks.winning import WINNING, WinningWords
from bingo.rules.state import GameState


@dataclass(frozen=True, slots=True)
class Spoken:
    """One announcement in one language, sentence by sentence."""

    language: str
    sentences: tuple[str, ...]

    @property
    def text(self) -> str:
        """All of it, each sentence with its stop."""
        return " ".join(
            sentence if sentence.endswith(("?", ".")) else f"{sentence}."
            for sentence in self.sentences
        )


@dataclass(frozen=True, slots=True)
class Voice:
    """One language in which the hall speaks of a game; `currency` is an ISO 4217 code.

    `figure` is what the game's figure is called in it, empty where it has no name (R73 b).
    """

    language: str
    currency: str
    figure: str = ""

    def words(self, game: GameState) -> Announcements:
        """Give the templates for a game's cards, single or double (R15, BOE IV)."""
        speech = rulebooks.get(game.rulebook).speeches[self.language]
        return speech.double if game.half else speech.single

    def of_one_game(self, game: GameState) -> Announcements:
        """Give the templates that speak of this game alone, not of both of a double card."""
        speech = rulebooks.get(game.rulebook).speeches[self.language]
        return speech.double if game.half == 1 else speech.single

    @property
    def of_jackpots(self) -> JackpotWords:
        """Give the templates that speak of jackpots."""
        return JACKPOTS[self.language]

    @property
    def of_figures(self) -> FigureWords:
        """Give the templates that speak of a game's figure."""
        return FIGURES[self.language]

    @property
    def of_winning(self) -> WinningWords:
        """Return the words and templates for what wins each prize."""
        return WINNING[self.language]

    def money(self, amount: int) -> str:
        """Write an amount of minor units."""
        return amounts.text(amount, currency=self.currency, language=self.language)


Say = Callable[[GameState, Voice], tuple[str, ...]]


def voices(rulebook: str, *, currency: str, also: Iterable[str] = ()) -> list[Voice]:
    """Give the law's own language first, then each further one authorised that is known (R54)."""
    book = rulebooks.get(rulebook)
    known = [code for code in also if code in book.speeches and code != book.language]
    return [Voice(code, currency) for code in (book.language, *known)]


def spoken(game: GameState, say: Say, voices: Iterable[Voice]) -> list[Spoken]:
    """Give one announcement in each language, the law's own first; nothing when none is due."""
    told = [Spoken(voice.language, say(game, voice)) for voice in voices]
    return [one for one in told if one.sentences]
