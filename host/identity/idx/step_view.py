"""Converts a response of the identity engine to the transaction that the browser renders."""

from typing import Any, cast
from urllib.parse import urlsplit

from host.identity.idx.client import SSO_PATH
from host.identity.idx.enrolment import SELECT, SKIP, needs_nothing, ways_of
from host.identity.idx.flow_state import FlowState, OpenFlow
from host.identity.idx.form_inputs import KINDS, inputs_of
from host.identity.idx.response import IdxResponse, Json, rows
from host.identity.idx.schemas import Authenticator, AuthenticatorData, FlowMessage, Place, Poll, Step, Transaction
from host.identity.provider_http import origin_of

MIN_POLL_MS = 500
DEFAULT_POLL_MS = 4000


def transaction_view(open_flow: OpenFlow, origin: str, **more: Any) -> Transaction:
    """The transaction as JSON model. `origin` of the provider: links to other origins are left out. `more` replaces
    members."""
    state, response = open_flow.state, open_flow.state.last
    members: Json = {
        "status": "TERMINAL" if response.is_terminal else "PENDING",
        "flow": state.flow,
        "area": state.area,
        "returnTo": state.return_to,
        "username": state.username or None,
        "place": place_of(state),
        "steps": steps_of(response, origin, state.username),
        "messages": [FlowMessage(**vars(message)) for message in response.messages()],
        "canCancel": response.action("cancel") is not None,
        "canResend": response.action("resend") is not None,
        "redirect": None,
        "stepUp": response.is_step_up,
        "retryAfterMs": None,
        "expiresAt": open_flow.stored.expires_at,
    }
    return Transaction(**{**members, **more})


def place_of(state: FlowState) -> Place | None:
    """The first step is the profile, then comes one for each way that the account must have."""
    response = state.last
    name = response.remediations[0]["name"] if response.remediations else ""
    if state.flow != "register" or "enroll" not in name or response.form(SKIP) is not None:
        return None
    return Place(step=1 if name == "enroll-profile" else 2 + state.ways - state.ways_left, of=1 + state.ways)


def steps_of(response: IdxResponse, origin: str, username: str) -> list[Step]:
    forms = [form for at, form in enumerate(response.remediations) if at == 0 or not _leads_nowhere(response, form)]
    steps = [_step(response, form, at == 0, username) for at, form in enumerate(forms)]
    if response.action("recover") is not None:
        steps.append(Step(name="recover", inputs=[]))
    return [step for step in steps if step.href is None or _is_sso_link(step.href, origin)]


def _leads_nowhere(response: IdxResponse, form: Json) -> bool:
    """Whether a list beside the current step offers nothing but that step."""
    if form["name"] != SELECT:
        return False
    current, ways = KINDS.get(str(response.current_authenticator.get("key"))), ways_of(response, form)
    return len(ways) == 1 and ways[0].kind == current and needs_nothing(ways[0])


def _is_sso_link(address: str, origin: str) -> bool:
    return origin_of(address) == origin and urlsplit(address).path.startswith(SSO_PATH)


def _step(response: IdxResponse, form: Json, is_first: bool, username: str) -> Step:
    if "rel" not in form:
        idp = form.get("idp")
        name = idp.get("name") if isinstance(idp, dict) else None
        return Step(name=form["name"], inputs=[], href=str(form.get("href", "")), label=name)
    has_authenticator = is_first or "relatesTo" in form
    return Step(
        name=form["name"],
        inputs=inputs_of(form, response.resolve, username),
        authenticator=_authenticator(response) if has_authenticator else None,
        poll=_poll(response) if is_first else None,
    )


def _poll(response: IdxResponse) -> Poll | None:
    form = response.polling
    if form is None:
        return None
    interval_ms = form.get("refresh")
    return Poll(everyMs=max(interval_ms if isinstance(interval_ms, int) else DEFAULT_POLL_MS, MIN_POLL_MS))


def _authenticator(response: IdxResponse) -> Authenticator | None:
    authenticator = response.current_authenticator
    kind = KINDS.get(str(authenticator.get("key")))
    if kind is None:
        return None
    label = str(authenticator.get("displayName") or "")
    return Authenticator(kind=kind, label=label, data=_data(response, authenticator))


def _data(response: IdxResponse, authenticator: Json) -> AuthenticatorData:
    context, profile = _part(authenticator, "contextualData"), _part(authenticator, "profile")
    members: Json = {
        "qrcode": _embedded_picture(_part(context, "qrcode").get("href")),
        "secret": context.get("sharedSecret"),
        "contact": profile.get("email") or profile.get("phoneNumber"),
        "questions": [{"key": row.get("questionKey"), "question": row.get("question")} for row in _questions(context)],
        "question": _part(context, "enrolledQuestion").get("question"),
        "activation": context.get("activationData"),
        "challenge": _challenge(response, _part(context, "challengeData")),
        "correctAnswer": context.get("correctAnswer"),
        "rules": _rules(_part(_part(authenticator, "settings"), "complexity")),
    }
    return cast("AuthenticatorData", {name: value for name, value in members.items() if value not in (None, [], {})})


def _part(parent: Json, name: str) -> Json:
    part = parent.get(name)
    return part if isinstance(part, dict) else {}


def _questions(context: Json) -> list[Json]:
    return rows(context.get("questions"))


def _embedded_picture(address: Any) -> str | None:
    """A data URL; None for any other address, so that browsers load no picture from another site."""
    return address if isinstance(address, str) and address.startswith("data:image/") else None


def _challenge(response: IdxResponse, data: Json) -> Json:
    """The challenge with the credentials that may be used, which the response lists elsewhere."""
    if not data:
        return {}
    enrolled = [row.get("credentialId") for row in rows(response.data.get("authenticatorEnrollments"))]
    current = response.current_authenticator.get("credentialId")
    ids = list(dict.fromkeys(value for value in [*enrolled, current] if isinstance(value, str)))
    allowed = [{"type": "public-key", "id": value} for value in ids]
    return {**data, **({"allowCredentials": allowed} if allowed and "allowCredentials" not in data else {})}


def _rules(complexity: Json) -> Json:
    names = {
        "minLength": "minLength",
        "lowercase": "minLowerCase",
        "uppercase": "minUpperCase",
        "number": "minNumber",
        "symbol": "minSymbol",
        "excludeUsername": "excludeUsername",
    }
    return {name: complexity[source] for name, source in names.items() if source in complexity}
