"""Payments: the gateway, and how long hosted pages and orders stay open. Host and workers read these."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import timedelta
from functools import cached_property
from ipaddress import ip_address
from urllib.parse import urlsplit

from config.environment import SettingError
from config.parsers import integer, name_list, one_of, origin, pattern, secret_list
from config.setting import read_variables, setting
from domain.bank_transfers.account import BankAccount, read_bic, read_holder, read_iban, read_lines
from domain.documents.issuer import Issuer
from domain.money import Currency, quantum_minor, rounded, to_minor
from domain.orders.settings import OrderSettings
from domain.payments.gateway import GatewayAccount
from domain.typed_values import read_decimal

# Key and secret of the stand-in (standins/payments): everybody knows them.
STANDIN_KEY, STANDIN_SECRET = "sk_test_standin", "whsec_standin"

# Debits that the gateway makes in these currencies alone.
CURRENCIES_OF_METHODS = {
    "sepa_debit": ("EUR",),
    "bacs_debit": ("GBP",),
    "us_bank_account": ("USD",),
    "au_becs_debit": ("AUD",),
    "acss_debit": ("CAD", "USD"),
}


@dataclass(frozen=True)
class PaymentVariables:
    """Field `payments_key` is the variable PAYMENTS_KEY, and so on."""

    payments_gateway: str = setting(one_of("stripe"), "stripe", "the payment gateway: `stripe`")
    payments_api_base: str = setting(
        origin,
        "",
        "origin of the gateway's interface, such as `https://api.stripe.com`; required in production",
        absent="the stand-in at http://127.0.0.1:{PORT+2}",
    )
    payments_key: str = setting(
        pattern(r"[!-~]{8,255}", "a key of the payment gateway"),
        "",
        "secret key at the payment gateway; required in production",
        absent="the stand-in's",
    )
    payments_webhook_secrets: tuple[str, ...] = setting(
        secret_list,
        (),
        "secrets with which the gateway signs its events, separated by commas, while one replaces another; required "
        "in production",
        absent="the stand-in's",
    )
    payments_page_origin: str = setting(
        origin, "https://checkout.stripe.com", "origin of the gateway's pages, on which people pay"
    )
    payments_methods: tuple[str, ...] = setting(
        name_list, (), "ways to pay that are offered, such as `card,sepa_debit`; none: those of the gateway's dashboard"
    )
    payments_deadline_ms: int = setting(integer(500, 60_000), 8_000, "longest call to the payment gateway, ms")
    payments_wait_ms: int = setting(
        integer(50, 60_000),
        1_500,
        "how long anybody waits for such a call, ms; it goes on, and the order's page waits for one to pay on",
    )
    min_payment: int = setting(
        # In no currency more than the gateway takes at once: 999,999 in two of them.
        integer(1, 900_000),
        50,
        "smallest amount that is charged, in minor units of `CURRENCY`",
    )
    payment_window_minutes: int = setting(
        integer(31, 1_430),
        31,
        "time to pay on one page of the gateway, minutes; the gateway wants 30 to 1440 by its clock",
    )
    order_grace_minutes: int = setting(
        integer(1, 1_440), 5, "an order stays reserved that much longer than its page, minutes"
    )
    max_reservation_minutes: int = setting(
        integer(31, 10_080),
        120,
        "longest time that an unpaid order stays reserved when people pay again, minutes; longer than "
        "`PAYMENT_WINDOW_MINUTES` and `ORDER_GRACE_MINUTES` together",
    )
    debit_days: int = setting(integer(1, 90), 14, "an order stays reserved that long while a debit is under way, days")
    shop_bank_account_holder: str = setting(
        read_holder, "", "name on the account to which companies transfer money; none: nobody pays by bank transfer"
    )
    shop_bank_iban: str = setting(read_iban, "", "its IBAN")
    shop_bank_bic: str = setting(read_bic, "", "its BIC, for banks outside of SEPA")
    shop_bank_details: tuple[str, ...] = setting(
        read_lines,
        (),
        r"what a bank needs where there is no IBAN, its lines separated by `\|`, such as "
        r"`Routing number: 026073150 \| Account number: 8310045678`",
    )
    transfer_days: int = setting(
        integer(3, 90), 14, "an order that is paid by bank transfer waits that long for the money, days"
    )
    checkout_concurrency: int = setting(
        integer(1, 1_000), 4, "orders that one host process places at once; others wait in turn"
    )
    refund_auto_max: str = setting(
        pattern(r"[0-9]{1,9}(?:\.[0-9]{1,3})?", "an amount such as 500.00"),
        "500.00",
        "largest refund that is approved without a person, in `CURRENCY`; rounded to its decimals",
    )
    support_refund_max: str = setting(
        pattern(r"[0-9]{1,9}(?:\.[0-9]{1,3})?", "an amount such as 200.00"),
        "200.00",
        "the most of an order that support refunds, in `CURRENCY`; above it finance signs in again",
    )
    staff_email: str = setting(
        pattern(r"[^@\s]+@[^@\s]+", "an email address"),
        "",
        "where mails to the staff go, such as about a payment with a wrong amount; without one, to `SITE_EMAIL`",
    )

    @cached_property
    def bank_account(self) -> BankAccount | None:
        """None where nobody can pay by bank transfer."""
        account = BankAccount(
            self.shop_bank_account_holder, self.shop_bank_iban, self.shop_bank_bic, self.shop_bank_details
        )
        return account if account.is_usable else None

    @cached_property
    def gateway_account(self) -> GatewayAccount | None:
        """None without an address or a key: then nothing can be paid."""
        if not (self.payments_api_base and self.payments_key):
            return None
        return GatewayAccount(
            base=self.payments_api_base,
            key=self.payments_key,
            webhook_secrets=self.payments_webhook_secrets,
            page_origin=self.payments_page_origin,
            methods=self.payments_methods,
            deadline_s=self.payments_deadline_ms / 1000,
        )

    def order_settings(self, issuer: Issuer, currency: Currency) -> OrderSettings:
        """`issuer`: the seller on invoices. `currency`: the shop's."""
        automatic, support = (
            rounded(read_decimal(text), currency) for text in (self.refund_auto_max, self.support_refund_max)
        )
        return OrderSettings(
            issuer=issuer,
            gateway=self.payments_gateway,
            min_payment_minor=self.min_payment,
            payment_window=timedelta(minutes=self.payment_window_minutes),
            grace=timedelta(minutes=self.order_grace_minutes),
            max_reservation=timedelta(minutes=self.max_reservation_minutes),
            debit_time=timedelta(days=self.debit_days),
            bank=self.bank_account,
            transfer_time=timedelta(days=self.transfer_days),
            refund_auto_max_minor=to_minor(automatic, currency),
            support_refund_max_minor=to_minor(support, currency),
        )

    def require_agreement(self, currency: Currency) -> None:
        """Raises SettingError for settings with which no order could be paid. `currency`: the shop's."""
        first = self.payment_window_minutes + self.order_grace_minutes
        if first >= self.max_reservation_minutes:
            raise SettingError(
                f"MAX_RESERVATION_MINUTES={self.max_reservation_minutes} must be more than PAYMENT_WINDOW_MINUTES and "
                f"ORDER_GRACE_MINUTES together, which are {first}: the first page of an order would be refused"
            )
        self._require_whole_account()
        for method, codes in CURRENCIES_OF_METHODS.items():
            if method in self.payments_methods and currency.code not in codes:
                raise SettingError(
                    f"PAYMENTS_METHODS names {method}, which takes {' and '.join(codes)} alone, and CURRENCY is "
                    f"{currency.code}: the gateway would open no page"
                )
        if self.min_payment % quantum_minor(currency):
            raise SettingError(
                f"MIN_PAYMENT={self.min_payment} is no amount of {currency.code}, whose amounts are multiples of "
                f"{currency.quantum}"
            )

    def _require_whole_account(self) -> None:
        """Raises SettingError for a part of a bank account, to which nobody could transfer anything."""
        numbers = {"SHOP_BANK_IBAN": self.shop_bank_iban, "SHOP_BANK_DETAILS": self.shop_bank_details}
        given = [name for name, value in {**numbers, "SHOP_BANK_BIC": self.shop_bank_bic}.items() if value]
        if given and not self.shop_bank_account_holder:
            raise SettingError(f"{given[0]} needs SHOP_BANK_ACCOUNT_HOLDER, the name on the account")
        if self.shop_bank_account_holder and not any(numbers.values()):
            raise SettingError(
                "SHOP_BANK_ACCOUNT_HOLDER needs SHOP_BANK_IBAN, or SHOP_BANK_DETAILS where there is none"
            )

    def require_production_gateway(self) -> None:
        """Raises SettingError for what only development may have."""
        for name, address in (("API_BASE", self.payments_api_base), ("PAGE_ORIGIN", self.payments_page_origin)):
            if not address.startswith("https://") or is_loopback(address):
                raise SettingError(f"PAYMENTS_{name} must be an https address of the payment gateway in production")
        if self.payments_key in ("", STANDIN_KEY):
            raise SettingError("PAYMENTS_KEY must be a key of the payment gateway in production")
        if not self.payments_webhook_secrets or STANDIN_SECRET in self.payments_webhook_secrets:
            raise SettingError("PAYMENTS_WEBHOOK_SECRETS must be secrets of the payment gateway in production")


def is_loopback(address: str) -> bool:
    host = urlsplit(address).hostname or ""
    try:
        return ip_address(host).is_loopback or ip_address(host).is_unspecified
    except ValueError:
        return host == "localhost" or host.endswith(".localhost")


def read_payments(environment: Mapping[str, str]) -> PaymentVariables:
    """For workers, which do not read the settings of the host. Raises SettingError."""
    return read_variables(PaymentVariables, environment)
