"""What the caller says aloud, in the words of the rule book (R33, R40, R46)."""

from bingo import amounts
from bingo.rules import claims, rulebooks
from bingo.rules.sales import Run
from bingo.rules.state import GameState


def sale_opening(game: GameState, *, currency: str) -> str:
    """Give the announcement of what is on sale: issue, number of cards, price (R33)."""
    said = rulebooks.get(game.rulebook).announcements
    price = amounts.text(game.face, currency=currency, language=said.language)
    templates = (said.sale_opening, said.second_opening)
    return " ".join(
        template.format(
            letter=run.letter, identification=run.identification, size=run.size, price=price
        )
        for template, run in zip(templates, game.runs, strict=False)
    )


def sale_closing(game: GameState, *, currency: str) -> tuple[str, ...]:
    """Give the three announcements before the draw: cards sold, prizes, the start (R40 a-c)."""
    said = rulebooks.get(game.rulebook).announcements
    return (_sold(game), _prizes(game, currency=currency), said.draw_opening)


def _sold(game: GameState) -> str:
    said = rulebooks.get(game.rulebook).announcements
    sold = [run for run in game.runs if run.sold]
    if not sold:
        return ""
    if len(sold) == 1:
        return said.sale_closed.format(total=game.cards, **_fields(sold[0]))
    second = {f"second_{name}": value for name, value in _fields(sold[1]).items()}
    return said.sale_closed_two.format(total=game.cards, **_fields(sold[0]), **second)


def _fields(run: Run) -> dict[str, object]:
    return {
        "letter": run.letter,
        "identification": run.identification,
        "first": run.first,
        "last": run.last,
    }


def _prizes(game: GameState, *, currency: str) -> str:
    said = rulebooks.get(game.rulebook).announcements
    if game.prizes is None:
        return ""
    values = {"line": game.prizes.line, "bingo": game.prizes.bingo, "jackpot": game.jackpot_balance}
    written = {
        name: amounts.text(value, currency=currency, language=said.language)
        for name, value in values.items()
    }
    template = said.prizes_with_jackpot if game.jackpot else said.prizes
    return template.format(**written)


def any_more(game: GameState) -> str:
    """Give the question of the open window, or of the one to open next; nothing without a claim."""
    said = rulebooks.get(game.rulebook).announcements
    asked = set(game.asked) or {claim.combination for claim in game.pending}
    if asked == set(claims.COMBINATIONS):
        return said.more_both
    return {claims.LINE: said.more_lines, claims.BINGO: said.more_bingos}.get("".join(asked), "")
