"""Types of the arguments of commands."""

import argparse

from domain.typed_values import read_integer


def integer(text: str) -> int:
    """Raises argparse.ArgumentTypeError."""
    try:
        return read_integer(text)
    except ValueError as error:
        raise argparse.ArgumentTypeError(str(error)) from None
