"""The head of the acta: whose it is, and the session from opening to close (R53, R61 a).

The staff on duty as the acta lists it: who, from when to when, which tasks.

The door, in the acta: how many came in, and how many were sent away and why (BOE III).

The games of a session one a row, and what they come to.

The cash of a session: each till from its float to its count.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from reportlab.lib.styles import ParagraphStyle
from reportlab.platypus import CondPageBreak, Flowable, Spacer, TableStyle

from bingo.pdf import kit
from bingo.pdf.tagging import TaggedTable
from bingo.writing import Writing
from draws.record.acta import labels
from draws.record.acta.game_section import percent
from draws.record.acta.labels import NONE, letter, rule
from draws.record.acta.labels import along as _along
from draws.record.acta.labels import both as _both
from draws.record.acta.session_values import (
    EndingValues,
    LastGameValues,
    SentAwayValues,
    StaffValues,
    TaskValues,
    TermsValues,
)
from draws.record.acta.values import ActaValues, CashValues, GameValues, TillValues, cards_sold
from halls.admission.queries import REASONS

COLUMNS = (0.4, 0.35, 0.25)
HALL = ParagraphStyle("hall", kit.VALUE, fontName=kit.BOLD, fontSize=13, leading=16)


def masthead(values: ActaValues, writing: Writing) -> list[Flowable]:
    """The hall with its licence and law, then the title."""
    number = {"number": values.session}
    title = [kit.paragraph(str(labels.TITLE) % number, kit.TITLE), Spacer(0, 3)]
    beside = labels.in_all_languages(labels.TITLE, values.languages, **number)
    if beside:
        title += [kit.paragraph(beside, kit.SMALL), Spacer(0, 2)]
    return [
        _hall(values),
        Spacer(0, 14),
        *title,
        kit.paragraph(writing.day(values.opened_at)),
    ]


def _hall(values: ActaValues) -> TaggedTable:
    return TaggedTable(
        [
            [kit.paragraph(values.hall, HALL), _right(_licensed(values))],
            ["", _right(values.rulebook)],
        ],
        colWidths=[kit.WIDTH * 0.5, kit.WIDTH * 0.5],
        style=TableStyle(
            [
                kit.BASE,
                ("LEFTPADDING", (0, 0), (-1, -1), 0),
                ("RIGHTPADDING", (0, 0), (-1, -1), 0),
                ("TOPPADDING", (0, 0), (-1, -1), 0),
                ("BOTTOMPADDING", (0, 0), (-1, -1), 1),
                ("VALIGN", (0, 0), (-1, -1), "TOP"),
                ("SPAN", (0, 0), (0, 1)),
                ("LINEBELOW", (0, -1), (-1, -1), 1.1, kit.INK),
                ("BOTTOMPADDING", (0, -1), (-1, -1), 6),
            ]
        ),
    )


def _licensed(values: ActaValues) -> str:
    return _("Licence: %(licence)s") % {"licence": values.licence}


def session_facts(values: ActaValues, writing: Writing) -> list[Flowable]:
    """The session at a glance, then how its end was planned and its last game announced."""
    return [_grid(values, writing), *_endings(values, writing)]


def _grid(values: ActaValues, writing: Writing) -> TaggedTable:
    void = sum(game.voided is not None for game in values.games)
    told: list[tuple[str, str, str]] = [
        (_both("Session opened"), "a", writing.instant(values.opened_at)),
        (_both("Opened by"), "", values.opened_by),
        (_both("Games"), "", writing.whole(len(values.games))),
        (_both("Session closed"), "", writing.instant(values.closed_at)),
        (_both("Closed by"), "", values.closed_by),
        (_both("Void games"), "i", writing.whole(void)),
        (_both("Time zone"), "", labels.zones(values, writing)),
        (_both("Cards sold"), "d", writing.whole(cards_sold(values.games))),
        (_both("Collected"), "e", writing.money(sum(game.gross for game in values.games))),
    ]
    if values.terms:
        told += _terms(values.terms, writing)
    cells = [
        [
            kit.labelled(name, letter(values.article, mark) if mark else ""),
            kit.paragraph(text, kit.VALUE),
        ]
        for name, mark, text in told
    ]
    return TaggedTable(
        [[*cells[n : n + 3]] for n in range(0, len(cells), 3)],
        colWidths=[kit.WIDTH * share for share in COLUMNS],
        style=TableStyle(
            [
                kit.BASE,
                ("LEFTPADDING", (0, 0), (-1, -1), 0),
                ("TOPPADDING", (0, 0), (-1, -1), 2.5),
                ("BOTTOMPADDING", (0, 0), (-1, -1), 3.5),
                ("LINEBELOW", (0, 0), (-1, -1), 0.3, kit.RULE),
                ("LINEABOVE", (0, 0), (-1, 0), 0.3, kit.RULE),
                ("VALIGN", (0, 0), (-1, -1), "TOP"),
            ]
        ),
    )


def _terms(terms: TermsValues, writing: Writing) -> list[tuple[str, str, str]]:
    tax = percent(terms.tax_rate)
    if terms.tax_rate and terms.tax_threshold:
        above = {"rate": tax, "amount": writing.money(terms.tax_threshold)}
        tax = _("%(rate)s above %(amount)s") % above
    shares = _("Line %(line)s, bingo %(bingo)s") % {
        "line": percent(terms.line), "bingo": percent(terms.bingo),
    }  # fmt: skip
    return [
        (_both("Authorisation"), "", terms.authorisation),
        (_both("Prizes, of the sales"), "", shares),
        (_both("Tax on prizes"), "", tax if terms.tax_rate else NONE),
    ]


def _endings(values: ActaValues, writing: Writing) -> list[Flowable]:
    told = [_planned(one, writing) for one in values.endings]
    if values.last_game:
        told.append(_last(values.last_game, writing))
    elif values.template:
        told.append(_("The last game was not announced."))
    mark = rule(values.article, "R53")
    return [Spacer(0, 5), *(_line(one, mark) for one in told)] if told else []


def _planned(one: EndingValues, writing: Writing) -> str:
    said = _("End planned for %(end)s, set at %(hour)s by %(by)s.") % {
        "end": writing.instant(one.ends_at), "hour": writing.hour(one.at), "by": one.by,
    }  # fmt: skip
    if not one.reason:
        return said
    return f"{said} " + _("Reason: %(reason)s") % {"reason": one.reason}


def _last(one: LastGameValues, writing: Writing) -> str:
    said = {"game": one.game, "hour": writing.hour(one.at), "by": one.by}
    told = _("Last game, number %(game)s, announced at %(hour)s by %(by)s.") % said
    if one.ends_at is None:
        return told
    return f"{told} " + _("End planned by then: %(end)s.") % {"end": writing.instant(one.ends_at)}


def _line(text: str, mark: str) -> Flowable:
    return kit.labelled(text, mark, kit.SMALL)


def _right(text: str) -> Flowable:
    return kit.paragraph(text, kit.SMALL_RIGHT)


def staff_section(staff: Sequence[StaffValues], writing: Writing) -> list[Flowable]:
    """One row a person; by the journal, so that nobody is there who did nothing."""
    if not staff:
        return [kit.paragraph(_along("The journal names nobody."), kit.SMALL)]
    rows: list[list[object]] = [
        [_both("Name"), _both("What they did, and how often"), _both("From"), _both("Until")],
        *(
            [
                kit.paragraph(one.name, kit.CELL),
                kit.paragraph(_tasks(one.tasks, writing), kit.CELL),
                writing.hour(one.first),
                writing.hour(one.last),
            ]
            for one in staff
        ),
    ]
    hours = labels.hour_width(writing)
    return [kit.ledger(rows, [115, kit.WIDTH - 115 - 2 * hours, hours, hours], right=(2, 3))]


def _tasks(tasks: Sequence[TaskValues], writing: Writing) -> str:
    return " · ".join(
        task.task
        if task.times == 1
        else f"{task.task}\N{NO-BREAK SPACE}×\N{NO-BREAK SPACE}{writing.whole(task.times)}"
        for task in tasks
    )


def admission_section(values: ActaValues) -> list[Flowable]:
    """Return what the door counted; nothing where it counted nothing."""
    door = values.admission
    if door is None:
        return []
    rows: list[list[object]] = [
        [_both("The door"), _both("People")],
        [_("Came in"), door.admitted],
        [_("Went out"), door.left],
        [_("Most inside at once"), door.most],
        *([_refused(one), one.people] for one in door.refused),
    ]
    body = kit.ledger(rows, [kit.WIDTH - 80, 80], right=(1,))
    return labels.heading_part("admission", "BOE III", values.languages, body)


def _refused(one: SentAwayValues) -> str:
    return _("Sent away: %(reason)s") % {"reason": REASONS[one.reason]}


MOST = 320  # points of a summary that is not parted

Figure = tuple[str, Callable[[GameValues], int]]


def totals_summary(games: tuple[GameValues, ...], writing: Writing) -> list[Flowable]:
    """One row a game and the sums last, parted only where there are many; double cards count once."""
    table = _totals_table(games, writing)
    height = table.wrap(kit.WIDTH, kit.PAGE[1])[1]
    story: list[Flowable] = [CondPageBreak(min(height, MOST)), table]
    if any(game.half == 2 for game in games):
        told = _along("Double cards are counted once, with the first of their two games.")
        story += [Spacer(0, 3), kit.paragraph(told, kit.NOTE)]
    return story


def _totals_table(games: tuple[GameValues, ...], writing: Writing) -> TaggedTable:
    """A void game is named so beside its number."""
    figures = _figures(games)
    names = (_both("Ended"), _both("Cards"), *(name for name, _of in figures))
    rows: list[list[object]] = [
        [
            kit.labelled(_both("Game")),
            *(kit.labelled(name, style=kit.LABEL_RIGHT) for name in names),
        ]
    ]
    rows += [_totals_row(game, figures, writing) for game in games]
    rows.append(
        [
            _both("Total"),
            "",
            writing.whole(cards_sold(games)),
            *(writing.amount(sum(map(of, games))) for _name, of in figures),
        ]
    )
    fixed = [48, max(40, labels.hour_width(writing)), 36]
    widths = [*fixed, *[(kit.WIDTH - sum(fixed)) / len(figures)] * len(figures)]
    return kit.ledger(rows, widths, right=tuple(range(1, len(widths))), total=True, size=7.6)


def _figures(games: tuple[GameValues, ...]) -> list[Figure]:
    """Return the columns of money; additional prizes have one only where some game had any."""
    others: list[Figure] = [
        (_both("Others paid"), lambda game: sum(extra.paid for extra in game.extras))
    ]
    return [
        (_both("Collected"), lambda game: game.gross),
        (_both("Line paid"), lambda game: game.paid_line),
        (_both("Bingo paid"), lambda game: game.paid_bingo),
        *(others if any(game.extras for game in games) else []),
        (_both("Jackpot accrual"), lambda game: game.jackpot_accrual),
        (_both("Jackpot awarded"), lambda game: game.jackpot_awarded),
        (_both("Tax"), lambda game: game.tax_withheld),
        (_both("Refunded"), lambda game: game.refunded),
    ]


def _totals_row(game: GameValues, figures: list[Figure], writing: Writing) -> list[object]:
    name = str(game.number)
    if game.voided is not None:
        name = _("%(number)s void") % {"number": game.number}
    return [
        name,
        writing.hour(game.ended_at) if game.ended_at else NONE,
        NONE if game.half == 2 else writing.whole(game.cards_sold),
        *(writing.amount(of(game)) for _name, of in figures),
    ]


def tills_section(tills: tuple[TillValues, ...], writing: Writing) -> list[Flowable]:
    """The tills, then cash brought or taken and what explains a count, each if there is any."""
    story: list[Flowable] = [_tills_table(tills, writing)]
    moved = [(till, each) for till in tills for each in till.movements]
    if moved:
        story += kit.flowing(_movements(moved, writing), space=8)
    told = [till for till in tills if till.comment or till.unpaid or till.witness]
    if told:
        story += kit.flowing(_counts(told, writing), space=8)
    return story


def _movements(moved: Sequence[tuple[TillValues, CashValues]], writing: Writing) -> TaggedTable:
    rows: list[list[object]] = [
        [
            _both("At"),
            _both("Till"),
            _both("Cash brought or taken"),
            _both("By"),
            _both("Second person"),
            _both("Amount"),
        ],
        *(
            [
                writing.hour(each.at),
                kit.paragraph(till.name, kit.CELL),
                kit.paragraph(each.reason, kit.CELL),
                kit.paragraph(each.by, kit.CELL),
                kit.paragraph(each.witness or NONE, kit.CELL),
                writing.signed(each.amount),
            ]
            for till, each in moved
        ),
    ]
    hours = labels.hour_width(writing)
    widths = [hours, 60, kit.WIDTH - hours - 60 - 180 - 70, 90, 90, 70]
    return kit.ledger(rows, widths, right=(5,))


def _counts(tills: Sequence[TillValues], writing: Writing) -> TaggedTable:
    rows: list[list[object]] = [
        [
            _both("Counted at"),
            _both("Till"),
            _both("Said at the count"),
            _both("By"),
            _both("Second person"),
        ],
        *(
            [
                writing.hour(till.closed_at) if till.closed_at else NONE,
                kit.paragraph(till.name, kit.CELL),
                kit.paragraph(_said(till), kit.CELL),
                kit.paragraph(till.closed_by or NONE, kit.CELL),
                kit.paragraph(till.witness or NONE, kit.CELL),
            ]
            for till in tills
        ),
    ]
    hours = labels.hour_width(writing)
    return kit.ledger(rows, [hours, 60, kit.WIDTH - hours - 60 - 180, 90, 90])


def _said(till: TillValues) -> str:
    n = till.unpaid
    left = ngettext("%(n)s winning card unpaid", "%(n)s winning cards unpaid", n) % {"n": n}
    return " · ".join(filter(None, (till.comment, left if n else ""))) or NONE


def _tills_table(tills: tuple[TillValues, ...], writing: Writing) -> TaggedTable:
    """One row a till and the sums last; a difference is printed heavy and with its sign."""
    later = any(till.unclaimed_paid for till in tills)
    names = (
        _both("Float"),
        _both("Sales"),
        _both("Prizes"),
        _both("Refunds"),
        *([_both("Unclaimed money paid")] if later else []),
        _both("Moved"),
        _both("Expected"),
        _both("Counted"),
        _both("Difference"),
    )
    rows: list[list[object]] = [
        [
            kit.labelled(_both("Till")),
            kit.labelled(_both("Cashier")),
            *(kit.labelled(name, style=kit.LABEL_RIGHT) for name in names),
        ],
        *(_tills_row(till, writing, later=later) for till in tills),
    ]
    amounts = [_amounts(till, later=later) for till in tills]
    sums = [sum(column) for column in zip(*amounts, strict=True)] or [0] * 7
    difference = sum(till.difference for till in tills)
    rows.append(
        [
            _both("Total"),
            "",
            *(writing.amount(amount) for amount in sums),
            writing.signed(difference),
        ]
    )
    leading = (36, 58) if later else (46, 82)
    figure = (kit.WIDTH - sum(leading)) / len(names)
    made = kit.ledger(
        rows,
        [*leading, *[figure] * len(names)],
        right=tuple(range(2, 2 + len(names))),
        total=True,
        size=7.6,
    )
    made.setStyle(
        TableStyle(
            [
                ("FONT", (-1, row), (-1, row), kit.BOLD, 7.6, 9.8)
                for row, till in enumerate(tills, start=1)
                if till.difference
            ]
        )
    )
    return made


def _tills_row(till: TillValues, writing: Writing, *, later: bool) -> list[object]:
    return [
        kit.paragraph(till.name, kit.CELL),
        kit.paragraph(till.cashier, kit.CELL),
        *(writing.amount(amount) for amount in _amounts(till, later=later)),
        writing.signed(till.difference),
    ]


def _amounts(till: TillValues, *, later: bool) -> tuple[int, ...]:
    return (
        till.opening_float,
        till.sales,
        till.prizes,
        till.refunds,
        *((till.unclaimed_paid,) if later else ()),
        till.moved,
        till.expected,
        till.counted,
    )
