"""Renders the provider's HTML pages, each with a content security policy of its own."""

from functools import lru_cache
from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined

from standins.identity.responses import IdentityCall, IdentityResponse, not_found

FOLDER = Path(__file__).parent
FILES = {"fingerprint.js", "form_post.js", "post_message.js", "pages.css"}
_MEDIA = {".js": "text/javascript", ".css": "text/css"}


@lru_cache(1)
def _templates() -> Environment:
    return Environment(loader=FileSystemLoader(FOLDER / "templates"), autoescape=True, undefined=StrictUndefined)


def render_page(
    name: str,
    status: int = 200,
    /,
    *,
    script: str | None = None,
    forms_to: tuple[str, ...] = (),
    framed_by: tuple[str, ...] = (),
    **values: Any,
) -> IdentityResponse:
    """Renders a template. `forms_to`: origins where its forms end, after redirects; `framed_by`: who may frame it."""
    policy = {
        "default-src": "'none'",
        "script-src": "'self'" if script else "'none'",
        "style-src": "'self'",
        "frame-src": "'self'",
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
    return IdentityResponse(status, markup.encode(), "text/html", headers)


def send_file(call: IdentityCall) -> IdentityResponse:
    name = call.params["name"]
    if name not in FILES:
        raise not_found()
    headers = {"Cache-Control": "no-cache", "X-Content-Type-Options": "nosniff"}
    return IdentityResponse(200, (FOLDER / "scripts" / name).read_bytes(), _MEDIA[Path(name).suffix], headers)


def show_fingerprint(call: IdentityCall) -> IdentityResponse:
    """The hidden frame of sign-in pages; only registered origins may frame it."""
    origins = tuple(sorted({origin for client in call.provider.clients.values() for origin in client.origins}))
    return render_page("fingerprint", script="fingerprint", framed_by=origins, origins=" ".join(origins))
