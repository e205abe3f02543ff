"""Payloads between processes: tolerant of unknown and missing keys, strict about versions."""

import pytest

from contracts.payloads import (
    ApplyToCart,
    DescribeCode,
    MalformedPayload,
    NewerPayload,
    OutboxItem,
    RpcReply,
    VisitBatch,
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
    call = decode(DescribeCode, {"code": "SPRING", "at": "2026-03-01T12:00:00+00:00"})
    assert (call.learner_id, call.v) == (None, 1)


def test_a_newer_version_is_refused_by_its_number():
    with pytest.raises(NewerPayload, match="DescribeCode has version 2, which only a newer build can read") as refused:
        decode(DescribeCode, {"v": 2})
    assert refused.value.version == 2


@pytest.mark.parametrize("data", [None, [], "text", {}, {"code": "SPRING"}, {**encode(CALL), "v": "1"}])
def test_data_in_another_form_is_malformed(data):
    with pytest.raises(MalformedPayload):
        decode(DescribeCode, data)


def test_a_bare_list_of_visits_is_version_0():
    assert decode_visits([{"n": 1}]) == VisitBatch(rows=[{"n": 1}])


@pytest.mark.parametrize("data", [None, 7, "text", {}, {"v": 1}, {"rows": 7}])
def test_a_batch_without_a_list_of_rows_is_malformed(data):
    with pytest.raises(MalformedPayload):
        decode_visits(data)
