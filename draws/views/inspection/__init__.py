"""The inspector's desk beyond the record: the hall as it stands, to look at and not to touch."""
