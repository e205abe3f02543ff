"""Trials of the special offer: it is shown and hidden by turns, so that what it brings can be told from chance."""
