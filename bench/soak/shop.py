"""A shop in use for a soak: the site, the database's server where there is one, and a mail server behind a line that
may fall silent."""

import asyncio
import contextlib
from collections.abc import AsyncIterator
from dataclasses import dataclass
from pathlib import Path

from bench.measured_database import start_durable
from tests.support.servers import MariaServer, mariadb_binary, new_schema
from tests.support.silent_line import SilentLine
from tests.support.site import Site, running
from tests.support.smtp import MailSink, mail_sink

# As an operator's machine answers all of them: the load comes from one address, whose limits are not what is measured.
SETTINGS = {"LIMITS": "off", "ROBOTS": "open"}


@dataclass
class SoakShop:
    """`server`: of MariaDB; None where the database is SQLite."""

    site: Site
    server: MariaServer | None
    sink: MailSink
    mail_line: SilentLine

    @property
    def kind(self) -> str:
        return "SQLite" if self.server is None else "MariaDB"


@contextlib.asynccontextmanager
async def open_shop(kind: str) -> AsyncIterator[SoakShop]:
    """Ready during a block. Stopping it cleanly is part of the run."""
    async with mail_sink() as sink:
        line = SilentLine(int(sink.url.rpartition(":")[2]))
        await asyncio.to_thread(line.start)
        server = await asyncio.to_thread(_start_server) if kind == "mariadb" else None
        settings = SETTINGS | {"SMTP_URL": f"smtp://127.0.0.1:{line.port}"}
        if server is not None:
            settings["DATABASE_URL"] = await asyncio.to_thread(new_schema, server.url)
        site = running(**settings)
        try:
            ready = await asyncio.to_thread(site.__enter__)
            yield SoakShop(ready, server, sink, line)
            await asyncio.to_thread(site.__exit__, None, None, None)
        except BaseException as error:
            await asyncio.to_thread(site.gen.close)
            raise error
        finally:
            await asyncio.to_thread(line.stop)
            if server is not None:
                await asyncio.to_thread(server.close)


def _start_server() -> MariaServer:
    server = MariaServer(mariadb_binary() or "mariadbd")
    start_durable(server)
    return server


def files_folder(site: Site) -> Path:
    return site.var_dir / "files"
