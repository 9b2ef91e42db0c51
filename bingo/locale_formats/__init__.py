"""Formats of numbers and days by language, where Django's own fall short."""
