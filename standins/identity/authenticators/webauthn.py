"""Security keys: what has to hold of a browser's answers (WebAuthn level 2, §7.1 and §7.2), checked by py_webauthn.

Attestation is not asked for: a key is trusted because its owner, signed in, enrolled it.
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

from standins.identity import opaque

ES256 = COSEAlgorithmIdentifier.ECDSA_SHA_256
RS256 = COSEAlgorithmIdentifier.RSASSA_PKCS1_v1_5_SHA_256
KINDS = [ES256, RS256]
# What the package raises for answers that are no WebAuthn at all, beside its own exceptions.
_UNREADABLE = (WebAuthnException, ValueError, KeyError, TypeError, AttributeError)


class Refused(Exception):
    """What does not hold, for the log and the tests; people are told one text for all."""


@dataclass(frozen=True)
class Credential:
    """`id` and `key`, the COSE key, are base64url."""

    id: str
    key: str
    counter: int


def relying_party(origin: str) -> str:
    """What browsers call the RP id: the host alone."""
    return urlsplit(origin).hostname or ""


def registered(client_data: str, attestation: str, challenge: str, origins: tuple[str, ...]) -> Credential:
    """The credential of a creation. Raises Refused."""
    try:
        said, made = opaque.decoded(client_data), opaque.decoded(attestation)
        origin = _origin(said, origins)
        data = parse_attestation_object(made).auth_data.attested_credential_data
        if data is None or not data.credential_id:
            raise Refused("the key itself is missing")
        found = webauthn.verify_registration_response(
            credential=RegistrationCredential(
                id=opaque.encoded(data.credential_id),
                raw_id=data.credential_id,
                response=AuthenticatorAttestationResponse(client_data_json=said, attestation_object=made),
            ),
            expected_challenge=opaque.decoded(challenge),
            expected_rp_id=relying_party(origin),
            expected_origin=origin,
            supported_pub_key_algs=KINDS,
        )
    except _UNREADABLE as error:
        raise Refused(str(error)) from error
    key = opaque.encoded(found.credential_public_key)
    return Credential(opaque.encoded(found.credential_id), key, found.sign_count)


@dataclass(frozen=True)
class Proof:
    """What the browser answers to a challenge, each part in base64 of either kind."""

    client_data: str
    data: str
    signature: str


def asserted(credential: Credential, proof: Proof, challenge: str, origins: tuple[str, ...]) -> int:
    """The credential's new counter. Raises Refused, also when it went back: the key may have been copied."""
    try:
        said = opaque.decoded(proof.client_data)
        origin = _origin(said, origins)
        found = webauthn.verify_authentication_response(
            credential=AuthenticationCredential(
                id=credential.id,
                raw_id=opaque.decoded(credential.id),
                response=AuthenticatorAssertionResponse(
                    client_data_json=said,
                    authenticator_data=opaque.decoded(proof.data),
                    signature=opaque.decoded(proof.signature),
                ),
            ),
            expected_challenge=opaque.decoded(challenge),
            expected_rp_id=relying_party(origin),
            expected_origin=origin,
            credential_public_key=opaque.decoded(credential.key),
            credential_current_sign_count=credential.counter,
        )
    except _UNREADABLE as error:
        raise Refused(str(error)) from error
    return int(found.new_sign_count)


def _origin(client_data: bytes, origins: tuple[str, ...]) -> str:
    """One of ours, and not framed by somebody else's page: that the package leaves to its callers."""
    found = parse_client_data_json(client_data)
    if found.origin not in origins or found.cross_origin:
        raise Refused("the origin is not registered")
    return str(found.origin)
