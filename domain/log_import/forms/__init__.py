"""The forms that lines of logs have."""
