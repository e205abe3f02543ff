"""HTTP calls of the identity engine. Forms are posted only to the provider's own addresses."""

from collections.abc import Mapping
from typing import Any
from urllib.parse import urlsplit

from host.identity.errors import LinkRefused, ProviderRateLimited, ProviderUnavailable, SignInError
from host.identity.idx.flow_state import FlowState
from host.identity.idx.response import VERSION, IdxResponse, Json
from host.identity.pkce import challenge_of
from host.identity.provider import Provider
from host.identity.provider_http import ProviderReply, ProviderRequest, origin_of

ION = "application/ion+json; okta-version=1.0.0"
FORMS = "/idp/idx/"
SSO_PATH = "/sso/"
DEVICE_CHALLENGE = 'Oktadevicejwt realm="Okta Device"'


class IdxClient:
    """Makes calls for one visitor, whom `headers` identify. Calls raise ProviderUnavailable and ProviderRateLimited."""

    def __init__(self, provider: Provider, headers: Mapping[str, str]):
        self._provider, self._headers = provider, headers

    async def interact(self, state: FlowState, token: str = "") -> str:
        """Start an interaction and return its handle. Raises LinkRefused for an expired or used token of a mail."""
        form = {
            "scope": self._provider.scopes_for(asks_account=state.asks_account),
            "redirect_uri": self._provider.redirect_uri,
            "code_challenge": challenge_of(state.verifier),
            "code_challenge_method": "S256",
            "state": state.state,
            "nonce": state.nonce,
        }
        kinds = (
            ("activation_token", "recovery_token")
            if state.flow == "register"
            else ("recovery_token", "activation_token")
        )
        for kind in kinds if token else ("",):
            reply = await self._provider.post(f"{self._base}/v1/interact", {**form, kind: token} if kind else form)
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

    async def introspect(self, state: FlowState) -> IdxResponse:
        """Return the current response of a transaction without changing it."""
        body = (
            {"stateToken": state.state_handle}
            if state.state_handle
            else {"interactionHandle": state.interaction_handle}
        )
        return await self._post(f"{self._provider.origin}{FORMS}introspect", body, ION)

    async def submit(self, form: Json, values: Json) -> IdxResponse:
        """Submit a form of a response. `values` include the form's fixed values."""
        address = form.get("href")
        if not self._is_own_form(address):
            raise ProviderUnavailable
        return await self._post(str(address), values, str(form.get("accepts") or ION), "application/json")

    def _is_own_form(self, address: Any) -> bool:
        """Whether an address is a form of this provider: secrets must not be posted anywhere else."""
        if not isinstance(address, str) or origin_of(address) != self._provider.origin:
            return False
        path = urlsplit(address).path
        return path.startswith(FORMS) and "/.." not in path

    async def _post(self, address: str, body: Any, accept: str, kind: str = ION) -> IdxResponse:
        headers = {**self._headers, "Accept": accept, "Content-Type": kind}
        reply = await self._provider.wire.request(
            "POST", address, ProviderRequest(body, headers=headers, returns_429=True)
        )
        return read(reply)


def read(reply: ProviderReply) -> IdxResponse:
    """Raises ProviderRateLimited for a 429 without forms, ProviderUnavailable for a reply that is not the engine's."""
    data = reply.data
    if not isinstance(data, dict) or data.get("version") != VERSION:
        if reply.status == 429:
            raise ProviderRateLimited(1)
        raise ProviderUnavailable
    return IdxResponse(data, reply.status, _is_step_up(reply))


def _is_step_up(reply: ProviderReply) -> bool:
    challenge = reply.headers.get("WWW-Authenticate", "")
    return reply.status == 401 and DEVICE_CHALLENGE in " ".join(challenge.split())
