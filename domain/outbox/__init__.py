"""The outbox: work that follows a committed change. A row is written in the transaction of the change and handled
afterwards, at least once, by a worker that leases it (docs/decisions/0022)."""
