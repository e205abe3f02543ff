"""Covers, and social cards: the PNG of 1200 by 630 that others show beside a link to a page (Open Graph).

social_card.py says what is on a card, social_card_svg.py renders it in a child process, social_card_store.py stores it.
"""
