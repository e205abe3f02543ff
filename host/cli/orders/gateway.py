"""The payment gateway of commands: the configured one, in development else the stand-in that `scripts/run` starts."""

from dataclasses import replace

from adapters.payments.runner import PaymentRunner
from config.payment_variables import STANDIN_KEY, STANDIN_SECRET
from config.settings import Settings
from domain.database.database import Database
from domain.errors import Refused
from domain.payments.gateway import GatewayAccount
from host.supervisor.programs import PAYMENTS_PORT


def with_gateway(settings: Settings) -> Settings:
    """The settings, with the stand-in's address and key where development has no others."""
    if settings.payments_api_base or settings.is_production:
        return settings
    origin = f"http://127.0.0.1:{settings.port + PAYMENTS_PORT}"
    return replace(
        settings,
        payments_api_base=origin,
        payments_page_origin=origin,
        payments_key=STANDIN_KEY,
        payments_webhook_secrets=(STANDIN_SECRET,),
    )


def account_of(settings: Settings) -> GatewayAccount:
    """Raises Refused without a gateway."""
    account = with_gateway(settings).gateway_account
    if account is None:
        raise Refused("PAYMENTS_API_BASE and PAYMENTS_KEY are not set: there is no payment gateway to ask.")
    return account


def payment_runner(db: Database, settings: Settings) -> PaymentRunner:
    """Raises Refused without a gateway."""
    return PaymentRunner(db, account_of(settings), settings.orders)
