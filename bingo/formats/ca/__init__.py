"""Catalan."""
