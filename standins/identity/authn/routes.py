"""Paths of classic authentication below /api/v1/authn; all are POST."""

from collections.abc import Callable

from standins.identity.answers import Answer, Call
from standins.identity.authn import calls, recovery, second

ROUTES: dict[str, Callable[[Call], Answer]] = {
    "": calls.authn,
    "/introspect": calls.resume,
    "/cancel": calls.cancel,
    "/previous": calls.previous,
    "/skip": calls.skip,
    "/credentials/change_password": calls.change_password,
    "/credentials/reset_password": calls.reset_password,
    "/factors": second.enroll,
    "/factors/{id}/verify": second.verify,
    "/factors/{id}/verify/resend": second.resend,
    "/factors/{id}/lifecycle/activate": second.activate,
    "/factors/{id}/lifecycle/activate/poll": second.activate,
    "/factors/{id}/lifecycle/resend": second.resend,
    "/recovery/password": recovery.password,
    "/recovery/unlock": recovery.unlock,
    "/recovery/token": recovery.token,
    "/recovery/answer": recovery.answer,
    "/recovery/factors/{via:SMS|CALL}/verify": recovery.phone_verify,
    "/recovery/factors/{via:SMS|CALL}/resend": recovery.phone_resend,
}
