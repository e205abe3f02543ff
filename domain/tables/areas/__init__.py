"""Tables of the areas: staff, and what people of the areas have changed."""
