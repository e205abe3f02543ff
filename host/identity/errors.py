"""Errors of sign-ins. Their texts are in contracts/sign_in_errors.json, which the browser reads too."""

import json
from typing import Any

from config.settings import ROOT

TEXTS: dict[str, str] = json.loads((ROOT / "contracts" / "sign_in_errors.json").read_text("utf-8"))


class SignInError(Exception):
    """A sign-in that cannot continue. `key` names its text."""

    key = "loginFailed"

    def __init__(self, **values: str):
        super().__init__(TEXTS[self.key].format(**values))


class ProviderUnavailable(SignInError):
    """The provider is unreachable or slow, or replies with 5xx or an invalid body. Trying again later may help.

    `status` and `code` are those of the reply, 0 and "" without one.
    """

    key = "unknown"

    def __init__(self, status: int = 0, code: str = ""):
        super().__init__()
        self.status, self.code = status, code


class ProviderRateLimited(SignInError):
    """The provider replied with 429; another request makes sense after `retry_after_s`."""

    key = "tooMany"

    def __init__(self, retry_after_s: int):
        super().__init__()
        self.retry_after_s = retry_after_s


class LoginFailed(SignInError):
    """Wrong name or password. `summary` is the provider's own message, if it has one."""

    def __init__(self, summary: str = ""):
        super().__init__()
        self.summary = summary or str(self)


class CallRefused(SignInError):
    """The provider refused an authn call: `code` such as E0000068, `causes` are the provider's messages."""

    def __init__(self, status: int, code: str, summary: str, causes: tuple[str, ...] = ()):
        super().__init__()
        self.status, self.code, self.causes = status, code, causes
        self.summary = summary or str(self)


class UnhandledStatus(SignInError):
    """The provider returned a status other than SUCCESS."""

    key = "unhandledStatus"

    def __init__(self, status: str):
        super().__init__(status=status)
        self.status = status


class NoTransaction(SignInError):
    """The browser has no cookie of a sign-in begun here, or an expired one."""

    key = "noTransaction"


class ForeignState(SignInError):
    """The state in the callback is missing or differs from the one sent."""

    key = "state"


class OtherIssuer(SignInError):
    """A response (RFC 9207) or a discovery document of another issuer."""

    key = "otherIssuer"


class CodeRefused(SignInError):
    """The provider refused the code: already used, expired, or issued to another client."""

    key = "codeRefused"


class TokenRefused(SignInError):
    """An id token or the userinfo reply for its subject is invalid. `reason` is for the log."""

    key = "tokenRefused"

    def __init__(self, reason: str):
        super().__init__()
        self.reason = reason


# OAuth error codes -> keys of texts; any other code means loginFailed.
_OAUTH_KEYS = {
    "access_denied": "denied",
    "login_required": "loginRequired",
    "interaction_required": "loginRequired",
    "server_error": "unknown",
    "temporarily_unavailable": "unknown",
}


class RefusedByProvider(SignInError):
    """The callback or the token endpoint returned the OAuth error code `error`."""

    def __init__(self, error: str):
        self.key = _OAUTH_KEYS.get(error, "loginFailed")
        super().__init__()


def text_of(data: Any) -> str:
    """The summary in a provider's API error, "" when it has none."""
    summary = data.get("errorSummary") if isinstance(data, dict) else None
    return summary if isinstance(summary, str) else ""


class NoSecondFactor(SignInError):
    """Somebody of the staff has signed in with one factor, and the provider was not asked for a second one, or has
    none for them."""

    key = "secondFactor"


class NoSavedTransaction(SignInError):
    """The browser names no transaction, or one that is no longer stored."""

    key = "noSaved"


class TransactionOver(SignInError):
    """The transaction's 30 minutes have expired."""

    key = "over"


class LinkRefused(SignInError):
    """The token of a mail link has expired or was already used."""

    key = "linkRefused"


class NotOffered(SignInError):
    """A step that the provider's last response does not offer."""

    key = "notOffered"


class NoRegistration(SignInError):
    """The provider does not offer self-service registration."""

    key = "noRegistration"


class NoUnlock(SignInError):
    """The provider does not offer self-service unlocking."""

    key = "noUnlock"


class ForeignInteraction(SignInError):
    """The redirect back from another identity provider has the state of another transaction."""

    key = "interactionState"


class NoInteractionCode(SignInError):
    """The redirect back has neither a code nor an error."""

    key = "noInteractionCode"


class NoResume(SignInError):
    """There is no transaction to resume in this browser."""

    key = "noResume"


class NoProviderToken(SignInError):
    """The session has no access token of this provider, so its MyAccount API cannot be called."""

    key = "noAccessToken"


class NoScope(SignInError):
    """The access token has no scope for this part of the provider's MyAccount API."""

    key = "noScope"


class NoAccount(SignInError):
    """The provider has no MyAccount API."""

    key = "noAccount"


class NoEvaluate(SignInError):
    """No state token is given and none is saved, so there is nothing to introspect."""

    key = "noEvaluate"


class PollStopped(SignInError):
    """Another link of the transaction was followed during a poll."""

    key = "pollStopped"


class NoLinkName(SignInError):
    """There are several links with this name, and the caller selected none of them."""

    key = "noLinkName"


class NoSuchLink(SignInError):
    """The response has no link with this name."""

    key = "noLink"


class AutoPushFailed(SignInError):
    """The callback for the option autoPush raised an exception."""

    key = "autoPush"


class RememberDeviceFailed(SignInError):
    """The callback for the option rememberDevice raised an exception."""

    key = "rememberDevice"
