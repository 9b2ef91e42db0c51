"""Notes in the acta: voids, complaints, faults, equipment, ball sets, cards (R22-R25, R32, R61 i-m).

What became of the session's cards is told: kept, destroyed, held by a case (R51, R52). Equipment
and balls are checks, what was let pass, ball sets and roll calls.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from datetime import date

from django.utils.translation import gettext as _
from reportlab.platypus import Flowable

from bingo.money_and_dates import Writing
from bingo.pdf import kit
from bingo.pdf.tagging import Paragraph, TaggedTable
from draws.equipment import labels as equipment_labels
from draws.record.acta import labels, session_values
from draws.record.acta.labels import NONE, along, both, letter, rule, stretches
from draws.record.acta.tables import Column, figures, game_numbers, hours, ledger, right_label
from draws.record.acta.values import ActaValues, GameValues, NoteKind, NoteValues, WitnessedValues

SHORT = 40  # signs


def custody_section(
    values: ActaValues, custody: session_values.CustodyValues, writing: Writing
) -> list[Flowable]:
    """As it stood when the session was closed."""
    kept, used, gone = (rule(values.article, name) for name in ("R52", "R51", "R51, R52"))
    return [
        *labels.heading_part("kept", kept, _kept(custody, writing)),
        *labels.heading_part("used", used, _used(custody.used, writing)),
        *labels.heading_part("departures", gone, _departures(custody, writing)),
    ]


def _kept(custody: session_values.CustodyValues, writing: Writing) -> Flowable:
    if not custody.kept:
        return kit.paragraph(along("No card was kept."), kit.SMALL)
    together: dict[tuple[int, date], list[session_values.KeptValues]] = defaultdict(list)
    for card in custody.kept:
        together[card.case or 0, card.free].append(card)
    ordered = sorted(together)
    days = [_("when the case is closed") if case else writing.day(free) for case, free in ordered]
    cards = [together[one] for one in ordered]
    return ledger(
        Column(both("Destroyed from"), days, 100),
        Column(both("Case"), [case or NONE for case, _free in ordered], 46, text=False),
        figures(both("Cards"), list(map(len, cards)), 34),
        Column(both("Game: series and cards"), list(map(_listed, cards)), indent=12),
    )


def _listed(cards: Sequence[session_values.KeptValues]) -> Flowable:
    """Name cards game by game, the game's number heavy: "4 H 000431: 17, 64"."""
    games: dict[int, dict[str, list[str]]] = defaultdict(lambda: defaultdict(list))
    for one in cards:
        used = f"{one.card}*" if one.amount is None else str(one.card)
        games[one.game][one.issue].append(used)
    told = []
    for game, issues in games.items():
        sold = "; ".join(f"{issue}: {', '.join(numbers)}" for issue, numbers in issues.items())
        told.append(f"<b>{game}</b>\N{NO-BREAK SPACE}{_unparted(sold)}")
    if any(one.amount is None for one in cards):
        told.append(kit.escaped(_("* a used card set aside")))
    return Paragraph(" \N{MIDDLE DOT} ".join(told), kit.CELL)


def _unparted(text: str) -> str:
    """Keep the cards of a game on one line where they are few."""
    whole = kit.escaped(text)
    return whole.replace(" ", "\N{NO-BREAK SPACE}") if len(text) <= SHORT else whole


def _used(used: Sequence[session_values.UsedValues], writing: Writing) -> Flowable:
    if not used:
        return kit.paragraph(along("None was recorded before the session was closed."), kit.SMALL)
    cards, missing = sum(one.cards for one in used), sum(one.missing for one in used)
    told = {
        "games": stretches(one.game for one in used),
        "cards": writing.whole(cards),
        "missing": writing.whole(missing),
    }
    said = _("Games %(games)s: cards destroyed %(cards)s, not handed in %(missing)s.") % told
    lacking = [f"{one.game} ({one.missing})" for one in used if one.missing]
    if lacking:
        games = {"games": ", ".join(lacking)}
        said += " " + _("Not handed in, by game: %(games)s.") % games
    return kit.paragraph(said, kit.SMALL)


def _departures(custody: session_values.CustodyValues, writing: Writing) -> Flowable:
    done = custody.departures
    if not done:
        return kit.paragraph(along("None."), kit.SMALL)
    return ledger(
        hours(writing, [one.at for one in done]),
        Column(both("What was done"), [one.text for one in done]),
        Column(both("By"), [one.by for one in done], 100),
        Column(both("Second person"), [one.witness or NONE for one in done], 100),
    )


def equipment_section(values: ActaValues, writing: Writing) -> list[Flowable]:
    """Return the four parts in the order of the evening; what was let pass only where anything was."""
    parts = [("checks", "R32", _checks(values.checks, writing))]
    if values.waivers:
        parts.append(("waivers", "R4, R22, R23, R32", _waivers(values.waivers, writing)))
    parts.append(("ball_sets", "R22, R25", _sets(values.ball_sets, writing)))
    parts.append(("roll_calls", "R23", _calls(values.roll_calls, writing)))
    return [
        each
        for name, law, body in parts
        for each in labels.heading_part(name, rule(values.article, law), body)
    ]


def _checks(checks: Sequence[session_values.CheckValues], writing: Writing) -> Flowable:
    if not checks:
        told = along(
            "Whoever opened the session said that it had been tried; there is no list of it."
        )
        return kit.paragraph(told, kit.SMALL)
    return ledger(
        hours(writing, [check.at for check in checks]),
        Column(both("What was found"), [_found(check.items) for check in checks]),
        Column(both("By"), [check.by for check in checks], 110),
    )


def _found(items: Sequence[session_values.ItemValues]) -> str:
    """Say what fails first, then what works, then what the hall does not have."""
    told = []
    for found in (False, True, None):
        named = [_item(one) for one in items if one.ok is found]
        if named:
            told.append(f"{equipment_labels.FOUND[found]}: {', '.join(named)}")
    return ". ".join(told) + "." if told else NONE


def _item(one: session_values.ItemValues) -> str:
    return f"{one.item} ({one.note})" if one.note else one.item


def _waivers(waivers: Sequence[session_values.WaiverValues], writing: Writing) -> TaggedTable:
    items = [": ".join(filter(None, (one.item, one.note))) for one in waivers]
    return ledger(
        hours(writing, [one.at for one in waivers]),
        Column(both("What fails or is left out"), items, 0.5),
        Column(both("Reason"), [one.reason for one in waivers], 0.5),
        Column(both("By"), [one.by for one in waivers], 85),
        Column(both("Second person"), [one.witness or NONE for one in waivers], 85),
    )


def _sets(sets: Sequence[session_values.BallSetValues], writing: Writing) -> Flowable:
    if not sets:
        return kit.paragraph(along("No ball was drawn from a set of the hall's books."), kit.SMALL)
    made = [", ".join(filter(None, (one.maker, one.model, one.approval))) or NONE for one in sets]
    most = [NONE if one.most is None else writing.whole(one.most) for one in sets]
    return ledger(
        Column(both("Ball set"), [f"{one.serial} ({one.format})" for one in sets], 0.3),
        Column(both("Maker, model, approval"), made, 0.4),
        Column(both("Extractor"), [one.extractor or NONE for one in sets], 0.3),
        figures(both("Games before"), [writing.whole(one.before) for one in sets], 56),
        figures(both("This session"), [writing.whole(one.games) for one in sets], 52),
        figures(both("Games after"), [writing.whole(one.after) for one in sets], 56),
        figures(both("At most"), most, 42),
    )


def _calls(calls: Sequence[session_values.RollCallValues], writing: Writing) -> Flowable:
    if not calls:
        return kit.paragraph(along("No roll call was recorded."), kit.SMALL)
    return ledger(
        hours(writing, [one.at for one in calls]),
        Column(both("When"), [f"{one.moment}, {one.source}" for one in calls], 120),
        Column(both("Ball set"), [one.ball_set for one in calls], 70),
        figures(both("Balls seen"), [writing.whole(one.seen) for one in calls], 46),
        Column(both("Found"), list(map(_amiss, calls)), indent=12),
        Column(both("By"), [one.by for one in calls], 95),
    )


def _amiss(one: session_values.RollCallValues) -> str:
    told = []
    if one.missing:
        missing = {"numbers": equipment_labels.equipment_numbers(one.missing)}
        told.append(_("missing: %(numbers)s") % missing)
    if one.foreign:
        foreign = {"numbers": equipment_labels.equipment_numbers(one.foreign)}
        told.append(_("of another set: %(numbers)s") % foreign)
    return " · ".join(told) or _("every ball there")


PERSON = 74  # points of a column with a name

# In the order of the law, with its letters.
MATTERS: tuple[tuple[NoteKind, str], ...] = (
    ("complaint", "j"), ("ball_set", "k"), ("breakdown", "l"), ("occurrence", "m"), ("other", ""),
)  # fmt: skip


def notes_section(values: ActaValues, writing: Writing) -> list[Flowable]:
    """Every matter the law names, in its order; one without entries says so."""
    voided = [game for game in values.games if game.voided is not None]
    story = labels.heading_part("voided", letter(values.article, "i"), _voided(voided, writing))
    for kind, mark in MATTERS:
        entries = [note for note in values.notes if _heading_of(note) == kind]
        listed = _complaints if kind == "complaint" else _entries
        reference = letter(values.article, mark)
        story += labels.heading_part(kind, reference, listed(entries, writing))
    if values.witnessed:
        story += labels.heading_part("witnessed", "", _witnessed(values.witnessed, writing))
    return story


def _heading_of(note: NoteValues) -> str:
    # A kind without a heading of its own is still printed: an acta loses no note.
    named = [kind for kind, _mark in MATTERS]
    return note.kind if note.kind in named else "other"


def _voided(voided: list[GameValues], writing: Writing) -> Flowable:
    if not voided:
        return _nothing()
    refunded, taken_back, ended = (
        right_label(title)
        for title in (both("Refunded"), both("Jackpot accrual taken back"), both("Ended"))
    )
    ends = [writing.hour(game.ended_at) if game.ended_at else "" for game in voided]
    return ledger(
        game_numbers([game.number for game in voided]),
        Column(both("Reason"), [game.voided for game in voided]),
        figures(refunded, [writing.amount(game.refunded) for game in voided], 80),
        figures(taken_back, [writing.signed(-game.jackpot_reversed) for game in voided], 90),
        figures(ended, ends, max(60, kit.hour_width(writing))),
    )


def _complaints(notes: list[NoteValues], writing: Writing) -> Flowable:
    if not notes:
        return _nothing()
    decisions = [note.decision or (_("none yet") if note.said else "") for note in notes]
    return ledger(
        hours(writing, [note.at for note in notes]),
        game_numbers([note.game for note in notes], 34),
        Column(both("Complaint"), list(map(_complaint, notes)), 0.54),
        Column(both("Decision"), decisions, 0.46),
        Column(both("Decided by"), [_decider(note, writing) for note in notes], PERSON),
        Column(both("Second person"), [note.witness or NONE for note in notes], PERSON),
    )


def _complaint(note: NoteValues) -> Flowable:
    """Return what was said with what it is about; of an acta without the parts the whole text."""
    about = []
    if note.number is not None:
        number = "/".join(str(one) for one in (note.session, note.number) if one is not None)
        about.append(_("No. %(number)s") % {"number": number})
    if note.ball is not None:
        about.append(_("ball no. %(place)s") % {"place": note.ball})
    if note.card is not None:
        about.append(_("Card %(issue)s · %(card)s") % {"issue": note.issue, "card": note.card})
    said = ": ".join(filter(None, (", ".join(about), note.said))) if note.said else note.text
    return _over(said, _("written by %(name)s") % {"name": note.by})


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
    return ledger(
        hours(writing, [note.at for note in notes]),
        game_numbers([note.game for note in notes]),
        Column(both("Note"), [note.text for note in notes]),
        Column(both("Written by"), [note.by for note in notes], 130),
    )


def _witnessed(witnessed: Sequence[WitnessedValues], writing: Writing) -> TaggedTable:
    return ledger(
        hours(writing, [done.at for done in witnessed]),
        game_numbers([done.game for done in witnessed]),
        Column(both("What was done"), [done.act for done in witnessed]),
        Column(both("By"), [done.by for done in witnessed], 105),
        Column(both("Second person"), [done.witness for done in witnessed], 105),
    )


def _nothing() -> Flowable:
    return kit.paragraph(along("Nothing to record."), kit.SMALL)
