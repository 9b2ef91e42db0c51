"""Ten animals: the second column of a card."""

import math

from bingo.symbols.outline import Drawing, ink, paper
from bingo.symbols.pen import V, bar, blob, disc, limb, oval, polygon


def fish() -> Drawing:
    """Swims left: fins, gill, eye."""
    body = blob((4, 33), (14, 21), (30, 17), (46, 28), (46, 36), (30, 48), (14, 44))
    tail = blob((42, 32, V), (50, 22), (60, 16, V), (56, 32), (60, 48, V), (50, 42))
    fins = [
        blob((20, 20, V), (28, 9), (42, 12, V), (40, 25, V)),
        blob((24, 46, V), (30, 55), (40, 54, V), (36, 43, V)),
    ]
    gill = limb((23, 24, 2.8), (27, 32, 2.8), (23, 41, 2.8))
    return ink([body, tail, *fins]) + paper([disc(14, 30, 3), gill])


def cat() -> Drawing:
    """Sits and looks, tail to the right."""
    head = blob((13, 5, V), (22, 11), (36, 11), (45, 5, V), (46, 22), (38, 31), (20, 31), (12, 22))
    body = blob(
        (21, 31), (37, 31), (44, 45), (44, 57), (40, 60, V), (18, 60, V), (14, 57), (14, 45)
    )
    tail = limb((41, 56, 5), (51, 54, 5), (54, 45, 5), (49, 36, 5), (55, 29, 5))
    eyes = [oval(21, 18.5, 2.4, 3), oval(37, 18.5, 2.4, 3)]
    nose = polygon((25.5, 23.5), (32.5, 23.5), (29, 27.5), soft=0.6)
    return ink([head, body, tail]) + paper([*eyes, nose])


def snail() -> Drawing:
    """Creeps right under a coiled shell."""
    shell = disc(27, 29, 20)
    coil = limb(
        *(
            (27 + radius * math.cos(angle), 29 + radius * math.sin(angle), 3.2)
            for radius, angle in ((1.5 + 0.75 * step, step * math.pi / 4) for step in range(19))
        )
    )
    foot = limb((7, 56, 5), (25, 54, 9), (43, 52, 11), (52, 42, 10), (53, 30, 9))
    horns = [
        limb((52, 29, 3), (50, 21, 3), (46, 15, 3)),
        limb((54, 29, 3), (56, 21, 3), (58, 14, 3)),
    ]
    return ink([shell, foot, *horns]) + paper([coil])


def butterfly() -> Drawing:
    """Four open wings."""
    upper = blob((32, 30, V), (27, 16), (14, 6), (5.5, 9), (6.2, 25), (16, 34))
    lower = blob((32, 31, V), (20, 33), (10, 40), (12, 53), (21, 57), (29, 47))
    feeler = limb((32, 19, 2.6), (28, 10, 2.6), (22, 6, 2.8))
    spot, dot = disc(14.5, 19, 4.5), disc(19, 46, 3.5)
    body = limb((32, 18, 5), (32, 34, 6), (32, 54, 4))
    return ink(
        [upper, upper.mirrored(), lower, lower.mirrored(), body, feeler, feeler.mirrored()]
    ) + paper([spot, spot.mirrored(), dot, dot.mirrored()])


def crab() -> Drawing:
    """Broad, claws up, six legs."""
    body = oval(32, 40, 17, 12)
    half = [
        limb((20, 34, 5), (11, 31, 5), (11, 22, 6)),
        blob((13, 25, V), (5.6, 21), (5.6, 10), (13, 5, V), (12, 13, V), (20, 9, V), (20, 20)),
        limb((17, 42, 4), (9.5, 42, 4), (6, 48, 3)),
        limb((19, 46, 4), (12, 50, 4), (10, 57, 3)),
        limb((24, 50, 4), (20, 54, 4), (20, 58.5, 3)),
        bar((27, 30), (26, 23), 3),
        disc(26, 22, 3.6),
    ]
    mouth = limb((25, 43, 2.6), (32, 46, 2.6), (39, 43, 2.6))
    return ink([body, *half, *(part.mirrored() for part in half)]) + paper([mouth])


def snake() -> Drawing:
    """Three bends, head raised."""
    body = limb(
        (7, 55, 3), (18, 56, 6), (31, 55.5, 8), (43, 54, 9), (50, 46.5, 9), (44, 39, 9),
        (32, 37.5, 9), (20, 36, 9), (13, 28.5, 9), (19, 21, 9), (31, 19.5, 8.5), (43, 18, 8),
    )  # fmt: skip
    head = blob((40, 14), (46, 7), (55, 8), (60, 14), (55, 19), (46, 22), (40, 22))
    return ink([body, head]) + paper([disc(51, 12.5, 2.2)])


def rabbit() -> Drawing:
    """A face under two long ears."""
    face = blob((32, 28), (46, 32), (52, 44), (46, 56), (32, 60), (18, 56), (12, 44), (18, 32))
    ear = blob((21, 34, V), (15, 22), (13, 8.2), (19, 4.3), (26, 11), (29, 30, V))
    hollow = blob((20, 10), (23, 15), (24.5, 26), (21.5, 26), (18.5, 16))
    eye = disc(24.5, 42, 2.8)
    nose = polygon((28.5, 48), (35.5, 48), (32, 52), soft=1)
    return ink([face, ear, ear.mirrored()]) + paper(
        [hollow, hollow.mirrored(), eye, eye.mirrored(), nose]
    )


def elephant() -> Drawing:
    """Walks left, trunk hanging."""
    body = blob(
        (28, 12), (40, 11), (53, 16), (59, 30), (58, 58, V), (46, 58, V), (45, 47), (36, 47),
        (35, 58, V), (23, 58, V), (22, 40), (15, 37), (12.5, 47), (17, 51.5), (18, 54.5), (14, 57.5),
        (7, 52), (6, 38), (6, 24), (15, 13),
    )  # fmt: skip
    ear = limb((26, 19, 2.6), (33, 17.5, 2.6), (37, 25, 2.6), (33, 34, 2.6), (26, 34, 2.6))
    return ink([body]) + paper([disc(14, 24, 2.2), ear])


def giraffe() -> Drawing:
    """Stands, neck up, spotted."""
    body = blob(
        (46, 6, V), (54, 10), (59.5, 15), (56.5, 18.5), (48, 18), (46, 28), (45, 42), (45, 60, V),
        (40, 60, V), (38, 46), (26, 46), (25, 60, V), (20, 60, V), (17, 46), (16, 37), (22, 32),
        (33, 31), (38, 22), (40, 10),
    )  # fmt: skip
    legs = [bar((22, 44), (15, 58), 4), bar((40, 44), (51, 58), 4)]
    horn, tail = bar((44, 10), (43, 5.5), 3), limb((18, 36, 3), (12, 38, 2.8), (9, 48, 3.4))
    spots = [disc(22, 38.5, 2.3), disc(29.7, 38, 2.8), disc(38, 37.5, 2.8), disc(41.8, 27, 2)]
    return ink([body, horn, tail, *legs]) + paper(spots)


def penguin() -> Drawing:
    """Upright, white belly, flippers down."""
    body = blob(
        (32, 4), (42, 11), (46, 28), (47, 45), (40, 56), (24, 56), (17, 45), (18, 28), (22, 11)
    )
    belly = blob((32, 24), (39, 30), (41, 43), (36, 52), (28, 52), (23, 43), (25, 30))
    flipper = blob((20, 22, V), (11, 32), (7, 45, V), (15, 43), (20, 36))
    foot = oval(24, 57, 7, 3)
    eye = disc(28, 12.5, 2)
    beak = polygon((29, 16), (35, 16), (32, 21), soft=0.5)
    return ink([body, flipper, flipper.mirrored(), foot, foot.mirrored()]) + paper(
        [belly, eye, eye.mirrored(), beak]
    )
