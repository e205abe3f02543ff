"""Random codes that people can read out, write down and type without mistakes."""

import secrets

# Without characters that look alike: 0 O, 1 I L, U V.
ALPHABET = "23456789ABCDEFGHJKMNPQRSTWXYZ"


def encode(number: int) -> str:
    """A code of `number` characters out of 29: eight give about 2^39 possibilities, ten 2^48."""
    return "".join(secrets.choice(ALPHABET) for _ in range(number))
