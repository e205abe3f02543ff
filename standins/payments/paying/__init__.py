"""What a card or a bank account does to a session."""
