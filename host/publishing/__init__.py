"""What staff edit of a product, by the names of the calls: pages show it, and a conflict says what is stored."""
