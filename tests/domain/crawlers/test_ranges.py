"""Lists of ranges: what is read, what is refused, and which addresses are within."""

import json
import random
from datetime import UTC, datetime
from ipaddress import ip_address, ip_network

import pytest

from domain.crawlers.addresses import AddressHasher, parse_address
from domain.crawlers.ranges import MAX_BYTES, RangeList, read_list
from domain.errors import Refused
from tests.domain.crawlers.lists import GOOGLE, published, ranges
from tests.support.factories import NOON


def test_a_published_list_is_read_in_one_order_and_each_range_once():
    found = read_list(published(*reversed(GOOGLE), GOOGLE[0]))
    assert found == (GOOGLE, datetime(2026, 9, 25, 22, tzinfo=UTC))
    assert read_list(published(*GOOGLE, creationTime="2026-09-25T22:00:00+02:00")).created_at == datetime(
        2026, 9, 25, 20, tzinfo=UTC
    )


def test_a_list_in_the_form_of_amazon_is_read():
    rows = {
        "prefixes": [{"ip_prefix": "3.5.140.0/22", "region": "a"}],
        "ipv6_prefixes": [{"ipv6_prefix": "2600:1f00::/24"}],
    }
    body = json.dumps({"createDate": "2026-11-20-21-05-00", **rows}).encode()
    assert read_list(body) == (("3.5.140.0/22", "2600:1f00::/24"), None)


@pytest.mark.parametrize("time", [None, "", "yesterday", 5, "0001-01-01T00:00:00+14:00"])
def test_a_list_need_not_say_when_it_was_written(time):
    assert read_list(published(*GOOGLE, creationTime=time)).created_at is None


@pytest.mark.parametrize(
    ("body", "reason"),
    [
        (b"<html>Not found</html>", "not JSON"),
        (b"[" * 100_000, "not JSON"),
        (b"\xff", "not JSON"),
        (b"[]", "has no list"),
        (b'{"prefixes": []}', "has no list"),
        (b'{"prefixes": {"a": 1}}', "has no list"),
        (b'{"prefixes": ["192.0.2.0/24"]}', "has not one ipv4Prefix or ipv6Prefix"),
        (b'{"prefixes": [{"address": "66.249.64.0/27"}]}', "has not one"),
        (b'{"prefixes": [], "ipv6_prefixes": "a"}', "has no list"),
        (b'{"prefixes": [{"ipv4Prefix": 5}]}', "has not one"),
        (b'{"prefixes": [{"ipv4Prefix": "66.249.64.0/27", "ipv6Prefix": "2001:4860::/32"}]}', "has not one"),
        (published("66.249.64.1/27"), "is no range"),
        (published("66.249.64.0/33"), "is no range"),
        (published("googlebot.com"), "is no range"),
        (published("0.0.0.0/0"), "wider than any"),
        (published("2000::/3"), "wider than any"),
        (published("10.0.0.0/8"), "not public"),
        (published("127.0.0.1/32"), "not public"),
        (published("fc00::/32"), "not public"),
        (published(*GOOGLE) + b" " * MAX_BYTES, "larger than"),
    ],
    ids=lambda value: str(value)[:40],
)
def test_a_list_that_is_not_of_the_known_form_is_refused(body, reason):
    with pytest.raises(Refused, match=reason):
        read_list(body)


@pytest.mark.parametrize(
    ("address", "is_within"),
    [
        ("66.249.64.0", True),
        ("66.249.64.63", True),
        ("66.249.64.64", False),
        ("66.249.63.255", False),
        ("::ffff:66.249.64.1", True),
        ("2001:4860:4801:10::1", True),
        ("2001:4860:4801:10:ffff:ffff:ffff:ffff", True),
        ("2001:4860:4801:11::", False),
        ("::42f9:4001", False),
        ("255.255.255.255", False),
        ("0.0.0.0", False),
    ],
)
def test_an_address_is_found_up_to_the_edges_of_its_range(address, is_within):
    parsed = parse_address(address)
    assert parsed is not None
    assert ranges(*GOOGLE).has(parsed) is is_within


def test_ranges_within_ranges_are_found_as_one_by_one():
    chance = random.Random(3)
    prefixes = [f"66.{chance.randrange(4)}.{chance.randrange(256)}.0/24" for _ in range(200)]
    prefixes += ["66.1.0.0/16", "66.2.128.0/17", "66.2.200.0/22"]
    found, networks = RangeList("any", prefixes, NOON), [ip_network(prefix) for prefix in prefixes]
    for _ in range(2_000):
        address = ip_address(f"66.{chance.randrange(5)}.{chance.randrange(256)}.{chance.randrange(256)}")
        assert found.has(address) is any(address in network for network in networks)


@pytest.mark.parametrize("text", ["", "localhost", "1.2.3.4:80", "fe80::1%eth0", "fe80::1%eth0 x", "012.1.1.1"])
def test_what_is_no_address_is_none(text):
    assert parse_address(text) is None


def test_a_hash_needs_the_secret_and_says_the_same_of_both_forms_of_an_address():
    address, mapped = parse_address("66.249.64.1"), parse_address("::ffff:66.249.64.1")
    assert address is not None
    assert address == mapped
    hashed = AddressHasher("secret").hash(address)
    assert (len(hashed), bytes.fromhex(hashed)) == (16, bytes.fromhex(hashed))
    assert hashed == AddressHasher("secret").hash(address) != AddressHasher("another").hash(address)
    assert json.loads(json.dumps(hashed)) == hashed
