"""What support sees and does: mails, dead letters, messages of visitors, reviews and people."""
