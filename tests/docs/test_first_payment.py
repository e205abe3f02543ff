"""docs/first-payment.md leads to a first payment: its settings, addresses, commands and rates are those of the code."""

import re
from argparse import ArgumentParser
from datetime import date
from importlib import import_module

from ruamel.yaml import YAML

from adapters.payments.signatures import PAYMENT_EVENTS, SESSION_EVENTS
from config.environment import SECRETS
from config.settings import ROOT
from domain.audit import recording
from domain.delivery.rates import ShippedLine, services_for
from domain.money import currency
from domain.permissions import SystemActor
from domain.rates import delivery_rates, tax_rates
from domain.routes import area_pages, table
from domain.shop_settings.shop import ShopSettings
from domain.tax.places import Place
from domain.tax.rates import Buyer, tax_for
from host.__main__ import COMMANDS
from host.cli.tax_rates import read_rows
from host.identity.attempts import CALLBACK
from host.supervisor.programs import WEBHOOK_PATH
from tests.docs.test_compose import FIXED, REQUIRED
from tests.support.factories import NOON

README = (ROOT / "README.md").read_text("utf-8")
FIRST_PAYMENT = (ROOT / "docs" / "first-payment.md").read_text("utf-8")
COMMAND = SystemActor("command", NOON)
OPERATIONS = (ROOT / "docs" / "operations.md").read_text("utf-8")


def test_the_way_to_the_first_payment_names_every_value_that_is_required_or_fixed():
    required = FIRST_PAYMENT.partition("The following are required")[2].partition("Also decide")[0]
    assert set(re.findall(r"`([A-Z]\w+)`", required)) == REQUIRED.keys()
    fixed = FIRST_PAYMENT.partition("but what `docker-compose.yml` fixes")[2].partition("The following are required")[0]
    assert set(re.findall(r"`([A-Z]\w+)`", fixed)) == FIXED


def test_the_way_to_the_first_payment_names_every_event_that_the_webhook_uses():
    paragraph = FIRST_PAYMENT.partition("Register `https://{SITE_DOMAIN}/webhooks/payments`")[2].partition("\n\n")[0]
    assert set(re.findall(r"`([a-z_]+(?:\.[a-z_]+)+)`", paragraph)) == {*SESSION_EVENTS, *PAYMENT_EVENTS}
    assert WEBHOOK_PATH == "/webhooks/payments"


def test_the_way_to_the_first_payment_names_the_addresses_that_the_provider_must_know():
    clients = (ROOT / "standins" / "identity" / "data" / "clients.json").read_text("utf-8")
    assert f'"{{site}}{CALLBACK}"' in clients
    assert f"`https://{{SITE_DOMAIN}}{CALLBACK}`" in FIRST_PAYMENT


def test_the_pages_that_lead_to_the_first_payment_are_served():
    pages = {page.path for page in (*table(), *area_pages()) if page.served}
    named = set(re.findall(r"`(/(?!webhooks|logincallback|backups)[a-z][\w/-]*)`", FIRST_PAYMENT))
    assert named - pages == set()
    assert len(named) >= 8


def test_the_documents_name_every_secret_that_may_be_a_file():
    settings = (ROOT / "docs" / "settings.md").read_text("utf-8").partition("**Secrets from files.**")[2]
    assert set(re.findall(r"`([A-Z]+_[A-Z_]+)`", settings.partition("can also be read")[0])) == SECRETS
    works = OPERATIONS.partition("This works for ")[2].partition(". ")[0]
    assert set(re.findall(r"`(\w+)`", works)) == SECRETS - FIXED


def test_commands_for_containers_name_services_and_commands_that_exist():
    pages = FIRST_PAYMENT + OPERATIONS
    services = YAML(typ="safe").load((ROOT / "docker-compose.yml").read_text("utf-8"))["services"]
    words = r"docker compose (?:exec|logs|run --rm|up -d --no-deps) ([a-z]+)"
    assert set(re.findall(words, pages)) - services.keys() == set()
    commands = re.findall(r"docker compose exec host python -m host ([^`\n]+)", pages)
    assert commands == ["staff add S-7KQ2-M9XD administrator", "orders list", "orders reconcile"]
    for name, *arguments in map(str.split, commands):
        parser = ArgumentParser()
        import_module(COMMANDS[name][0]).add_arguments(parser)
        parser.parse_args(arguments)


def test_the_rates_of_the_first_payment_are_charged(session, tmp_path):
    day, euro = date(2026, 12, 1), currency("EUR")
    taxes, deliveries = re.findall(r"```csv\n(.*?)```", FIRST_PAYMENT, re.DOTALL)
    (tmp_path / "rates.csv").write_text(taxes, "utf-8")
    (tmp_path / "delivery.csv").write_text(deliveries, "utf-8")
    rows = [*read_rows(tmp_path / "rates.csv")]
    assert recording.run(session, COMMAND, tax_rates.import_rates, rows, day) == 6
    rows = [*read_rows(tmp_path / "delivery.csv", delivery_rates.FIELDS)]
    assert recording.run(session, COMMAND, delivery_rates.import_rates, rows, euro, day) == 1
    shop = ShopSettings(euro, "DE", "", "exclusive", "en-US")
    context = tax_for(session, Place("DE"), {"service", "book"}, day, Buyer("DE"), shop)
    percent = {name: [rate.percent for rate in rates] for name, rates in context.rates.items()}
    assert percent == {"service": [19], "book": [7]}
    [service] = services_for(session, Place("DE"), [ShippedLine(weight_g=400, quantity=1, total_minor=3_900)], day)
    assert (service.service, service.price_minor) == ("Standard", 490)


def test_each_document_for_operators_is_linked_where_they_look():
    assert "(docs/first-payment.md)" in README
    assert "(first-payment.md)" in OPERATIONS
    assert "`METRICS_PORT=9464`" in README
