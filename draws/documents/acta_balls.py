"""The balls of a game in their order, twenty a row, each over its hour; those read by hand are squares."""

from __future__ import annotations

from reportlab.platypus import Flowable

from bingo.pdf import kit
from draws.documents.acta_values import BallValues

ROW = 20
GROUP = 10  # a wider gap after every ten lets an eye count them
LEFT, PITCH, GAP, HEIGHT, RADIUS = 19.0, 23.4, 6.0, 23.4, 6.6
RISE, FOOT = 14.8, 2.4  # of a ball's centre and of its hour, above the foot of their row


class Balls(Flowable):  # type: ignore[misc]  # ReportLab carries no types
    """The drawing itself; its height follows from the number of balls."""

    def __init__(self, balls: tuple[BallValues, ...]) -> None:
        super().__init__()
        self.balls = balls
        self.width = kit.WIDTH
        self.height = HEIGHT * -(-len(balls) // ROW)

    def split(self, _width: float, height: float) -> list[Flowable]:
        """Break between rows; `height` points are left on the page."""
        rows = int(height // HEIGHT)
        if not rows:
            return []
        return [Balls(self.balls[: rows * ROW]), Balls(self.balls[rows * ROW :])]

    def draw(self) -> None:
        """Set the balls where the page has come to, row by row."""
        for start in range(0, len(self.balls), ROW):
            row = self.balls[start : start + ROW]
            foot = self.height - (start // ROW + 1) * HEIGHT
            self._row_label(row[0].order, foot + RISE)
            places = [
                LEFT + (column + 0.5) * PITCH + column // GROUP * GAP for column in range(len(row))
            ]
            for ball, x in zip(row, places, strict=True):
                self._ball(ball, x, foot + RISE)
            self.canv.setFont(kit.REGULAR, 5.4)
            for ball, x in zip(row, places, strict=True):
                self.canv.drawCentredString(x, foot + FOOT, f"{ball.at:%H:%M:%S}")

    def _row_label(self, first: int, y: float) -> None:
        self.canv.setFont(kit.REGULAR, 6)
        self.canv.setFillColor(kit.QUIET)
        self.canv.drawRightString(LEFT - 5, y - 2, str(first))

    def _ball(self, ball: BallValues, x: float, y: float) -> None:
        canvas = self.canv
        canvas.setStrokeColor(kit.INK)
        canvas.setFillColor(kit.INK)
        if ball.source == "hand":
            canvas.setLineWidth(0.9)
            canvas.rect(x - RADIUS, y - RADIUS, 2 * RADIUS, 2 * RADIUS)
        else:
            canvas.setLineWidth(0.45)
            canvas.circle(x, y, RADIUS)
        canvas.setFont(kit.SEMIBOLD, 7.4)
        canvas.drawCentredString(x, y - 2.5, str(ball.number))
