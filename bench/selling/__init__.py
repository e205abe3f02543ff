"""C1 to C6: what orders, payments and documents cost."""
