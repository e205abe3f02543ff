"""The way from the cart to an order: what its pages show."""
