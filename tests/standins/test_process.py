"""The stand-ins as the process that the supervisor starts."""

import asyncio
import json
import re
import subprocess
import sys
from dataclasses import replace
from smtplib import SMTP
from urllib.error import URLError
from urllib.request import Request, urlopen

import pytest
import stripe

from config.settings import ROOT, Settings
from host.supervisor import programs
from host.supervisor.development_hints import ACCOUNTS, PASSWORD, STAFF, development_hints
from standins.identity import seed_data
from standins.identity.provider import demo_data
from tests.support.servers import PaymentsServer, free_port
from tests.support.waiting import LIMIT_S, until

WORDS = ("--site-origin", "http://localhost:8080", "--without", "payments")


PAYMENTS = {
    "PAYMENTS_API_BASE": "http://127.0.0.1:9002",
    "PAYMENTS_PAGE_ORIGIN": "http://127.0.0.1:9002",
    "PAYMENTS_KEY": "sk_test_standin",
    "PAYMENTS_WEBHOOK_SECRETS": "whsec_standin",
}
ALL = ["ada", "member", "org", "owner", "admin", "editor", "support", "finance", "marketing"]


def can_connect(port):
    try:
        SMTP("127.0.0.1", port, timeout=LIMIT_S).close()
    except OSError:
        return False
    return True


class Process:
    """`python -m standins` on free ports and a folder."""

    def __init__(self, folder, *words, **environment):
        self.port, self.mail_port = free_port(), free_port()
        ports = ("--identity-port", str(self.port), "--mail-port", str(self.mail_port))
        command = (sys.executable, "-m", "standins", "--folder", str(folder), *WORDS, *ports, *words)
        self.running = subprocess.Popen(command, cwd=ROOT, env=environment, stderr=subprocess.PIPE, text=True)

    def ask(self, path, body=None):
        data = json.dumps(body).encode() if body is not None else None
        request = Request(f"http://127.0.0.1:{self.port}{path}", data, {"Content-Type": "application/json"})
        with urlopen(request, timeout=LIMIT_S) as answer:
            return json.load(answer)

    def answers(self):
        try:
            return self.ask("/oauth2/v1/keys")
        except (URLError, OSError):
            return None

    def stop(self):
        self.running.terminate()
        _, output = self.running.communicate(timeout=LIMIT_S)
        return self.running.returncode, output


async def test_the_process_keeps_its_data_and_stops_cleanly(tmp_path):
    first = Process(tmp_path)
    await until(lambda: first.answers() is not None)
    keys = first.answers()
    await asyncio.to_thread(first.ask, "/api/v1/authn/recovery/password", {"username": "ada", "factorType": "EMAIL"})
    assert first.stop() == (0, "")
    second = Process(tmp_path)
    await until(lambda: second.answers() is not None)
    assert second.answers() == keys
    token = second.ask("/dev/outbox?to=ada")["messages"][0]["token"]
    assert second.ask("/api/v1/authn/recovery/token", {"recoveryToken": token})["status"] == "PASSWORD_RESET"
    assert second.stop() == (0, "")


async def test_mail_is_shown_when_another_provider_is_used(tmp_path):
    process = Process(tmp_path, "--without", "identity")
    await until(lambda: can_connect(process.mail_port))
    with SMTP("127.0.0.1", process.mail_port, timeout=LIMIT_S) as server:
        server.sendmail("shop@example.org", ["ada@example.test"], b"Subject: Thank you\r\n\r\nWe read it.\r\n")
    assert process.ask("/dev/outbox?to=ada@example.test")["messages"][0]["subject"] == "Thank you"
    assert process.answers() is None
    assert process.stop() == (0, "")


async def test_the_gateway_keeps_its_money_when_it_is_killed(payments_server):
    client = stripe.StripeClient(payments_server.key, base_addresses={"api": payments_server.origin})
    price = {"currency": "usd", "unit_amount": 4_900, "product_data": {"name": "Course"}}
    request = {"mode": "payment", "line_items": [{"price_data": price, "quantity": 1}], "success_url": "http://x.test"}
    session = await asyncio.to_thread(client.v1.checkout.sessions.create, request)
    await asyncio.to_thread(payments_server.pay, session.id)
    payments_server.kill()
    assert [one["amount"] for one in payments_server.money()] == [4_900]
    await asyncio.to_thread(payments_server.start)
    found = await asyncio.to_thread(client.v1.checkout.sessions.retrieve, session.id)
    assert found.payment_status == "paid"
    assert payments_server.call("/dev/ledger")["totals"] == {"usd": 4_900}


@pytest.fixture
def payments_server():
    server = PaymentsServer()
    server.start()
    yield server
    server.close()


def test_the_process_does_not_start_in_production(tmp_path):
    process = Process(tmp_path / "new", APP_ENV="production")
    _, output = process.running.communicate(timeout=LIMIT_S)
    assert process.running.returncode == 2
    reason = "stand-ins do not run in production; set OIDC_ISSUER, SMTP_URL and PAYMENTS_API_BASE"
    assert output == f"The stand-ins cannot start: {reason}\n"
    assert not (tmp_path / "new").exists()


@pytest.mark.parametrize(
    ("change", "without"),
    [
        ({}, []),
        ({"oidc_issuer": "https://id.example.org"}, ["identity"]),
        ({"smtp_url": "smtp://mail.example.org"}, ["mail"]),
        ({"payments_api_base": "https://api.example.org"}, ["payments"]),
        ({"oidc_issuer": "https://id.example.org", "smtp_url": "smtp://mail.example.org"}, ["identity", "mail"]),
        (
            {
                "oidc_issuer": "https://id.example.org",
                "smtp_url": "smtp://mail.example.org",
                "payments_api_base": "https://api.example.org",
            },
            None,
        ),
        ({"port": 65_533}, None),
        ({"app_env": "production"}, None),
    ],
)
def test_the_supervisor_starts_a_stand_in_for_each_service_that_is_not_configured(change, without):
    settings = replace(Settings.from_environment({"PORT": "9000"}), **change)
    program = programs.standins(settings)
    assert (program is None) == (without is None)
    if program is not None:
        words = list(program.command)
        assert [words[at + 1] for at, word in enumerate(words) if word == "--without"] == without
        assert programs.standins_addresses(settings) == {
            "OIDC_ISSUER": change.get("oidc_issuer", "http://127.0.0.1:9001"),
            "SMTP_URL": change.get("smtp_url", "smtp://127.0.0.1:9003"),
            **({} if "payments_api_base" in change else PAYMENTS),
        }
        assert words[words.index("--payments-webhook") + 1] == "http://127.0.0.1:9000/webhooks/payments"


@pytest.mark.parametrize(
    ("change", "logins", "outbox"),
    [
        ({}, ALL, "http://127.0.0.1:9001/outbox"),
        ({"oidc_issuer": "https://id.example.org"}, [], "http://127.0.0.1:9001/outbox"),
        ({"smtp_url": "smtp://mail.example.org"}, ALL, None),
        ({"app_env": "production"}, [], None),
        ({"port": 65_533}, [], None),
    ],
)
def test_a_start_names_the_accounts_and_the_outbox_of_the_stand_ins(change, logins, outbox):
    lines = development_hints(replace(Settings.from_environment({"PORT": "9000"}), **change))
    assert [login for line in lines for login in re.findall(r"^ {4}(\w+)", line)] == logins
    assert [line.rpartition(" ")[2] for line in lines if "/outbox" in line] == ([outbox] if outbox else [])


def test_the_named_accounts_can_sign_in_with_the_named_password():
    plain = {row["login"] for row in demo_data().accounts if set(row) == {"login", "firstName", "lastName"}}
    assert {*ACCOUNTS, *STAFF} <= plain
    assert PASSWORD == seed_data.PASSWORD


def test_a_start_says_of_staff_what_their_roles_open():
    shop = json.loads((ROOT / "domain" / "seed" / "selling.json").read_text("utf-8"))["learners"]
    roles = {row["subject"]: row.get("roles") for row in shop}
    assert {login: [role] for login, role in STAFF.items()} == {login: roles[login] for login in STAFF}
    lines = development_hints(Settings.from_environment({"PORT": "9000"}))
    at = next(number for number, line in enumerate(lines) if line.split()[0] == "finance")
    assert lines[at : at + 6] == [
        "    finance    finance: Courses (Bulk changes), Items, Orders (Parcels, Payments, Differences, Bank",
        "               entries, Refunds), Coupons (Coupon batches, Coupon alarms, Coupon forecasts, Offer",
        "               trials), Tax rates (Delivery rates), Visits (Make a link, Saved views), Organisations",
        "               (Contracts, Quotes), Searches, Health",
        "    marketing  marketer: Courses, Items, Coupons (Coupon batches, Coupon alarms, Coupon forecasts,",
        "               Offer trials), Visits (Make a link, Saved views), Searches",
    ]


def test_an_account_has_one_name_in_the_shop_and_at_the_provider():
    shop = json.loads((ROOT / "domain" / "seed" / "selling.json").read_text("utf-8"))["learners"]
    theirs = {row["login"]: f"{row['firstName']} {row['lastName']}" for row in demo_data().accounts}
    assert {row["subject"]: theirs[row["subject"]] for row in shop} == {row["subject"]: row["name"] for row in shop}
