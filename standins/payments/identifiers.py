"""Ids in the gateway's form: a prefix that tells the kind, then letters and digits."""

import secrets
import string

_ALPHABET = string.ascii_letters + string.digits
# checkout sessions have longer ids: whoever has one may open the page.
_LENGTHS = {"cs_test_": 58, "req_": 14}


def new_id(prefix: str) -> str:
    return prefix + "".join(secrets.choice(_ALPHABET) for _ in range(_LENGTHS.get(prefix, 24)))
