"""Renders mails from templates/mail: {name}.txt, whose first line is the subject, and {name}.html. A `block` of them is
a part that staff may word in another way: words, and values between them."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache, lru_cache
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING, Any

from domain.publishing.editing import mail_texts
from domain.publishing.editing.mail_texts import MailPart
from domain.text_direction import isolated

if TYPE_CHECKING:
    from jinja2 import Environment, nodes
    from jinja2.runtime import Context

FOLDER = Path(__file__).parents[1] / "templates" / "mail"
# The block of layout.html that holds all others.
_CONTENT = "content"
# In every mail, and in none needed.
_SITE = "site.name"


@dataclass(frozen=True)
class RenderedMail:
    """`subject` is one line: line breaks in what people typed must not add headers."""

    subject: str
    text: str
    html: str


def render(name: str, values: Mapping[str, Any], words: Mapping[str, str] | None = None) -> RenderedMail:
    """`words`: by the name of a part, instead of the shop's own. Those that the part cannot have any more, as its
    template has changed, count as not given: the mail is sent in any case. Raises jinja2.UndefinedError for a value
    that the template needs and `values` lacks."""
    chosen = _usable(name, words or {})
    subject, _, text = _rendered(f"{name}.txt", values, chosen).partition("\n\n")
    one_line = " ".join(subject.split())
    html = _rendered(f"{name}.html", {**values, "title": one_line}, chosen)
    return RenderedMail(one_line, text.strip() + "\n", html)


@cache
def parts(name: str) -> Mapping[str, MailPart]:
    """What staff may word of a mail, in the order in which it is read. Raises ValueError for a block that has more than
    words and values."""
    found: dict[str, tuple[str, set[str], bool]] = {}
    for end in ("txt", "html"):
        for part, block, is_certain in _blocks(f"{name}.{end}"):
            found.setdefault(part, (*_words(part, block), is_certain))
    always = {_SITE}.union(*(used for _, used, is_certain in found.values() if is_certain))
    return {
        part: MailPart(words, frozenset(used - {_SITE}), frozenset(used | always))
        for part, (words, used, _) in found.items()
    }


def examples(name: str, values: Mapping[str, Any]) -> dict[str, str]:
    """What stands in a mail with these values at each name that its parts know."""
    known = set[str]().union(*(part.known for part in parts(name).values()))
    return {place: _value(values, place) for place in sorted(known)}


def _usable(name: str, words: Mapping[str, str]) -> Mapping[str, str]:
    if not words:
        return words
    refused = mail_texts.refusals(words, parts(name))
    return {part: text for part, text in words.items() if part not in refused}


def _rendered(file: str, values: Mapping[str, Any], words: Mapping[str, str]) -> str:
    template = _environment().get_template(file)
    context = template.new_context(dict(values))
    for part, text in words.items():
        # Blocks that the template does not have are never asked for.
        context.blocks.setdefault(part, []).insert(0, _writer(text, is_html=file.endswith(".html")))
    return "".join(template.root_render_func(context))


def _writer(words: str, *, is_html: bool) -> "Callable[[Context], Iterator[str]]":
    """The function of a block that writes these words."""

    def write(context: "Context") -> Iterator[str]:
        text = mail_texts.filled(words, lambda place: _value(context, place))
        yield escape(text, quote=False) if is_html else text

    return write


def _value(values: Any, place: str) -> str:
    """The value with a name such as order.code, as a template writes it, in one line."""
    name, *attributes = place.split(".")
    value: Any = values[name]
    for attribute in attributes:
        value = value[attribute] if isinstance(value, Mapping) else getattr(value, attribute)
    text = ", ".join(map(str, value)) if isinstance(value, list) else str(value)
    return isolated(" ".join(text.splitlines()))


def _blocks(file: str) -> "Iterator[tuple[str, nodes.Block, bool]]":
    """The parts of a file; whether the mail always has it."""
    from jinja2 import nodes

    def walk(node: nodes.Node, *, is_certain: bool) -> "Iterator[tuple[str, nodes.Block, bool]]":
        for child in node.iter_child_nodes():
            if isinstance(child, nodes.Block) and child.name != _CONTENT:
                yield child.name, child, is_certain
            else:
                yield from walk(child, is_certain=is_certain and not isinstance(child, (nodes.If, nodes.For)))

    environment = _environment()
    return walk(environment.parse((FOLDER / file).read_text("utf-8")), is_certain=True)


def _words(part: str, block: "nodes.Block") -> tuple[str, set[str]]:
    """The words of a block, with names for its values; those names."""
    from jinja2 import nodes

    def name_of(node: nodes.Node) -> str:
        if isinstance(node, nodes.Filter) and node.name == "join" and node.node is not None:
            return name_of(node.node)
        if isinstance(node, nodes.Getattr):
            return f"{name_of(node.node)}.{node.attr}"
        if isinstance(node, nodes.Name):
            return node.name
        raise ValueError(f"the part {part} has more than words and values")

    words, used = "", set[str]()
    for output in block.body:
        if not isinstance(output, nodes.Output):
            raise ValueError(f"the part {part} has more than words and values")
        for node in output.nodes:
            if isinstance(node, nodes.TemplateData):
                words += node.data
            else:
                used.add(name_of(node))
                words += f"{{{name_of(node)}}}"
    return words, used


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
