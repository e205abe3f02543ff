"""The sign-in provider as the host knows it: its addresses, its keys, and the OpenID half of its protocols."""

import asyncio
import logging
import time
from base64 import b64encode
from collections.abc import AsyncIterator, Mapping
from dataclasses import dataclass
from typing import Any
from urllib.parse import quote_plus, urlencode, urlsplit

from authlib.oauth2.client import OAuth2Client
from joserfc.jwk import KeySet

from host.breaker import Breaker
from host.identity import tokens
from host.identity.attempts import Attempt
from host.identity.errors import CodeRefused, OtherIssuer, ProviderAway, RefusedByProvider, SignInError, TokenRefused
from host.identity.tokens import Expected
from host.identity.transport import Reply, Sent, Transport, origin_of
from host.settings import Settings

log = logging.getLogger("coursefront.identity")

# Specification §9: discovery and keys are asked for once a day.
CACHE_S = 86_400
# An unknown key makes us look again, but a flood of forged ones must not make us hammer the provider.
FORCED_EVERY_S = 60
REVOKE_S = 3.0
INTERACTION = "interaction_required"
_NEEDED = ("authorization_endpoint", "token_endpoint", "jwks_uri")


@dataclass(frozen=True)
class Grant:
    """What the provider gave for a code, verified. `claims` of the id token and of userinfo together."""

    claims: Mapping[str, Any]
    id_token: str
    access_token: str


class Provider:
    """One for each host process; `now` answers seconds since 1970. All calls raise ProviderAway when it is."""

    def __init__(self, settings: Settings, now: Any = time.time):
        self.issuer = settings.oidc_issuer
        # With a custom authorization server only OAuth lives below the issuer; all else is at the root.
        self.origin = origin_of(self.issuer) if self.issuer else ""
        self.has_extensions = settings.oidc_extensions
        self.client_id, self._secret = settings.oidc_client_id, settings.oidc_client_secret
        self.redirect_uri = f"{settings.site_origin}/logincallback"
        self.site_origin, self.scopes = settings.site_origin, settings.oidc_scopes
        self.now = now
        self.wire = Transport(Breaker("the sign-in provider", self._probe), settings.provider_deadline_ms / 1000)
        self._metadata: Mapping[str, Any] | None = None
        self._metadata_at = 0.0
        self._keys: KeySet | None = None
        self._keys_at = self._forced_at = -float(CACHE_S)
        self._lock = asyncio.Lock()

    @property
    def state(self) -> str:
        """none (no provider is set), up or down."""
        if not self.issuer:
            return "none"
        return "down" if self._metadata is None or self.wire.breaker.is_open else "up"

    async def lifetime(self, _app: object) -> AsyncIterator[None]:
        if self.issuer:
            # Asked for at once, and until it answers: nobody waits for it but us.
            self.wire.breaker.watch()
        yield
        await self.wire.close()

    async def _probe(self) -> None:
        self._metadata, self._metadata_at = await self._discovered(is_probe=True), time.monotonic()

    async def metadata(self) -> Mapping[str, Any]:
        """The discovery document. An old one is better than none."""
        if not self.issuer:
            raise ProviderAway
        if self._metadata is None or time.monotonic() - self._metadata_at > CACHE_S:
            try:
                self._metadata, self._metadata_at = await self._discovered(), time.monotonic()
            except ProviderAway:
                if self._metadata is None:
                    raise
        return self._metadata

    async def _discovered(self, *, is_probe: bool = False) -> Mapping[str, Any]:
        reply = await self.wire.ask("GET", f"{self.issuer}/.well-known/openid-configuration", is_probe=is_probe)
        found = reply.data
        if not reply.is_good or not isinstance(found, dict) or not all(map(self._is_usable, _addresses(found))):
            log.error("%s has no discovery document that could be used", self.issuer)
            raise ProviderAway
        if found.get("issuer") != self.issuer:
            log.error("the discovery document at %s is another issuer's", self.issuer)
            raise OtherIssuer
        return found

    def _is_usable(self, address: Any) -> bool:
        """Elsewhere only by https: that is who the configured issuer says speaks for it."""
        return isinstance(address, str) and (origin_of(address) == self.origin or address.startswith("https://"))

    async def keys(self, *, forced: bool = False) -> KeySet:
        """The set that is kept; `forced`: a newer one, at most once a minute. A failed look keeps what there is."""
        async with self._lock:
            now = time.monotonic()
            is_due = self._keys is None or now - self._keys_at > CACHE_S
            if is_due or (forced and now - self._forced_at >= FORCED_EVERY_S):
                if forced:
                    self._forced_at = now
                await self._fetch_keys()
            assert self._keys is not None  # noqa: S101 _fetch_keys raises without
            return self._keys

    async def _fetch_keys(self) -> None:
        try:
            reply = await self.wire.ask("GET", (await self.metadata())["jwks_uri"])
            self._keys, self._keys_at = tokens.key_set(reply.data), time.monotonic()
        except (ProviderAway, ValueError) as error:
            log.warning("the provider's keys cannot be had: %s", error)
            if self._keys is None:
                raise ProviderAway from None

    async def authorize_address(self, attempt: Attempt, **more: str) -> str:
        """Where the browser goes to be signed in. `more`: sessionToken, max_age, acr_values, prompt."""
        endpoint = (await self.metadata())["authorization_endpoint"]
        client = OAuth2Client(
            None, self.client_id, scope=self.scopes, redirect_uri=self.redirect_uri, code_challenge_method="S256"
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
        reply = await self.posted((await self.metadata())["token_endpoint"], form)
        if not reply.is_good:
            log.warning("the token endpoint refused: %s %s", reply.status, reply.get("error"))
            # More is wanted of the person: that is no fault of the code's.
            raise RefusedByProvider(INTERACTION) if reply.get("error") == INTERACTION else CodeRefused
        access_token, id_token = reply.get("access_token"), reply.get("id_token")
        if not isinstance(access_token, str) or not access_token or not isinstance(id_token, str):
            raise TokenRefused("there are no tokens in the answer")
        claims = await self.verified(id_token, Expected(self.issuer, self.client_id, attempt.nonce, access_token))
        return Grant({**claims, **await self._about(claims["sub"], access_token)}, id_token, access_token)

    async def posted(self, address: str, form: Mapping[str, str]) -> Reply:
        """A form, sent as this client: by name alone, or with the secret it has."""
        if not self._secret:
            return await self.wire.ask("POST", address, Sent(form={**form, "client_id": self.client_id}))
        return await self.wire.ask("POST", address, Sent(form=form, headers=self._basic()))

    def _basic(self) -> dict[str, str]:
        # RFC 6749 §2.3.1: both halves are form-encoded first.
        pair = f"{quote_plus(self.client_id)}:{quote_plus(self._secret)}"
        return {"Authorization": f"Basic {b64encode(pair.encode()).decode()}"}

    async def verified(self, id_token: str, expected: Expected) -> Mapping[str, Any]:
        """The claims of an id token that holds. Raises TokenRefused."""
        try:
            return tokens.read(id_token, await self.keys(), expected, self.now())
        except tokens.UnknownKey:
            pass
        try:
            return tokens.read(id_token, await self.keys(forced=True), expected, self.now())
        except tokens.UnknownKey:
            raise TokenRefused("it is signed with a key the provider does not publish") from None

    async def _about(self, subject: str, access_token: str) -> Mapping[str, Any]:
        """userinfo, which must speak of the same subject; many providers keep name and address for it."""
        endpoint = (await self.metadata()).get("userinfo_endpoint")
        if not endpoint:
            return {}
        reply = await self.wire.ask("GET", endpoint, Sent(headers={"Authorization": f"Bearer {access_token}"}))
        if not reply.is_good or reply.get("sub") != subject:
            raise TokenRefused("userinfo does not speak of the same subject")
        return dict(reply.data)

    async def logout_address(self, id_token: str) -> str | None:
        """Where the browser goes to be signed out there too; None when the provider has no such place, or is away."""
        try:
            endpoint = (await self.metadata()).get("end_session_endpoint")
        except SignInError:
            return None
        if not endpoint or not id_token:
            return None
        query = urlencode({"id_token_hint": id_token, "post_logout_redirect_uri": self.site_origin})
        return f"{endpoint}{'&' if urlsplit(endpoint).query else '?'}{query}"

    async def revoke(self, access_token: str) -> None:
        """As well as may be: a provider that is away keeps nobody from signing out."""
        try:
            async with asyncio.timeout(REVOKE_S):
                endpoint = (await self.metadata()).get("revocation_endpoint")
                if endpoint:
                    await self.posted(endpoint, {"token": access_token, "token_type_hint": "access_token"})
        except (SignInError, TimeoutError) as error:
            log.warning("the provider could not be told of a sign-out: %s", error or "it is slow")


def _addresses(metadata: Mapping[str, Any]) -> list[Any]:
    """Those we need, there or not, and those we use when they are there."""
    wished = ("userinfo_endpoint", "revocation_endpoint", "end_session_endpoint")
    return [metadata.get(name) for name in _NEEDED] + [metadata[name] for name in wished if name in metadata]
