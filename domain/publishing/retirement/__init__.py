"""What the pages of retired products answer: what staff see of it, and what they decide."""
