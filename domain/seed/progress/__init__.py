"""What the learners of the demo have studied: ada and member by hand, and two hundred invented ones by chance."""
