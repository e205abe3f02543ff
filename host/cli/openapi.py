"""`python -m host openapi`: write calls and pages as one OpenAPI document, the source of scripts/schema."""

import argparse
import json
import sys
from pathlib import Path
from typing import Any

from pydantic import TypeAdapter
from pydantic.json_schema import JsonSchemaMode

from config.settings import Settings
from domain.routes import AreaPage, Page, area_pages, public_pages
from host import data_handler, features
from host.api.openapi import REF, describe
from host.auth.sessions import session_cookie_name
from host.loaders.areas.area_page import AreaErrorProps
from host.loaders.client_rendered import WaitingProps
from host.loaders.errors import ErrorProps
from host.loaders.ui.chart_props import ChartProps
from host.loaders.ui.table_props import TableProps
from host.rendering.page_registry import PAGES
from host.site_state import SiteProps

Json = dict[str, Any]

# SiteProps are in every document beside the props of its page (docs/contracts.md, "document").
# TableProps and ChartProps are the props of components/ui, parts of those of pages.
SHARED_TYPES: tuple[type, ...] = (
    WaitingProps,
    ErrorProps,
    AreaErrorProps,
    SiteProps,
    TableProps,
    ChartProps,
    data_handler.PageData,
    data_handler.PageRedirect,
)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--out", metavar="FILE", type=Path, help="write to FILE instead of the standard output")


def run(args: argparse.Namespace, settings: Settings) -> int:
    text = json.dumps(document(settings), indent=2, ensure_ascii=False) + "\n"
    if args.out is None:
        sys.stdout.write(text)
    else:
        args.out.write_text(text, "utf-8")
    return 0


def document(settings: Settings) -> Json:
    """The document of the calls, as in GET /openapi.json, with the pages as responses of /data/…"""
    features.import_all()
    calls = describe(settings.site_name, session_cookie_name(settings))
    schemas = _merge_schemas(calls["components"]["schemas"], _page_schemas())
    pages = [page for page in (*public_pages(), *area_pages()) if page.served]
    paths = calls["paths"] | {f"/data{page.path}": {"get": _operation(page)} for page in pages}
    return {**calls, "paths": paths, "components": {**calls["components"], "schemas": schemas}}


def _page_schemas() -> Json:
    types = {*SHARED_TYPES, *(kind for page in PAGES.values() for kind in page.props)}
    adapters: list[tuple[str, JsonSchemaMode, TypeAdapter[Any]]] = [
        (kind.__name__, "serialization", TypeAdapter[Any](kind))
        for kind in sorted(types, key=lambda kind: kind.__name__)
    ]
    _, document = TypeAdapter.json_schemas(adapters, ref_template=REF)
    schemas: Json = document["$defs"]
    return schemas


def _merge_schemas(calls: Json, pages: Json) -> Json:
    """Raises ValueError when calls and pages have different schemas of one name."""
    common = calls.keys() & pages.keys()
    differing = [name for name in common if _without_description(calls[name]) != _without_description(pages[name])]
    if differing:
        raise ValueError(f"{', '.join(sorted(differing))}: calls and pages have different schemas of this name")
    return dict(sorted({**calls, **pages}.items()))


def _without_description(schema: Json) -> Json:
    return {name: value for name, value in schema.items() if name != "description"}


def _operation(page: Page) -> Json:
    waiting = _page_data(page.id, (WaitingProps,))
    own = _page_data(page.id, PAGES[page.id].props) if page.id in PAGES else waiting
    # Private pages have their own props for those who are signed in.
    schemas, error = [waiting, own] if page.private else [own], _error_data(page)
    return {
        "operationId": f"page_{page.id.replace('-', '_')}",
        "summary": f"The page {page.path} as data, for navigation in the browser.",
        "parameters": [*_path_parameters(page), *(_query_parameter(page, name) for name in page.query)],
        "responses": {
            "200": _response("The page or its new address", *schemas, _reference(data_handler.PageRedirect)),
            "default": _response("The page or the error page", schemas[0], error),
        },
    }


def _error_data(page: Page) -> Json:
    if isinstance(page, AreaPage):
        return _page_data("area-error", (AreaErrorProps,))
    return _page_data("error", (ErrorProps,))


def _page_data(page_id: str, props: tuple[type, ...]) -> Json:
    """The schema of `PageData` of one page."""
    properties = {"page": {"const": page_id}, "props": {"allOf": [_reference(kind) for kind in props]}}
    return {"allOf": [_reference(data_handler.PageData), {"properties": properties}]}


def _reference(kind: type) -> Json:
    return {"$ref": REF.format(model=kind.__name__)}


def _response(description: str, *schemas: Json) -> Json:
    return {"description": description, "content": {"application/json": {"schema": {"anyOf": list(schemas)}}}}


def _path_parameters(page: Page) -> list[Json]:
    names = [segment[1:-1] for segment in page.segments if segment.startswith("{")]
    return [{"name": name, "in": "path", "required": True, "schema": {"type": "string"}} for name in names]


def _query_parameter(page: Page, name: str) -> Json:
    text: Json = {"type": "string"}
    schema = {"type": "array", "items": text} if name in page.repeatable else text
    return {"name": name, "in": "query", "required": False, "schema": schema}
