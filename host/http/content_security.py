"""The Content-Security-Policy of each page: a strict base, and the sources that rows of routes.json add to it."""

import re
from collections.abc import Iterable, Mapping

from aiohttp import web

from domain.routes import Page

# What every page may load: files of this site, and a logo that a setting places elsewhere. A complete page runs only
# the entry and what it imports.
BASE: Mapping[str, tuple[str, ...]] = {
    "default-src": ("self",),
    "script-src": ("self",),
    "style-src": ("self",),
    "img-src": ("self", "data", "logo"),
    "font-src": ("self",),
    "connect-src": ("self",),
    "frame-src": (),
    "form-action": ("self",),
}
_FIXED = "frame-ancestors 'none'; base-uri 'none'; object-src 'none'; require-trusted-types-for 'script'"
# Directives that a row may add sources to; without sources of their own, media and workers have those of default-src.
EXTENDABLE = ("script-src", "img-src", "connect-src", "frame-src", "form-action", "media-src", "worker-src")
_KEYWORDS = {"self": "'self'", "data": "data:", "blob": "blob:"}
# Scripts come from this site, or from an origin that a setting names.
_SCRIPT_KEYWORDS = {"self"}
_ORIGIN = re.compile(r"https?://[^\s/;,'\"]+")
_NONCE = "{nonce}"


class InvalidPolicy(ValueError):
    """A row's `csp` is not usable; the text names the row. Ends the start."""


class ContentPolicies:
    """The header of each page, built once. `origins`: name of a source -> the origins that a setting gives it, "" for
    none. Raises InvalidPolicy."""

    def __init__(self, pages: Iterable[Page], origins: Mapping[str, str]):
        self._sources = {**origins, **_KEYWORDS}
        for name, origin in origins.items():
            if name in _KEYWORDS or not all(_ORIGIN.fullmatch(one) for one in origin.split()):
                raise InvalidPolicy(f"{name} is no name of an origin, or {origin!r} is no origin")
        self._base = self._headers({})
        self._own: dict[str, tuple[str, str]] = {}
        self._keys: dict[str, str] = {}
        # Many rows add the same sources.
        made: dict[object, tuple[str, str]] = {}
        for page in pages:
            if page.csp:
                self._check(page)
                self._own[page.id] = made[page.csp] = made.get(page.csp) or self._headers(dict(page.csp))
                self._keys[page.id] = ";".join(filter(None, (self._key(*row) for row in page.csp)))

    def header(self, page_id: str, nonce: str | None) -> str:
        """The header of a page. `nonce`: that of a streamed page, whose inline scripts have it."""
        complete, streamed = self._own.get(page_id, self._base)
        return complete if nonce is None else streamed.replace(_NONCE, nonce)

    def key(self, page_id: str) -> str:
        """Which pages a document can show: those of its own key; "" for pages with the base policy."""
        return self._keys.get(page_id, "")

    def _key(self, directive: str, names: Iterable[str]) -> str:
        """Sources without an origin add nothing, and documents with and without them are the same."""
        known = sorted(name for name in names if self._sources[name])
        return " ".join((directive, *known)) if known else ""

    def _check(self, page: Page) -> None:
        for directive, sources in page.csp:
            if directive not in EXTENDABLE:
                raise InvalidPolicy(f"{page.id}: csp cannot add to {directive}, only to {', '.join(EXTENDABLE)}")
            for name in sources:
                is_refused = directive == "script-src" and name in _KEYWORDS and name not in _SCRIPT_KEYWORDS
                if name not in self._sources or is_refused:
                    raise InvalidPolicy(f"{page.id}: csp, {directive}: {name!r} names no source that is allowed there")

    def _headers(self, added: Mapping[str, tuple[str, ...]]) -> tuple[str, str]:
        """The header of a complete page, and that of a streamed one."""
        directives = [self._directive(name, sources, added) for name, sources in BASE.items()]
        directives += [self._directive(name, ("self",), added) for name in added if name not in BASE]
        complete = "; ".join((*directives, _FIXED))
        script = self._directive("script-src", BASE["script-src"], added)
        streamed = script.replace("'self'", f"'nonce-{_NONCE}' 'strict-dynamic'", 1)
        return complete, complete.replace(script, streamed)

    def _directive(self, name: str, sources: tuple[str, ...], added: Mapping[str, tuple[str, ...]]) -> str:
        names = dict.fromkeys((*sources, *added.get(name, ())))
        values = [value for source in names if (value := self._sources.get(source, ""))]
        return " ".join((name, *(values or ["'none'"])))


CONTENT_POLICIES = web.AppKey("content_policies", ContentPolicies)
