"""The header Stripe-Signature: `t=<seconds>,v1=<HMAC-SHA-256 of "t.body">`, one v1 for each secret."""

import hashlib
import hmac
from collections.abc import Iterable


def sign(body: bytes, secrets: Iterable[str], at: int) -> str:
    signed = f"{at}.".encode() + body
    digests = (hmac.new(secret.encode(), signed, hashlib.sha256).hexdigest() for secret in secrets)
    return ",".join([f"t={at}", *(f"v1={digest}" for digest in digests)])
