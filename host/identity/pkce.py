"""PKCE, method S256."""

from authlib.oauth2.rfc7636 import create_s256_code_challenge


def challenge_of(verifier: str) -> str:
    return str(create_s256_code_challenge(verifier))
