"""What staff and managers have changed, read or been refused: one chain of events that is only ever appended to.

`Database.write_as(actor, fn, …)` commits a change only with the events that `fn` recorded (docs/decisions). Nothing
outside of this package uses the tables.
"""
