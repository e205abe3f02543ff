"""Categories and instructors as staff write them."""
