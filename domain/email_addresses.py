"""Syntax of email addresses, as RFC 5322 and RFC 6531 define it; nothing is looked up in the DNS."""


class InvalidAddress(ValueError):
    """Not an address that a mail server could accept; the text says why."""


def parse(address: str) -> str:
    """The address as it is sent to a mail server: in ASCII where it can be (the domain in Punycode), else in Unicode,
    for servers with SMTPUTF8. Raises InvalidAddress."""
    # Takes 30 ms, which the start of processes that need no addresses is spared.
    from email_validator import EmailNotValidError, validate_email

    try:
        # The domain .test is reserved for tests; no real server has mail for it, and the demo shop uses it.
        valid = validate_email(address, check_deliverability=False, test_environment=True)
    except EmailNotValidError as error:
        raise InvalidAddress(str(error)) from None
    return valid.ascii_email or valid.normalized


def is_valid(address: str) -> bool:
    try:
        parse(address)
    except InvalidAddress:
        return False
    return True
