"""The pure rules of the game: no framework, no clock, no dice, no translation."""
