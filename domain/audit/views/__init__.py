"""What staff see of the audit. Apart from the recording, which the database itself needs."""
