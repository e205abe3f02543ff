"""Outside services that host and workers share: the mail server."""
