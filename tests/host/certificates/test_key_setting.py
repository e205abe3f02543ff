"""A wrong CERTIFICATE_KEY is said at the start, in one sentence, not at the first credential."""

import sys
from dataclasses import replace

import pytest
from joserfc.jwk import ECKey, RSAKey

import host.__main__
from config.settings import SettingError, Settings
from host.documents.certificates import key_setting

SENTENCE = "CERTIFICATE_KEY is not a private RSA key of at least 2048 bits in PEM, or its base64 text"


def pem(key: RSAKey | ECKey) -> str:
    return str(key.as_pem(private=True).decode())


@pytest.fixture(scope="module")
def short_key() -> str:
    with pytest.warns(Warning, match="2048"):
        return pem(RSAKey.generate_key(1024))


def check(text: str) -> None:
    key_setting.check(replace(Settings.from_environment({}), certificate_key=text))


def test_a_key_in_pem_and_its_base64_text_are_taken_and_none_is_needed():
    text = pem(RSAKey.generate_key(2048))
    for setting in (text, "".join(text.splitlines()[1:-1]), ""):
        check(setting)


WRONG = {
    "no key": "A" * 1600,
    "an empty frame": "{0}BEGIN PRIVATE KEY{0}\nAAAA\n{0}END PRIVATE KEY{0}".format("-" * 5),
    "a public key": RSAKey.generate_key(2048).as_pem(private=False).decode(),
    "another kind of key": pem(ECKey.generate_key("P-256")),
}


@pytest.mark.parametrize("text", WRONG.values(), ids=WRONG)
def test_what_is_no_such_key_is_refused(text):
    with pytest.raises(SettingError) as refusal:
        check(text)
    assert str(refusal.value) == SENTENCE


def test_a_short_key_is_refused(short_key):
    with pytest.raises(SettingError, match="2048"):
        check(short_key)


@pytest.mark.parametrize("command", ["serve", "web", "prepare"])
def test_a_command_that_starts_a_host_says_so_and_ends(command, monkeypatch, capsys, tmp_path):
    monkeypatch.setattr(sys, "argv", ["host", command])
    monkeypatch.setenv("CERTIFICATE_KEY", "A" * 1600)
    monkeypatch.setenv("VAR_DIR", str(tmp_path / "var"))
    assert host.__main__.main() == 2
    assert capsys.readouterr().err == f"Coursefront cannot start: {SENTENCE}\n"
    assert not (tmp_path / "var").exists()
