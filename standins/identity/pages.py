"""The few pages people see: plain HTML, no inline script or style, each with its own policy."""

from functools import lru_cache
from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined

from standins.identity.answers import Answer, Call, missing

ROOM = Path(__file__).parent
FILES = {"fingerprint.js", "form_post.js", "post_message.js", "pages.css"}
_MEDIA = {".js": "text/javascript", ".css": "text/css"}


@lru_cache(1)
def _templates() -> Environment:
    return Environment(loader=FileSystemLoader(ROOM / "templates"), autoescape=True, undefined=StrictUndefined)


def page(
    name: str,
    status: int = 200,
    /,
    *,
    script: str | None = None,
    forms_to: tuple[str, ...] = (),
    framed_by: tuple[str, ...] = (),
    **values: Any,
) -> Answer:
    """`forms_to`: origins that a form of the page ends at, redirects included; `framed_by`: who may frame it."""
    policy = {
        "default-src": "'none'",
        "script-src": "'self'" if script else "'none'",
        "style-src": "'self'",
        "form-action": " ".join(("'self'", *forms_to)),
        "frame-ancestors": " ".join(framed_by) or "'none'",
        "base-uri": "'none'",
    }
    headers = {
        "Content-Security-Policy": "; ".join(f"{name} {value}" for name, value in policy.items()),
        "Cache-Control": "no-store",
        "Referrer-Policy": "same-origin",
        "X-Content-Type-Options": "nosniff",
    }
    markup = _templates().get_template(f"{name}.html").render(script=script, **values)
    return Answer(status, markup.encode(), "text/html", headers)


def file(call: Call) -> Answer:
    name = call.params["name"]
    if name not in FILES:
        raise missing()
    headers = {"Cache-Control": "no-cache", "X-Content-Type-Options": "nosniff"}
    return Answer(200, (ROOM / "scripts" / name).read_bytes(), _MEDIA[Path(name).suffix], headers)


def fingerprint(call: Call) -> Answer:
    """The hidden frame of sign-in pages: framed by registered sites only."""
    origins = tuple(sorted({origin for client in call.provider.clients.values() for origin in client.origins}))
    return page("fingerprint", script="fingerprint", framed_by=origins, origins=" ".join(origins))
