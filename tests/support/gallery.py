"""What the tests of gallery share with others."""

import numpy as np

from draws.balls.vision.rendering.ball import paint
from draws.balls.vision.rendering.style import Style, angle_of, facing
from draws.balls.vision.values import Picture, Spot

SIZE, EDGE = 72, 8


def shown(look: Style, number: int, rng: np.random.Generator) -> tuple[Picture, Spot, float]:
    """Return a picture of a ball somewhere in it, and how far its print is turned."""
    turn = facing(rng, 26.0)
    ball, cover = paint(look, number, rotation=turn, size=SIZE, rng=rng)
    picture = np.full((SIZE + 2 * EDGE, SIZE + 2 * EDGE, 3), 60.0)
    inner = picture[EDGE:-EDGE, EDGE:-EDGE]
    inner += (ball - inner) * cover[..., None]
    picture += rng.normal(0, 3, picture.shape)
    middle = (SIZE + 2 * EDGE - 1) / 2
    spot = Spot(middle, middle, SIZE / 2)
    return np.clip(picture, 0, 255).astype(np.uint8), spot, angle_of(turn @ look.prints[0])
