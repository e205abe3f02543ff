"""What can go wrong in the rules, said once. host/middlewares.py turns these into a status and a form."""


class DomainError(Exception):
    """A rule said no. The text is for a person."""


class NotFound(DomainError):
    """What was asked for does not exist, or not for this visitor."""


class Refused(DomainError):
    """A request that is understood and may not be carried out."""


class InvalidInput(DomainError):
    """Fields that cannot be accepted: field name -> what to do about it."""

    def __init__(self, errors: dict[str, str]):
        super().__init__("; ".join(f"{field}: {text}" for field, text in errors.items()))
        self.errors = errors


class Unavailable(DomainError):
    """The records cannot be reached just now; trying again later may help."""
