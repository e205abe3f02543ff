"""The checkout: its forms, what it costs, and the order that is placed."""
