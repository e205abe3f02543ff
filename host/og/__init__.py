"""Pictures that others show beside a link to us (Open Graph): a PNG, 1200 by 630, for every product, category and page.

facts.py says what is on one and where it is, drawing.py draws it in a process of its own, store.py keeps it.
"""
