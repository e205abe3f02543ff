"""Payloads between processes: tolerant of unknown and missing keys, strict about versions."""

from datetime import UTC, datetime, timedelta

import pytest

from contracts.payloads import (
    CLOCK_SKEW_S,
    DEFAULT_DEADLINE_S,
    ApplyToCart,
    DescribeCode,
    MalformedPayload,
    NewerPayload,
    OutboxItem,
    RpcReply,
    VisitBatch,
    deadline_before,
    deadline_of,
    decode,
    decode_visits,
    encode,
)

CALL = DescribeCode(code="SPRING", at="2026-03-01T12:00:00+00:00", learner_id=7)
CART = ApplyToCart(owner={"learner_id": 7, "guest": None}, code="SPRING", at="2026-03-01T12:00:00+00:00")


@pytest.mark.parametrize(
    "payload", [CALL, CART, VisitBatch(rows=[{"n": 1}]), RpcReply(id="a", error="KeyError"), OutboxItem(message_id=1)]
)
def test_an_encoded_payload_is_decoded_again(payload):
    assert decode(type(payload), encode(payload)) == payload


def test_a_key_of_a_newer_build_is_dropped():
    assert decode(DescribeCode, {**encode(CALL), "colour": "red"}) == CALL


def test_missing_keys_get_their_defaults():
    call = decode(DescribeCode, {"v": 1, "code": "SPRING", "at": "2026-03-01T12:00:00+00:00"})
    assert (call.learner_id, call.v) == (None, 1)


def test_a_newer_version_is_refused_by_its_number():
    with pytest.raises(NewerPayload, match="DescribeCode has version 2, which only a newer build can read") as refused:
        decode(DescribeCode, {"v": 2})
    assert refused.value.version == 2


@pytest.mark.parametrize(
    "data", [None, [], "text", {}, {"code": "SPRING", "at": ""}, {"v": 1, "code": "SPRING"}, {**encode(CALL), "v": "1"}]
)
def test_data_in_another_form_is_malformed(data):
    with pytest.raises(MalformedPayload):
        decode(DescribeCode, data)


def test_a_batch_of_a_kind_that_is_not_known_is_of_a_newer_build():
    with pytest.raises(NewerPayload, match="kind counts"):
        decode_visits({**encode(VisitBatch(rows=[[1]], columns=["n"])), "kind": "counts"})


@pytest.mark.parametrize(
    "data", [None, 7, "text", [], {}, {"v": 2}, {"rows": []}, {"v": 2, "rows": 7}, {"v": 2, "rows": [], "columns": "n"}]
)
def test_a_batch_without_a_list_of_rows_is_malformed(data):
    with pytest.raises(MalformedPayload):
        decode_visits(data)


AT = datetime(2026, 3, 1, 12, tzinfo=UTC)


def test_a_deadline_lies_the_clock_skew_before_the_host_gives_up():
    call = DescribeCode(code="SPRING", at="", deadline=deadline_before(AT))
    assert deadline_of(decode(DescribeCode, encode(call)), AT) == AT - timedelta(seconds=CLOCK_SKEW_S)


def test_a_call_without_a_deadline_gets_its_time_when_a_worker_begins_it():
    assert deadline_of(CALL, AT) == AT + timedelta(seconds=DEFAULT_DEADLINE_S)


@pytest.mark.parametrize("deadline", ["soon", "2026-03-01T12:00:00"])
def test_a_deadline_that_is_no_time_with_a_zone_is_refused(deadline):
    with pytest.raises(ValueError, match=r"deadline|isoformat"):
        deadline_of(DescribeCode(code="SPRING", at="", deadline=deadline), AT)
