"""One game's section of the acta: what was sold, drawn, won, paid and refused (R59, R61 b to i)."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from django.utils.translation import gettext as _
from reportlab.platypus import CondPageBreak, Flowable, Spacer, TableStyle

from bingo.pdf import kit
from bingo.pdf.pages import Running
from bingo.pdf.tagging import Table
from bingo.writing import Writing
from draws.documents import (
    acta_draw,
    acta_headings,
    acta_hours,
    acta_prizes,
    acta_sale,
    carried_words,
    words,
)
from draws.documents.acta_balls import Balls
from draws.documents.acta_randomness import randomness
from draws.documents.acta_sale import indented, inset
from draws.documents.acta_values import ActaValues, GameValues, VoidingValues
from draws.documents.acta_words import NONE, letter
from draws.documents.beside import along as _along
from draws.documents.beside import both as _both

ACROSS = 7  # figures in a row
MANY_ISSUES = 8  # beyond, the table must be able to break, and the names go under it
LEAST = 300  # points at a page's end that the head of a game may ask for


def section(game: GameValues, values: ActaValues, writing: Writing) -> list[Flowable]:
    """The game as flowables: its head stays together, what follows breaks between rows.

    A sheet on which it goes on names it at its head.
    """
    article = values.article
    named = _("Game %(number)s") % {"number": game.number}
    head: list[Flowable] = [_title(game, values.languages), *_void(game, article, writing)]
    head += [*acta_sale.halves(game), Spacer(0, 3), _figures(game, article, writing)]
    return [
        CondPageBreak(min(_height(head), LEAST)),
        Running(named),
        *head,
        Spacer(0, 4),
        _sold(game, article, writing),
        *(_staff(game) if len(game.issues) > MANY_ISSUES else []),
        *acta_prizes.section(game, values.terms, writing),
        *acta_sale.details(game, article, writing),
        *_extraction(game, writing),
        *randomness(game),
        *acta_draw.draw(game, writing),
        *_winners(game, article, writing),
        *_carried(game, writing),
        *_rejected(game, writing),
        Running(""),
    ]


def _height(flowables: list[Flowable]) -> float:
    return sum(
        float(each.getSpaceBefore() + each.wrap(kit.WIDTH, kit.PAGE[1])[1]) for each in flowables
    )


def _title(game: GameValues, languages: Sequence[str]) -> Table:
    name = _("Game %(number)s") % {"number": game.number}
    variant = _("Bingo %(format)s") % {"format": game.format}
    if line := acta_prizes.line_in_short(game):
        variant = f"{variant} · {line}"
    if beside := acta_headings.beside(acta_headings.GAME, languages, number=game.number):
        variant = f"{beside} · {variant}"
    check = _("Check %(check)s") % {"check": game.check}
    void = _along("VOID") if game.voided is not None else ""
    title = Table(
        [[name, variant, void, check]],
        colWidths=[110, 190, kit.WIDTH - 400, 100],
        rowHeights=[18],
        spaceBefore=11,
        style=TableStyle(
            [
                kit.BASE,
                ("BACKGROUND", (0, 0), (-1, -1), kit.WASH),
                ("LINEABOVE", (0, 0), (-1, -1), 1.1, kit.INK),
                ("FONT", (0, 0), (0, 0), kit.BOLD, 11, 13),
                ("FONT", (1, 0), (1, 0), kit.REGULAR, 9, 11),
                ("FONT", (2, 0), (2, 0), kit.BOLD, 10, 12),
                ("FONT", (3, 0), (3, 0), kit.SEMIBOLD, 9, 11),
                ("TEXTCOLOR", (0, 0), (-1, -1), kit.INK),
                ("ALIGN", (2, 0), (2, 0), "CENTER"),
                ("ALIGN", (3, 0), (3, 0), "RIGHT"),
                ("VALIGN", (0, 0), (-1, -1), "MIDDLE"),
                ("LEFTPADDING", (0, 0), (-1, -1), 6),
                ("RIGHTPADDING", (0, 0), (-1, -1), 6),
            ]
        ),
    )
    title.roles = {(0, 0): "H3"}
    return title


def _void(game: GameValues, article: str, writing: Writing) -> list[Flowable]:
    if game.voided is None:
        return []
    label = kit.labelled(_both("Reason of the voiding"), letter(article, "i"))
    rows = [[label], [kit.paragraph(game.voided, kit.TEXT)]]
    if game.voiding:
        rows.append([kit.paragraph(_voiding(game.voiding, writing), kit.SMALL)])
    return [
        Table(
            rows,
            colWidths=[kit.WIDTH],
            style=TableStyle(
                [
                    kit.BASE,
                    ("LINEBEFORE", (0, 0), (0, -1), 2.4, kit.INK),
                    ("LEFTPADDING", (0, 0), (-1, -1), 7),
                    ("TOPPADDING", (0, 0), (-1, -1), 1),
                    ("BOTTOMPADDING", (0, 0), (-1, -1), 1),
                ]
            ),
            spaceBefore=4,
            splitInRow=1,
        )
    ]


def _voiding(voiding: VoidingValues, writing: Writing) -> str:
    """Say of what cause a game was voided, by whom and when."""
    told = [str(words.CAUSES.get(voiding.cause, voiding.cause))]
    if voiding.held is not None:
        minutes, seconds = divmod(voiding.held, 60)
        told.append(_("held for %(time)s") % {"time": f"{minutes}:{seconds:02}"})
    told.append(
        _("voided at %(hour)s by %(by)s")
        % {
            "hour": writing.hour(voiding.at),
            "by": voiding.by,
        }
    )
    if voiding.witness:
        told.append(_("before %(witness)s") % {"witness": voiding.witness})
    return " · ".join(told)


def _extras(game: GameValues, writing: Writing) -> tuple[tuple[str, str, str], ...]:
    """Give what additional prizes were set to and paid, as the other figures, none without any."""
    told = [
        fact
        for extra in game.extras
        for fact in (
            (extra.name, "", writing.amount(extra.amount)),
            (_both("Paid: %(prize)s", prize=extra.name), "f", writing.amount(extra.paid)),
        )
    ]
    return (*told, *[("", "", "")] * (ACROSS - len(told))) if told else ()


def _figures(game: GameValues, article: str, writing: Writing) -> Table:
    money = writing.amount
    began, ended = _hour(game.started_at, writing), _hour(game.ended_at, writing)
    first = (
        (_both("Began"), "", began),
        (_both("Card price"), "c", _price(game, writing)),
        (_both("Collected"), "e", money(game.gross)),
        (_both("Line prize"), "", money(game.line)),
        (_both("Paid for line"), "f", money(game.paid_line)),
        _accrual(game, writing),
        (_both("Tax withheld"), "g", money(game.tax_withheld)),
    )
    second = (
        (_both("Ended"), "h", ended),
        (*_sold_or_played(game), writing.whole(game.cards_sold)),
        (_both("Prize fund"), "", money(game.fund)),
        (_both("Bingo prize"), "", money(game.bingo)),
        (_both("Paid for bingo"), "f", money(game.paid_bingo)),
        (_both("Jackpot awarded"), "", money(game.jackpot_awarded)),
        (_both("Refunded"), "", money(game.refunded)),
    )
    rows: list[list[object]] = []
    for facts in (first, second, _extras(game, writing)):
        if facts:
            rows.append(
                [_label(name, mark, article) if name else "" for name, mark, _value in facts]
            )
            rows.append([value for _name, _mark, value in facts])
    figures = Table(
        rows,
        colWidths=[kit.WIDTH / ACROSS] * ACROSS,
        style=TableStyle(
            [
                kit.BASE,
                ("FONT", (0, 1), (-1, 1), kit.SEMIBOLD, 9.5, 11),
                ("FONT", (0, 3), (-1, 3), kit.SEMIBOLD, 9.5, 11),
                *[("FONT", (0, 5), (-1, 5), kit.SEMIBOLD, 9.5, 11)] * bool(game.extras),
                ("TEXTCOLOR", (0, 0), (-1, -1), kit.INK),
                ("LEFTPADDING", (0, 0), (-1, -1), 6),
                ("RIGHTPADDING", (0, 0), (-1, -1), 0),
                ("TOPPADDING", (0, 0), (-1, -1), 0),
                ("BOTTOMPADDING", (0, 0), (-1, -1), 0.5),
                ("BOTTOMPADDING", (0, 1), (-1, 1), 5),
                ("VALIGN", (0, 0), (-1, -1), "BOTTOM"),
                ("LINEBEFORE", (1, 0), (-1, -1), 0.3, kit.RULE),
            ]
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
        return (_both("Jackpot accrual taken back"), "", writing.signed(-game.jackpot_reversed))
    return (_both("Jackpot accrual"), "", writing.amount(game.jackpot_accrual))


def _sold_or_played(game: GameValues) -> tuple[str, str]:
    """Return label and letter: what plays in the second game of double cards was sold in the first."""
    return (_both("Cards in play"), "") if game.half == 2 else (_both("Cards sold"), "d")


def _price(game: GameValues, writing: Writing) -> str:
    """Write the price; where there are several, the list of issues has them."""
    faces = {game.face_value if issue.face is None else issue.face for issue in game.issues}
    return _("several") if len(faces) > 1 else writing.amount(game.face_value)


def _label(name: str, mark: str, article: str) -> Flowable:
    return kit.labelled(name, letter(article, mark) if mark else "")


def _sold(game: GameValues, article: str, writing: Writing) -> Flowable:
    width = kit.WIDTH * 0.64
    issues = acta_sale.issues(game, article, width, writing)
    if len(game.issues) > MANY_ISSUES:
        return issues
    return Table(
        [[issues, _staff(game)]],
        colWidths=[width + 12, kit.WIDTH - width - 12],
        style=TableStyle(
            [
                kit.BASE,
                ("VALIGN", (0, 0), (-1, -1), "TOP"),
                ("LEFTPADDING", (0, 0), (0, 0), 4),
                ("LEFTPADDING", (1, 0), (1, 0), 6),
                ("RIGHTPADDING", (0, 0), (-1, -1), 0),
                ("TOPPADDING", (0, 0), (-1, -1), 0),
                ("BOTTOMPADDING", (0, 0), (-1, -1), 0),
            ]
        ),
    )


def _staff(game: GameValues) -> list[Flowable]:
    return [
        kit.labelled(_both("Caller")),
        kit.paragraph(game.caller or NONE, kit.SMALL),
        kit.labelled(_both("Table chief")),
        kit.paragraph(game.table_chief or NONE, kit.SMALL),
    ]


def _extraction(game: GameValues, writing: Writing) -> list[Flowable]:
    if not game.balls:
        return [Spacer(0, 4), indented(_along("No ball was extracted."))]
    caption = _("%(count)s balls in the order of extraction, from %(first)s to %(last)s") % {
        "count": len(game.balls),
        "first": writing.hour(game.balls[0].at),
        "last": writing.hour(game.balls[-1].at),
    }
    if game.ball_set:
        caption += " · " + _("ball set %(ball_set)s") % {"ball_set": game.ball_set}
    by_rng = sum(ball.source == "rng" for ball in game.balls)
    if by_rng:
        caption += " · " + _("drawn by the RNG: %(count)s") % {"count": by_rng}
    filmed = sum(ball.source == "camera" for ball in game.balls)
    if filmed:
        caption += " · " + _("read by the camera: %(count)s") % {"count": filmed}
    by_hand = sum(ball.source == "hand" for ball in game.balls)
    if by_hand:
        caption += " · " + _("in a square, entered by hand: %(count)s") % {"count": by_hand}
    balls = Balls(game.balls, writing)
    return [
        # The caption is never parted from the first row.
        CondPageBreak(balls.row_height + 20),
        Spacer(0, 5),
        indented(caption),
        Spacer(0, 2),
        balls,
    ]


def _winners(game: GameValues, article: str, writing: Writing) -> list[Flowable]:
    if not game.winners:
        return [Spacer(0, 4), indented(_along("No prize was awarded."))]
    # Only where coins leave something are prize, tax and what was handed over three numbers.
    coined = any(won.left_over for won in game.winners)
    rows: list[list[object]] = [
        [
            kit.labelled(_both("Winning combination"), letter(article, "f")),
            _both("Series"),
            _both("Card"),
            _both("Prize"),
            _both("Tax withheld"),
            *([_both("Handed over")] if coined else []),
            _both("Paid at"),
        ]
    ]
    for won in game.winners:
        paid = writing.hour(won.paid_at) if won.paid_at else _both("Set aside")
        if won.paid_in:
            paid = _("%(hour)s, game %(number)s") % {"hour": paid, "number": won.paid_in}
        rows.append(
            [
                str(words.combination(won.combination)),
                won.issue,
                won.card,
                writing.amount(won.amount),
                writing.amount(won.tax),
                *([writing.amount(won.amount - won.tax - won.left_over)] if coined else []),
                paid,
            ]
        )
    figures = [50, 75, 70, *([70] if coined else []), 37 + acta_hours.width(writing)]
    widths = [130, kit.WIDTH - 4 - 130 - sum(figures), *figures]
    return kit.flowing(inset(kit.ledger(rows, widths, right=tuple(range(2, len(widths))))))


def _carried(game: GameValues, writing: Writing) -> list[Flowable]:
    """Say what the smallest coin left over and where it went, in one line (R6)."""
    told = carried_words.told(game.carried, writing.amount) if game.carried else []
    return [Spacer(0, 4), indented(" · ".join(told))] if told else []


def _rejected(game: GameValues, writing: Writing) -> list[Flowable]:
    if not game.rejected:
        return []
    rows: list[list[object]] = [
        [_both("Claim not accepted"), _both("Card"), _both("Reason"), _both("At")]
    ]
    for claim in game.rejected:
        reason = kit.paragraph(claim.reason, kit.CELL)
        named = str(words.combination(claim.combination))
        rows.append([named, claim.card, reason, writing.hour(claim.at)])
    hours = max(65, acta_hours.width(writing))
    widths = [130, 55, kit.WIDTH - 4 - 130 - 55 - hours, hours]
    table = kit.ledger(rows, widths, right=(1, 3))
    table.setStyle(TableStyle([("LEFTPADDING", (2, 0), (2, -1), 14)]))
    return kit.flowing(inset(table))
