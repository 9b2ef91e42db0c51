"""What became of the session's cards, in the acta: kept, destroyed, held by a case (R51, R52)."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from datetime import date

from django.utils.translation import gettext as _
from reportlab.platypus import Flowable

from bingo.pdf import kit
from bingo.pdf.tagging import Paragraph
from bingo.writing import Writing
from draws.documents import acta_headings, acta_hours
from draws.documents.acta_session_values import CustodyValues, KeptValues, UsedValues
from draws.documents.acta_values import ActaValues
from draws.documents.acta_words import NONE, numbers, rule
from draws.documents.beside import along as _along
from draws.documents.beside import both as _both

SHORT = 40  # signs


def section(values: ActaValues, custody: CustodyValues, writing: Writing) -> list[Flowable]:
    """As it stood when the session was closed."""
    tongues, article = values.languages, values.article
    return [
        *acta_headings.part("kept", rule(article, "R52"), tongues, _kept(custody, writing)),
        *acta_headings.part("used", rule(article, "R51"), tongues, _used(custody.used, writing)),
        *acta_headings.part(
            "departures", rule(article, "R51, R52"), tongues, _departures(custody, writing)
        ),
    ]


def _kept(custody: CustodyValues, writing: Writing) -> Flowable:
    if not custody.kept:
        return kit.paragraph(_along("No card was kept."), kit.SMALL)
    together: dict[tuple[date, int | None], list[KeptValues]] = defaultdict(list)
    for card in custody.kept:
        together[card.free, card.case].append(card)
    rows: list[list[object]] = [
        [_both("Destroyed from"), _both("Case"), _both("Cards"), _both("Game: series and cards")],
        *(
            [
                kit.paragraph(
                    _("when the case is closed") if case else writing.day(free), kit.CELL
                ),
                NONE if case is None else case,
                len(cards),
                _listed(cards),
            ]
            for (free, case), cards in sorted(
                together.items(), key=lambda one: (one[0][1] or 0, one[0][0])
            )
        ),
    ]
    table = kit.ledger(rows, [100, 46, 34, kit.WIDTH - 180], right=(2,))
    table.setStyle([("LEFTPADDING", (3, 0), (3, -1), 12)])
    return table


def _listed(cards: Sequence[KeptValues]) -> Flowable:
    """Name cards game by game, the game's number heavy: "4 H 000431: 17, 64"."""
    games: dict[int, dict[str, list[str]]] = defaultdict(lambda: defaultdict(list))
    for one in cards:
        used = f"{one.card}*" if one.amount is None else str(one.card)
        games[one.game][one.issue].append(used)
    told = [
        f"<b>{game}</b>\N{NO-BREAK SPACE}" + _unparted("; ".join(map(_of_issue, by.items())))
        for game, by in games.items()
    ]
    if any(one.amount is None for one in cards):
        told.append(kit.escaped(_("* a used card set aside")))
    return Paragraph(" \N{MIDDLE DOT} ".join(told), kit.CELL)


def _of_issue(sold: tuple[str, list[str]]) -> str:
    issue, cards = sold
    return f"{issue}: {', '.join(cards)}"


def _unparted(text: str) -> str:
    """Keep the cards of a game on one line where they are few."""
    whole = kit.escaped(text)
    return whole.replace(" ", "\N{NO-BREAK SPACE}") if len(text) <= SHORT else whole


def _used(used: Sequence[UsedValues], writing: Writing) -> Flowable:
    if not used:
        return kit.paragraph(_along("None was recorded before the session was closed."), kit.SMALL)
    cards, missing = sum(one.cards for one in used), sum(one.missing for one in used)
    told = {
        "games": _runs([one.game for one in used]),
        "cards": writing.whole(cards),
        "missing": writing.whole(missing),
    }
    said = _("Games %(games)s: %(cards)s cards destroyed, %(missing)s not handed in.") % told
    lacking = [f"{one.game} ({one.missing})" for one in used if one.missing]
    if lacking:
        games = {"games": ", ".join(lacking)}
        said += " " + _("Not handed in, by game: %(games)s.") % games
    return kit.paragraph(said, kit.SMALL)


def _runs(games: Sequence[int]) -> str:
    """Write numbers in a row as one stretch."""
    runs: list[list[int]] = []
    for game in games:
        if runs and runs[-1][1] == game - 1:
            runs[-1][1] = game
        else:
            runs.append([game, game])
    return ", ".join(numbers(first, last) for first, last in runs)


def _departures(custody: CustodyValues, writing: Writing) -> Flowable:
    if not custody.departures:
        return kit.paragraph(_along("None."), kit.SMALL)
    rows: list[list[object]] = [
        [_both("At"), _both("What was done"), _both("By"), _both("Second person")],
        *(
            [
                writing.hour(one.at),
                kit.paragraph(one.text, kit.CELL),
                kit.paragraph(one.by, kit.CELL),
                kit.paragraph(one.witness or NONE, kit.CELL),
            ]
            for one in custody.departures
        ),
    ]
    hours = acta_hours.width(writing)
    return kit.ledger(rows, [hours, kit.WIDTH - hours - 200, 100, 100])
