"""What support sees of one learner and does for them."""
