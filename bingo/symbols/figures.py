"""The thirty symbols as drawings: sky, land and garden; animals; things people make.

They are the first, second and third column of a card.
"""

import math

from bingo.symbols.pen import Drawing, V, arc, bar, blob, box, disc, ink, limb, oval, paper, polygon


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


def sun() -> Drawing:
    """A disc and eight rays."""
    ray = polygon((26, 15.5), (32, 3.5), (38, 15.5), soft=2)
    return ink([disc(32, 32, 12.5), *(ray.turned(45 * eighth) for eighth in range(8))])


def cloud() -> Drawing:
    """Three heaps drawn as a line, for a cloud is white."""
    return ink(
        [
            arc(16, 40, 9.5, 90, 289, 5),
            arc(32, 29, 13, 171, 369, 5),
            arc(48, 40, 9.5, 251, 450, 5),
            bar((16, 49.5), (48, 49.5), 5),
        ]
    )


def snowflake() -> Drawing:
    """Six branches with two twigs each."""
    branch = [bar((32, 32), (32, 6.4), 4.4), bar((32, 17), (24, 10), 4), bar((32, 17), (40, 10), 4)]
    return ink(part.turned(60 * sixth) for sixth in range(6) for part in branch)


def mountain() -> Drawing:
    """Two peaks, the higher one with snow."""
    ridge = polygon((4, 54), (25, 10), (37, 33), (45, 23), (60, 54), soft=2)
    snow = polygon((25, 17), (32.5, 31.5), (28.5, 29), (24.5, 34), (20.5, 29), (17.5, 32), soft=0.7)
    return ink([ridge]) + paper([snow])


def palm() -> Drawing:
    """A bent trunk, six fronds and an island."""
    trunk = limb((29, 56, 6), (31, 42, 5), (36, 24, 4))
    fronds = [
        blob((36, 24, V), (27, 20), (14, 22), (6, 33, V), (19, 29), (28, 28)),
        blob((36, 24, V), (30, 14), (20, 10), (9, 14, V), (21, 17), (28, 22)),
        blob((36, 24, V), (37, 13), (43, 7), (53, 5, V), (47, 12), (42, 20)),
        blob((36, 24, V), (45, 17), (55, 20), (60, 30, V), (52, 26), (44, 26)),
        blob((36, 24, V), (46, 27), (51, 35), (50, 46, V), (45, 37), (40, 31)),
        blob((36, 24, V), (27, 28), (21, 36), (20, 47, V), (26, 38), (32, 32)),
    ]
    island = blob((9, 60, V), (18, 55), (32, 53), (46, 55), (55, 60, V))
    return ink([trunk, island, *fronds])


def flower() -> Drawing:
    """A tulip with two leaves."""
    bloom = blob(
        (17, 8, V), (25, 14), (32, 4, V), (39, 14), (47, 8, V), (47, 25), (32, 35), (17, 25)
    )
    leaf = blob((32, 60, V), (24, 58), (13, 48), (10, 35, V), (23, 41), (30, 50))
    return ink([bloom, bar((32, 34), (32, 57.5), 4.5), leaf, leaf.mirrored()])


def apple() -> Drawing:
    """A round fruit with stalk, leaf and a light on its left."""
    fruit = blob(
        (32, 21), (43, 17), (54, 24), (55, 38), (47, 54), (39, 59), (32, 57),
        (25, 59), (17, 54), (9, 38), (10, 24), (21, 17),
    )  # fmt: skip
    stalk = limb((32, 22, 4), (32, 14, 4), (28, 7, 4))
    leaf = blob((34, 15, V), (37, 7), (50, 4, V), (48, 12), (42, 15))
    light = limb((16.5, 34, 3.5), (17, 30, 4), (21, 25, 3.5))
    return ink([fruit, stalk, leaf]) + paper([light])


def cherries() -> Drawing:
    """Two fruits on one pair of stalks."""
    left, right = disc(17, 46, 13), disc(47, 43, 13)
    stalks = [
        limb((18, 36, 3.4), (25, 22, 3.4), (41, 8, 4)),
        limb((46, 33, 3.4), (46, 20, 3.4), (41, 8, 4)),
    ]
    leaf = blob((40, 9, V), (29, 4.5), (12, 12, V), (21, 19), (33, 16))
    lights = [disc(12.5, 42, 3), disc(42.5, 39, 3)]
    return ink([left, right, leaf, *stalks]) + paper(lights)


def banana() -> Drawing:
    """One fruit, bent, with a ridge along it."""
    fruit = blob(
        (47, 4, V), (53.5, 4, V), (56, 13), (60, 28), (54, 46), (38, 57), (20, 59.5), (6, 54, V),
        (5, 48, V), (19, 45), (33, 37), (43, 25), (46, 13),
    )  # fmt: skip
    ridge = limb((13, 51.5, 2.6), (27, 50, 2.6), (41, 42, 2.6), (49, 29, 2.6), (50, 18, 2.6))
    return ink([fruit]) + paper([ridge])


def corn() -> Drawing:
    """A cob of grains between two husks."""
    cob = blob(
        (32, 4), (40, 8), (44, 20), (43, 38), (36, 55), (28, 55), (21, 38), (20, 20), (24, 8)
    )
    grains = [
        disc(x, y, 1.8)
        for y, places in (
            (11, (29, 35)), (17.5, (25.8, 32, 38.2)), (24, (25.8, 32, 38.2)),
            (30.5, (25.8, 32, 38.2)), (37, (25.8, 32, 38.2)), (43.5, (29, 35)),
        )
        for x in places
    ]  # fmt: skip
    husk = blob((31, 60, V), (19, 57), (11, 47), (8, 29, V), (16, 38), (21, 48), (27, 56))
    return ink([cob, husk, husk.mirrored(), oval(32, 57, 4, 3)]) + paper(grains)


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
