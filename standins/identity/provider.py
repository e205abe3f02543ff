"""One provider: where it is, who may use it, what it allows, and its records."""

import json
import time
from collections.abc import Callable
from copy import deepcopy
from dataclasses import dataclass
from ipaddress import ip_address
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from sqlalchemy import Engine, create_engine, event
from sqlalchemy.orm import Session

from standins.identity import seeding
from standins.identity.answers import Answer, Call, Refusal
from standins.identity.clients import Client
from standins.identity.tables import Base

DATA = Path(__file__).parent / "data"
Json = dict[str, Any]


class NotHere(Exception):
    """A stand-in was asked to run where it must not; one sentence."""


@dataclass
class Provider:
    """`clock` answers seconds since 1970."""

    origin: str
    clients: dict[str, Client]
    policies: Json
    engine: Engine
    clock: Callable[[], float] = time.time

    def issuer(self, server: str) -> str:
        """`server` is "" for the org issuer, else the name of a custom one."""
        return f"{self.origin}/oauth2/{server}" if server else self.origin

    def carry_out(self, handler: Callable[[Call], Answer], call: Call) -> Answer:
        """One call, one transaction. What a refused call counted (a wrong try) is kept as well."""
        with Session(self.engine, expire_on_commit=False) as session, session.begin():
            call.session, call.now = session, self.clock()
            try:
                return handler(call)
            except Refusal as refusal:
                return refusal.answer()


def load(name: str) -> Any:
    return json.loads((DATA / f"{name}.json").read_text("utf-8"))


def clients_of(site_origin: str, rows: list[Json]) -> dict[str, Client]:
    made = [json.loads(json.dumps(row).replace("{site}", site_origin)) for row in rows]
    lists = ("redirects", "after_logout", "origins", "scopes", "grants")
    return {row["id"]: Client(**{**row, **{name: tuple(row[name]) for name in lists}}) for row in made}


def refuse_elsewhere(host: str, environment: str) -> None:
    """Raises NotHere in production and on any address that other machines can reach."""
    if environment == "production":
        raise NotHere("stand-ins do not run in production; set OIDC_ISSUER and SMTP_URL")
    if not is_loopback(host):
        raise NotHere(f"stand-ins listen on this machine only, and {host} can be reached from others")


def is_loopback(host: str) -> bool:
    if host == "localhost":
        return True
    try:
        return ip_address(host.strip("[]")).is_loopback
    except ValueError:
        return False


@dataclass(frozen=True)
class Place:
    """Where a provider stands: its own origin, the site it serves, the folder of its records."""

    origin: str
    site_origin: str
    folder: Path
    environment: str = "development"


@dataclass(frozen=True)
class Data:
    """What a provider allows, whom it knows at first, who may send people to it."""

    policies: Json
    accounts: list[Json]
    clients: list[Json]


def demo_data() -> Data:
    return Data(load("policies"), load("accounts"), load("clients"))


def open_provider(place: Place, data: Data | None = None, clock: Callable[[], float] = time.time) -> Provider:
    """The provider with its records, made and seeded when new. Raises NotHere."""
    refuse_elsewhere(urlsplit(place.origin).hostname or "", place.environment)
    known = data or demo_data()
    engine = open_records(place.folder)
    clients = clients_of(place.site_origin, known.clients)
    provider = Provider(place.origin, clients, deepcopy(known.policies), engine, clock)
    with Session(engine) as session, session.begin():
        seeding.seed(session, known.accounts, clock())
    return provider


def open_records(folder: Path) -> Engine:
    """The folder and the file are the owner's alone: the signing keys are in it."""
    folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    path = folder / "identity.db"
    path.touch(mode=0o600, exist_ok=True)
    engine = create_engine(f"sqlite:///{path}", connect_args={"timeout": 5.0})

    @event.listens_for(engine, "connect")
    def prepare(connection: Any, _record: Any) -> None:
        connection.execute("PRAGMA journal_mode=WAL")
        connection.execute("PRAGMA synchronous=NORMAL")

    Base.metadata.create_all(engine)
    return engine
