"""Commands for logs of other sites."""
