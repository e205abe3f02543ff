"""Which product of the source a row is: by its id, else by its address or stock number, else by title and provider."""

import hashlib
import re
from dataclasses import dataclass
from urllib.parse import parse_qsl, unquote, urlsplit

from domain.catalogue_import.report import BadRow
from domain.catalogue_import.values import RowValues
from domain.catalogue_import.words import BROKEN
from domain.publishing import slugs

# Last parts of addresses that say nothing of the product.
_GENERIC_PARTS = (
    "about apply buy catalog catalogue course courses default description detail details enroll enrol home index info "
    "item items landing learn lecture main overview preview product products register show start summary syllabus view"
)
_GENERIC = frozenset(_GENERIC_PARTS.split())
# Parameters that choose a product; the others are of campaigns, coupons and searches.
_CHOOSING = re.compile(
    r"(?:\w*_)?(?:id|p|sku|key|code|slug|item|course|courseid|product|productid|cid|pid|v)", re.IGNORECASE
)
_SCHEME = re.compile(r"[a-z][a-z0-9+.-]*:", re.IGNORECASE)
_NAME = re.compile(r"[^:+]*[^\W\d_]{2}[^:+]*")
_SCRIPT = re.compile(r"\.(?:php\d?|aspx?|jsp|do|cgi|html?)$", re.IGNORECASE)


@dataclass(frozen=True)
class RowIdentity:
    """`source_id`: what is stored to find the product again; None: it is found by its slug. `slug`: wanted for a new
    one. `is_own`: the source itself numbers its products. `is_titled`: nothing but the title tells it from others."""

    source_id: str | None
    slug: str
    is_own: bool = False
    is_titled: bool = False


def identity(values: RowValues, name: str, provider: str) -> RowIdentity:
    """Raises BadRow when the row has a column for the id and no id, and when nothing makes a slug."""
    own, text = _own_id(values), values.text("slug", 2048)
    slug = slugs.slug_from(_speaking_part(text) if "/" in text else text) or slugs.slug_from(name, own)
    if not slug:
        raise BadRow(f"no slug can be derived from the name {name[:40]!r}")
    if own is not None:
        return RowIdentity(own, slug, is_own=True)
    address = _address(text) if "/" in text else None
    if address is not None:
        return RowIdentity(_short(address), slug)
    if not text and (sku := values.text("sku", slugs.MAX_LENGTH)):
        return RowIdentity(sku, slug)
    if not text and provider:
        return RowIdentity(_short(f"{slugs.slug_from(name)}@{slugs.slug_from(provider)}"), slug)
    return RowIdentity(None, slug, is_titled=not text)


def _own_id(values: RowValues) -> str | None:
    """The source's id. A spreadsheet may have broken it; then the row is known by its address or slug."""
    if not values.has("source_id"):
        return None
    text = values.text("source_id", slugs.MAX_LENGTH)
    is_broken = text.casefold() in BROKEN
    if not text or is_broken:
        if not values.text("slug", 2048):
            return values.required("source_id") if not text else values.refuse_field("source_id", "is broken")
        if is_broken:
            values.doubts.append(f"{text} is no id but an error of a spreadsheet: known by its address instead")
        return None
    return text


def _address(text: str) -> str | None:
    """The address without what does not choose a product: courses.example/learn/law. None when it has no path."""
    parts = urlsplit(text if _SCHEME.match(text) else "//" + text.lstrip("/"))
    path = unquote(parts.path).strip("/")
    chosen = [(key, value) for key, value in parse_qsl(parts.query) if _CHOOSING.fullmatch(key) and value]
    if not path and not chosen:
        return None
    query = "&".join(f"{key}={value}" for key, value in sorted(chosen))
    host = parts.netloc.casefold().removeprefix("www.")
    return f"{host}/{path}" + (f"?{query}" if query else "")


def _speaking_part(text: str) -> str:
    """The last part of an address if it is a name; "" for /preview, /view.php?id=4, /12 or /course-v1:X+Y."""
    before, _, after = re.split(r"[?#]", text, maxsplit=1)[0].partition("://")
    _, _, path = (after or before).partition("/")
    part = unquote(path.rstrip("/").rpartition("/")[2])
    is_name = _NAME.fullmatch(part) and not _SCRIPT.search(part)
    return part if is_name and part.casefold() not in _GENERIC else ""


def _short(text: str) -> str:
    """At most as long as the column, different texts differently."""
    if len(text) <= slugs.MAX_LENGTH:
        return text
    digest = hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:24]
    return f"{text[: slugs.MAX_LENGTH - 25]}-{digest}"
