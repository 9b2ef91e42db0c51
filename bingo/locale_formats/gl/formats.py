"""Galician: days as in Spanish and Portuguese; numbers grouped, which Django's own are not."""

SHORT_DATE_FORMAT = "d/m/Y"
SHORT_DATETIME_FORMAT = "d/m/Y H:i"
NUMBER_GROUPING = 3
