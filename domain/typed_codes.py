"""Codes as people type and paste them."""

import re
import unicodedata

# The category of joiners, marks of direction, byte order marks and soft hyphens; emoji have signs of their own.
_INVISIBLE = "Cf"
_EMOJI_SIGNS = {chr(code) for code in range(0xFE00, 0xFE10)}
# Word processors and telephones write a hyphen as one that does not break, a dash or a minus sign.
_DASHES = re.compile("[\u2010-\u2015\u2212]")


def plain_code(text: str) -> str:
    """A code without surrounding spaces and without what nobody sees, such as a zero width space that a mail or a chat
    added, with letters of full width as ordinary ones (NFKC) and every dash as a hyphen. The browser's is
    components/forms/plainCode.ts, by contracts/cases/codes.json."""
    # Before the letters are joined: such a sign may stand between a letter and its accent.
    seen = (char for char in text if unicodedata.category(char) != _INVISIBLE and char not in _EMOJI_SIGNS)
    return _DASHES.sub("-", unicodedata.normalize("NFKC", "".join(seen))).strip()
