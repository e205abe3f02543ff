"""Explains an order: its prices are computed again from the stored inputs, by the engine of its time, and compared with
everything that was stored of them."""
