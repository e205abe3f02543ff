"""Pages of staff about many coupons: batches, and alarms about codes that became public."""
