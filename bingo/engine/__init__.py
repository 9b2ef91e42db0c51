"""NumPy twins of the rules, for many cards at once."""
