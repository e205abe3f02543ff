"""The settings of workers: the host's variables and defaults, without the host's checks."""

from pathlib import Path

import pytest

from config.environment import SettingError
from config.settings import Settings
from config.worker_settings import WorkerSettings


def test_a_variable_that_is_absent_or_empty_has_the_hosts_default():
    host = Settings.from_environment({})
    for environment in ({}, {"SITE_NAME": "", "SITE_EMAIL": "", "REDIS_URL": "", "VISIBILITY_TIMEOUT_S": ""}):
        settings = WorkerSettings.from_environment(environment)
        assert (settings.site_name, settings.site_email) == (host.site_name, host.site_email)
        assert (settings.redis_url, settings.visibility_timeout_s) == ("redis://127.0.0.1:6379/0", 60)
        assert (settings.database, settings.smtp_url) == ("", "")
        kept = (host.outbox_keep_days, host.dead_letters_keep_days)
        assert (settings.outbox_keep_days, settings.dead_letters_keep_days) == kept


def test_a_variable_is_read():
    settings = WorkerSettings.from_environment({"VAR_DIR": "/tmp/../tmp/shop", "VISIBILITY_TIMEOUT_S": "4"})
    assert (settings.var_dir, settings.visibility_timeout_s) == (Path("/tmp/shop"), 4)


def test_a_fault_point_is_for_development_alone():
    settings = WorkerSettings.from_environment({"KILL_AT": "settle.written:3"})
    assert (settings.kill_at, WorkerSettings.from_environment({}).kill_at) == ("settle.written:3", "")
    for refused in ({"KILL_AT": "settle.written", "APP_ENV": "production"}, {"KILL_AT": "nowhere"}):
        with pytest.raises(SettingError, match=r"^KILL_AT"):
            WorkerSettings.from_environment(refused)
