"""Commands for days of visits, and for how long visits are kept."""
