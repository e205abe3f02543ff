"""docker-compose.yml and the Dockerfile, as far as they can be checked without a container engine."""

import re
from dataclasses import fields

import pytest
from ruamel.yaml import YAML

from config.environment import SECRETS
from config.settings import ROOT, SettingError, Settings, variable
from config.worker_settings import WorkerSettings
from contracts.tasks import BACKGROUND_QUEUES, OUTSIDE_QUEUES, QUEUES

TEXT = (ROOT / "docker-compose.yml").read_text("utf-8")
COMPOSE = YAML(typ="safe").load(TEXT)
SERVICES = COMPOSE["services"]
DOCKERFILE = (ROOT / "Dockerfile").read_text("utf-8")
OURS = sorted(name for name, service in SERVICES.items() if "coursefront" in service["image"])
EXAMPLE = (ROOT / ".env.example").read_text("utf-8")
SETTING_NAMES = {variable(setting.name) for setting in fields(Settings)}
# Those that read all settings.
WITHOUT_HEALTH_CHECK = ("crawlers", "beat", "prepare", "restore")
CONFIGURED = ("host", "worker", "background", "crawlers", "prepare")
# Settings that compose fixes or puts together, and what it has beside settings.
FIXED = {"APP_ENV", "HOST", "PORT", "VAR_DIR", "FILES_DIR", "ANALYTICS_DIR", "SITE_ORIGIN", "DATABASE_URL", "REDIS_URL"}
FIXED |= {"PAYMENTS_API_BASE", "SSR_URL", "TRUSTED_PROXIES", "METRICS_PORT", "WORKER_METRICS_PORT"}
ITS_OWN = {"SITE_DOMAIN", "DB_PASSWORD", "REDIS_PASSWORD", "IMAGE", "TRACES", "BACKUP_KEEP_DAYS", "FRONT_SUBNET"}
REQUIRED = {
    "SITE_DOMAIN": "shop.example.org",
    "SITE_NAME": "Harbour School",
    "SITE_TAGLINE": "Courses by the sea",
    "SITE_LOGO": "https://www.example.org/logo.svg",
    "SITE_EMAIL": "hello@harbour.example",
    "CURRENCY": "EUR",
    "SHOP_COUNTRY": "DE",
    "SHOP_LEGAL_NAME": "Harbour School Ltd",
    "OIDC_ISSUER": "https://id.example.org",
    "OIDC_CLIENT_ID": "harbour",
    "PAYMENTS_KEY": "sk_live_example",
    "PAYMENTS_WEBHOOK_SECRETS": "whsec_example",
    "DB_PASSWORD": "letters1",
    "REDIS_PASSWORD": "letters2",
    "SECRET_KEY": "k" * 32,
    "CERTIFICATE_KEY": "A" * 1600,
}


class Missing(Exception):
    """Compose would refuse to start and say so."""


def interpolated(text: str, values: dict[str, str]) -> str:
    """As compose does it: ${NAME}, ${NAME:-default}, ${NAME:?what is missing}."""

    def value(match: re.Match[str]) -> str:
        name, sign, rest = match.groups()
        if not values.get(name) and sign == ":?":
            raise Missing(f"{name}: {rest}")
        return values.get(name) or (rest if sign == ":-" else "")

    return re.sub(r"\$\{(\w+)(?:(:[-?])([^}]*))?\}", value, text)


def environment_of(name: str, values: dict[str, str]) -> dict[str, str]:
    """The environment of a container with `values` in .env; what compose says itself comes first. Raises Missing."""
    service = SERVICES[name]
    passed = values if service.get("env_file") == [".env"] else {}
    own = service["environment"].items()
    return {**passed, **{key: interpolated(str(text), values) for key, text in own}}


def example_lines(pattern: str) -> dict[str, str]:
    return dict(re.findall(rf"^{pattern}(\w+)=(.*)$", EXAMPLE, re.MULTILINE))


def test_every_process_is_a_service():
    parts = ("proxy", "host", "ssr", "worker", "background", "crawlers", "beat", "prepare", "mariadb")
    assert set(SERVICES) == {*parts, "backup", "restore", "redis"}
    assert SERVICES["beat"]["deploy"]["replicas"] == 1


@pytest.mark.parametrize("name", SERVICES)
def test_every_service_has_resource_limits_a_restart_policy_and_a_health_check(name):
    service = SERVICES[name]
    assert set(service["deploy"]["resources"]["limits"]) == {"cpus", "memory"}
    assert service["restart"] == ("no" if name in ("prepare", "restore") else "unless-stopped")
    assert service["healthcheck"].get("disable") is (True if name in WITHOUT_HEALTH_CHECK else None)
    assert service["security_opt"] == ["no-new-privileges:true"]


@pytest.mark.parametrize("name", OURS)
def test_our_services_have_a_read_only_file_system_and_no_capabilities(name):
    service = SERVICES[name]
    assert (service["read_only"], service["cap_drop"], service["init"]) == (True, ["ALL"], True)
    files, secrets = "files:/var/lib/coursefront-files", "./secrets:/run/secrets:ro"
    analytics = "analytics:/var/lib/coursefront-analytics"
    volumes = {
        "host": ["spool:/var/lib/coursefront", files, secrets],
        "worker": [secrets],
        "background": [files, analytics, secrets],
        "crawlers": [secrets],
        "beat": ["schedule:/var/lib/coursefront"],
        "prepare": [files, secrets],
    }
    assert service.get("volumes", []) == volumes.get(name, [])


def test_new_volumes_get_the_user_of_the_image_as_their_owner_and_no_container_gets_one_without_a_name():
    folders = " ".join(f"/var/lib/coursefront{name}" for name in ("", "-files", "-analytics"))
    assert f"-o coursefront -g coursefront -m 0700 {folders}" in DOCKERFILE
    assert "VOLUME" not in DOCKERFILE


def test_the_schedule_of_beat_survives_a_deploy():
    command = SERVICES["beat"]["command"]
    assert command[command.index("-s") + 1] == "/var/lib/coursefront/beat-schedule"
    assert "schedule" in COMPOSE["volumes"]


@pytest.mark.parametrize("name", CONFIGURED)
def test_every_setting_reaches_our_services_and_those_that_compose_fixes_win(name):
    given = {**dict.fromkeys(SETTING_NAMES, "of .env"), **REQUIRED}
    passed = environment_of(name, given)
    assert SETTING_NAMES - passed.keys() == set()
    fixed = {key for key in SETTING_NAMES if passed[key] != given[key]}
    assert fixed <= FIXED
    assert {"APP_ENV", "VAR_DIR", "FILES_DIR", "DATABASE_URL", "REDIS_URL"} <= fixed
    assert passed["DATABASE_URL"] == "mysql://coursefront:letters1@mariadb:3306/coursefront"


def test_what_compose_fixes_is_named_once():
    environments = [SERVICES[name]["environment"] for name in CONFIGURED]
    assert {key for environment in environments for key in environment} == FIXED
    assert {name for name in re.findall(r"\$\{(\w+)", TEXT) if name not in ITS_OWN} == {"LOG_LEVEL"}


@pytest.mark.parametrize("name", CONFIGURED)
def test_the_settings_of_a_filled_env_file_are_accepted(name):
    settings = Settings.from_environment(environment_of(name, REQUIRED))
    assert (settings.is_production, settings.is_secure) == (True, True)
    assert (settings.site_name, settings.currency, settings.site_origin) == (
        "Harbour School",
        "EUR",
        "https://shop.example.org",
    )
    assert settings.staff_second_factor == "on"
    plain = {**REQUIRED, "OIDC_EXTENSIONS": "off", "STAFF_SECOND_FACTOR": "off", "STAFF_ACR_VALUES": "none"}
    other = Settings.from_environment(environment_of(name, plain))
    assert (other.oidc_extensions, other.requires_second_factor, other.second_factor_acr) == (False, False, "")
    assert WorkerSettings.from_environment(environment_of(name, REQUIRED)).site_name == "Harbour School"


@pytest.mark.parametrize("missing", REQUIRED)
def test_each_required_line_of_the_example_is_empty_and_its_absence_is_named(missing):
    assert example_lines("")[missing] == ""
    with pytest.raises((Missing, SettingError), match=f"^{missing}\\b"):
        Settings.from_environment(environment_of("prepare", {**REQUIRED, missing: ""}))


def test_the_example_has_every_required_line_and_each_other_one_is_a_setting_with_its_default():
    assert example_lines("").keys() == REQUIRED.keys()
    documented = {
        variable(setting.name) for setting in fields(Settings) if "required in production" in setting.metadata["about"]
    }
    assert documented - FIXED == REQUIRED.keys() - ITS_OWN
    optional = example_lines("# ")
    files = {f"{name}_FILE" for name in SECRETS}
    assert optional.keys() - SETTING_NAMES - ITS_OWN - files == set()
    assert optional.keys() & FIXED == set()
    given = {name: text for name, text in optional.items() if text and name in SETTING_NAMES}
    filled = environment_of("prepare", REQUIRED)
    assert Settings.from_environment({**filled, **given}) == Settings.from_environment(filled)
    defaults = dict(re.findall(r"\$\{(\w+):-([^}]*)\}", TEXT))
    assert {name: defaults[name] for name in optional if name in ITS_OWN} == {
        name: text for name, text in optional.items() if name in ITS_OWN
    }


def test_a_secret_may_be_a_file(tmp_path):
    file = tmp_path / "secret_key"
    file.write_text("f" * 40)
    given = {**REQUIRED, "SECRET_KEY": "", "SECRET_KEY_FILE": str(file)}
    assert Settings.from_environment(environment_of("host", given)).secret_key == "f" * 40


def test_beat_gets_no_secret_but_that_of_redis():
    environment = environment_of("beat", REQUIRED)
    assert environment == {
        "APP_ENV": "production",
        "REDIS_URL": "redis://:letters2@redis:6379/0",
        "LOG_LEVEL": "WARNING",
    }
    assert WorkerSettings.from_environment(environment).redis_url == environment["REDIS_URL"]


def test_secrets_have_no_default():
    assert set(re.findall(r"\$\{(\w+):\?", TEXT)) == {"SITE_DOMAIN", "DB_PASSWORD", "REDIS_PASSWORD"}
    optional = {"IMAGE", "TRACES", "BACKUP_KEEP_DAYS", "FRONT_SUBNET", "LOG_LEVEL"}
    assert set(re.findall(r"\$\{(\w+)(?!\w|:\?)", TEXT)) == optional


def test_the_host_finds_the_replicas_of_the_ssr_worker_by_name_and_trusts_only_the_network_of_the_proxy():
    environment = SERVICES["host"]["environment"]
    assert environment["SSR_URL"] == "tcp://ssr:9400"
    assert SERVICES["ssr"]["environment"]["SSR_LISTEN"] == "tcp://0.0.0.0:9400"
    assert (SERVICES["ssr"]["deploy"]["replicas"], SERVICES["ssr"]["deploy"]["endpoint_mode"]) == (2, "dnsrr")
    front = COMPOSE["networks"]["front"]["ipam"]["config"][0]["subnet"]
    assert environment["TRUSTED_PROXIES"] == front == "${FRONT_SUBNET:-172.30.80.0/24}"
    assert {name for name, service in SERVICES.items() if "front" in service["networks"]} == {"proxy", "host"}


def test_only_the_proxy_is_reached_from_outside():
    assert [name for name, service in SERVICES.items() if "ports" in service] == ["proxy"]
    open_networks = {name for name, network in COMPOSE["networks"].items() if not network.get("internal")}
    assert open_networks == {"edge", "outbound"}
    assert SERVICES["mariadb"]["networks"] == SERVICES["redis"]["networks"] == ["back"]


def test_only_processes_that_call_outside_services_have_a_network_for_it():
    """The host calls the sign-in provider, workers the mail server and name servers."""
    callers = {name for name, service in SERVICES.items() if "outbound" in service["networks"]}
    assert callers == {"host", "worker", "crawlers"}


def test_database_and_files_are_copied_every_hour_and_restored_by_the_tested_scripts():
    backup, restore = SERVICES["backup"], SERVICES["restore"]
    assert backup["entrypoint"] == ["sh", "/backup", "/backups", "--every", "3600"]
    assert (restore["entrypoint"], restore["profiles"]) == (["sh", "/restore"], ["restore"])
    named = {"DB_HOST", "DB_USER", "DB_NAME", "DB_PASSWORD", "FILES_DIR"}
    assert backup["environment"].keys() >= named
    assert restore["environment"].keys() >= {*named, "FILES_OWNER"}
    assert backup["volumes"] == ["backups:/backups", "files:/files:ro"]
    assert restore["volumes"] == ["backups:/backups:ro", "files:/files"]
    # They belong to the user of the image, whom root without capabilities cannot read.
    assert (backup["cap_add"], restore["cap_add"]) == (["DAC_READ_SEARCH"], ["CHOWN", "DAC_OVERRIDE"])
    assert restore["environment"]["FILES_OWNER"] == "10001:10001"
    assert "--uid 10001" in DOCKERFILE
    assert backup["image"] == restore["image"] == SERVICES["mariadb"]["image"]


def test_what_is_mounted_into_read_only_containers_are_files():
    """Engines copy inline content into a container, and refuse one whose file system is read-only."""
    files = {"backup": "scripts/backup", "restore": "scripts/restore", "caddyfile": "Caddyfile"}
    assert COMPOSE["configs"] == {name: {"file": path} for name, path in files.items()}
    assert [path for path in files.values() if not (ROOT / path).is_file()] == []


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
    proxy = (ROOT / "Caddyfile").read_text("utf-8")
    assert "flush_interval -1" in proxy
    assert "{$SITE_DOMAIN} {" in proxy
    assert set(SERVICES["proxy"]["environment"]) == {"SITE_DOMAIN"}


def test_the_workers_consume_every_queue():
    served = {"worker": QUEUES, "background": BACKGROUND_QUEUES, "crawlers": OUTSIDE_QUEUES}
    for service, queues in served.items():
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
