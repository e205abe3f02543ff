"""What can go wrong at the provider. Every text stands once, in texts.json, which the browser reads too."""

import json
from pathlib import Path
from typing import Any

TEXTS: dict[str, str] = json.loads((Path(__file__).parent / "texts.json").read_text("utf-8"))


class SignInError(Exception):
    """A sign-in that cannot go on. `key` names its text."""

    key = "loginFailed"

    def __init__(self, **values: str):
        super().__init__(TEXTS[self.key].format(**values))


class ProviderAway(SignInError):
    """It cannot be reached, takes too long, answers 5xx or not in its own language. Trying again later may help.

    `status` and `code` of its answer, 0 and "" when none came.
    """

    key = "unknown"

    def __init__(self, status: int = 0, code: str = ""):
        super().__init__()
        self.status, self.code = status, code


class ProviderBusy(SignInError):
    """It answered 429; `retry_after_s` says when to ask again."""

    key = "tooMany"

    def __init__(self, retry_after_s: int):
        super().__init__()
        self.retry_after_s = retry_after_s


class LoginFailed(SignInError):
    """Wrong name or password; `summary` is the provider's own word for it, when it has one."""

    def __init__(self, summary: str = ""):
        super().__init__()
        self.summary = summary or str(self)


class CallRefused(SignInError):
    """The provider refused a call of classic authentication: `code` such as E0000068, `causes` in its own words."""

    def __init__(self, status: int, code: str, summary: str, causes: tuple[str, ...] = ()):
        super().__init__()
        self.status, self.code, self.causes = status, code, causes
        self.summary = summary or str(self)


class UnhandledStatus(SignInError):
    """The provider answered something other than SUCCESS."""

    key = "unhandledStatus"

    def __init__(self, status: str):
        super().__init__(status=status)
        self.status = status


class NoTransaction(SignInError):
    """The browser brings no record of a sign-in begun here, or one that is too old."""

    key = "noTransaction"


class ForeignState(SignInError):
    """The state that came back is missing or not the one that was sent."""

    key = "state"


class OtherIssuer(SignInError):
    """Somebody else's answer (RFC 9207), or a discovery document of another issuer."""

    key = "otherIssuer"


class CodeRefused(SignInError):
    """The provider does not take the code: used, too old, or not ours."""

    key = "codeRefused"


class TokenRefused(SignInError):
    """An id token, or what was asked about its subject, does not hold. `why` is for the log."""

    key = "tokenRefused"

    def __init__(self, why: str):
        super().__init__()
        self.why = why


# OAuth's error ids -> keys of texts; any other is a plain failure.
_OF_OAUTH = {
    "access_denied": "denied",
    "login_required": "loginRequired",
    "interaction_required": "loginRequired",
    "server_error": "unknown",
    "temporarily_unavailable": "unknown",
}


class RefusedByProvider(SignInError):
    """The callback brought an OAuth error; `error` is its id."""

    def __init__(self, error: str):
        self.key = _OF_OAUTH.get(error, "loginFailed")
        super().__init__()


def text_of(answer: Any) -> str:
    """The summary of a provider's API error, "" when it has none."""
    found = answer.get("errorSummary") if isinstance(answer, dict) else None
    return found if isinstance(found, str) else ""


class NoSavedTransaction(SignInError):
    """Nothing to go on with: the browser brings none, or it is no longer kept."""

    key = "noSaved"


class TransactionOver(SignInError):
    """Its 30 minutes are over."""

    key = "over"


class LinkRefused(SignInError):
    """The token of a mail does not count any more."""

    key = "linkRefused"


class NotOffered(SignInError):
    """A step that the last answer did not have."""

    key = "notOffered"


class NoRegistration(SignInError):
    """The provider lets nobody register themselves."""

    key = "noRegistration"


class NoUnlock(SignInError):
    """The provider lets nobody unlock themselves."""

    key = "noUnlock"


class ForeignInteraction(SignInError):
    """The way back from another provider brings the state of another transaction."""

    key = "interactionState"


class NoInteractionCode(SignInError):
    """The way back brings neither a code nor an error."""

    key = "noInteractionCode"


class NoResume(SignInError):
    """Nothing that could be gone on with in this browser."""

    key = "noResume"


class NoProviderToken(SignInError):
    """A sign-in that brought no token of this provider: nothing is asked there."""

    key = "noAccessToken"


class NoAccount(SignInError):
    """The provider keeps no account that could be read or changed from here."""

    key = "noAccount"


class NoEvaluate(SignInError):
    """No state token is given and none is saved, so that nothing can be looked at."""

    key = "noEvaluate"


class PollStopped(SignInError):
    """Another link of the same transaction was followed while it was polled."""

    key = "pollStopped"


class NoLinkName(SignInError):
    """Of several links of one kind none was named."""

    key = "noLinkName"


class NoSuchLink(SignInError):
    """None of those that the answer offers has this name."""

    key = "noLink"


class AutoPushFailed(SignInError):
    """Whoever was asked whether pushes are to be sent by themselves failed to say."""

    key = "autoPush"


class RememberDeviceFailed(SignInError):
    """Whoever was asked whether the device is to be remembered failed to say."""

    key = "rememberDevice"
