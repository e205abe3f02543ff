"""The OpenID Connect client: discovery, keys, authorization, tokens, sign-out."""

import asyncio
import logging
import time
from base64 import b64encode
from collections.abc import AsyncIterator, Mapping
from dataclasses import dataclass
from typing import Any
from urllib.parse import quote_plus, urlencode, urlsplit

from aiohttp import web
from authlib.oauth2.client import OAuth2Client
from joserfc.jwk import KeySet

from config.settings import Settings
from host.identity import id_token as identity_id_token
from host.identity.attempts import Attempt
from host.identity.errors import (
    CodeRefused,
    OtherIssuer,
    ProviderUnavailable,
    RefusedByProvider,
    SignInError,
    TokenRefused,
)
from host.identity.id_token import Expected
from host.identity.provider_http import ProviderReply, ProviderRequest, Transport, origin_of
from host.resilience.circuit_breaker import CircuitBreaker

log = logging.getLogger("coursefront.identity")

# Specification §9: discovery document and keys are fetched once a day.
CACHE_S = 86_400
# An unknown key id causes a new fetch; a flood of forged tokens must not cause a flood of fetches.
FORCED_FETCH_INTERVAL_S = 60
REVOKE_S = 3.0
INTERACTION = "interaction_required"
_REQUIRED = ("authorization_endpoint", "token_endpoint", "jwks_uri")


@dataclass(frozen=True)
class Grant:
    """The verified tokens for a code. `claims` are those of the id token and userinfo together; `scopes`: what the
    access token was granted."""

    claims: Mapping[str, Any]
    id_token: str
    access_token: str
    scopes: tuple[str, ...] = ()


class Provider:
    """One per host process. `now` returns seconds since 1970. All calls raise ProviderUnavailable."""

    def __init__(self, settings: Settings, now: Any = time.time):
        self.issuer = settings.oidc_issuer
        # With a custom authorization server only OAuth endpoints are below the issuer; all others are at the root.
        self.origin = origin_of(self.issuer) if self.issuer else ""
        self.has_extensions = settings.oidc_extensions
        self.client_id, self._secret = settings.oidc_client_id, settings.oidc_client_secret
        self.redirect_uri = f"{settings.site_origin}/logincallback"
        self.site_origin, self._scopes = settings.site_origin, settings.oidc_scopes
        self.account_scopes = tuple(settings.oidc_account_scopes.split())
        self.now = now
        self.wire = Transport(CircuitBreaker("the sign-in provider", self._probe), settings.provider_deadline_ms / 1000)
        self._metadata: Mapping[str, Any] | None = None
        self._metadata_at = 0.0
        self._keys: KeySet | None = None
        self._keys_at = self._forced_at = -float(CACHE_S)
        self._lock = asyncio.Lock()

    @property
    def state(self) -> str:
        """ "none" (no provider is configured), "starting" (it has not answered yet), "up" or "down"."""
        if not self.issuer:
            return "none"
        if self._metadata is None and self.wire.breaker.is_starting:
            return "starting"
        return "down" if self._metadata is None or self.wire.breaker.is_open else "up"

    async def lifespan(self, _app: object) -> AsyncIterator[None]:
        if self.issuer:
            # Fetch the discovery document in the background until it succeeds, so that no visitor waits for it.
            self.wire.breaker.watch()
        yield
        await self.wire.close()

    async def _probe(self) -> None:
        self._metadata, self._metadata_at = await self._discover(is_probe=True), time.monotonic()

    async def metadata(self) -> Mapping[str, Any]:
        """The discovery document; an older one while a newer one cannot be fetched."""
        if not self.issuer:
            raise ProviderUnavailable
        if self._metadata is None or time.monotonic() - self._metadata_at > CACHE_S:
            try:
                self._metadata, self._metadata_at = await self._discover(), time.monotonic()
            except ProviderUnavailable:
                if self._metadata is None:
                    raise
        return self._metadata

    async def names_itself(self) -> bool:
        """Whether the provider announces that its responses name it. Raises ProviderUnavailable."""
        return (await self.metadata()).get("authorization_response_iss_parameter_supported") is True

    async def _discover(self, *, is_probe: bool = False) -> Mapping[str, Any]:
        reply = await self.wire.request("GET", f"{self.issuer}/.well-known/openid-configuration", is_probe=is_probe)
        document = reply.data
        if not reply.is_good or not isinstance(document, dict) or not all(map(self._is_usable, _addresses(document))):
            log.error("%s has no usable discovery document", self.issuer)
            raise ProviderUnavailable
        if document.get("issuer") != self.issuer:
            log.error("the discovery document at %s names another issuer", self.issuer)
            raise OtherIssuer
        return document

    def _is_usable(self, address: Any) -> bool:
        """The issuer's document may name endpoints of another origin, but only with https."""
        return isinstance(address, str) and (origin_of(address) == self.origin or address.startswith("https://"))

    async def keys(self, *, forced: bool = False) -> KeySet:
        """The cached keys; `forced` fetches newer ones, at most once a minute. The old keys stay when a fetch fails."""
        async with self._lock:
            now = time.monotonic()
            is_due = self._keys is None or now - self._keys_at > CACHE_S
            if is_due or (forced and now - self._forced_at >= FORCED_FETCH_INTERVAL_S):
                if forced:
                    self._forced_at = now
                await self._fetch_keys()
            assert self._keys is not None  # noqa: S101 _fetch_keys raises without
            return self._keys

    async def _fetch_keys(self) -> None:
        try:
            reply = await self.wire.request("GET", (await self.metadata())["jwks_uri"])
            self._keys, self._keys_at = identity_id_token.key_set(reply.data), time.monotonic()
        except (ProviderUnavailable, ValueError) as error:
            log.warning("cannot fetch the provider's keys: %s", error)
            if self._keys is None:
                raise ProviderUnavailable from None

    def scopes_for(self, *, asks_account: bool) -> str:
        """The scopes to request, separated by spaces; `asks_account`: with those of the account pages."""
        return " ".join([self._scopes, *(self.account_scopes if asks_account else ())])

    async def authorize_address(self, attempt: Attempt, **more: str) -> str:
        """The address that the browser is redirected to for signing in. `more`: sessionToken, max_age, acr_values,
        prompt."""
        endpoint = (await self.metadata())["authorization_endpoint"]
        scope = self.scopes_for(asks_account=attempt.asks_account)
        client = OAuth2Client(
            None, self.client_id, scope=scope, redirect_uri=self.redirect_uri, code_challenge_method="S256"
        )
        address: str
        address, _ = client.create_authorization_url(
            endpoint, state=attempt.state, code_verifier=attempt.verifier, nonce=attempt.nonce, **more
        )
        return address

    async def exchange(self, attempt: Attempt, code: str, kind: str = "authorization_code") -> Grant:
        """The tokens for a code of this attempt; `kind` may be interaction_code. Raises CodeRefused, TokenRefused."""
        name = "code" if kind == "authorization_code" else kind
        form = {"grant_type": kind, name: code, "code_verifier": attempt.verifier, "redirect_uri": self.redirect_uri}
        reply = await self.post((await self.metadata())["token_endpoint"], form)
        if not reply.is_good:
            log.warning("the token endpoint refused: %s %s", reply.status, reply.get("error"))
            # interaction_required: the person must complete another step; the code itself is valid.
            raise RefusedByProvider(INTERACTION) if reply.get("error") == INTERACTION else CodeRefused
        access_token, id_token = reply.get("access_token"), reply.get("id_token")
        if not isinstance(access_token, str) or not access_token or not isinstance(id_token, str):
            raise TokenRefused("there are no tokens in the reply")
        claims = await self.verify(id_token, Expected(self.issuer, self.client_id, attempt.nonce, access_token))
        claims = {**claims, **await self._userinfo(claims["sub"], access_token)}
        # RFC 6749 §5.1: a reply without scopes grants those that were requested.
        scope = reply.get("scope") or self.scopes_for(asks_account=attempt.asks_account)
        return Grant(claims, id_token, access_token, tuple(str(scope).split()))

    async def post(self, address: str, form: Mapping[str, str]) -> ProviderReply:
        """Post a form with this client's id, or with its id and secret as basic authentication."""
        if not self._secret:
            return await self.wire.request("POST", address, ProviderRequest(form={**form, "client_id": self.client_id}))
        return await self.wire.request("POST", address, ProviderRequest(form=form, headers=self._basic()))

    def _basic(self) -> dict[str, str]:
        # RFC 6749 §2.3.1: id and secret are form-encoded first.
        pair = f"{quote_plus(self.client_id)}:{quote_plus(self._secret)}"
        return {"Authorization": f"Basic {b64encode(pair.encode()).decode()}"}

    async def verify(self, id_token: str, expected: Expected) -> Mapping[str, Any]:
        """The claims of a valid id token. Raises TokenRefused."""
        try:
            return identity_id_token.read(id_token, await self.keys(), expected, self.now())
        except identity_id_token.UnknownKey:
            pass
        try:
            return identity_id_token.read(id_token, await self.keys(forced=True), expected, self.now())
        except identity_id_token.UnknownKey:
            raise TokenRefused("it is signed with a key the provider does not publish") from None

    async def _userinfo(self, subject: str, access_token: str) -> Mapping[str, Any]:
        """The claims of userinfo, where many providers put name and email address. Raises TokenRefused when the
        subject differs."""
        endpoint = (await self.metadata()).get("userinfo_endpoint")
        if not endpoint:
            return {}
        reply = await self.wire.request(
            "GET", endpoint, ProviderRequest(headers={"Authorization": f"Bearer {access_token}"})
        )
        if not reply.is_good or reply.get("sub") != subject:
            raise TokenRefused("userinfo is about another subject")
        return dict(reply.data)

    async def logout_address(self, id_token: str) -> str | None:
        """The address that signs the browser out at the provider; None when the provider has none or is unavailable."""
        try:
            endpoint = (await self.metadata()).get("end_session_endpoint")
        except SignInError:
            return None
        if not endpoint or not id_token:
            return None
        query = urlencode({"id_token_hint": id_token, "post_logout_redirect_uri": self.site_origin})
        return f"{endpoint}{'&' if urlsplit(endpoint).query else '?'}{query}"

    async def revoke(self, access_token: str) -> None:
        """Revoke a token, best effort: failures are logged, so that signing out works while the provider is
        unavailable."""
        try:
            async with asyncio.timeout(REVOKE_S):
                endpoint = (await self.metadata()).get("revocation_endpoint")
                if endpoint:
                    await self.post(endpoint, {"token": access_token, "token_type_hint": "access_token"})
        except (SignInError, TimeoutError) as error:
            log.warning("cannot revoke a token at the provider: %s", error or "deadline exceeded")


PROVIDER = web.AppKey("provider", Provider)


def _addresses(metadata: Mapping[str, Any]) -> list[Any]:
    """The required endpoints (None when missing), and the optional ones that the document has."""
    optional = ("userinfo_endpoint", "revocation_endpoint", "end_session_endpoint")
    return [metadata.get(name) for name in _REQUIRED] + [metadata[name] for name in optional if name in metadata]
