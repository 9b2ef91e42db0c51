"""Ten things people make: the third column of a card."""

from bingo.symbols.outline import Drawing, ink, paper
from bingo.symbols.pen import V, bar, blob, box, disc, limb, oval, polygon


def key() -> Drawing:
    """Ring above left, two teeth below right."""
    bow, hole = disc(30.6, 12.5, 13.5), disc(30.6, 11.5, 6.2)
    shaft = box(27.8, 22, 33.6, 62.5, soft=1.5)
    teeth = [box(32, 45, 42.5, 50.5, soft=1), box(32, 54.5, 44, 60.5, soft=1)]
    return tuple(part.turned(-43) for part in ink([bow, shaft, *teeth]) + paper([hole]))


def house() -> Drawing:
    """Roof, chimney, door and window."""
    roof = polygon((32, 5), (60, 31), (56, 35), (32, 13), (8, 35), (4, 31), soft=1)
    walls = polygon((32, 17.5), (53, 36.5), (53, 58), (11, 58), (11, 36.5), soft=0.5)
    chimney = box(44, 8, 51, 22)
    door, window = box(17, 40, 28, 58), box(35, 38, 46, 48)
    return ink([roof, walls, chimney]) + paper([door, window])


def boat() -> Drawing:
    """A hull under two sails."""
    hull = blob((5, 44, V), (59, 44, V), (54, 53), (46, 58, V), (16, 58, V), (9, 53))
    sails = [
        blob((35.5, 5, V), (50, 17), (57, 38, V), (35.5, 38, V)),
        blob((26.5, 13, V), (18, 26), (8, 38, V), (26.5, 38, V)),
    ]
    return ink([hull, *sails, bar((31, 6), (31, 46), 3.4)])


def umbrella() -> Drawing:
    """Open, with a hooked handle."""
    roof = blob(
        (32, 8), (47, 13), (57, 24), (60, 35, V), (55, 31), (50, 35, V), (45, 31), (41, 35, V),
        (32, 31), (23, 35, V), (19, 31), (14, 35, V), (9, 31), (4, 35, V), (7, 24), (17, 13),
    )  # fmt: skip
    stick = limb((32, 6, 3.6), (32, 30, 3.6), (32, 50, 3.8))
    hook = limb((32, 48, 3.8), (33, 55, 3.8), (39, 57.5, 3.8), (44, 53, 3.8))
    return ink([roof, stick, hook])


def guitar() -> Drawing:
    """Neck above right."""
    body = blob(
        (32, 25), (40, 26.5), (42.5, 33.5), (40.5, 39), (46, 48), (43, 59), (32, 62.5), (21, 59),
        (18, 48), (23.5, 39), (21.5, 33.5), (24, 26.5),
    )  # fmt: skip
    neck, head = box(29.2, 2, 34.8, 28), box(27.4, -2.5, 36.6, 8, soft=1.5)
    hole, bridge = disc(32, 39.5, 4.6), box(25, 51.5, 39, 55)
    return tuple(
        part.turned(42, (32, 32.5)) for part in ink([body, neck, head]) + paper([hole, bridge])
    )


def bicycle() -> Drawing:
    """Two wheels and a frame, to the right."""
    wheels, rims = ([disc(x, 43, radius) for x in (15.5, 48.5)] for radius in (11.5, 8))
    tubes = [
        bar((15.5, 43), (24, 27), 3), bar((24, 27), (43, 27), 3), bar((15.5, 43), (29.5, 43), 3),
        bar((29.5, 43), (43, 27), 3), bar((22, 21), (29.5, 43), 3), bar((48.5, 43), (41, 18), 3),
    ]  # fmt: skip
    saddle = bar((17, 20), (27, 20), 4)
    handle = limb((41, 18, 3.2), (48, 15, 3.2), (50, 20, 3.2))
    return ink(wheels) + paper(rims) + ink([*tubes, saddle, handle])


def clock() -> Drawing:
    """An alarm clock at ten past ten."""
    bells = [oval(15, 14, 9, 7).turned(-42, (15, 14)), oval(49, 14, 9, 7).turned(42, (49, 14))]
    feet = [bar((19, 52), (13, 57.5), 5), bar((45, 52), (51, 57.5), 5)]
    hands = [bar((32, 35), (32, 23), 3.4), bar((32, 35), (41, 40), 3.4)]
    return ink([disc(32, 35, 22), *bells, *feet]) + paper([disc(32, 35, 17)]) + ink(hands)


def scissors() -> Drawing:
    """Open, points up."""
    blade = blob((46, 4, V), (47, 14), (36, 39, V), (29, 35, V))
    shank = bar((31, 34), (23, 45), 5)
    ring, eye = oval(18, 51, 9.5, 9), oval(18, 51, 5, 4.5)
    half = ink([blade, shank])
    loops = ink([ring]) + paper([eye])
    other = tuple(part.mirrored() for part in loops)
    return half + ink(part.mirrored() for part in half) + loops + ink(other[:1]) + paper(other[1:])


def teapot() -> Drawing:
    """Spout left, handle right, lid on."""
    body, base, knob = oval(32, 39, 18.5, 17), box(21, 53, 43, 59, soft=2), oval(32, 18, 5.5, 6)
    spout = blob((20, 50, V), (13, 42), (10, 30), (4, 22, V), (12, 19, V), (17, 27), (24, 33, V))
    handle = limb((46, 29, 4), (54, 26, 4.4), (57.5, 34, 4.4), (53, 43, 4.4), (45, 48, 4))
    rim = limb((22, 31.5, 2.8), (32, 29.5, 2.8), (42, 31.5, 2.8))
    return ink([body, spout, handle, knob, base]) + paper([rim])


def chair() -> Drawing:
    """Seen from the front, two slats in its back."""
    posts = [bar((17, 7), (17, 38), 5), bar((47, 7), (47, 38), 5)]
    slats = [box(17, 9, 47, 15), box(17, 22, 47, 28)]
    seat = polygon((15, 35), (49, 35), (55, 44), (9, 44), soft=1)
    legs = [bar((13, 43), (13, 57.5), 5), bar((51, 43), (51, 57.5), 5), bar((15, 50), (49, 50), 3)]
    return ink([*posts, *slats, seat, *legs])
