"""Galician."""
