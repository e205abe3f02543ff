"""Renders mails from templates/mail: {name}.txt, whose first line is the subject, and {name}.html."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from domain.text_direction import isolated

if TYPE_CHECKING:
    from jinja2 import Environment

FOLDER = Path(__file__).parents[1] / "templates" / "mail"


@dataclass(frozen=True)
class RenderedMail:
    """`subject` is one line: line breaks in what people typed must not add headers."""

    subject: str
    text: str
    html: str


def render(name: str, values: Mapping[str, Any]) -> RenderedMail:
    """Raises jinja2.UndefinedError for a value that the template needs and `values` lacks."""
    subject, _, text = _environment().get_template(f"{name}.txt").render(values).partition("\n\n")
    one_line = " ".join(subject.split())
    html = _environment().get_template(f"{name}.html").render({**values, "title": one_line})
    return RenderedMail(one_line, text.strip() + "\n", html)


@lru_cache(1)
def _environment() -> "Environment":
    # Takes 0.1 s, which the start of hosts and workers is spared.
    from jinja2 import Environment, FileSystemLoader, StrictUndefined, select_autoescape

    return Environment(
        loader=FileSystemLoader(FOLDER),
        autoescape=select_autoescape(["html"]),
        undefined=StrictUndefined,
        # Names inside sentences of another direction.
        finalize=lambda value: isolated(value) if type(value) is str and "\n" not in value else value,
    )
