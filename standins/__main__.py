"""`python -m standins`: every stand-in that the site needs, in one process, until TERM; the supervisor starts it."""

import argparse
import asyncio
import logging
import os
import signal
import sys
from pathlib import Path

from aiohttp import web
from sqlalchemy.orm import Session

from standins import mail
from standins.identity.app import create_app, outbox_routes, routes
from standins.identity.provider import Provider, ProviderConfig, StartupError, open_provider
from standins.identity.tables import Message

HOST = "127.0.0.1"


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m standins", description=__doc__)
    parser.add_argument("--folder", type=Path, required=True, help="folder of their databases")
    parser.add_argument("--site-origin", required=True, help="public origin of the shop")
    parser.add_argument("--identity-port", type=int, required=True, help="port of the provider")
    parser.add_argument("--mail-port", type=int, required=True, help="port of the mail server")
    parser.add_argument("--without", choices=("identity", "mail"), action="append", default=[])
    args = parser.parse_args()
    logging.basicConfig(level=logging.WARNING, format="%(levelname)s %(name)s: %(message)s")
    try:
        return asyncio.run(_serve(args))
    except (StartupError, OSError) as error:
        sys.stderr.write(f"The stand-ins cannot start: {error}\n")
        return 2


async def _serve(args: argparse.Namespace) -> int:
    origin = f"http://{HOST}:{args.identity_port}"
    environment = os.environ.get("APP_ENV", "development")
    provider = open_provider(ProviderConfig(origin, args.site_origin, args.folder, environment))
    stopped = asyncio.Event()
    for signal_number in (signal.SIGTERM, signal.SIGINT):
        asyncio.get_running_loop().add_signal_handler(signal_number, stopped.set)
    # Without the provider its port still shows the mail that was sent.
    app = create_app(provider, outbox_routes if "identity" in args.without else routes)
    runner = web.AppRunner(app, access_log=None, shutdown_timeout=1.0)
    server = None
    try:
        if "mail" not in args.without:
            server = await mail.serve(HOST, args.mail_port, lambda message: store_mail(provider, message))
        await runner.setup()
        await web.TCPSite(runner, HOST, args.identity_port).start()
        await stopped.wait()
    finally:
        if server is not None:
            server.close()
        await runner.cleanup()
    return 0


def store_mail(provider: Provider, message: mail.Mail) -> None:
    """Stores a mail in the outbox, beside the provider's own messages."""
    with Session(provider.engine) as session, session.begin():
        session.add(
            Message(
                to=message.to,
                login=None,
                channel="email",
                purpose="mail",
                code=None,
                link=message.link,
                token=None,
                subject=message.subject,
                text=message.text,
                created_at=provider.clock(),
            )
        )


if __name__ == "__main__":
    sys.exit(main())
