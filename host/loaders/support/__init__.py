"""Pages of /admin about people and what they send: mails, dead letters, messages, reviews."""
