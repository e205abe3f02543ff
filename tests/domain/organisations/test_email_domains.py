"""Which domains of email addresses may stand for an organisation."""

import pytest

from domain.organisations import email_domains


@pytest.mark.parametrize(
    ("address", "domain"),
    [
        ("ada@Northwind.Example", "northwind.example"),
        ("ada@bücher.example", "xn--bcher-kva.example"),
        ('"a@b"@northwind.example', "northwind.example"),
        ("nobody", ""),
        ("", ""),
    ],
)
def test_the_domain_of_an_address_is_its_end_in_lowercase_ascii(address, domain):
    assert email_domains.domain_of(address) == domain


@pytest.mark.parametrize(
    "text", ["northwind.example", "a.b.c.example", "xn--bcher-kva.example", "gmail-partners.example"]
)
def test_a_domain_of_its_own_may_stand_for_an_organisation(text):
    assert email_domains.problem(text) is None


@pytest.mark.parametrize(
    "text",
    ["gmail.com", "yahoo.co.jp", "web.de", "gmx.at", "example", "-a.example", "a..example", "a_b.example", "1.2.3.4"],
)
def test_public_mail_hosts_and_what_is_no_domain_are_refused(text):
    assert email_domains.problem(text)


def test_domains_are_read_without_repetition_and_at_most_ten():
    assert email_domains.read_domains(["@A.example", "a.example ", ""]) == (("a.example",), None)
    assert email_domains.read_domains([f"a{number}.example" for number in range(11)])[1] == "Name at most 10 domains."
