"""The forms of a person's address and name, and of a business's purchase order number, by which staff find them."""

import unicodedata

MAX_NAME, MAX_ADDRESS = 255, 254


def email_key(address: str) -> str:
    """Cut where folding has made it longer than any address: ß becomes ss."""
    return address.strip().casefold()[:MAX_ADDRESS]


def number_key(number: str) -> str:
    """The number of a purchase order in lower case; folding makes a letter three at most."""
    return " ".join(number.split()).casefold()


def name_key(name: str) -> str:
    """Words in lower case without accents and signs, with one space between: "Zoë O'Neil-Łuk" -> "zoe o neil łuk"."""
    letters = unicodedata.normalize("NFKD", name.casefold())
    plain = (char if char.isalnum() else " " for char in letters if not unicodedata.combining(char))
    return " ".join("".join(plain).split())[:MAX_NAME]
