"""An answer of the engine as the transaction that the browser draws."""

from typing import Any
from urllib.parse import urlsplit

from host.identity.idx.answers import Answer, Json, rows
from host.identity.idx.engine import ELSEWHERE
from host.identity.idx.inputs import KINDS, inputs_of
from host.identity.idx.meta import Open
from host.identity.idx.wire import Authenticator, Poll, Said, Step, Transaction
from host.identity.transport import origin_of

LEAST_POLL_MS = 500
USUAL_POLL_MS = 4000


def shown(one: Open, origin: str, **more: Any) -> Transaction:
    """`origin` of the provider: links elsewhere are left out. `more` replaces members."""
    meta, answer = one.meta, one.meta.last
    facts: Json = {
        "status": "TERMINAL" if answer.is_terminal else "PENDING",
        "flow": meta.flow,
        "area": meta.area,
        "returnTo": meta.return_to,
        "username": meta.username or None,
        "steps": steps_of(answer, origin, meta.username),
        "messages": [Said(**vars(message)) for message in answer.messages()],
        "canCancel": answer.action("cancel") is not None,
        "canResend": answer.action("resend") is not None,
        "redirect": None,
        "stepUp": answer.is_step_up,
        "retryAfterMs": None,
        "expiresAt": one.kept.expires_at,
    }
    return Transaction(**{**facts, **more})


def steps_of(answer: Answer, origin: str, username: str) -> list[Step]:
    made = [_step(answer, form, at == 0, username) for at, form in enumerate(answer.remediations)]
    if answer.action("recover") is not None:
        made.append(Step(name="recover", inputs=[]))
    return [one for one in made if one.href is None or _leads_there(one.href, origin)]


def _leads_there(address: str, origin: str) -> bool:
    return origin_of(address) == origin and urlsplit(address).path.startswith(ELSEWHERE)


def _step(answer: Answer, form: Json, is_first: bool, username: str) -> Step:
    if "rel" not in form:
        idp = form.get("idp")
        name = idp.get("name") if isinstance(idp, dict) else None
        return Step(name=form["name"], inputs=[], href=str(form.get("href", "")), label=name)
    is_about = is_first or "relatesTo" in form
    return Step(
        name=form["name"],
        inputs=inputs_of(form, answer.resolved, username),
        authenticator=_authenticator(answer) if is_about else None,
        poll=_poll(answer) if is_first else None,
    )


def _poll(answer: Answer) -> Poll | None:
    form = answer.polling
    if form is None:
        return None
    every = form.get("refresh")
    return Poll(everyMs=max(every if isinstance(every, int) else USUAL_POLL_MS, LEAST_POLL_MS))


def _authenticator(answer: Answer) -> Authenticator | None:
    found = answer.holder
    kind = KINDS.get(str(found.get("key")))
    if kind is None:
        return None
    return Authenticator(kind=kind, label=str(found.get("displayName") or ""), data=_data(answer, found))


def _data(answer: Answer, found: Json) -> Json:
    """What a person or a browser needs to answer; each only where it applies."""
    context, profile = _part(found, "contextualData"), _part(found, "profile")
    made: Json = {
        "qrcode": _picture(_part(context, "qrcode").get("href")),
        "secret": context.get("sharedSecret"),
        "contact": profile.get("email") or profile.get("phoneNumber"),
        "questions": [{"key": one.get("questionKey"), "question": one.get("question")} for one in _questions(context)],
        "question": _part(context, "enrolledQuestion").get("question"),
        "activation": context.get("activationData"),
        "challenge": _challenge(answer, _part(context, "challengeData")),
        "correctAnswer": context.get("correctAnswer"),
        "rules": _rules(_part(_part(found, "settings"), "complexity")),
    }
    return {name: value for name, value in made.items() if value not in (None, [], {})}


def _part(whole: Json, name: str) -> Json:
    found = whole.get(name)
    return found if isinstance(found, dict) else {}


def _questions(context: Json) -> list[Json]:
    return rows(context.get("questions"))


def _picture(address: Any) -> str | None:
    """Pictures come with the answer; none is fetched from elsewhere."""
    return address if isinstance(address, str) and address.startswith("data:image/") else None


def _challenge(answer: Answer, data: Json) -> Json:
    """With the keys that may answer, which the provider tells elsewhere."""
    if not data:
        return {}
    known = [one.get("credentialId") for one in rows(answer.data.get("authenticatorEnrollments"))]
    own = answer.holder.get("credentialId")
    ids = list(dict.fromkeys(one for one in [*known, own] if isinstance(one, str)))
    allowed = [{"type": "public-key", "id": one} for one in ids]
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
    return {ours: complexity[theirs] for ours, theirs in names.items() if theirs in complexity}
