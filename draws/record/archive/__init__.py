"""The archive of a hall's whole record: files written, and read back (docs/archive.md)."""
