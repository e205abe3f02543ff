"""Half a year of invented orders in every state, so that the pages and reports of a new shop have some."""
