"""Announcements said aloud in a hall, in each of its languages (R33, R40, R46, R54; BOE IV).

The words are those of the rule book; the law's own language comes first, then the others (R54).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import lru_cache
from types import MappingProxyType

from bingo import catalogues, money_and_dates
from bingo.catalogues import PORTUGUESE
from bingo.rules import formats, rulebooks
from bingo.rules.jackpots import Limit
from bingo.rules.patterns import COLUMN, CORNERS, LINE
from bingo.rules.rulebooks import Announcements, announcement_words
from bingo.rules.rulebooks.announcement_words import (
    FIGURES,
    JACKPOTS,
    WINNING,
    FigureWords,
    JackpotWords,
    WinningWords,
)
from bingo.rules.sale_order import Run, Stretches
from bingo.rules.session_state import GameState, Phase
from draws.cards import hall_patterns
from draws.games.queries import HallState
from draws.models import Game
from halls.models import Hall


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
    """One language in which the hall speaks of a game; `currency` is as `bingo.money_and_dates.Writing` has it.

    `figure` is what the game's figure is called in it, empty where it has no name (R73 b). `figures`
    are what the hall calls those that win its jackpots.
    """

    language: str
    currency: str
    figure: str = ""
    figures: Mapping[tuple[str, ...], str] = field(default_factory=dict)

    def words(self, game: GameState) -> Announcements:
        """Return the templates for a game's cards, single or double (R15, BOE IV)."""
        speech = rulebooks.get(game.rulebook).speeches[self.language]
        return speech.double if game.half else speech.single

    def of_one_game(self, game: GameState) -> Announcements:
        """Return the templates that speak of this game alone, not of both of a double card."""
        speech = rulebooks.get(game.rulebook).speeches[self.language]
        return speech.double if game.half == 1 else speech.single

    @property
    def of_jackpots(self) -> JackpotWords:
        """Return the templates that speak of jackpots."""
        return JACKPOTS[self.language]

    @property
    def of_figures(self) -> FigureWords:
        """Return the templates that speak of a game's figure."""
        return FIGURES[self.language]

    @property
    def of_winning(self) -> WinningWords:
        """Return the words and templates for what wins each prize."""
        return WINNING[self.language]

    def money(self, amount: int) -> str:
        """Write an amount of minor units."""
        return money_and_dates.amounts_text(amount, currency=self.currency, language=self.language)

    def whole(self, number: int) -> str:
        """Write a count."""
        return money_and_dates.Writing(self.language, self.currency).whole(number)


Say = Callable[[GameState, Voice], tuple[str, ...]]


def voices(rulebook: str, *, currency: str, also: Iterable[str] = ()) -> list[Voice]:
    """Return the law's own language first, then each further one authorised that is known (R54)."""
    return list(_voices(rulebook, currency, tuple(also)))


@lru_cache(maxsize=256)
def _voices(rulebook: str, currency: str, also: tuple[str, ...]) -> tuple[Voice, ...]:
    book = rulebooks.get(rulebook)
    known = [code for code in also if code in book.speeches and code != book.language]
    return tuple(Voice(code, currency) for code in (book.language, *known))


def announce_in_voices(game: GameState, say: Say, voices: Iterable[Voice]) -> list[Spoken]:
    """Return one announcement in each language, the law's own first; nothing when none is due."""
    told = [Spoken(voice.language, say(game, voice)) for voice in voices]
    return [one for one in told if one.sentences]


NEAR = 5  # balls before a jackpot's limit at which the hall is told


def sale_opening(game: GameState, voice: Voice) -> tuple[str, ...]:
    """Return the announcement of what is on sale: each issue, its cards, its price (R33, BOE IV).

    Then what wins the line, the column or the corners (R67, R75, R84); a game for a figure says so
    (R73 b).
    """
    said = voice.words(game)
    first = game.runs[0]
    told = []
    for face in game.prices:
        begun, *second = game.runs_at(face)
        told.append((said.sale_opening if begun == first else said.beside_opening, begun))
        told += [(said.second_opening, run) for run in second]
    on_sale = [_on_sale(template, game, run, voice) for template, run in told]
    return (*on_sale, *_wins(game, voice), *_figure(game, voice))


def first_sale_opening(game: GameState, voice: Voice) -> tuple[str, ...]:
    """Return the announcement of a session's first sale: the balls of its jackpots with it (R9).

    Also those of the kinds of bingo that are played otherwise than in this game.
    """
    return (*sale_opening(game, voice), *_jackpots(game, voice), *_other_limits(game, voice))


def _other_limits(game: GameState, voice: Voice) -> list[str]:
    said = voice.of_jackpots
    return [
        said.of_kind.format(name=name, kind=_kind(limit, voice), limit=level.raised(limit))
        for name, level, here in zip(said.names, game.jackpots, game.limits, strict=False)
        for limit in level.limits
        if level.raised(limit) != here
    ]


def _kind(limit: Limit, voice: Voice) -> str:
    """Name a kind of bingo as the law does, by its numbers, and a figure beside it (R73 b)."""
    if not limit.figure:
        return str(limit.format)
    known = hall_patterns.gallery_name(limit.figure, language=voice.language)
    figure = voice.figures.get(limit.figure) or known or voice.of_jackpots.figure
    return f"{limit.format}, {figure}"


def _wins(game: GameState, voice: Voice) -> list[str]:
    """Say what wins each prize that is called for besides the bingo (R67, R75, R84)."""
    said = voice.of_winning
    line = announcement_words.line_in_words(
        formats.get_format(game.format), game.counts, language=voice.language
    )
    told = {
        LINE: said.line_told.format(wins=line),
        COLUMN: said.column_told.format(wins=said.column),
        CORNERS: said.corners_told.format(wins=said.corners),
    }
    return [told[one.name] for one in game.won if one.name in told]


def _figure(game: GameState, voice: Voice) -> tuple[str, ...]:
    """Say which figure is the bingo in place of the whole card (R73 b, R76)."""
    if not game.pattern:
        return ()
    said = voice.of_figures
    return (said.named.format(name=voice.figure) if voice.figure else said.shown,)


def _on_sale(template: str, game: GameState, run: Run, voice: Voice) -> str:
    half = game.price(run)
    return template.format(
        letter=run.letter,
        identification=run.identification,
        size=voice.whole(run.size),
        price=voice.money(half * (2 if game.half else 1)),
        half=voice.money(half),
    )


def sale_closing(game: GameState, voice: Voice) -> tuple[str, ...]:
    """Return what is said before the draw: cards sold, figure, prizes, the start (R40 a-c, BOE IV).

    The second game of double cards is announced as such first; its cards are those of the first.
    """
    said = voice.words(game)
    again = said.second_game if game.half == 2 else ""
    told = (
        again, *_sold(game, voice), *_figure(game, voice), _prizes(game, voice), _opening(said, voice),
    )  # fmt: skip
    return tuple(sentence for sentence in told if sentence)


def _opening(said: Announcements, voice: Voice) -> str:
    """Return the sentence that begins the draw, spelt as all the rest is."""
    if voice.language != PORTUGUESE:
        return said.draw_opening
    return catalogues.respelled(said.draw_opening, spelling=catalogues.chosen())


def _sold(game: GameState, voice: Voice) -> list[str]:
    """Say the formula for each price, and what is missing within the numbers it names."""
    said = voice.words(game)
    priced = [[run for run in game.runs_at(face) if run.sold] for face in game.prices]
    told = []
    for runs in filter(None, priced):
        told.append(_range(said, runs, voice))
        told += [_missing(said, run) for run in runs if _written_off(run)]
    if len(list(filter(None, priced))) > 1:
        told.append(said.sold_in_all.format(total=voice.whole(game.cards)))
    return told


def _range(said: Announcements, sold: list[Run], voice: Voice) -> str:
    total = voice.whole(sum(run.sold for run in sold))
    if total == "1" and said.sale_closed_one:
        return said.sale_closed_one.format(**_fields(sold[0]))
    if len(sold) == 1:
        return said.sale_closed.format(total=total, **_fields(sold[0]))
    second = {f"second_{name}": value for name, value in _fields(sold[1]).items()}
    return said.sale_closed_two.format(total=total, **_fields(sold[0]), **second)


def _fields(run: Run) -> dict[str, object]:
    return {
        "letter": run.letter,
        "identification": run.identification,
        "first": run.first,
        "last": run.last,
    }


def _written_off(run: Run) -> Stretches:
    """Return the retired cards between the first and the last one sold."""
    last = run.last or run.first
    return tuple(part for part in run.retired if run.first < part[0] < last)


def _missing(said: Announcements, run: Run) -> str:
    parts = [
        (said.missing_card if first == last else said.missing_range).format(first=first, last=last)
        for first, last in _written_off(run)
    ]
    *others, final = parts
    cards = f"{', '.join(others)} {said.conjunction} {final}" if others else final
    return said.missing.format(letter=run.letter, identification=run.identification, cards=cards)


def _prizes(game: GameState, voice: Voice) -> str:
    """Say the prizes; of double cards those of each half, before its second game of that alone."""
    if game.prizes is None:
        return ""
    said = voice.of_one_game(game)
    limits = {extra.prize: extra.limit for extra in game.shares.extras}
    told = [
        said.prizes[name].format(amount=voice.money(amount), limit=limits.get(name))
        for name, amount in game.amounts.items()
    ]
    told += _jackpots(game, voice)
    return " ".join(part for part in (said.prizes_of_each, *told) if part)


def _jackpots(game: GameState, voice: Voice) -> list[str]:
    """Say of each level that is played for what it is worth, and within how many balls (R9)."""
    levels = zip(voice.of_jackpots.names, game.limits, game.jackpot_balances, strict=False)
    return [
        voice.of_jackpots.told.format(name=name, amount=voice.money(balance), limit=limit)
        for name, limit, balance in levels
        if limit is not None
    ]


def jackpot_news(game: GameState, voice: Voice) -> tuple[str, ...]:
    """Say of each level how near its limit is, and once that it can no longer be won (R9, R13).

    Before the next ball is drawn, and only where a bingo may still come.
    """
    said, told = voice.of_jackpots, []
    for name, limit in zip(said.names, game.limits, strict=False):
        if limit is None:
            continue
        left = limit - len(game.balls)
        template = {NEAR: said.near, 1: said.last, -1: said.gone}.get(left)
        if template is not None:
            told.append(template.format(name=name, left=left))
    return tuple(told)


def more_asked(game: GameState, voice: Voice) -> tuple[str, ...]:
    """Return the question of the open window, or of the one to open next; nothing without a claim."""
    question = _question(game, voice.words(game))
    return (question,) if question else ()


def any_more(game: GameState) -> str:
    """Return that question in the law's own words (R46)."""
    return _question(game, rulebooks.get(game.rulebook).announcements)


def _question(game: GameState, said: Announcements) -> str:
    asked = set(game.asked) or {claim.combination for claim in game.pending}
    return " ".join(said.more[one.name] for one in game.won if one.name in asked)


SAID: Mapping[Phase, Say] = MappingProxyType(
    {
        Phase.PREPARED: sale_opening,
        Phase.SELLING: sale_opening,
        Phase.CLOSED: sale_closing,
        Phase.DRAWING: jackpot_news,
        Phase.WINDOW: more_asked,
    }
)


def announcements_now(now: HallState) -> list[Spoken]:
    """Return what is said aloud now, the law's own language first; nothing where nothing is due."""
    if now.state is None or now.game_state is None or now.game_state.phase not in SAID:
        return []
    also = now.state.terms.get("languages") or ()
    tongues = voices(now.game_state.rulebook, currency=now.hall.written_currency, also=also)
    if pattern := now.game_state.pattern:
        tongues = [
            replace(one, figure=hall_patterns.figure_name(now.hall, pattern, language=one.language))
            for one in tongues
        ]
    say = SAID[now.game_state.phase]
    if say is sale_opening and _is_first_sale(now):
        say = first_sale_opening
        tongues = [_naming_figures(now.hall, now.game_state, one) for one in tongues]
    return announce_in_voices(now.game_state, say, tongues)


def _naming_figures(hall: Hall, game: GameState, voice: Voice) -> Voice:
    """Let a voice call the figures that win the jackpots as the hall does."""
    limits = [one for level in game.jackpots for one in level.limits if one.figure]
    names = {
        one.figure: hall_patterns.figure_name(hall, one.figure, language=voice.language)
        for one in limits
    }
    return replace(voice, figures=names)


def _is_first_sale(now: HallState) -> bool:
    """Return whether no card was sold in an earlier game of the session; a void one may have had no sale."""
    if now.game is None:
        return False
    earlier = Game.objects.filter(session=now.game.session_id, number__lt=now.game.number)
    return now.game.number == 1 or not earlier.filter(cards__gt=0).exists()
