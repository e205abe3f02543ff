"""References of orders in what payers write, and the text of payment codes."""

import pytest
import segno
from stdnum import iso11649

from domain.bank_transfers.account import BankAccount, read_bic, read_holder, read_iban, read_lines
from domain.bank_transfers.payment_code import payment_code
from domain.bank_transfers.references import codes_in, codes_referred_to, in_print, reference_of
from domain.readable_codes import encode

CODE = "ABCDEFGHJK2345678NPQ"
REFERENCE = "RF84ABCDEFGHJK2345678NPQ"
ACCOUNT = BankAccount("Meridian Learning", "DE89370400440532013000", "COBADEFFXXX")


def test_a_reference_has_check_digits_and_is_printed_in_groups():
    assert (reference_of(CODE), in_print(REFERENCE)) == (REFERENCE, "RF84 ABCD EFGH JK23 4567 8NPQ")
    assert all(iso11649.is_valid(reference_of(encode(20))) for _ in range(50))


@pytest.mark.parametrize(
    ("text", "found"),
    [
        (REFERENCE, (CODE,)),
        (in_print(REFERENCE).lower(), (CODE,)),
        (f"Order of 3 May /{in_print(REFERENCE)}/ thank you", (CODE,)),
        (f"EREF+{REFERENCE}SVWZ+Invoice", (CODE,)),
        (f"RFRF{REFERENCE[2:]}", (CODE,)),
        (f"{REFERENCE} {reference_of('BBBBBBBBBBBBBBBBBBBB')}", (CODE, "BBBBBBBBBBBBBBBBBBBB")),
        (f"{REFERENCE} {REFERENCE}", (CODE,)),
        # Two characters that changed places, and a wrong check digit.
        (REFERENCE.replace("AB", "BA"), ()),
        (REFERENCE.replace("RF84", "RF85"), ()),
        (CODE, ()),
        (REFERENCE[:-1], ()),
        ("", ()),
    ],
)
def test_references_are_found_in_free_text(text, found):
    assert codes_referred_to(text) == found


def test_a_bare_code_is_found_for_people_to_decide():
    assert CODE in codes_in(f"my order {CODE.lower()}")
    assert len(codes_in("A" * 10_000)) == 1


def test_a_payment_code_has_each_value_in_its_line():
    text = payment_code(ACCOUNT, REFERENCE, 7_505, "EUR")
    assert text == (
        "BCD\n002\n1\nSCT\nCOBADEFFXXX\nMeridian Learning\nDE89370400440532013000\nEUR75.05\n\nRF84ABCDEFGHJK2345678NPQ"
    )
    assert segno.make_qr(text, error="m").version <= 13


@pytest.mark.parametrize(
    ("account", "reference", "minor", "currency"),
    [
        (ACCOUNT, REFERENCE, 7_500, "USD"),
        (ACCOUNT, REFERENCE, 0, "EUR"),
        (ACCOUNT, REFERENCE, 10**11, "EUR"),
        (ACCOUNT, "RF84\nABC", 7_500, "EUR"),
        (BankAccount("Meridian", lines=("Account number: 1",)), REFERENCE, 7_500, "EUR"),
        (BankAccount("Meridian", "DE88370400440532013000"), REFERENCE, 7_500, "EUR"),
        (BankAccount("Meri\ndian", ACCOUNT.iban), REFERENCE, 7_500, "EUR"),
        (BankAccount("Meridian", ACCOUNT.iban, "COB"), REFERENCE, 7_500, "EUR"),
    ],
)
def test_no_payment_code_is_made_of_wrong_values(account, reference, minor, currency):
    assert payment_code(account, reference, minor, currency) is None


def test_the_parts_of_an_account_are_what_forms_of_banks_ask_for():
    assert ACCOUNT.parts == (
        ("Account holder", "Meridian Learning"),
        ("IBAN", "DE89 3704 0044 0532 0130 00"),
        ("BIC", "COBADEFFXXX"),
    )
    american = BankAccount("Meridian", lines=("Routing number: 026073150", "First Bank"))
    assert american.parts[1:] == (("Routing number", "026073150"), ("Account", "First Bank"))
    assert [account.is_usable for account in (ACCOUNT, american, BankAccount("M"), BankAccount("", ACCOUNT.iban))] == [
        True,
        True,
        False,
        False,
    ]


@pytest.mark.parametrize(
    ("parser", "text", "value"),
    [
        (read_iban, "de89 3704 0044 0532 0130 00", "DE89370400440532013000"),
        (read_bic, "cobadeffxxx", "COBADEFFXXX"),
        (read_holder, " Meridian  Learning ", "Meridian Learning"),
        (read_lines, "a: 1 | b ||", ("a: 1", "b")),
    ],
)
def test_settings_of_the_account_are_read(parser, text, value):
    assert parser(text) == value


@pytest.mark.parametrize(
    ("parser", "text"),
    [
        (read_iban, "DE88 3704 0044 0532 0130 00"),
        (read_iban, "026073150"),
        (read_bic, "COB"),
        (read_holder, "x" * 71),
        (read_holder, " "),
        (read_lines, "|".join("abcdefg")),
        (read_lines, "x" * 81),
    ],
)
def test_settings_of_the_account_that_are_wrong_are_refused(parser, text):
    with pytest.raises(ValueError, match=r"such as|at most"):
        parser(text)
