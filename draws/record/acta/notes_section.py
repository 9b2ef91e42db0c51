"""What became of the session's cards, in the acta: kept, destroyed, held by a case (R51, R52).

Equipment and balls in the acta: checks, what was let pass, ball sets, roll calls (R22-R25, R32).

What the acta mentions besides figures: voids, complaints, ball sets, faults (R61 i to m).
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from datetime import date

from django.utils.translation import gettext as _
from reportlab.platypus import Flowable

from bingo.pdf import kit
from bingo.pdf.tagging import Paragraph, TaggedTable
from bingo.writing import Writing
from draws.equipment import words as equipment_words
from draws.record.acta import labels
from draws.record.acta.labels import NONE, acta_numbers, letter, rule
from draws.record.acta.labels import along as _along
from draws.record.acta.labels import both as _both
from draws.record.acta.session_values import (
    BallSetValues,
    CheckValues,
    CustodyValues,
    ItemValues,
    KeptValues,
    RollCallValues,
    UsedValues,
)
from draws.record.acta.values import ActaValues, GameValues, NoteKind, NoteValues

SHORT = 40  # signs


def custody_section(values: ActaValues, custody: CustodyValues, writing: Writing) -> list[Flowable]:
    """As it stood when the session was closed."""
    tongues, article = values.languages, values.article
    return [
        *labels.heading_part("kept", rule(article, "R52"), tongues, _kept(custody, writing)),
        *labels.heading_part("used", rule(article, "R51"), tongues, _used(custody.used, writing)),
        *labels.heading_part(
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
    return ", ".join(acta_numbers(first, last) for first, last in runs)


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
    hours = labels.hour_width(writing)
    return kit.ledger(rows, [hours, kit.WIDTH - hours - 200, 100, 100])


def equipment_section(values: ActaValues, writing: Writing) -> list[Flowable]:
    """Return the four parts in the order of the evening; what was let pass only where anything was."""
    tongues, article = values.languages, values.article
    story = labels.heading_part(
        "checks", rule(article, "R32"), tongues, _checks(values.checks, writing)
    )
    if values.waivers:
        story += labels.heading_part(
            "waivers", rule(article, "R4, R22, R23, R32"), tongues, _waivers(values, writing)
        )
    story += labels.heading_part(
        "ball_sets", rule(article, "R22, R25"), tongues, _sets(values.ball_sets, writing)
    )
    return story + labels.heading_part(
        "roll_calls", rule(article, "R23"), tongues, _calls(values.roll_calls, writing)
    )


def _checks(checks: Sequence[CheckValues], writing: Writing) -> Flowable:
    if not checks:
        told = _("Whoever opened the session said that it had been tried; there is no list of it.")
        return kit.paragraph(told, kit.SMALL)
    rows: list[list[object]] = [
        [_both("At"), _both("What was found"), _both("By")],
        *(
            [
                writing.hour(check.at),
                kit.paragraph(_found(check.items), kit.CELL),
                kit.paragraph(check.by, kit.CELL),
            ]
            for check in checks
        ),
    ]
    hours = labels.hour_width(writing)
    return kit.ledger(rows, [hours, kit.WIDTH - hours - 110, 110])


def _found(items: Sequence[ItemValues]) -> str:
    """Say what fails first, then what works, then what the hall does not have."""
    told = []
    for found in (False, True, None):
        named = [_item(one) for one in items if one.ok is found]
        if named:
            told.append(f"{equipment_words.FOUND[found]}: {', '.join(named)}")
    return ". ".join(told) + "." if told else NONE


def _item(one: ItemValues) -> str:
    return f"{one.item} ({one.note})" if one.note else one.item


def _waivers(values: ActaValues, writing: Writing) -> TaggedTable:
    rows: list[list[object]] = [
        [
            _both("At"),
            _both("What fails or is left out"),
            _both("Reason"),
            _both("By"),
            _both("Second person"),
        ],
        *(
            [
                writing.hour(one.at),
                kit.paragraph(": ".join(filter(None, (one.item, one.note))), kit.CELL),
                kit.paragraph(one.reason, kit.CELL),
                kit.paragraph(one.by, kit.CELL),
                kit.paragraph(one.witness or NONE, kit.CELL),
            ]
            for one in values.waivers
        ),
    ]
    hours = labels.hour_width(writing)
    left = kit.WIDTH - hours - 170
    return kit.ledger(rows, [hours, left / 2, left / 2, 85, 85])


def _sets(sets: Sequence[BallSetValues], writing: Writing) -> Flowable:
    if not sets:
        return kit.paragraph(_along("No ball was drawn from a set of the hall's books."), kit.SMALL)
    rows: list[list[object]] = [
        [
            _both("Ball set"), _both("Maker, model, approval"), _both("Extractor"), _both("Games before"),
            _both("This session"), _both("Games after"), _both("At most"),
        ],
        *(
            [
                kit.paragraph(f"{one.serial} ({one.format})", kit.CELL),
                kit.paragraph(
                    ", ".join(filter(None, (one.maker, one.model, one.approval))) or NONE, kit.CELL
                ),
                kit.paragraph(one.extractor or NONE, kit.CELL),
                writing.whole(one.before),
                writing.whole(one.games),
                writing.whole(one.after),
                NONE if one.most is None else writing.whole(one.most),
            ]
            for one in sets
        ),
    ]  # fmt: skip
    figures = [56, 52, 56, 42]
    named = kit.WIDTH - sum(figures)
    widths = [named * 0.3, named * 0.4, named * 0.3, *figures]
    return kit.ledger(rows, widths, right=(3, 4, 5, 6))


def _calls(calls: Sequence[RollCallValues], writing: Writing) -> Flowable:
    if not calls:
        return kit.paragraph(_along("No roll call was recorded."), kit.SMALL)
    rows: list[list[object]] = [
        [
            _both("At"),
            _both("When"),
            _both("Ball set"),
            _both("Balls seen"),
            _both("Found"),
            _both("By"),
        ],
        *(
            [
                writing.hour(one.at),
                kit.paragraph(f"{one.moment}, {one.source}", kit.CELL),
                kit.paragraph(one.ball_set, kit.CELL),
                writing.whole(one.seen),
                kit.paragraph(_amiss(one), kit.CELL),
                kit.paragraph(one.by, kit.CELL),
            ]
            for one in calls
        ),
    ]
    fixed = [labels.hour_width(writing), 120, 70, 46]
    table = kit.ledger(rows, [*fixed, kit.WIDTH - sum(fixed) - 95, 95], right=(3,))
    table.setStyle([("LEFTPADDING", (4, 0), (4, -1), 12)])
    return table


def _amiss(one: RollCallValues) -> str:
    told = []
    if one.missing:
        missing = {"numbers": equipment_words.equipment_numbers(one.missing)}
        told.append(_("missing: %(numbers)s") % missing)
    if one.foreign:
        foreign = {"numbers": equipment_words.equipment_numbers(one.foreign)}
        told.append(_("of another set: %(numbers)s") % foreign)
    return " · ".join(told) or _("every ball there")


PERSON = 74  # points of a column with a name

# In the order of the law, with its letters.
MATTERS: tuple[tuple[NoteKind, str], ...] = (
    ("complaint", "j"), ("ball_set", "k"), ("breakdown", "l"), ("occurrence", "m"), ("other", ""),
)  # fmt: skip


def notes_section(values: ActaValues, writing: Writing) -> list[Flowable]:
    """Every matter the law names, in its order; one without entries says so."""
    tongues = values.languages
    voided = [game for game in values.games if game.voided is not None]
    story = labels.heading_part(
        "voided", letter(values.article, "i"), tongues, _voided(voided, writing)
    )
    for kind, mark in MATTERS:
        entries = [note for note in values.notes if _heading_of(note) == kind]
        listed = _complaints if kind == "complaint" else _entries
        reference = letter(values.article, mark) if mark else ""
        story += labels.heading_part(kind, reference, tongues, listed(entries, writing))
    if values.witnessed:
        story += labels.heading_part("witnessed", "", tongues, _witnessed(values, writing))
    return story


def _heading_of(note: NoteValues) -> str:
    # A kind without a heading of its own is still printed: an acta loses no note.
    named = [kind for kind, _mark in MATTERS]
    return note.kind if note.kind in named else "other"


def _voided(games: list[GameValues], writing: Writing) -> Flowable:
    if not games:
        return _nothing()
    rows: list[list[object]] = [
        [
            _both("Game"),
            _both("Reason"),
            kit.labelled(_both("Refunded"), style=kit.LABEL_RIGHT),
            kit.labelled(_both("Jackpot accrual taken back"), style=kit.LABEL_RIGHT),
            kit.labelled(_both("Ended"), style=kit.LABEL_RIGHT),
        ],
        *(
            [
                game.number,
                kit.paragraph(game.voided or "", kit.CELL),
                writing.amount(game.refunded),
                writing.signed(-game.jackpot_reversed),
                writing.hour(game.ended_at) if game.ended_at else "",
            ]
            for game in games
        ),
    ]
    hours = max(60, labels.hour_width(writing))
    return kit.ledger(rows, [40, kit.WIDTH - 210 - hours, 80, 90, hours], right=(2, 3, 4))


def _complaints(notes: list[NoteValues], writing: Writing) -> Flowable:
    if not notes:
        return _nothing()
    rows: list[list[object]] = [
        [
            _both("At"),
            _both("Game"),
            _both("Complaint"),
            _both("Decision"),
            _both("Decided by"),
            _both("Second person"),
        ],
        *(
            [
                writing.hour(note.at),
                NONE if note.game is None else note.game,
                _over(_complaint(note), _("written by %(name)s") % {"name": note.by}),
                kit.paragraph(note.decision or (_("none yet") if note.said else ""), kit.CELL),
                _decider(note, writing),
                kit.paragraph(note.witness or NONE, kit.CELL),
            ]
            for note in notes
        ),
    ]
    hours = labels.hour_width(writing)
    left = kit.WIDTH - hours - 34 - 2 * PERSON
    return kit.ledger(rows, [hours, 34, left * 0.54, left * 0.46, PERSON, PERSON])


def _complaint(note: NoteValues) -> str:
    """Return what was said with what it is about; of an acta without the parts the whole text."""
    if not note.said:
        return note.text
    about = []
    if note.number is not None:
        about.append(_("No. %(number)s") % {"number": note.number})
    if note.ball is not None:
        about.append(_("ball no. %(place)s") % {"place": note.ball})
    if note.card is not None:
        about.append(_("Card %(issue)s · %(card)s") % {"issue": note.issue, "card": note.card})
    return ": ".join(filter(None, (", ".join(about), note.said)))


def _decider(note: NoteValues, writing: Writing) -> Flowable:
    """Return who decided and when; of a note with its decision in it, whoever wrote both."""
    if note.decided_at is not None:
        return _over(note.decided_by, writing.hour(note.decided_at))
    noted_with_it = note.number is None and note.decision
    return kit.paragraph(note.by if noted_with_it else NONE, kit.CELL)


def _over(text: str, small: str) -> Flowable:
    """Set a text over small print in one cell, which can break between sheets."""
    style = kit.LABEL
    print_ = f'<font size="{style.fontSize}" color="#5c6670">{kit.escaped(small)}</font>'
    return Paragraph(f"{kit.escaped(text)}<br/>{print_}", kit.CELL)


def _entries(notes: list[NoteValues], writing: Writing) -> Flowable:
    if not notes:
        return _nothing()
    rows: list[list[object]] = [
        [_both("At"), _both("Game"), _both("Note"), _both("Written by")],
        *(
            [
                writing.hour(note.at),
                NONE if note.game is None else note.game,
                kit.paragraph(note.text, kit.CELL),
                kit.paragraph(note.by, kit.CELL),
            ]
            for note in notes
        ),
    ]
    hours = labels.hour_width(writing)
    return kit.ledger(rows, [hours, 40, kit.WIDTH - hours - 170, 130])


def _witnessed(values: ActaValues, writing: Writing) -> TaggedTable:
    rows: list[list[object]] = [
        [_both("At"), _both("Game"), _both("What was done"), _both("By"), _both("Second person")],
        *(
            [
                writing.hour(done.at),
                NONE if done.game is None else done.game,
                kit.paragraph(done.act, kit.CELL),
                kit.paragraph(done.by, kit.CELL),
                kit.paragraph(done.witness, kit.CELL),
            ]
            for done in values.witnessed
        ),
    ]
    hours = labels.hour_width(writing)
    return kit.ledger(rows, [hours, 40, kit.WIDTH - hours - 250, 105, 105])


def _nothing() -> Flowable:
    return kit.paragraph(_along("Nothing to record."), kit.SMALL)
