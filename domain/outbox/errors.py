"""What the handler of a row raises, beside errors of its own, which count as failed attempts."""


class Later(Exception):
    """The service cannot take this row now: try it again after `seconds`. Does not count as an attempt."""

    def __init__(self, seconds: float, reason: str):
        super().__init__(reason)
        self.seconds = seconds


class Undeliverable(Exception):
    """No further attempt would help: the row is dead."""


class ServiceDown(Exception):
    """The topic's service cannot be reached: all rows of the topic wait. Does not count as an attempt."""
