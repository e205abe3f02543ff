"""ledger.jsonl has every movement of money before the answer that reports it, also over kills and cut lines."""

import os

import pytest
from sqlalchemy.orm import Session

from standins.payments import money_record
from standins.payments.gateway import open_gateway
from standins.payments.work import GatewayConfig
from tests.standins.payments.shop import OK


@pytest.fixture
def folder(tmp_path):
    return tmp_path


def opened(folder):
    return open_gateway(GatewayConfig("http://127.0.0.1:1", folder), lambda: 1_000.0)


def lines(folder):
    path = folder / "ledger.jsonl"
    return path.read_text("utf-8").splitlines() if path.exists() else []


def move(amount):
    return lambda work: work.add_money("charge", amount, currency="usd")


async def test_the_line_is_synced_before_the_payment_is_answered(shop, monkeypatch):
    steps = []
    sync = os.fsync
    monkeypatch.setattr(money_record.os, "fsync", lambda file: (sync(file), steps.append("synced")))
    session = await shop.open()
    answer = await shop.pay(session.id, OK)
    steps.append(answer["state"])
    assert steps == ["synced", "paid"]
    (line,) = shop.money()
    assert (line["number"], line["kind"], line["amount"], line["session"]) == (1, "charge", 4_900, session.id)
    assert (line["metadata"], line["client_reference_id"]) == ({"order": "ABC"}, "ABC")
    shown = await shop.dev("/dev/ledger")
    assert shown == {"entries": [line], "totals": {"usd": 4_900}}


def test_a_line_that_was_lost_with_a_kill_is_appended_at_the_next_start(folder, monkeypatch):
    gateway = opened(folder)
    gateway.run(move(1), gateway.new_work())
    monkeypatch.setattr(gateway.money, "append_missing", lambda session: None)
    gateway.run(move(2), gateway.new_work())
    gateway.engine.dispose()
    assert len(lines(folder)) == 1
    opened(folder).engine.dispose()
    assert [line.endswith(f'"amount": {n}, "currency": "usd"}}') for n, line in enumerate(lines(folder), 1)] == [
        True
    ] * 2


def test_a_line_that_was_cut_off_is_written_again(folder):
    gateway = opened(folder)
    for amount in (1, 2):
        gateway.run(move(amount), gateway.new_work())
    gateway.engine.dispose()
    whole = lines(folder)
    os.truncate(folder / "ledger.jsonl", len(whole[0]) + 10)
    opened(folder).engine.dispose()
    assert lines(folder) == whole


def test_what_is_rolled_back_moves_no_money(folder):
    gateway = opened(folder)

    def fail(work):
        move(1)(work)
        raise RuntimeError

    with pytest.raises(RuntimeError):
        gateway.run(fail, gateway.new_work())
    gateway.run(move(2), gateway.new_work())
    with Session(gateway.engine) as session:
        gateway.money.append_missing(session)
    gateway.engine.dispose()
    assert [line.partition(",")[0] for line in lines(folder)] == ['{"number": 1']
