"""What the caller says aloud, in the words of the rule book (R33, R40, R46; BOE IV)."""

from collections.abc import Iterable

from bingo import spelling
from bingo.catalogues import PORTUGUESE
from bingo.rules import formats, rulebooks
from bingo.rules.combinations import COLUMN, CORNERS, LINE
from bingo.rules.rulebooks import Announcements, winning
from bingo.rules.sales import Run
from bingo.rules.state import GameState
from bingo.rules.stretches import Stretches
from draws.documents.voices import Spoken, Voice

NEAR = 5  # balls before a jackpot's limit at which the hall is told


def sale_opening(game: GameState, voice: Voice) -> tuple[str, ...]:
    """Give the announcement of what is on sale: each issue, its cards, its price (R33, BOE IV).

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


def _wins(game: GameState, voice: Voice) -> list[str]:
    """Say what wins each prize that is called for besides the bingo (R67, R75, R84)."""
    said = voice.of_winning
    line = winning.line(formats.get(game.format), game.counts, language=voice.language)
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
        size=run.size,
        price=voice.money(half * (2 if game.half else 1)),
        half=voice.money(half),
    )


def sale_closing(game: GameState, voice: Voice) -> tuple[str, ...]:
    """Give what is said before the draw: cards sold, figure, prizes, the start (R40 a-c, BOE IV).

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
    return spelling.respelled(said.draw_opening, spelling=spelling.chosen())


def _sold(game: GameState, voice: Voice) -> list[str]:
    """Say the formula for each price, and what is missing within the numbers it names."""
    said = voice.words(game)
    priced = [[run for run in game.runs_at(face) if run.sold] for face in game.prices]
    told = []
    for runs in filter(None, priced):
        told.append(_range(said, runs))
        told += [_missing(said, run) for run in runs if _written_off(run)]
    if len(list(filter(None, priced))) > 1:
        told.append(said.sold_in_all.format(total=game.cards))
    return told


def _range(said: Announcements, sold: list[Run]) -> str:
    total = sum(run.sold for run in sold)
    if total == 1 and said.sale_closed_one:
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
    """Give the retired cards between the first and the last one sold."""
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
    told += [
        voice.of_jackpots.told.format(name=name, amount=voice.money(balance), limit=limit)
        for name, limit, balance in zip(
            voice.of_jackpots.names, game.limits, game.jackpot_balances, strict=False
        )
        if limit is not None
    ]
    return " ".join(part for part in (said.prizes_of_each, *told) if part)


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
    """Give the question of the open window, or of the one to open next; nothing without a claim."""
    question = _question(game, voice.words(game))
    return (question,) if question else ()


def any_more(game: GameState) -> str:
    """Give that question in the law's own words (R46)."""
    return _question(game, rulebooks.get(game.rulebook).announcements)


def _question(game: GameState, said: Announcements) -> str:
    asked = set(game.asked) or {claim.combination for claim in game.pending}
    return " ".join(said.more[one.name] for one in game.won if one.name in asked)


def last_game(rulebook: str, voices: Iterable[Voice]) -> list[Spoken]:
    """Give the announcement of the session's last game in each language, the law's first (R53)."""
    speeches = rulebooks.get(rulebook).speeches
    return [Spoken(one.language, (speeches[one.language].single.last_game,)) for one in voices]
