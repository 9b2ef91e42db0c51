"""A hall to look at, and a session to watch: made through the same services as any other."""
