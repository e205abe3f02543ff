"""Limited resources (uses of coupons, pieces of stock) set aside for cart lines and orders.

    reason = reserve(session, Resource("coupon", coupon.id), CartOwner(learner_id, product_id), 1, at)      # 30 minutes
    reason = claim(session, resource, OrderOwner(learner_id, order.id, line.id, from_key), 1, at)           # no end
    commit(session, order.id, needed)          # paid; raises ReservationsMissing
    release_order(session, order.id)           # expired, cancelled, superseded, refunded

Three guards hold a limit, each of which alone is enough: the resource's row is locked, its counter is changed by an
UPDATE with the limit as its condition, and a learner's uses are numbered under a unique key.
"""
