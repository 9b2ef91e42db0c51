"""Formats of Catalan."""
