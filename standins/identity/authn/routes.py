"""Paths of classic authentication below /api/v1/authn; all are POST."""

from collections.abc import Callable

from standins.identity.authn import password_sign_in, recovery, second_factors
from standins.identity.responses import IdentityCall, IdentityResponse

ROUTES: dict[str, Callable[[IdentityCall], IdentityResponse]] = {
    "": password_sign_in.sign_in,
    "/introspect": password_sign_in.show_state,
    "/cancel": password_sign_in.cancel,
    "/previous": password_sign_in.previous,
    "/skip": password_sign_in.skip,
    "/credentials/change_password": password_sign_in.change_password,
    "/credentials/reset_password": password_sign_in.reset_password,
    "/factors": second_factors.enroll,
    "/factors/{id}/verify": second_factors.verify,
    "/factors/{id}/verify/resend": second_factors.resend,
    "/factors/{id}/lifecycle/activate": second_factors.activate,
    "/factors/{id}/lifecycle/activate/poll": second_factors.activate,
    "/factors/{id}/lifecycle/resend": second_factors.resend,
    "/recovery/password": recovery.start_password_reset,
    "/recovery/unlock": recovery.start_unlock,
    "/recovery/token": recovery.redeem_mail_token,
    "/recovery/answer": recovery.check_question,
    "/recovery/factors/{via:SMS|CALL}/verify": recovery.verify_phone_code,
    "/recovery/factors/{via:SMS|CALL}/resend": recovery.resend_phone_code,
}
