"""Products that one person gives to another: stored when paid, mailed on their day, claimed with the mail's link."""
