"""Formats of Galician."""
