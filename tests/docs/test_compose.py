"""docker-compose.yml and the Dockerfile, as far as they can be checked without a container engine."""

import re
from dataclasses import fields

import pytest
from ruamel.yaml import YAML

from config.settings import ROOT, Settings, variable
from contracts.tasks import BACKGROUND_QUEUES, QUEUES

TEXT = (ROOT / "docker-compose.yml").read_text("utf-8")
COMPOSE = YAML(typ="safe").load(TEXT)
SERVICES = COMPOSE["services"]
DOCKERFILE = (ROOT / "Dockerfile").read_text("utf-8")
OURS = sorted(name for name, service in SERVICES.items() if "coursefront" in service["image"])


def test_every_process_is_a_service():
    assert set(SERVICES) == {"proxy", "host", "ssr", "worker", "background", "beat", "prepare", "mariadb"} | {
        "backup",
        "redis",
    }
    assert SERVICES["beat"]["deploy"]["replicas"] == 1


@pytest.mark.parametrize("name", SERVICES)
def test_every_service_has_resource_limits_a_restart_policy_and_a_health_check(name):
    service = SERVICES[name]
    assert set(service["deploy"]["resources"]["limits"]) == {"cpus", "memory"}
    assert service["restart"] == ("no" if name == "prepare" else "unless-stopped")
    assert service["healthcheck"].get("disable") is (True if name in ("beat", "prepare") else None)
    assert service["security_opt"] == ["no-new-privileges:true"]


@pytest.mark.parametrize("name", OURS)
def test_our_services_have_a_read_only_file_system_and_no_capabilities(name):
    service = SERVICES[name]
    assert (service["read_only"], service["cap_drop"], service["init"]) == (True, ["ALL"], True)
    assert service.get("volumes", []) == (["spool:/var/lib/coursefront"] if name in ("host", "background") else [])


@pytest.mark.parametrize("name", ["host", "worker", "beat", "prepare"])
def test_our_services_run_in_production_on_real_servers(name):
    environment = SERVICES[name]["environment"]
    assert environment["APP_ENV"] == "production"
    assert environment["DATABASE_URL"].startswith("mysql://")
    assert environment["REDIS_URL"].startswith("redis://")
    assert set(environment) <= {variable(setting.name) for setting in fields(Settings)}


def test_secrets_have_no_default():
    provider = {"OIDC_CLIENT_SECRET", "OIDC_EXTENSIONS", "OIDC_ACCOUNT_URL", "OIDC_SCOPES"}
    optional = {
        "IMAGE",
        "SMTP_URL",
        "SHOP_ADDRESS",
        "SHOP_VAT_ID",
        "BACKUP_KEEP_DAYS",
        "TRACES",
        "OTEL_EXPORTER_OTLP_ENDPOINT",
        *provider,
    }
    assert set(re.findall(r"\$\{(\w+)(?!\w|:\?)", TEXT)) == optional
    assert re.findall(r"\$\{(?:OIDC_CLIENT_SECRET|SMTP_URL):-([^}]*)\}", TEXT) == ["", ""]


def test_the_host_finds_the_replicas_of_the_ssr_worker_by_name_and_trusts_only_the_network_of_the_proxy():
    environment = SERVICES["host"]["environment"]
    assert environment["SSR_URL"] == "tcp://ssr:9400"
    assert SERVICES["ssr"]["environment"]["SSR_LISTEN"] == "tcp://0.0.0.0:9400"
    assert (SERVICES["ssr"]["deploy"]["replicas"], SERVICES["ssr"]["deploy"]["endpoint_mode"]) == (2, "dnsrr")
    front = COMPOSE["networks"]["front"]["ipam"]["config"][0]["subnet"]
    assert environment["TRUSTED_PROXIES"] == front
    assert {name for name, service in SERVICES.items() if "front" in service["networks"]} == {"proxy", "host"}


def test_settings_of_the_host_can_be_read():
    environment = {**SERVICES["host"]["environment"], "SITE_ORIGIN": "https://shop.example.org"}
    environment["DATABASE_URL"] = "mysql://coursefront:secret@mariadb:3306/coursefront"
    environment["REDIS_URL"] = "redis://:secret@redis:6379/0"
    environment |= {"OIDC_ISSUER": "https://id.example.org", "OIDC_CLIENT_ID": "storefront", "SECRET_KEY": "k" * 32}
    environment |= {"OIDC_EXTENSIONS": "on", "OIDC_ACCOUNT_URL": "", "OIDC_SCOPES": ""}
    environment["OTEL_EXPORTER_OTLP_ENDPOINT"] = ""
    environment |= {"PAYMENTS_KEY": "sk_live_example", "PAYMENTS_WEBHOOK_SECRETS": "whsec_example"}
    environment |= {"SHOP_LEGAL_NAME": "Meridian Learning Ltd", "SHOP_ADDRESS": "", "SHOP_VAT_ID": ""}
    environment |= {"CERTIFICATE_KEY": "A" * 1600}
    environment |= {"OIDC_CLIENT_SECRET": "", "SMTP_URL": "smtps://shop:secret@mail.example.org"}
    settings = Settings.from_environment(environment)
    assert (settings.is_production, settings.is_secure, settings.ssr_url) == (True, True, ("tcp://ssr:9400",))


def test_only_the_proxy_is_reached_from_outside():
    assert [name for name, service in SERVICES.items() if "ports" in service] == ["proxy"]
    open_networks = {name for name, network in COMPOSE["networks"].items() if not network.get("internal")}
    assert open_networks == {"edge", "outbound"}
    assert SERVICES["mariadb"]["networks"] == SERVICES["redis"]["networks"] == ["back"]


def test_only_processes_that_call_outside_services_have_a_network_for_it():
    """The host calls the sign-in provider, workers the mail server."""
    assert {name for name, service in SERVICES.items() if "outbound" in service["networks"]} == {"host", "worker"}


def test_the_database_is_copied_every_hour_by_the_tested_script():
    backup = SERVICES["backup"]
    assert backup["entrypoint"] == ["sh", "/backup", "/backups", "--every", "3600"]
    assert COMPOSE["configs"]["backup"] == {"file": "scripts/backup"}
    assert set(backup["environment"]) >= {"DB_HOST", "DB_USER", "DB_NAME", "DB_PASSWORD"}
    assert backup["image"] == SERVICES["mariadb"]["image"]


def test_stored_data_survives_a_power_failure():
    assert {
        "--innodb-flush-log-at-trx-commit=1",
        "--sync-binlog=1",
        "--innodb-doublewrite=1",
        "--character-set-server=utf8mb4",
    } <= set(SERVICES["mariadb"]["command"])
    options = SERVICES["redis"]["command"][1:]
    redis = dict(zip(options[::2], options[1::2], strict=True))
    durable = {"--appendonly": "yes", "--appendfsync": "everysec", "--maxmemory-policy": "noeviction"}
    assert redis.items() >= durable.items()


def test_the_proxy_does_not_buffer_a_stream():
    assert "flush_interval -1" in COMPOSE["configs"]["caddyfile"]["content"]


def test_the_workers_consume_every_queue():
    for service, queues in (("worker", QUEUES), ("background", BACKGROUND_QUEUES)):
        command = SERVICES[service]["command"]
        assert command[command.index("-Q") + 1] == ",".join(queues)


def test_the_image_does_not_run_as_root():
    last_stage = DOCKERFILE.rpartition("\nFROM ")[2]
    assert re.search(r"^USER coursefront$", last_stage, re.MULTILINE)
    assert "HEALTHCHECK" in last_stage


def test_files_that_the_image_copies_exist_and_are_not_ignored():
    allowed = {line[1:] for line in (ROOT / ".dockerignore").read_text().splitlines() if line.startswith("!")}
    lines = re.findall(r"^COPY (?!--from)(.+)$", DOCKERFILE, re.MULTILINE)
    copied = {name for line in lines for name in line.split()[:-1]}
    assert copied == allowed
    assert [name for name in sorted(copied) if not (ROOT / name).exists()] == []


def test_the_image_contains_every_layer_that_runs():
    last_stage = DOCKERFILE.rpartition("\nFROM ")[2]
    for layer in ("contracts", "config", "domain", "adapters", "host", "workers", "templates", "static"):
        assert f"COPY {layer} {layer}" in last_stage
