"""The balls of a game in their order, thirty a row; those read by hand are squares."""

from reportlab.platypus import Flowable

from bingo.pdf import kit
from draws.documents.acta_values import BallValues

ROW = 30
GROUP = 10  # a wider gap after every ten lets an eye count them
LEFT, PITCH, GAP, HEIGHT, RADIUS = 19.0, 15.3, 6.0, 15.4, 6.4


class Balls(Flowable):  # type: ignore[misc]  # ReportLab carries no types
    """The drawing itself; its height follows from the number of balls."""

    def __init__(self, balls: tuple[BallValues, ...]) -> None:
        super().__init__()
        self.balls = balls
        self.width = kit.WIDTH
        self.height = HEIGHT * -(-len(balls) // ROW)

    def draw(self) -> None:
        """Set the balls where the page has come to."""
        for place, ball in enumerate(self.balls):
            row, column = divmod(place, ROW)
            y = self.height - (row + 0.5) * HEIGHT
            x = LEFT + (column + 0.5) * PITCH + column // GROUP * GAP
            if column == 0:
                self._row_label(place + 1, y)
            self._ball(ball, x, y)

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
