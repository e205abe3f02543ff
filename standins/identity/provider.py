"""A provider with its clients, policies and database."""

import json
import time
from collections.abc import Callable
from copy import deepcopy
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from sqlalchemy import Engine
from sqlalchemy.orm import Session

from standins.database import open_database
from standins.development import require_development_machine
from standins.identity import seed_data
from standins.identity.clients import Client
from standins.identity.responses import CallRefused, IdentityCall, IdentityResponse
from standins.identity.tables import IdentityBase

DATA = Path(__file__).parent / "data"
Json = dict[str, Any]


@dataclass
class Provider:
    """`clock` returns seconds since 1970."""

    origin: str
    clients: dict[str, Client]
    policies: Json
    engine: Engine
    clock: Callable[[], float] = time.time

    def issuer(self, server: str) -> str:
        """`server` is "" for the org issuer, else the name of a custom one."""
        return f"{self.origin}/oauth2/{server}" if server else self.origin

    def run(self, handler: Callable[[IdentityCall], IdentityResponse], call: IdentityCall) -> IdentityResponse:
        """Runs a call in one transaction, committed also for a CallRefused: failed attempts must count."""
        with Session(self.engine, expire_on_commit=False) as session, session.begin():
            call.session, call.now = session, self.clock()
            try:
                return handler(call)
            except CallRefused as refusal:
                return refusal.response()


def load_json(name: str) -> Any:
    return json.loads((DATA / f"{name}.json").read_text("utf-8"))


def build_clients(site_origin: str, rows: list[Json]) -> dict[str, Client]:
    filled_rows = [json.loads(json.dumps(row).replace("{site}", site_origin)) for row in rows]
    lists = ("redirects", "after_logout", "origins", "scopes", "grants")
    return {row["id"]: Client(**{**row, **{name: tuple(row[name]) for name in lists}}) for row in filled_rows}


@dataclass(frozen=True)
class ProviderConfig:
    """A provider's own origin, the site it serves, and the folder of its database."""

    origin: str
    site_origin: str
    folder: Path
    environment: str = "development"


@dataclass(frozen=True)
class ProviderData:
    """A provider's policies, initial accounts and clients, as in standins/identity/data."""

    policies: Json
    accounts: list[Json]
    clients: list[Json]


def demo_data() -> ProviderData:
    return ProviderData(load_json("policies"), load_json("accounts"), load_json("clients"))


def open_provider(
    config: ProviderConfig, data: ProviderData | None = None, clock: Callable[[], float] = time.time
) -> Provider:
    """Opens a provider and its database; adds missing tables and accounts. Raises StartupError."""
    require_development_machine(urlsplit(config.origin).hostname or "", config.environment)
    content = data or demo_data()
    engine = open_database(config.folder / "identity.db", IdentityBase.metadata, "NORMAL")
    clients = build_clients(config.site_origin, content.clients)
    provider = Provider(config.origin, clients, deepcopy(content.policies), engine, clock)
    with Session(engine) as session, session.begin():
        seed_data.add_missing(session, content.accounts, clock())
    return provider
