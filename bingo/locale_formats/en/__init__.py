"""Formats of English, as Britain and Ireland write it."""
