"""One change of many courses or shop items: they are chosen, then changed one by one by a job, each by the rules of the
single change, and each row says what came of it."""
