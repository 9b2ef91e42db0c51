"""The audit of a hall: its chain checked, every session replayed, every row compared."""

from draws.record.audit.whole_hall import LOST, PICTURES, UNASKED, audit

__all__ = ["LOST", "PICTURES", "UNASKED", "audit"]
