"""Carts: their lines, who may buy what, and their prices.

refusal = cart.add(session, learner_id, product_id, at)      # None, or the reason why not
priced = cart.learner_cart(session, learner_id, at)          # lines with every step of their prices
"""
