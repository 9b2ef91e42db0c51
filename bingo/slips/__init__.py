"""Till paper: a slip described once, drawn as a page or sent to a thermal printer."""
