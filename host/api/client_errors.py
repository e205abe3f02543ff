"""client-errors: an error of our scripts in a browser, as one line of the log."""

import logging
from typing import Annotated

from aiohttp import web
from pydantic import BaseModel, Field

from domain.redaction import redact_text
from domain.visits.visits import clean_text
from host.api.fields import Strict
from host.api.registry import call
from host.rate_limits import policies

log = logging.getLogger("coursefront.browser")

MAX_MESSAGE_LENGTH = 500
MAX_FRAMES = 10
# A file below /static/dist/ with line and column.
Frame = Annotated[str, Field(pattern=r"^[\w./-]{1,100}:\d{1,7}:\d{1,7}$")]


class ClientError(Strict):
    """`stack`: positions in our own scripts, the innermost first. `requestId`: of the page's request, "" if unknown."""

    message: str = Field(max_length=MAX_MESSAGE_LENGTH)
    stack: list[Frame] = Field(max_length=MAX_FRAMES)
    page: str = Field(pattern="^[a-z-]{0,40}$")
    build: str = Field(pattern="^[0-9a-f]{0,64}$")
    requestId: str = Field(pattern="^[0-9a-f]{0,64}$")


class ClientErrorLogged(BaseModel):
    status: str


@call("client-errors", ClientError, ClientErrorLogged, caller="anyone", status=202, refusals=(429, 503))
async def log_client_error(request: web.Request, body: ClientError) -> ClientErrorLogged:
    """Log an error of the site's scripts in one line: without quoted text, secrets and email addresses."""
    await policies.limit(request, "client_errors_per_address_minute")
    message = redact_text(clean_text(body.message, MAX_MESSAGE_LENGTH))
    place = f"page {body.page or '?'}, build {body.build or '?'}, request {body.requestId or '?'}"
    log.error("browser error: %s (%s) at %s", message, place, " < ".join(body.stack) or "?")
    return ClientErrorLogged(status="logged")
