"""Metadata of the authorization servers, and their public keys."""

from standins.identity.oauth import signing
from standins.identity.responses import IdentityCall, IdentityResponse, json_response

RESPONSE_MODES = ["query", "fragment", "form_post", "okta_post_message"]
# Clients may cache for a day: they fetch the keys again when they see an unknown kid.
CACHE_HEADERS = {"Cache-Control": "public, max-age=86400"}


def server_name(call: IdentityCall) -> str:
    """The custom server's name, "" for the org issuer."""
    return call.params.get("server", "")


def endpoint_base(call: IdentityCall) -> str:
    issuer = call.provider.issuer(server_name(call))
    return issuer if "/oauth2" in issuer else f"{issuer}/oauth2"


def show_metadata(call: IdentityCall) -> IdentityResponse:
    at = f"{endpoint_base(call)}/v1"
    scopes = {scope for client in call.provider.clients.values() for scope in client.scopes}
    body = {
        "issuer": call.provider.issuer(server_name(call)),
        "authorization_endpoint": f"{at}/authorize",
        "token_endpoint": f"{at}/token",
        "userinfo_endpoint": f"{at}/userinfo",
        "jwks_uri": f"{at}/keys",
        "revocation_endpoint": f"{at}/revoke",
        "introspection_endpoint": f"{at}/introspect",
        "end_session_endpoint": f"{at}/logout",
        "registration_endpoint": f"{call.provider.origin}/oauth2/v1/clients",
        "response_types_supported": ["code"],
        "response_modes_supported": RESPONSE_MODES,
        "grant_types_supported": ["authorization_code", "interaction_code", "refresh_token"],
        "subject_types_supported": ["public"],
        "id_token_signing_alg_values_supported": ["RS256"],
        "scopes_supported": sorted(scopes),
        "token_endpoint_auth_methods_supported": ["none", "client_secret_basic", "client_secret_post"],
        "claims_supported": [
            *("iss", "sub", "aud", "iat", "exp", "auth_time", "amr", "nonce", "at_hash", "ver", "jti", "idp"),
            *("name", "given_name", "family_name", "preferred_username", "locale", "zoneinfo", "updated_at"),
            *("email", "email_verified", "phone_number"),
        ],
        "code_challenge_methods_supported": ["S256"],
    }
    return json_response(body, headers=CACHE_HEADERS)


def show_keys(call: IdentityCall) -> IdentityResponse:
    return json_response(signing.public_keys(call), headers=CACHE_HEADERS)
