"""Ten symbols of sky, land and garden: the first column of a card."""

from bingo.symbols.outline import Drawing, ink, paper
from bingo.symbols.pen import V, arc, bar, blob, disc, limb, oval, polygon


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
