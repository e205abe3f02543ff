"""What a security key answers must be for us, now, by this key, and by somebody who touched it."""

import json
from base64 import b64decode, b64encode
from dataclasses import replace

import pytest

from standins.identity import opaque_tokens
from standins.identity.authenticators.webauthn import (
    Assertion,
    InvalidCredential,
    verify_assertion,
    verify_registration,
)
from tests.standins.driver import SITE
from tests.standins.security_key import SecurityKey

CHALLENGE = opaque_tokens.encode_base64url(b"c" * 32)
ORIGINS = (SITE, "https://shop.example")


def creation(key: SecurityKey, challenge: str = CHALLENGE):
    credential = key.create(challenge)
    return verify_registration(credential["clientData"], credential["attestation"], CHALLENGE, ORIGINS)


def proof(key: SecurityKey, challenge: str = CHALLENGE) -> Assertion:
    assertion = key.get(challenge)
    return Assertion(assertion["clientData"], assertion["authenticatorData"], assertion["signatureData"])


def said(one: str, **more) -> str:
    return b64encode(json.dumps({**json.loads(b64decode(one)), **more}).encode()).decode()


def test_each_assertion_of_a_registered_key_has_a_higher_count():
    key = SecurityKey()
    credential = creation(key)
    assert (opaque_tokens.decode_base64url(credential.id), credential.counter) == (key.id, 1)
    assert verify_assertion(credential, proof(key), CHALLENGE, ORIGINS) == 2


def test_keys_belong_to_the_site_that_registered_them():
    key = SecurityKey("shop.example", "https://shop.example")
    assert verify_assertion(creation(key), proof(key), CHALLENGE, ORIGINS) == 2


WRONG_KEYS = {
    "made for another site": SecurityKey(host="evil.example"),
    "used on another site": SecurityKey(origin="http://localhost:9"),
    "used on a site whose key it is not": SecurityKey(origin="https://shop.example"),
}


@pytest.mark.parametrize("what", WRONG_KEYS)
def test_a_key_of_another_site_is_neither_registered_nor_accepted(what):
    wrong, right = WRONG_KEYS[what], SecurityKey()
    with pytest.raises(InvalidCredential):
        creation(wrong)
    registered = creation(right)
    wrong.private = right.private
    with pytest.raises(InvalidCredential):
        verify_assertion(registered, proof(wrong), CHALLENGE, ORIGINS)


def test_another_challenge_is_refused():
    key, other = SecurityKey(), opaque_tokens.encode_base64url(b"d" * 32)
    with pytest.raises(InvalidCredential):
        creation(key, other)
    with pytest.raises(InvalidCredential):
        verify_assertion(creation(key), proof(key, other), CHALLENGE, ORIGINS)


CHANGES = {
    "for something else": {"type": "webauthn.create"},
    "in somebody's frame": {"crossOrigin": True},
    "no origin": {"origin": None},
    "a challenge that is no text": {"challenge": 7},
}


@pytest.mark.parametrize("what", CHANGES)
def test_client_data_that_was_changed_is_refused(what):
    key = SecurityKey()
    registered, assertion = creation(key), proof(key)
    with pytest.raises(InvalidCredential):
        verify_assertion(
            registered, replace(assertion, client_data=said(assertion.client_data, **CHANGES[what])), CHALLENGE, ORIGINS
        )


def test_a_copied_key_is_detected_by_its_count():
    key = SecurityKey()
    registered = creation(key)
    newer = replace(registered, counter=verify_assertion(registered, proof(key), CHALLENGE, ORIGINS))
    key.counter = 0
    with pytest.raises(InvalidCredential):
        verify_assertion(newer, proof(key), CHALLENGE, ORIGINS)


def test_an_assertion_without_user_presence_is_refused():
    key = SecurityKey()
    registered = creation(key)
    key._data = lambda flags, data=key._data: data(flags & 0xFE)
    with pytest.raises(InvalidCredential):
        verify_assertion(registered, proof(key), CHALLENGE, ORIGINS)
    with pytest.raises(InvalidCredential):
        creation(key)


@pytest.mark.parametrize("rubbish", ["", "AAAA", "%%%", b64encode(b"[]").decode(), b64encode(b"\xa1").decode(), "é"])
def test_malformed_input_is_refused_without_an_unexpected_error(rubbish):
    key = SecurityKey()
    registered, assertion = creation(key), proof(key)
    for part in ("client_data", "data", "signature"):
        with pytest.raises(InvalidCredential):
            verify_assertion(registered, replace(assertion, **{part: rubbish}), CHALLENGE, ORIGINS)
    credential = key.create(CHALLENGE)
    for pair in ((rubbish, credential["attestation"]), (credential["clientData"], rubbish)):
        with pytest.raises(InvalidCredential):
            verify_registration(*pair, CHALLENGE, ORIGINS)
