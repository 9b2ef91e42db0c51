"""What a validator of another maker says of a document: PDF/A-3u, and the rules of PDF/UA-1."""

from __future__ import annotations

import re

import page

# A document of ours is tagged as PDF/UA-1 asks, but does not declare it: what is said in another
# language within a paragraph is not marked as such.
UNDECLARED = {"PDFUA1-ID-PART-001", "PDFUA1-ID-SCHEMA-001"}


def faults(pdf: bytes) -> set[str]:
    """Return the rules of ISO 19005-3, level U, that a file breaks, by the validator's names."""
    return _broken(pdf, "3u")


def unread(pdf: bytes) -> set[str]:
    """Return the rules of ISO 14289-1 that it breaks: what a screen reader stumbles over."""
    return _broken(pdf, "ua1") - UNDECLARED


def _broken(pdf: bytes, profile: str) -> set[str]:
    report = page.validate_pdf_bytes(pdf, profile=profile)
    assert report.rules.total > 100  # it did look
    assert report.is_compliant == (not report.failures)
    return {failure.rule_id for failure in report.failures}


def revisions(pdf: bytes) -> list[bytes]:
    """Return the file as it stood after each of its revisions, the oldest first."""
    return [pdf[: mark.end()] for mark in re.finditer(rb"%%EOF\r?\n?", pdf)]
