"""Codes as people type and paste them."""

import unicodedata

# The category of joiners, marks of direction, byte order marks and soft hyphens; emoji have signs of their own.
_INVISIBLE = "Cf"
_EMOJI_SIGNS = {chr(code) for code in range(0xFE00, 0xFE10)}


def plain_code(text: str) -> str:
    """A code without surrounding spaces and without what nobody sees, such as a zero width space that a mail or a chat
    added, and with letters of full width as ordinary ones (NFKC). The browser's is components/forms/plainCode.ts, by
    contracts/cases/codes.json."""
    # Before the letters are joined: such a sign may stand between a letter and its accent.
    seen = (char for char in text if unicodedata.category(char) != _INVISIBLE and char not in _EMOJI_SIGNS)
    return unicodedata.normalize("NFKC", "".join(seen)).strip()
