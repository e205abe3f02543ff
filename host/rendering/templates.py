"""The environment of the page templates, Jinja's with what took most of its time made shorter; options of selects.

A page without script reads 500 members of dictionaries, writes 300 texts and calls 50 macros. Jinja looks each member
up as an attribute first, which for a dictionary ends in an exception, and makes each text an object of its own.
"""

import re
from collections.abc import Iterable, Mapping, MutableMapping
from functools import lru_cache
from pathlib import Path
from typing import Any

import jinja2
from jinja2.compiler import CodeGenerator
from jinja2.nodes import Expr
from jinja2.runtime import Context, Macro
from markupsafe import Markup, escape

_MISSING = object()
_UNSAFE = re.compile("[&<>'\"]")
_OPTION = Markup('<option value="{}"')
_LABEL = Markup(">{}</option>\n")
_CHOOSE = Markup('<option value="">Choose…</option>')
_SELECTED = Markup(" selected")
# Lists of areas, by country and form; there are 80.
MAX_LISTS = 200


def escaped_text(value: Any) -> str:
    """What `markupsafe.escape` returns, as a plain text where that is enough: when the output is joined at once."""
    kind = type(value)
    is_safe = kind is Markup or (kind is str and _UNSAFE.search(value) is None)
    return value if is_safe else escape(value)


class _CodeGenerator(CodeGenerator):
    def _output_child_pre(self, node: Expr, frame: Any, finalize: Any) -> None:
        """What `{{ }}` writes. Where it depends on the moment whether to escape, Jinja decides."""
        if frame.eval_ctx.volatile or not frame.eval_ctx.autoescape or finalize.src is not None:
            super()._output_child_pre(node, frame, finalize)
        else:
            self.write("environment.escaped_text(")


class _Context(Context):
    def call(self, obj: Any, *args: Any, **kwargs: Any) -> Any:
        """Macros ask for nothing of the page around them, which Jinja looks for in whatever a template calls."""
        if type(obj) is Macro:
            kwargs.pop("_loop_vars", None)
            kwargs.pop("_block_vars", None)
            return obj(*args, **kwargs)
        return Context.call(self, obj, *args, **kwargs)


class TemplateEnvironment(jinja2.Environment):
    """Templates of `folder`, which do not change while the process runs. Of a dictionary `x.name` is the item before
    the method."""

    code_generator_class = _CodeGenerator
    context_class = _Context
    escaped_text = staticmethod(escaped_text)

    def __init__(self, folder: Path, bytecode_cache: jinja2.BytecodeCache | None = None):
        super().__init__(
            loader=jinja2.FileSystemLoader(folder),
            autoescape=True,
            trim_blocks=True,
            lstrip_blocks=True,
            undefined=jinja2.StrictUndefined,
            auto_reload=False,
            bytecode_cache=bytecode_cache,
        )

    def make_globals(self, d: MutableMapping[str, Any] | None) -> MutableMapping[str, Any]:
        """One dictionary instead of a chain of two, which Jinja would look names up in for every page and macro. They
        are those of the moment in which a template is loaded."""
        return {**self.globals, **(d or {})}

    def getattr(self, obj: Any, attribute: str) -> Any:
        if type(obj) is dict:
            value = obj.get(attribute, _MISSING)
            if value is not _MISSING:
                return value
        return super().getattr(obj, attribute)


class SelectOptions:
    """The options of a select in pages without script, values with their labels: made HTML once for everybody."""

    def __init__(self, labels: Iterable[tuple[str, str]]):
        self._html = Markup("").join(_OPTION.format(value) + _LABEL.format(label) for value, label in labels)

    def html(self, chosen: str, *, is_required: bool) -> Markup:
        """The first one chooses nothing, unless something is chosen that is required."""
        option = _OPTION.format(chosen)
        is_listed = option in self._html
        html = self._html.replace(option, option + _SELECTED) if is_listed else self._html
        return html if is_listed and is_required else _CHOOSE + html


def select_options(options: Iterable[Mapping[str, str]], chosen: str, is_required: bool) -> Markup:
    """The options of a field: each has `value` and `label`."""
    labels = tuple((option["value"], option["label"]) for option in options)
    return _options(labels).html(chosen, is_required=is_required)


@lru_cache(MAX_LISTS)
def _options(labels: tuple[tuple[str, str], ...]) -> SelectOptions:
    return SelectOptions(labels)
