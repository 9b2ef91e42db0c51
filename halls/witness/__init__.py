"""The witness: a program with nothing but Python that remembers the heads of halls' journals elsewhere."""
