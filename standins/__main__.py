"""`python -m standins`: every stand-in that the site needs, in one process, until TERM; the supervisor starts it."""

import argparse
import asyncio
import logging
import os
import signal
import sys
from contextlib import AsyncExitStack
from pathlib import Path

from aiohttp import web
from sqlalchemy.orm import Session

from standins import mail
from standins.development import StartupError, require_development_machine
from standins.identity.app import create_app, outbox_routes, routes
from standins.identity.provider import Provider, ProviderConfig, open_provider
from standins.identity.tables import MailBody, Message
from standins.payments import app as payments
from standins.payments.gateway import open_gateway
from standins.payments.work import GatewayConfig

HOST = "127.0.0.1"


STANDINS = ("identity", "mail", "payments")


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m standins", description=__doc__)
    parser.add_argument("--folder", type=Path, required=True, help="folder of their databases")
    parser.add_argument("--site-origin", required=True, help="public origin of the shop")
    parser.add_argument("--identity-port", type=int, default=0, help="port of the provider, also of the sent mail")
    parser.add_argument("--mail-port", type=int, default=0, help="port of the mail server")
    parser.add_argument("--payments-port", type=int, default=0, help="port of the payment gateway")
    parser.add_argument("--payments-key", default=GatewayConfig.key, help="key of the gateway's API")
    parser.add_argument("--payments-secrets", default=",".join(GatewayConfig.secrets), help="they sign its events")
    parser.add_argument("--payments-webhook", default="", help="address of the shop to which its events are sent")
    parser.add_argument("--shop-name", default=GatewayConfig.shop_name, help="who is paid, on the gateway's page")
    parser.add_argument("--without", choices=STANDINS, action="append", default=[])
    args = parser.parse_args()
    logging.basicConfig(level=logging.WARNING, format="%(levelname)s %(name)s: %(message)s")
    try:
        return asyncio.run(_serve(args))
    except (StartupError, OSError) as error:
        sys.stderr.write(f"The stand-ins cannot start: {error}\n")
        return 2


async def _serve(args: argparse.Namespace) -> int:
    environment = os.environ.get("APP_ENV", "development")
    require_development_machine(HOST, environment)
    stopped = asyncio.Event()
    for signal_number in (signal.SIGTERM, signal.SIGINT):
        asyncio.get_running_loop().add_signal_handler(signal_number, stopped.set)
    async with AsyncExitStack() as stack:
        if "identity" not in args.without or "mail" not in args.without:
            await _start_identity_and_mail(stack, args, environment)
        if "payments" not in args.without:
            gateway = open_gateway(_gateway_config(args, environment))
            await _start(stack, payments.create_app(gateway), args.payments_port)
        await stopped.wait()
    return 0


async def _start_identity_and_mail(stack: AsyncExitStack, args: argparse.Namespace, environment: str) -> None:
    origin = f"http://{HOST}:{args.identity_port}"
    provider = open_provider(ProviderConfig(origin, args.site_origin, args.folder, environment))
    if "mail" not in args.without:
        server = await mail.serve(HOST, args.mail_port, lambda message: store_mail(provider, message))
        stack.callback(server.close)
    # Without the provider its port still shows the mail that was sent.
    app = create_app(provider, outbox_routes if "identity" in args.without else routes)
    await _start(stack, app, args.identity_port)


def _gateway_config(args: argparse.Namespace, environment: str) -> GatewayConfig:
    return GatewayConfig(
        f"http://{HOST}:{args.payments_port}",
        args.folder,
        args.payments_key,
        tuple(args.payments_secrets.split(",")),
        args.payments_webhook,
        shop_name=args.shop_name,
        environment=environment,
    )


async def _start(stack: AsyncExitStack, app: web.Application, port: int) -> None:
    runner = web.AppRunner(app, access_log=None, shutdown_timeout=1.0)
    stack.push_async_callback(runner.cleanup)
    await runner.setup()
    await web.TCPSite(runner, HOST, port).start()


def store_mail(provider: Provider, message: mail.Mail) -> None:
    """Stores a mail in the outbox, beside the provider's own messages."""
    with Session(provider.engine) as session, session.begin():
        row = Message(
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
        session.add(row)
        if message.html:
            session.flush()
            session.add(MailBody(message_id=row.id, html=message.html))


if __name__ == "__main__":
    sys.exit(main())
