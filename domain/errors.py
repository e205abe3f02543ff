"""Errors of the rules. host/http/middlewares.py converts them to an HTTP status and a body."""


class DomainError(Exception):
    """A rule refused something. The text is for the user."""


class NotFound(DomainError):
    """The requested thing does not exist, or not for this visitor."""


class Refused(DomainError):
    """A valid request that is not allowed."""


class Conflict(DomainError):
    """Somebody else was faster, and what was asked for no longer fits. The text says who did what."""


class InvalidInput(DomainError):
    """Invalid fields. `errors`: name of the field -> what to do about it."""

    def __init__(self, errors: dict[str, str]):
        super().__init__("; ".join(f"{field}: {text}" for field, text in errors.items()))
        self.errors = errors


class ServiceUnavailable(DomainError):
    """The database is temporarily unavailable; trying again later may help. `retry_after_s`: when."""

    retry_after_s = 5
