"""A hall's whole record as files of one archive, and an archive read back (docs/archive.md)."""
