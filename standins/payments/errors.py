"""Errors in the form of the gateway's API."""

from typing import Any

DOCUMENTATION = "https://stripe.com/docs/error-codes"
SERVER_ERROR = "An unknown error occurred"


class PaymentApiError(Exception):
    """An error object with its HTTP status. `is_stored`: a repetition with the same idempotency key gets it again, as
    soon as the request was understood."""

    is_stored = True

    def __init__(
        self, status: int, message: str, *, kind: str = "invalid_request_error", code: str | None = None, **more: Any
    ):
        super().__init__(message)
        self.status, self.message, self.kind, self.code = status, message, kind, code
        # Such as param.
        self.more = more

    def error_object(self, request_id: str) -> dict[str, Any]:
        documentation = (
            {"code": self.code, "doc_url": f"{DOCUMENTATION}/{self.code.replace('_', '-')}"} if self.code else {}
        )
        log = f"https://dashboard.stripe.com/test/logs/{request_id}"
        return {
            "error": {**documentation, "message": self.message, **self.more, "request_log_url": log, "type": self.kind}
        }


class RequestRefused(PaymentApiError):
    """The request was not carried out at all: its key, its parameters or its idempotency key are wrong."""

    is_stored = False


def no_such(kind: str, object_id: str, param: str) -> PaymentApiError:
    return PaymentApiError(404, f"No such {kind}: '{object_id}'", code="resource_missing", param=param)


def server_error() -> PaymentApiError:
    return PaymentApiError(500, SERVER_ERROR, kind="api_error")
