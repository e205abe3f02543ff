"""Security keys: verifies registrations and assertions (WebAuthn level 2, §7.1 and §7.2) with py_webauthn.

Attestation is not requested: a key is trusted because its signed-in owner enrolled it.
"""

from dataclasses import dataclass
from urllib.parse import urlsplit

import webauthn
from webauthn.helpers import parse_attestation_object, parse_client_data_json
from webauthn.helpers.cose import COSEAlgorithmIdentifier
from webauthn.helpers.exceptions import WebAuthnException
from webauthn.helpers.structs import (
    AuthenticationCredential,
    AuthenticatorAssertionResponse,
    AuthenticatorAttestationResponse,
    RegistrationCredential,
)

from standins.identity import opaque_tokens

ES256 = COSEAlgorithmIdentifier.ECDSA_SHA_256
RS256 = COSEAlgorithmIdentifier.RSASSA_PKCS1_v1_5_SHA_256
ALGORITHMS = [ES256, RS256]
# The package raises these, beside its own exceptions, for input that is not WebAuthn.
_UNREADABLE = (WebAuthnException, ValueError, KeyError, TypeError, AttributeError)


class InvalidCredential(Exception):
    """Why a response is invalid, for the log and the tests; people see one text for all reasons."""


@dataclass(frozen=True)
class Credential:
    """`id` and `key`, the COSE key, are base64url."""

    id: str
    key: str
    counter: int


def relying_party_id(origin: str) -> str:
    """The relying party id of an origin: its host."""
    return urlsplit(origin).hostname or ""


def verify_registration(client_data: str, attestation: str, challenge: str, origins: tuple[str, ...]) -> Credential:
    """The credential of a registration response. Raises InvalidCredential."""
    try:
        client_json, attestation_object = (
            opaque_tokens.decode_base64url(client_data),
            opaque_tokens.decode_base64url(attestation),
        )
        origin = _origin(client_json, origins)
        data = parse_attestation_object(attestation_object).auth_data.attested_credential_data
        if data is None or not data.credential_id:
            raise InvalidCredential("the attested credential is missing")
        verified = webauthn.verify_registration_response(
            credential=RegistrationCredential(
                id=opaque_tokens.encode_base64url(data.credential_id),
                raw_id=data.credential_id,
                response=AuthenticatorAttestationResponse(
                    client_data_json=client_json, attestation_object=attestation_object
                ),
            ),
            expected_challenge=opaque_tokens.decode_base64url(challenge),
            expected_rp_id=relying_party_id(origin),
            expected_origin=origin,
            supported_pub_key_algs=ALGORITHMS,
        )
    except _UNREADABLE as error:
        raise InvalidCredential(str(error)) from error
    key = opaque_tokens.encode_base64url(verified.credential_public_key)
    return Credential(opaque_tokens.encode_base64url(verified.credential_id), key, verified.sign_count)


@dataclass(frozen=True)
class Assertion:
    """A browser's response to a challenge; each part is base64 or base64url."""

    client_data: str
    data: str
    signature: str


def verify_assertion(credential: Credential, assertion: Assertion, challenge: str, origins: tuple[str, ...]) -> int:
    """The credential's new counter. Raises InvalidCredential, also when it decreased: the key may have been copied."""
    try:
        client_json = opaque_tokens.decode_base64url(assertion.client_data)
        origin = _origin(client_json, origins)
        verified = webauthn.verify_authentication_response(
            credential=AuthenticationCredential(
                id=credential.id,
                raw_id=opaque_tokens.decode_base64url(credential.id),
                response=AuthenticatorAssertionResponse(
                    client_data_json=client_json,
                    authenticator_data=opaque_tokens.decode_base64url(assertion.data),
                    signature=opaque_tokens.decode_base64url(assertion.signature),
                ),
            ),
            expected_challenge=opaque_tokens.decode_base64url(challenge),
            expected_rp_id=relying_party_id(origin),
            expected_origin=origin,
            credential_public_key=opaque_tokens.decode_base64url(credential.key),
            credential_current_sign_count=credential.counter,
        )
    except _UNREADABLE as error:
        raise InvalidCredential(str(error)) from error
    return int(verified.new_sign_count)


def _origin(client_data: bytes, origins: tuple[str, ...]) -> str:
    """The client data's origin. Raises InvalidCredential unless it is registered and the page is not cross-origin
    framed, which the package does not check."""
    parsed = parse_client_data_json(client_data)
    if parsed.origin not in origins or parsed.cross_origin:
        raise InvalidCredential("the origin is not registered")
    return str(parsed.origin)
