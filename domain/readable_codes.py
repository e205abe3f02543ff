"""Random letters that survive being read out, written down and typed in again."""

import secrets

# Without look-alikes: 0 O, 1 I L, U V.
ALPHABET = "23456789ABCDEFGHJKMNPQRSTWXYZ"


def letters(number: int) -> str:
    """So many of 29 letters; eight are about 2^39 possibilities, ten 2^48."""
    return "".join(secrets.choice(ALPHABET) for _ in range(number))
