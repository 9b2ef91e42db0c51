"""What the tests of shapes share with others."""

from bingo.rules.cards import Card

BINGO: Card = (
    (1, 16, 31, 46, 61),
    (2, 17, 32, 47, 62),
    (3, 18, None, 48, 63),
    (4, 19, 33, 49, 64),
    (5, 20, 34, 50, 65),
)
