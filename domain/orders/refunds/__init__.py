"""Refunds: requested by a learner or by staff, or made by the transaction that finds money that buys nothing.

requested → approved or declined; approved → sent → pending → succeeded or failed, as the gateway says; `manual` is paid
outside the gateway. Money is set aside when a refund is approved. Once the gateway has accepted it, what was bought is
taken back and a credit note is issued. Callers have locked the order.
"""
