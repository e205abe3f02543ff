"""Calls of staff about learners, their refunds, batches of coupons and alarms: a file a noun."""
