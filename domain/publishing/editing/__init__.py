"""Changes that staff make to one product of the catalogue, each with its event: a module a subject."""
