"""Secrets from files: NAME_FILE in place of NAME, for host and workers alike."""

import pytest

from config.environment import MAX_SECRET_BYTES, SECRETS, SettingError
from config.settings import Settings, variable
from config.worker_settings import WorkerSettings

KEY = "k" * 32


@pytest.fixture
def secret(tmp_path):
    """Writes a file and returns its path."""

    def write(content: bytes | str) -> str:
        file = tmp_path / "secret"
        file.write_bytes(content if isinstance(content, bytes) else content.encode())
        return str(file)

    return write


def test_a_secret_is_read_from_a_file(secret):
    assert Settings.from_environment({"SECRET_KEY_FILE": secret(f" {KEY}\n")}).secret_key == KEY


def test_a_worker_reads_the_same_files(secret):
    environment = {"DATABASE_URL_FILE": secret("mysql://shop:pass@db/shop\n")}
    assert WorkerSettings.from_environment(environment).database == "mysql://shop:pass@db/shop"
    assert Settings.from_environment(environment).database == "mysql://shop:pass@db/shop"


def test_only_secrets_are_read_from_files(secret):
    assert Settings.from_environment({"SITE_NAME_FILE": secret("Other")}).site_name == Settings().site_name


def test_every_secret_is_a_setting():
    assert {variable(name) for name in Settings.__dataclass_fields__} >= SECRETS


@pytest.mark.parametrize(
    ("content", "problem"),
    [
        ("", "is empty"),
        (" \n", "is empty"),
        (b"\xff\xfe", "is not UTF-8 text"),
        ("x" * (MAX_SECRET_BYTES + 1), "is larger than 65536 bytes"),
    ],
)
def test_an_unusable_file_ends_the_start_without_showing_its_content(secret, content, problem):
    path = secret(content)
    with pytest.raises(SettingError) as refusal:
        Settings.from_environment({"SECRET_KEY_FILE": path})
    assert str(refusal.value) == f"SECRET_KEY_FILE={path} {problem}"


def test_a_missing_file_ends_the_start(tmp_path):
    path = tmp_path / "none"
    with pytest.raises(SettingError) as refusal:
        WorkerSettings.from_environment({"SMTP_URL_FILE": str(path)})
    assert str(refusal.value) == f"SMTP_URL_FILE={path} cannot be read: No such file or directory"


def test_a_secret_in_both_ways_ends_the_start(secret):
    with pytest.raises(SettingError) as refusal:
        Settings.from_environment({"SECRET_KEY": KEY, "SECRET_KEY_FILE": secret(KEY)})
    assert str(refusal.value) == "SECRET_KEY and SECRET_KEY_FILE are both set; set one of them"


@pytest.mark.parametrize(
    ("name", "text"),
    [("SECRET_KEY", "short-secret"), ("SMTP_URL", "http://me:hunter2@mail"), ("REDIS_URL", "http://:hunter2@redis")],
)
def test_an_invalid_secret_is_not_repeated_in_the_error(name, text):
    with pytest.raises(SettingError) as refusal:
        Settings.from_environment({name: text})
    assert text not in str(refusal.value)
    assert str(refusal.value).startswith(f"{name} is not ")
