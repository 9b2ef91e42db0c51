"""One game's section of the acta: what was sold, drawn, won, paid and refused (R59, R61 b to i).

It includes how prizes were divided, and the figure that was its bingo (R7, R73).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime

from django.utils.formats import number_format
from django.utils.translation import get_language, ngettext
from django.utils.translation import gettext as _
from reportlab.platypus import CondPageBreak, Flowable, Spacer

from bingo.money_and_dates import Whole, Writing, per_cent
from bingo.pdf import kit
from bingo.pdf.pages import Running
from bingo.pdf.tagging import TaggedFigure, TaggedTable
from draws import trade_words
from draws.authorisations import labels as authorisations_labels
from draws.prizes import labels as prizes_labels
from draws.record.acta import draw_section, labels, sale_section
from draws.record.acta.draw_section import Balls, randomness
from draws.record.acta.labels import NONE, along, both, letter
from draws.record.acta.session_values import TermsValues
from draws.record.acta.tables import ALL, Column, figures, hours, indented, inset, unruled
from draws.record.acta.values import (
    ActaValues,
    BallSource,
    FigureValues,
    GameValues,
    ShareValues,
    VoidingValues,
    WinnerValues,
)

CELL, SIDE = 5.4, 5


class FigureDrawing(Flowable):  # type: ignore[misc]  # ReportLab carries no types
    """A figure of the card of 75 in little: what must be covered is black."""

    def __init__(self, rows: tuple[str, ...]) -> None:
        super().__init__()
        self.rows = rows
        self.width = self.height = CELL * SIDE

    def draw(self) -> None:
        """Set it where the page has come to."""
        canvas = self.canv
        canvas.setStrokeColor(kit.INK)
        canvas.setFillColor(kit.INK)
        canvas.setLineWidth(0.35)
        for row, signs in enumerate(self.rows):
            for column, sign in enumerate(signs):
                x, y = column * CELL, self.height - (row + 1) * CELL
                canvas.rect(x, y, CELL, CELL, fill=int(sign == "X"))


def prizes_section(game: GameValues, terms: TermsValues | None, writing: Writing) -> list[Flowable]:
    """Only what is not so in every game: a figure, additional prizes, other shares, levels."""
    story: list[Flowable] = []
    if game.figure:
        story += [Spacer(0, 4), _figure(game.figure)]
    if _own(game, terms):
        story += [Spacer(0, 3), indented(_divided(game), kit.SMALL)]
    if len(game.counts) > 1 and any(one.prize == "line" for one in game.shares):
        story += [Spacer(0, 3), indented(counted_lines(game.counts), kit.SMALL)]
    if game.levels:
        story += [Spacer(0, 3), indented(_levels(game, writing), kit.SMALL)]
    return story


def _figure(figure: FigureValues) -> TaggedTable:
    told = _("Played for the figure %(name)s") % {"name": figure.name or _("without a name")}
    return TaggedTable(
        [[TaggedFigure(FigureDrawing(figure.rows), told), kit.paragraph(told, kit.SMALL)]],
        colWidths=[CELL * SIDE + 14, kit.WIDTH - CELL * SIDE - 14],
        style=unruled(("VALIGN", *ALL, "MIDDLE"), top=0, bottom=0),
    )


def _own(game: GameValues, terms: TermsValues | None) -> bool:
    plain = {one.prize: one.share for one in game.shares if one.prize in ("line", "bingo")}
    usual = {"line": terms.line, "bingo": terms.bingo} if terms else plain
    return bool(game.extras) or bool(game.figure) or plain != usual or len(game.shares) > len(plain)


def _divided(game: GameValues) -> str:
    return _("Of the sales: %(shares)s") % {"shares": ", ".join(map(_share, game.shares))}


def line_in_short(game: GameValues) -> str:
    """Say what counted as a line where it was one kind; what was several has a line of its own."""
    if len(game.counts) != 1 or not any(one.prize == "line" for one in game.shares):
        return ""
    return _("line: %(lines)s") % {"lines": _named(game.counts)}


def counted_lines(counts: Sequence[str]) -> str:
    """Say what counted as a line in a game (R67, R75, R84)."""
    return _("Counted as a line: %(lines)s") % {"lines": _named(counts)}


def _named(counts: Sequence[str]) -> str:
    return ", ".join(str(authorisations_labels.LINES[name]).lower() for name in counts)


def _share(one: ShareValues) -> str:
    said = f"{one.name} {percent(one.share)}"
    if not one.limit:
        return said
    within = _("within %(balls)s balls") % {"balls": one.limit}
    return f"{said} ({within})"


def percent(points: int) -> str:
    """Write basis points as per cent."""
    figure = number_format(points / 100, 0 if points % 100 == 0 else 2)
    return per_cent(figure, get_language() or "pt")


def _levels(game: GameValues, writing: Writing) -> str:
    return _("Jackpot, accrued / awarded: %(levels)s") % {
        "levels": " · ".join(
            f"{one.name} {writing.amount(one.accrued)} / {writing.amount(one.awarded)}"
            for one in game.levels
        )
    }


ACROSS = 7  # figures in a row
MANY_ISSUES = 8  # beyond, the table must be able to break, and the names go under it
LEAST = 300  # points at a page's end that the head of a game may ask for


def game_section(game: GameValues, values: ActaValues, writing: Writing) -> list[Flowable]:
    """The game as flowables: its head stays together, what follows breaks between rows.

    A sheet on which it goes on names it at its head.
    """
    article = values.article
    named = _("Game %(number)s") % {"number": game.number}
    head: list[Flowable] = [_title(game), *_void(game, article, writing)]
    head += [*sale_section.halves(game), Spacer(0, 3), _figures(game, article, writing)]
    return [
        CondPageBreak(min(_height(head), LEAST)),
        Running(named),
        *head,
        Spacer(0, 4),
        _sold(game, article, writing),
        *(_staff(game) if len(game.issues) > MANY_ISSUES else []),
        *prizes_section(game, values.terms, writing),
        *sale_section.details(game, article, writing),
        *_extraction(game, writing),
        *randomness(game),
        *draw_section.draw_table(game, writing),
        *_winners(game, article, writing),
        *_carried(game, writing),
        *_rejected(game, writing),
        Running(""),
    ]


def _height(flowables: list[Flowable]) -> float:
    return sum(
        float(each.getSpaceBefore() + each.wrap(kit.WIDTH, kit.PAGE[1])[1]) for each in flowables
    )


def _title(game: GameValues) -> TaggedTable:
    name = _("Game %(number)s") % {"number": game.number}
    variant = _("Bingo %(format)s") % {"format": game.format}
    if line := line_in_short(game):
        variant = f"{variant} · {line}"
    if beside := labels.in_other_languages(labels.GAME, number=game.number):
        variant = f"{beside} · {variant}"
    check = _("Check %(check)s") % {"check": game.check}
    void = along("VOID") if game.voided is not None else ""
    title = TaggedTable(
        [[name, variant, void, check]],
        colWidths=[110, 190, kit.WIDTH - 400, 100],
        rowHeights=[18],
        spaceBefore=11,
        style=unruled(
            ("BACKGROUND", *ALL, kit.WASH),
            ("LINEABOVE", *ALL, 1.1, kit.INK),
            ("FONT", (0, 0), (0, 0), kit.BOLD, 11, 13),
            ("FONT", (1, 0), (1, 0), kit.REGULAR, 9, 11),
            ("FONT", (2, 0), (2, 0), kit.BOLD, 10, 12),
            ("FONT", (3, 0), (3, 0), kit.SEMIBOLD, 9, 11),
            ("TEXTCOLOR", *ALL, kit.INK),
            ("ALIGN", (2, 0), (2, 0), "CENTER"),
            ("ALIGN", (3, 0), (3, 0), "RIGHT"),
            ("VALIGN", *ALL, "MIDDLE"),
        ),
    )
    title.roles = {(0, 0): "H3"}
    return title


def _void(game: GameValues, article: str, writing: Writing) -> list[Flowable]:
    if game.voided is None:
        return []
    label = kit.labelled(both("Reason of the voiding"), letter(article, "i"))
    rows = [[label], [kit.paragraph(game.voided, kit.TEXT)]]
    if game.voiding:
        rows.append([kit.paragraph(_voiding(game.voiding, writing), kit.SMALL)])
    style = unruled(("LINEBEFORE", (0, 0), (0, -1), 2.4, kit.INK), left=7, top=1, bottom=1)
    return [TaggedTable(rows, colWidths=[kit.WIDTH], style=style, spaceBefore=4, splitInRow=1)]


def _voiding(voiding: VoidingValues, writing: Writing) -> str:
    """Say of what cause a game was voided, by whom and when."""
    told = [str(trade_words.CAUSES.get(voiding.cause, voiding.cause))]
    if voiding.held is not None:
        minutes, seconds = divmod(voiding.held, 60)
        told.append(_("held for %(time)s") % {"time": f"{minutes}:{seconds:02}"})
    said = {"hour": writing.hour(voiding.at), "by": voiding.by}
    told.append(_("voided at %(hour)s by %(by)s") % said)
    if voiding.witness:
        told.append(_("before %(witness)s") % {"witness": voiding.witness})
    return " · ".join(told)


def _extras(game: GameValues, writing: Writing) -> tuple[tuple[str, str, str], ...]:
    """Return what additional prizes were set to and paid, as the other figures, none without any."""
    told = [
        fact
        for extra in game.extras
        for fact in (
            (extra.name, "", writing.amount(extra.amount)),
            (both("Paid: %(prize)s", prize=extra.name), "f", writing.amount(extra.paid)),
        )
    ]
    return (*told, *[("", "", "")] * (ACROSS - len(told))) if told else ()


def _figures(game: GameValues, article: str, writing: Writing) -> TaggedTable:
    money = writing.amount
    began, ended = _hour(game.started_at, writing), _hour(game.ended_at, writing)
    first = (
        (both("Began"), "", began),
        (both("Card price"), "c", _price(game, writing)),
        (both("Collected"), "e", money(game.gross)),
        (both("Line prize"), "", money(game.line)),
        (both("Paid for line"), "f", money(game.paid_line)),
        _accrual(game, writing),
        (both("Tax on sales"), "g", money(game.sales_tax))
        if game.sales_tax
        else (both("Tax withheld"), "g", money(game.tax_withheld)),
    )
    second = (
        (both("Ended"), "h", ended),
        (*_sold_or_played(game), writing.whole(game.cards_sold)),
        (both("Prize fund"), "", money(game.fund)),
        (both("Bingo prize"), "", money(game.bingo)),
        (both("Paid for bingo"), "f", money(game.paid_bingo)),
        (both("Jackpot awarded"), "", money(game.jackpot_awarded)),
        (both("Refunded"), "", money(game.refunded)),
    )
    rows: list[list[object]] = []
    for facts in (first, second, _extras(game, writing)):
        if facts:
            rows.append(
                [
                    kit.labelled(name, letter(article, mark)) if name else ""
                    for name, mark, _value in facts
                ]
            )
            rows.append([value for _name, _mark, value in facts])
    figures = TaggedTable(
        rows,
        colWidths=[kit.WIDTH / ACROSS] * ACROSS,
        style=unruled(
            *(("FONT", (0, n), (-1, n), kit.SEMIBOLD, 9.5, 11) for n in range(1, len(rows), 2)),
            ("TEXTCOLOR", *ALL, kit.INK),
            ("BOTTOMPADDING", (0, 1), (-1, 1), 5),
            ("VALIGN", *ALL, "BOTTOM"),
            ("LINEBEFORE", (1, 0), (-1, -1), 0.3, kit.RULE),
            right=0,
            top=0,
            bottom=0.5,
        ),
    )
    figures.titled = range(0, len(rows), 2)
    return figures


def _hour(at: datetime | None, writing: Writing) -> str:
    """Write an hour among the figures: with its date over it where it has an offset too."""
    if at is None:
        return NONE
    day, offset = writing.beside_hour(at)
    return f"{day}\n{at:%H:%M:%S} {offset}" if day and offset else writing.hour(at)


def _accrual(game: GameValues, writing: Writing) -> tuple[str, str, str]:
    """Return what the game added to the jackpot; of a void one, what its voiding took back."""
    if game.jackpot_reversed:
        return (both("Jackpot accrual taken back"), "", writing.signed(-game.jackpot_reversed))
    return (both("Jackpot accrual"), "", writing.amount(game.jackpot_accrual))


def _sold_or_played(game: GameValues) -> tuple[str, str]:
    """Return label and letter: what plays in the second game of double cards was sold in the first."""
    return (both("Cards in play"), "") if game.half == 2 else (both("Cards sold"), "d")


def _price(game: GameValues, writing: Writing) -> str:
    """Write the price; where there are several, the list of issues has them."""
    faces = {game.face_value if issue.face is None else issue.face for issue in game.issues}
    return _("several") if len(faces) > 1 else writing.amount(game.face_value)


def _sold(game: GameValues, article: str, writing: Writing) -> Flowable:
    width = kit.WIDTH * 0.64
    issues = sale_section.issues(game, article, width, writing)
    if len(game.issues) > MANY_ISSUES:
        return issues
    return TaggedTable(
        [[issues, _staff(game)]],
        colWidths=[width + 12, kit.WIDTH - width - 12],
        style=unruled(
            ("VALIGN", *ALL, "TOP"),
            ("LEFTPADDING", (0, 0), (0, 0), 4),
            right=0,
            top=0,
            bottom=0,
        ),
    )


def _staff(game: GameValues) -> list[Flowable]:
    return [
        kit.labelled(both("Caller")),
        kit.paragraph(game.caller or NONE, kit.SMALL),
        kit.labelled(both("Table chief")),
        kit.paragraph(game.table_chief or NONE, kit.SMALL),
    ]


def _extraction(game: GameValues, writing: Writing) -> list[Flowable]:
    if not game.balls:
        return [Spacer(0, 4), indented(along("No ball was extracted."))]
    caption = [
        ngettext(
            "%(count)s ball in the order of extraction, from %(first)s to %(last)s",
            "%(count)s balls in the order of extraction, from %(first)s to %(last)s",
            len(game.balls),
        )
        % {
            "count": Whole(len(game.balls)),
            "first": writing.hour(game.balls[0].at),
            "last": writing.hour(game.balls[-1].at),
        }
    ]
    if game.ball_set:
        caption.append(_("ball set %(ball_set)s") % {"ball_set": game.ball_set})
    by_source = Counter(ball.source for ball in game.balls)
    named: tuple[tuple[BallSource, str], ...] = (
        ("rng", _("drawn by the RNG: %(count)s")),
        ("camera", _("read by the camera: %(count)s")),
        ("hand", _("in a square, entered by hand: %(count)s")),
    )
    caption += [said % {"count": by_source[of]} for of, said in named if by_source[of]]
    balls = Balls(game.balls, writing)
    return [
        # The caption is never parted from the first row.
        CondPageBreak(balls.row_height + 20),
        Spacer(0, 5),
        indented(" · ".join(caption)),
        Spacer(0, 2),
        balls,
    ]


def _winners(game: GameValues, article: str, writing: Writing) -> list[Flowable]:
    won = game.winners
    if not won:
        return [Spacer(0, 4), indented(along("No prize was awarded."))]
    combination = kit.labelled(both("Winning combination"), letter(article, "f"))
    names = [str(trade_words.COMBINATIONS[one.combination]) for one in won]
    left = [writing.amount(one.amount - one.tax - one.left_over) for one in won]
    # Only where coins leave something are prize, tax and what was handed over three numbers.
    coined = any(one.left_over for one in won)
    # Beside hours with their date three numbers leave too little for the words.
    tight = coined and kit.hour_width(writing) > kit.HOUR
    card, prize, other = (34, 60, 60) if tight else (50, 75, 70)
    return kit.flowing(
        inset(
            Column(combination, names, 0.6 if tight else 130, text=tight),
            Column(both("Series"), [one.issue for one in won], 0.4 if tight else 1, text=tight),
            figures(both("Card"), [one.card for one in won], card),
            figures(both("Prize"), [writing.amount(one.amount) for one in won], prize),
            figures(both("Tax withheld"), [writing.amount(one.tax) for one in won], other),
            *([figures(both("Handed over"), left, other)] if coined else []),
            figures(
                both("Paid at"),
                [_paid(one, writing) for one in won],
                37 + kit.hour_width(writing),
            ),
        )
    )


def _paid(won: WinnerValues, writing: Writing) -> str:
    paid = writing.hour(won.paid_at) if won.paid_at else both("Set aside")
    if not won.paid_in:
        return paid
    return _("%(hour)s, game %(number)s") % {"hour": paid, "number": won.paid_in}


def _carried(game: GameValues, writing: Writing) -> list[Flowable]:
    """Say what the smallest coin left over and where it went, in one line (R6)."""
    told = prizes_labels.describe_carry(game.carried, writing.amount) if game.carried else []
    return [Spacer(0, 4), indented(" · ".join(told))] if told else []


def _rejected(game: GameValues, writing: Writing) -> list[Flowable]:
    if not game.rejected:
        return []
    names = [str(trade_words.COMBINATIONS[claim.combination]) for claim in game.rejected]
    issues = [claim.issue for claim in game.rejected]
    at = hours(writing, [claim.at for claim in game.rejected], least=65)
    table = inset(
        Column(both("Claim not accepted"), names, 130, text=False),
        *([Column(both("Series"), issues, 90)] if any(issues) else []),
        figures(both("Card"), [claim.card for claim in game.rejected], 55),
        Column(both("Reason"), [claim.reason for claim in game.rejected], indent=14),
        replace(at, right=True),
    )
    return kit.flowing(table)
