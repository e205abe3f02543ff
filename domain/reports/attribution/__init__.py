"""What paid orders are credited to: the touchpoints before each, its credits by five models, and their sums by day.
Computed from sales, touchpoints of learners and nothing else; who a learner is, no row of these tables says."""
