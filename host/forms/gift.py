"""Accepting a gift as a plain HTML form, for visitors without JavaScript (docs/decisions/0038)."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from urllib.parse import quote, urlencode

from aiohttp import web

from contracts.tasks import Topic
from domain.errors import NotFound, Refused, ServiceUnavailable
from domain.identity.sessions import AuthSession
from domain.learning.addresses import DASHBOARD, begin_href
from domain.learning.gifts import claiming
from domain.learning.gifts.claiming import GiftCourse
from host import page_handler
from host.api.body import read_form
from host.app_keys import DATABASE
from host.auth import private_pages
from host.auth.form_keys import FORM_KEYS, InvalidFormKey
from host.http import csrf
from host.http.problems import RateLimited
from host.messaging.outbox_wake import OUTBOX_WAKER
from host.rate_limits import policies
from host.rendering.page_result import PageResult

STALE_FORM = "This page was open for more than a day, or belongs to another sign-in. Look at the gift and try again."


async def form(request: web.Request) -> web.StreamResponse:
    """POST /user-dashboard?giftToken=…: accept the gift and redirect to where its learner begins, without the token; to
    its card, which says why it cannot be accepted; or the card again with what was refused."""
    csrf.require_same_origin(request, required=True)
    fields = await read_form(request)
    token = request.query.get("giftToken", "")
    address = f"{DASHBOARD}?{urlencode({'giftToken': token})}"
    try:
        session = await private_pages.document_session(request)
        if session is None:
            raise web.HTTPSeeOther(f"/login?returnTo={quote(address, safe='')}")
        if not _is_own_form(request, session.auth, fields):
            return await _page(request, 422, STALE_FORM)
        courses = await _claim(request, session.auth, token)
    except RateLimited as error:
        return await _page(request, 429, str(error), {"Retry-After": str(error.retry_after_s)})
    except ServiceUnavailable as error:
        return await _page(request, 503, f"{error} Nothing was changed.")
    raise web.HTTPSeeOther(address if courses is None else begin_href([course.slug for course in courses]))


def _is_own_form(request: web.Request, auth: AuthSession, fields: Mapping[str, str]) -> bool:
    try:
        learner_id = request.app[FORM_KEYS].learner_of("gift", fields.get("key", ""), datetime.now(UTC))
    except InvalidFormKey:
        return False
    return learner_id == auth.learner_id


async def _claim(request: web.Request, auth: AuthSession, token: str) -> Sequence[GiftCourse] | None:
    """What it opened. None: it was refused, and its card says why."""
    await policies.limit(request, *policies.LEARNING_CODES, learner=auth)
    try:
        courses = await request.app[DATABASE].write(claiming.claim, auth.learner_id, token, datetime.now(UTC))
    except (NotFound, Refused):
        return None
    request.app[OUTBOX_WAKER].wake(Topic.MAIL)
    return courses


async def _page(
    request: web.Request, status: int, message: str, headers: Mapping[str, str] | None = None
) -> web.StreamResponse:
    page, result = await page_handler.load_with_session(request, page_handler.page_request(request, DASHBOARD))
    if isinstance(result, PageResult):
        no_script, all_headers = {**result.no_script, "message": message}, {**result.headers, **(headers or {})}
        result = replace(result, status=max(status, result.status), no_script=no_script, headers=all_headers)
    return await page_handler.private_document(request, page, result)
