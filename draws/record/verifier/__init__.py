"""The offline verifier of a hall's papers: plain Python and cryptography (docs/verifying.md)."""
