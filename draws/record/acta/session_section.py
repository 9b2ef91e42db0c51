"""The session in the acta: masthead, times, staff, door, games one a row, cash (R53, R61 a).

Staff are listed with hours and tasks; the door says how many came in, and how many were sent away
and why (BOE III). Each till's cash runs from its float to its count.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from reportlab.lib.styles import ParagraphStyle
from reportlab.platypus import CondPageBreak, Flowable, Spacer

from bingo.money_and_dates import Whole, Writing
from bingo.pdf import kit
from bingo.pdf.tagging import TaggedTable
from draws.record.acta import labels, session_values
from draws.record.acta.game_section import percent
from draws.record.acta.labels import NONE, along, both, letter, rule
from draws.record.acta.tables import Column, figures, hours, ledger, right_label, summed, unruled
from draws.record.acta.values import ActaValues, CashValues, GameValues, TillValues, cards_sold
from halls.admission.queries import REASONS

COLUMNS = (0.4, 0.35, 0.25)
HALL = ParagraphStyle("hall", kit.VALUE, fontName=kit.BOLD, fontSize=13, leading=16)


def masthead(values: ActaValues, writing: Writing) -> list[Flowable]:
    """The hall with its licence and law, then the title."""
    number = {"number": values.session}
    title = [kit.paragraph(str(labels.TITLE) % number, kit.TITLE), Spacer(0, 3)]
    if beside := labels.in_other_languages(labels.TITLE, **number):
        title += [kit.paragraph(beside, kit.SMALL), Spacer(0, 2)]
    return [_hall(values), Spacer(0, 14), *title, kit.paragraph(writing.day(values.opened_at))]


def _hall(values: ActaValues) -> TaggedTable:
    licence = _("Licence: %(licence)s") % {"licence": values.licence}
    return TaggedTable(
        [
            [kit.paragraph(values.hall, HALL), kit.paragraph(licence, kit.SMALL_RIGHT)],
            ["", kit.paragraph(values.rulebook, kit.SMALL_RIGHT)],
        ],
        colWidths=[kit.WIDTH * 0.5, kit.WIDTH * 0.5],
        style=unruled(
            ("VALIGN", (0, 0), (-1, -1), "TOP"),
            ("SPAN", (0, 0), (0, 1)),
            ("LINEBELOW", (0, -1), (-1, -1), 1.1, kit.INK),
            ("BOTTOMPADDING", (0, -1), (-1, -1), 6),
            left=0,
            right=0,
            top=0,
            bottom=1,
        ),
    )


def session_facts(values: ActaValues, writing: Writing) -> list[Flowable]:
    """The session at a glance, then how its end was planned and its last game announced."""
    return [_grid(values, writing), *_endings(values, writing)]


def _grid(values: ActaValues, writing: Writing) -> TaggedTable:
    void = sum(game.voided is not None for game in values.games)
    told: list[tuple[str, str, str]] = [
        (both("Session opened"), "a", writing.instant(values.opened_at)),
        (both("Opened by"), "", values.opened_by),
        (both("Games"), "", writing.whole(len(values.games))),
        (both("Session closed"), "", writing.instant(values.closed_at)),
        (both("Closed by"), "", values.closed_by),
        (both("Void games"), "i", writing.whole(void)),
        (both("Time zone"), "", labels.zones(values, writing)),
        (both("Cards sold"), "d", writing.whole(cards_sold(values.games))),
        (both("Collected"), "e", writing.money(sum(game.gross for game in values.games))),
    ]
    if values.terms:
        told += _terms(values.terms, writing)
    cells = [
        [kit.labelled(name, letter(values.article, mark)), kit.paragraph(text, kit.VALUE)]
        for name, mark, text in told
    ]
    return TaggedTable(
        [[*cells[n : n + 3]] for n in range(0, len(cells), 3)],
        colWidths=[kit.WIDTH * share for share in COLUMNS],
        style=unruled(
            ("LINEBELOW", (0, 0), (-1, -1), 0.3, kit.RULE),
            ("LINEABOVE", (0, 0), (-1, 0), 0.3, kit.RULE),
            ("VALIGN", (0, 0), (-1, -1), "TOP"),
            left=0,
            top=2.5,
            bottom=3.5,
        ),
    )


def _terms(terms: session_values.TermsValues, writing: Writing) -> list[tuple[str, str, str]]:
    tax = percent(terms.tax_rate)
    if terms.tax_rate and terms.tax_threshold:
        above = {"rate": tax, "amount": writing.money(terms.tax_threshold)}
        tax = _("%(rate)s above %(amount)s") % above
    shares = _("Line %(line)s, bingo %(bingo)s") % {
        "line": percent(terms.line), "bingo": percent(terms.bingo),
    }  # fmt: skip
    return [
        (both("Authorisation"), "", terms.authorisation),
        (both("Prizes, of the sales"), "", shares),
        (
            both("Tax on sales") if terms.tax_on_sales else both("Tax on prizes"),
            "",
            tax if terms.tax_rate else NONE,
        ),
    ]


def _endings(values: ActaValues, writing: Writing) -> list[Flowable]:
    told = [_planned(one, writing) for one in values.endings]
    if values.last_game:
        told.append(_last(values.last_game, writing))
    elif values.template:
        told.append(along("The last game was not announced."))
    mark = rule(values.article, "R53")
    lines = [kit.labelled(one, mark, kit.SMALL) for one in told]
    return [Spacer(0, 5), *lines] if lines else []


def _planned(one: session_values.EndingValues, writing: Writing) -> str:
    said = _("End planned for %(end)s, set at %(hour)s by %(by)s.") % {
        "end": writing.instant(one.ends_at), "hour": writing.hour(one.at), "by": one.by,
    }  # fmt: skip
    if not one.reason:
        return said
    return f"{said} " + _("Reason: %(reason)s") % {"reason": one.reason}


def _last(one: session_values.LastGameValues, writing: Writing) -> str:
    said = {"game": one.game, "hour": writing.hour(one.at), "by": one.by}
    told = _("Last game, number %(game)s, announced at %(hour)s by %(by)s.") % said
    if one.ends_at is None:
        return told
    return f"{told} " + _("End planned by then: %(end)s.") % {"end": writing.instant(one.ends_at)}


def staff_section(staff: Sequence[session_values.StaffValues], writing: Writing) -> list[Flowable]:
    """One row a person; by the journal, so that nobody is there who did nothing."""
    if not staff:
        return [kit.paragraph(along("The journal names nobody."), kit.SMALL)]
    width = kit.hour_width(writing)
    table = ledger(
        Column(both("Name"), [one.name for one in staff], 115),
        Column(both("What they did, and how often"), [_tasks(one.tasks, writing) for one in staff]),
        figures(both("From"), [writing.hour(one.first) for one in staff], width),
        figures(both("Until"), [writing.hour(one.last) for one in staff], width),
    )
    return [table]


def _tasks(tasks: Sequence[session_values.TaskValues], writing: Writing) -> str:
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
    counted = [
        (both("Came in"), door.admitted),
        (both("Went out"), door.left),
        (both("Most inside at once"), door.most),
        *(
            (both("Sent away: %(reason)s", reason=REASONS[one.reason]), one.people)
            for one in door.refused
        ),
    ]
    body = ledger(
        Column(both("The door"), [what for what, _people in counted], text=False),
        figures(both("People"), [people for _what, people in counted], 80),
    )
    return labels.heading_part("admission", "", body)


MOST = 320  # points of a summary that is not parted

Figure = tuple[str, Callable[[GameValues], int]]


def totals_summary(games: tuple[GameValues, ...], writing: Writing) -> list[Flowable]:
    """One row a game and the sums last, parted only where there are many; double cards count once."""
    table = _totals_table(games, writing)
    height = table.wrap(kit.WIDTH, kit.PAGE[1])[1]
    story: list[Flowable] = [CondPageBreak(min(height, MOST)), table]
    if any(game.half == 2 for game in games):
        told = along("Double cards are counted once, with the first of their two games.")
        story += [Spacer(0, 3), kit.paragraph(told, kit.NOTE)]
    return story


def _totals_table(games: tuple[GameValues, ...], writing: Writing) -> TaggedTable:
    """A void game is named so beside its number."""
    ended = [writing.hour(game.ended_at) if game.ended_at else NONE for game in games]
    cards = [NONE if game.half == 2 else writing.whole(game.cards_sold) for game in games]
    sums = [(name, list(map(of, games))) for name, of in _figures(games)]
    return ledger(
        Column(kit.labelled(both("Game")), [*map(_number, games), both("Total")], 48, text=False),
        figures(right_label(both("Ended")), [*ended, ""], max(40, kit.hour_width(writing))),
        figures(right_label(both("Cards")), [*cards, writing.whole(cards_sold(games))], 36),
        *(summed(name, amounts, writing, share=1 / len(sums)) for name, amounts in sums),
        total=True,
        size=7.6,
    )


def _number(game: GameValues) -> str:
    number = {"number": game.number}
    return str(game.number) if game.voided is None else _("%(number)s void") % number


def _figures(games: tuple[GameValues, ...]) -> list[Figure]:
    """Return the columns of money; additional prizes have one only where some game had any."""
    others: list[Figure] = [
        (both("Others paid"), lambda game: sum(extra.paid for extra in game.extras))
    ]
    return [
        (both("Collected"), lambda game: game.gross),
        (both("Line paid"), lambda game: game.paid_line),
        (both("Bingo paid"), lambda game: game.paid_bingo),
        *(others if any(game.extras for game in games) else []),
        (both("Jackpot accrual"), lambda game: game.jackpot_accrual),
        (both("Jackpot awarded"), lambda game: game.jackpot_awarded),
        (both("Tax"), lambda game: game.tax_withheld + game.sales_tax),
        (both("Refunded"), lambda game: game.refunded),
    ]


def tills_section(tills: tuple[TillValues, ...], writing: Writing) -> list[Flowable]:
    """The tills, then cash brought or taken and what explains a count, each if there is any."""
    moved = [(till, each) for till in tills for each in till.movements]
    told = [till for till in tills if till.comment or till.unpaid or till.witness]
    return [
        _tills_table(tills, writing),
        *(kit.flowing(_movements(moved, writing), space=8) if moved else []),
        *(kit.flowing(_counts(told, writing), space=8) if told else []),
    ]


def _movements(moved: Sequence[tuple[TillValues, CashValues]], writing: Writing) -> TaggedTable:
    return ledger(
        hours(writing, [each.at for _till, each in moved]),
        Column(both("Till"), [till.name for till, _each in moved], 60),
        Column(both("Cash brought or taken"), [each.reason for _till, each in moved]),
        Column(both("By"), [each.by for _till, each in moved], 90),
        Column(both("Second person"), [each.witness or NONE for _till, each in moved], 90),
        figures(both("Amount"), [writing.signed(each.amount) for _till, each in moved], 70),
    )


def _counts(tills: Sequence[TillValues], writing: Writing) -> TaggedTable:
    counted = [writing.hour(till.closed_at) if till.closed_at else NONE for till in tills]
    return ledger(
        Column(both("Counted at"), counted, kit.hour_width(writing), text=False),
        Column(both("Till"), [till.name for till in tills], 60),
        Column(both("Said at the count"), list(map(_said, tills))),
        Column(both("By"), [till.closed_by or NONE for till in tills], 90),
        Column(both("Second person"), [till.witness or NONE for till in tills], 90),
    )


def _said(till: TillValues) -> str:
    n = till.unpaid
    left = ngettext("%(n)s winning card unpaid", "%(n)s winning cards unpaid", n) % {"n": Whole(n)}
    return " · ".join(filter(None, (till.comment, left if n else ""))) or NONE


def _tills_table(tills: tuple[TillValues, ...], writing: Writing) -> TaggedTable:
    """One row a till and the sums last; a difference is printed heavy and with its sign."""
    later = [till.unclaimed_paid for till in tills]
    sums = [
        (both("Float"), [till.opening_float for till in tills]),
        (both("Sales"), [till.sales for till in tills]),
        (both("Prizes"), [till.prizes for till in tills]),
        (both("Refunds"), [till.refunds for till in tills]),
        *([(both("Unclaimed money paid"), later)] if any(later) else []),
        (both("Moved"), [till.moved for till in tills]),
        (both("Expected"), [till.expected for till in tills]),
        (both("Counted"), [till.counted for till in tills]),
    ]
    share = 1 / (len(sums) + 1)
    differences = [till.difference for till in tills]
    signed = [writing.signed(amount) for amount in (*differences, sum(differences))]
    names = [*(kit.paragraph(till.name, kit.CELL) for till in tills), both("Total")]
    cashiers = [*(kit.paragraph(till.cashier, kit.CELL) for till in tills), ""]
    table = ledger(
        Column(kit.labelled(both("Till")), names, 36 if any(later) else 46, text=False),
        Column(kit.labelled(both("Cashier")), cashiers, 58 if any(later) else 82, text=False),
        *(summed(name, amounts, writing, share=share) for name, amounts in sums),
        figures(right_label(both("Difference")), signed, share),
        total=True,
        size=7.6,
    )
    table.setStyle(
        [
            ("FONT", (-1, row), (-1, row), kit.BOLD, 7.6, 9.8)
            for row, difference in enumerate(differences, start=1)
            if difference
        ]
    )
    return table
