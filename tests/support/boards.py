"""What the tests of boards share with others."""

DEAD = "unix:///nowhere/valkey.sock"
