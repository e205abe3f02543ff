"""Reports for marketing, from the figures of days of visits."""
