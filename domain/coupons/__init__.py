"""Coupons: who may use which, and how often.

One validator (rules.RULES) checks typed codes, codes of links, the special offer and terms of contracts. Limits hold
because uses are reserved for a cart line, claimed by an order and committed, or released (domain/reservations/).
"""
