"""Product data for programs: the product feed in two forms, and what the shop tells them of itself."""
