"""The audit of a hall: its chain checked, every session replayed, every row compared."""

from draws.queries.audit.hall import audit

__all__ = ["audit"]
