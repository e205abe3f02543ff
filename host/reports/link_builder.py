"""/admin/visits/link: a link to a page of the shop with its campaign, as text and QR code, and how reports count it."""

import re
from collections.abc import Mapping
from datetime import datetime
from urllib.parse import urlencode

from typing_extensions import TypedDict

from domain.database.database import Database
from domain.organisations import partners
from domain.reports.visit_reports.descriptions import label_of
from domain.routes import AreaPage, Page, match_route
from domain.visits.campaigns import campaign_parameters
from domain.visits.days.channels import PART_LENGTH, source_of
from domain.visits.days.paths import LINK_OF_PARTNER, LINK_OF_STUDENT
from host.auth.partner_cookie import is_slug
from host.http.local_redirects import safe_local_path
from host.loaders.areas import area_page
from host.rendering.page_registry import page
from host.rendering.page_request import PageRequest
from host.rendering.page_result import PageResult

# As in links of students.
_NUMBER = re.compile(r"[^\W_][\w.-]{0,63}")
_CAMPAIGN = ("source", "medium", "campaign", "term", "content")
# Name -> label and hint.
FIELDS: Mapping[str, tuple[str, str]] = {
    "to": ("Page", "Its address or path, such as /shop"),
    "source": ("Source", "Who shows the link: newsletter, linkedin"),
    "medium": ("Medium", "How it comes: email, cpc, post, print"),
    "campaign": ("Campaign", "What it belongs to: spring-close"),
    "term": ("Term", "The search word that was paid for, if any"),
    "content": ("Content", "Which of several links: header, footer"),
    "partner": ("Partner", "The name of an organisation in its links, if they spread it"),
    "student": ("Student number", "If a student spreads it"),
}


class LinkField(TypedDict):
    """`error`: why the value cannot be used, else ""."""

    name: str
    label: str
    hint: str
    value: str
    error: str


class CountedAs(TypedDict):
    label: str
    text: str


class CampaignLinkProps(TypedDict):
    """`link`: null until a page is chosen and every field fits. `countedAs`: what reports will say of its sessions."""

    title: str
    path: str
    fields: list[LinkField]
    link: str | None
    countedAs: list[CountedAs]


@page("admin-campaign-link")
async def load(request: PageRequest, route: Page) -> PageResult[CampaignLinkProps]:
    """Raises ServiceUnavailable."""
    origin = request.settings.site_origin
    values = {name: request.query.get(name, "").strip() for name in FIELDS}
    values["to"] = values["to"].removeprefix(origin) or ("/" if values["to"] else "")
    errors = await _errors(request.db, values, request.at) if any(values.values()) else {}
    is_ready = bool(values["to"]) and not errors
    props: CampaignLinkProps = {
        "title": route.title,
        "path": request.path,
        "fields": [
            {"name": name, "label": label, "hint": hint, "value": values[name], "error": errors.get(name, "")}
            for name, (label, hint) in FIELDS.items()
        ],
        "link": link_of(origin, values) if is_ready else None,
        "countedAs": _counted_as(values) if is_ready else [],
    }
    return area_page.page(request, route, props)


async def _errors(db: Database, values: Mapping[str, str], at: datetime) -> dict[str, str]:
    errors: dict[str, str] = {}
    if not _is_page(values["to"]):
        errors["to"] = "Give the address of a page of this shop, such as /shop."
    elif campaign_parameters(values["to"]):
        errors["to"] = "Leave its campaign out of the address: the fields below say it."
    for name in _CAMPAIGN:
        if len(values[name]) > PART_LENGTH:
            errors[name] = f"Write at most {PART_LENGTH} letters."
    if any(values[name] for name in _CAMPAIGN) and not values["source"]:
        errors["source"] = "Say who shows the link: reports count a campaign by its source."
    if values["partner"] and values["student"]:
        errors["student"] = "A link is of a partner or of a student."
    elif values["student"] and not _NUMBER.fullmatch(values["student"]):
        errors["student"] = "This is no student number."
    if values["partner"] and not (
        is_slug(values["partner"]) and await db.read(partners.find, values["partner"], at) is not None
    ):
        errors["partner"] = "No approved organisation has this name in its links."
    return errors


def _is_page(target: str) -> bool:
    """A public page that exists; what it shows may still be missing."""
    path = safe_local_path(target)
    match = match_route(re.split(r"[?#]", path, maxsplit=1)[0]) if path else None
    return match is not None and match.page.served and not isinstance(match.page, AreaPage)


def link_of(origin: str, values: Mapping[str, str]) -> str:
    """Links of partners and students pass the campaign on to their target."""
    target = safe_local_path(values["to"]) or "/"
    campaign = [(f"utm_{name}", values[name]) for name in _CAMPAIGN if values[name]]
    if values["partner"] or values["student"]:
        whose = ("/d?", ("k", values["partner"])) if values["partner"] else ("/s?", ("n", values["student"]))
        return origin + whose[0] + urlencode([whose[1], ("to", target), *campaign])
    address, hash_sign, fragment = target.partition("#")
    if not campaign:
        return origin + target
    return f"{origin}{address}{'&' if '?' in address else '?'}{urlencode(campaign)}{hash_sign}{fragment}"


def _counted_as(values: Mapping[str, str]) -> list[CountedAs]:
    linked = LINK_OF_PARTNER if values["partner"] else LINK_OF_STUDENT if values["student"] else ""
    campaign = {f"utm_{name}": values[name] for name in _CAMPAIGN if values[name]}
    found = source_of(linked, campaign, "", is_partner=bool(values["partner"]))
    return [
        {"label": "Channel", "text": label_of("channel", found.channel)},
        {"label": "Source", "text": label_of("source", found.source)},
        {"label": "Campaign", "text": label_of("campaign", found.campaign)},
    ]
