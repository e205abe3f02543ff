"""The settings that workers read: environment variables of the same names as the host's (docs/settings.md).

Apart from settings.py, which a worker would only load to refuse settings that it does not use.
"""

import os
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path

from config import defaults
from config.crawler_variables import CrawlerVariables
from config.document_variables import DocumentVariables, read_documents
from config.environment import parse_variable, read_variable, require_telemetry
from config.fault_variables import read_kill_at
from config.parsers import integer
from config.payment_variables import PaymentVariables, read_payments
from config.setting import read_variables
from config.shop_variables import read_shop
from config.staff_variables import ReportVariables
from domain.orders.settings import OrderSettings
from domain.shop_settings.shop import ShopSettings


def redis_url() -> str:
    """The address of Redis alone: it is needed for every reply to an RPC call."""
    return read_variable(os.environ, "REDIS_URL") or defaults.REDIS_URL


@dataclass(frozen=True)
class WorkerSettings:
    """`database` "": SQLite in `var_dir`; `smtp_url` "": no mail is sent."""

    redis_url: str
    var_dir: Path
    database: str
    smtp_url: str
    smtp_ca_file: str
    site_name: str
    site_email: str
    site_origin: str
    locale: str
    visibility_timeout_s: int
    metrics_port: int
    otel_endpoint: str
    host: str
    log_level: str
    log_format: str
    outbox_keep_days: int
    dead_letters_keep_days: int
    payments: PaymentVariables
    documents: DocumentVariables
    shop: ShopSettings
    reports: ReportVariables
    crawlers: CrawlerVariables
    files_dir: str = ""
    kill_at: str = ""
    # "": the host's file in `var_dir` has it (config/secret_key.py).
    secret_key: str = field(default="", repr=False)

    @property
    def orders(self) -> OrderSettings:
        """Without the terms of refunds, which are copied into orders when they are placed."""
        return self.payments.order_settings(
            self.documents.issuer(self.site_name, self.locale, self.shop.country), self.shop.currency
        )

    @property
    def files_folder(self) -> Path:
        """The folder of files, the one that the hosts use."""
        return Path(self.files_dir) if self.files_dir else self.var_dir / "files"

    @classmethod
    def from_environment(cls, environment: Mapping[str, str] | None = None) -> "WorkerSettings":
        """Raises SettingError for a secret whose file cannot be read, an invalid or contradictory setting of payments
        or shop, traces without OpenTelemetry, and KILL_AT in production."""
        variables = os.environ if environment is None else environment

        def value(name: str, default: str = "") -> str:
            return read_variable(variables, name) or default

        def number(name: str, default: int) -> int:
            return int(parse_variable(name, value(name, str(default)), integer(0, 10**9)))

        require_telemetry(value("OTEL_EXPORTER_OTLP_ENDPOINT"))
        payments, documents = read_payments(variables), read_documents(variables)
        crawlers = read_variables(CrawlerVariables, variables)
        shop = documents.with_seller(read_shop(variables))
        payments.require_agreement(shop.currency)
        return cls(
            redis_url=value("REDIS_URL", defaults.REDIS_URL),
            var_dir=Path(value("VAR_DIR", defaults.VAR_DIR)).resolve(),
            database=value("DATABASE_URL"),
            smtp_url=value("SMTP_URL"),
            smtp_ca_file=value("SMTP_CA_FILE"),
            site_name=value("SITE_NAME", defaults.SITE_NAME),
            site_email=value("SITE_EMAIL", defaults.SITE_EMAIL),
            site_origin=value("SITE_ORIGIN", f"http://localhost:{value('PORT', '8080')}").rstrip("/"),
            locale=value("LOCALE", defaults.LOCALE),
            visibility_timeout_s=number("VISIBILITY_TIMEOUT_S", defaults.VISIBILITY_TIMEOUT_S),
            otel_endpoint=value("OTEL_EXPORTER_OTLP_ENDPOINT"),
            metrics_port=number("WORKER_METRICS_PORT", 0),
            host=value("HOST", defaults.HOST),
            log_level=value("LOG_LEVEL", defaults.LOG_LEVEL),
            log_format=value("LOG_FORMAT", defaults.log_format(value("APP_ENV"))),
            outbox_keep_days=number("OUTBOX_KEEP_DAYS", defaults.OUTBOX_KEEP_DAYS),
            dead_letters_keep_days=number("DEAD_LETTERS_KEEP_DAYS", defaults.DEAD_LETTERS_KEEP_DAYS),
            payments=payments,
            shop=shop,
            reports=_reports(variables),
            crawlers=replace(crawlers, crawler_dns=crawlers.crawler_dns or defaults.crawler_dns(value("APP_ENV"))),
            documents=documents,
            files_dir=value("FILES_DIR"),
            kill_at=read_kill_at(variables),
            secret_key=value("SECRET_KEY"),
        )


def _reports(variables: Mapping[str, str]) -> ReportVariables:
    """Raises SettingError."""
    reports = read_variables(ReportVariables, variables)
    reports.require_touchpoints()
    return reports
