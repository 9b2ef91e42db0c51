"""Equipment and balls in the acta: checks, what was let pass, ball sets, roll calls (R22-R25, R32)."""

from __future__ import annotations

from collections.abc import Sequence

from django.utils.translation import gettext as _
from reportlab.platypus import Flowable

from bingo.pdf import kit
from bingo.pdf.tagging import Table
from bingo.writing import Writing
from draws.documents import acta_headings, acta_hours, equipment_words
from draws.documents.acta_session_values import (
    BallSetValues,
    CheckValues,
    ItemValues,
    RollCallValues,
)
from draws.documents.acta_values import ActaValues
from draws.documents.acta_words import NONE, rule
from draws.documents.beside import along as _along
from draws.documents.beside import both as _both


def section(values: ActaValues, writing: Writing) -> list[Flowable]:
    """Give the four parts in the order of the evening; what was let pass only where anything was."""
    tongues, article = values.languages, values.article
    story = acta_headings.part(
        "checks", rule(article, "R32"), tongues, _checks(values.checks, writing)
    )
    if values.waivers:
        story += acta_headings.part(
            "waivers", rule(article, "R4, R22, R23, R32"), tongues, _waivers(values, writing)
        )
    story += acta_headings.part(
        "ball_sets", rule(article, "R22, R25"), tongues, _sets(values.ball_sets, writing)
    )
    return story + acta_headings.part(
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
    hours = acta_hours.width(writing)
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


def _waivers(values: ActaValues, writing: Writing) -> Table:
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
    hours = acta_hours.width(writing)
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
    fixed = [acta_hours.width(writing), 120, 70, 46]
    table = kit.ledger(rows, [*fixed, kit.WIDTH - sum(fixed) - 95, 95], right=(3,))
    table.setStyle([("LEFTPADDING", (4, 0), (4, -1), 12)])
    return table


def _amiss(one: RollCallValues) -> str:
    told = []
    if one.missing:
        missing = {"numbers": equipment_words.numbers(one.missing)}
        told.append(_("missing: %(numbers)s") % missing)
    if one.foreign:
        foreign = {"numbers": equipment_words.numbers(one.foreign)}
        told.append(_("of another set: %(numbers)s") % foreign)
    return " · ".join(told) or _("every ball there")
