"""Codes as people type and paste them."""

import unicodedata

# The category of joiners, marks of direction, byte order marks and soft hyphens; emoji have signs of their own.
_INVISIBLE = "Cf"
_EMOJI_SIGNS = {chr(code) for code in range(0xFE00, 0xFE10)}


def plain_code(text: str) -> str:
    """A code without surrounding spaces and without what nobody sees, such as a zero width space that a mail or a chat
    added, and with letters of full width as ordinary ones (NFKC). The browser's is components/forms/plainCode.ts, by
    contracts/cases/codes.json."""
    ordinary = unicodedata.normalize("NFKC", text)
    seen = (char for char in ordinary if unicodedata.category(char) != _INVISIBLE and char not in _EMOJI_SIGNS)
    return "".join(seen).strip()
