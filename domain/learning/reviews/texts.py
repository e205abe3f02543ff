"""What a review may say, and what a person has to look at before it is shown."""

import re
import unicodedata
from dataclasses import dataclass

from domain.errors import InvalidInput

MAX_TITLE, MAX_TEXT = 120, 4000
# Shorter words in capitals are names: VAT, SQL.
MIN_CAPITALS = 12
# Control characters, and those that change the direction of what follows; lines and tabs are not among them.
_UNSEEN = re.compile("[\x00-\x08\x0b-\x1f\x7f\u200b\u2028-\u202e\u2060-\u2069\ufeff]")
# With an address behind it any ending is a link; without one the common ones, because sentences lack spaces at times.
_ENDINGS = "com|net|org|info|io|co|shop|xyz|ru|cn|de|uk|eu|app|dev|me|ly|gl|link|site|online|store|ai|tv|biz|club"
_LINK = re.compile(
    rf"https?:|www\.|[\w-]\.[\w-]{{2,}}(?::\d+)?[/?#]\w|[\w-]\.xn--|\b[\w-]+\.(?:{_ENDINGS})\b", re.IGNORECASE
)
_EMAIL = re.compile(r"[^\s@]+\s*(?:@|\(at\)|\[at\])\s*[^\s@]+\.\w", re.IGNORECASE)


@dataclass(frozen=True)
class ReviewDraft:
    """What a learner sends. `rating`: 1-5 stars; title and text are plain and may be empty."""

    rating: int
    title: str = ""
    text: str = ""


def checked(draft: ReviewDraft) -> ReviewDraft:
    """With tidy spaces and line breaks. Raises InvalidInput."""
    title = " ".join(_UNSEEN.sub("", draft.title).split())
    lines = _UNSEEN.sub("", draft.text.replace("\r\n", "\n").replace("\r", "\n")).split("\n")
    text = re.sub(r"\n{3,}", "\n\n", "\n".join(line.rstrip() for line in lines)).strip()
    errors = {}
    if not 1 <= draft.rating <= 5:
        errors["rating"] = "Choose one to five stars."
    if len(title) > MAX_TITLE:
        errors["title"] = f"Shorten this to {MAX_TITLE} characters."
    if len(text) > MAX_TEXT:
        errors["text"] = f"Shorten this to {MAX_TEXT} characters."
    if errors:
        raise InvalidInput(errors)
    return ReviewDraft(draft.rating, title, text)


def needs_a_look(draft: ReviewDraft) -> bool:
    """It holds a link or an email address, or is written in capitals only."""
    # Wide letters and dots are read as the usual ones.
    text = unicodedata.normalize("NFKC", f"{draft.title}\n{draft.text}")
    letters = [letter for letter in text if letter.isalpha()]
    cased = [letter for letter in letters if letter.upper() != letter.lower()]
    is_shouted = len(cased) >= MIN_CAPITALS and all(letter.isupper() for letter in cased)
    return is_shouted or _LINK.search(text) is not None or _EMAIL.search(text) is not None
