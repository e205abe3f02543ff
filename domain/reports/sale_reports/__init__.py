"""Reports of money: what was sold, to whom, by which code and link, and how far visitors got."""
