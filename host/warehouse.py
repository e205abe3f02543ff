"""The files of days of visits, as far as they are on this machine."""

from aiohttp import web

from config.settings import Settings
from domain.reports.warehouse import Warehouse

WAREHOUSE = web.AppKey("warehouse", Warehouse)


def warehouse_of(settings: Settings) -> Warehouse:
    return Warehouse(settings.analytics_folder, settings.duckdb_memory_mb)
