"""Which visits an order came of: the path to it, and the share of its money that each step of the path is credited with
by five models. Plain functions on plain records, without a database; all amounts are integers."""
