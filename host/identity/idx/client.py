"""Calls of the identity engine. What it answers is followed only where it may lead: the provider's own forms."""

from collections.abc import Mapping
from typing import Any
from urllib.parse import urlsplit

from host.identity.errors import LinkRefused, ProviderAway, ProviderBusy, SignInError
from host.identity.idx.answers import VERSION, Answer, Json
from host.identity.idx.meta import Meta
from host.identity.pkce import challenge_of
from host.identity.provider import Provider
from host.identity.transport import Reply, Sent, origin_of

ION = "application/ion+json; okta-version=1.0.0"
FORMS = "/idp/idx/"
ELSEWHERE = "/sso/"
DEVICE_CHALLENGE = 'Oktadevicejwt realm="Okta Device"'


class Engine:
    """For one visitor's call: `headers` say on whose behalf. Raises ProviderAway and ProviderBusy."""

    def __init__(self, provider: Provider, headers: Mapping[str, str]):
        self._provider, self._headers = provider, headers

    async def interact(self, meta: Meta, token: str = "") -> str:
        """The interaction handle. Raises LinkRefused for a token of a mail that does not count any more."""
        form = {
            "scope": self._provider.scopes,
            "redirect_uri": self._provider.redirect_uri,
            "code_challenge": challenge_of(meta.verifier),
            "code_challenge_method": "S256",
            "state": meta.state,
            "nonce": meta.nonce,
        }
        kinds = (
            ("activation_token", "recovery_token")
            if meta.flow == "register"
            else ("recovery_token", "activation_token")
        )
        for kind in kinds if token else ("",):
            reply = await self._provider.posted(f"{self._base}/v1/interact", {**form, kind: token} if kind else form)
            handle = reply.get("interaction_handle")
            if reply.is_good and isinstance(handle, str):
                return handle
        if token:
            raise LinkRefused
        raise SignInError

    @property
    def _base(self) -> str:
        issuer = self._provider.issuer
        return issuer if "/oauth2" in issuer else f"{issuer}/oauth2"

    async def introspect(self, meta: Meta) -> Answer:
        """Where the transaction stands; changes nothing."""
        body = (
            {"stateToken": meta.state_handle} if meta.state_handle else {"interactionHandle": meta.interaction_handle}
        )
        return await self._posted(f"{self._provider.origin}{FORMS}introspect", body, ION)

    async def submit(self, form: Json, values: Json) -> Answer:
        """A form that an answer offered, with values and what the form fixes."""
        address = form.get("href")
        if not self._is_form(address):
            raise ProviderAway
        return await self._posted(str(address), values, str(form.get("accepts") or ION), "application/json")

    def _is_form(self, address: Any) -> bool:
        """Secrets are posted to the provider's own forms, wherever its answer points."""
        if not isinstance(address, str) or origin_of(address) != self._provider.origin:
            return False
        path = urlsplit(address).path
        return path.startswith(FORMS) and "/.." not in path

    async def _posted(self, address: str, body: Any, accept: str, kind: str = ION) -> Answer:
        headers = {**self._headers, "Accept": accept, "Content-Type": kind}
        reply = await self._provider.wire.ask("POST", address, Sent(body, headers=headers, keeps_busy=True))
        return read(reply)


def read(reply: Reply) -> Answer:
    """Raises ProviderBusy for a 429 without forms, ProviderAway for what is no answer of the engine."""
    data = reply.data
    if not isinstance(data, dict) or data.get("version") != VERSION:
        if reply.status == 429:
            raise ProviderBusy(1)
        raise ProviderAway
    return Answer(data, reply.status, _is_step_up(reply))


def _is_step_up(reply: Reply) -> bool:
    wanted = reply.headers.get("WWW-Authenticate", "")
    return reply.status == 401 and DEVICE_CHALLENGE in " ".join(wanted.split())
