"""Plain HTML forms, for visitors without JavaScript: each accepts a form post with a required Origin."""
