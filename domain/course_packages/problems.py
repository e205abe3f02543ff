"""Problems of Open edX as questions of this shop: choices, ticks, menus and numbers.

What is computed by a program, and typed words, do not come along; whether the case of those counts is said with them.
"""

import re
from collections.abc import Callable, Iterator
from copy import deepcopy
from dataclasses import dataclass, field
from decimal import Decimal
from xml.etree.ElementTree import Element, tostring

from domain.course_packages.lesson_parts import QuizRead, named
from domain.course_packages.markup import Markup
from domain.course_packages.package import choice_question, number_question
from domain.learning.lesson_bodies import MAX_OPTIONS
from domain.publishing.records import Json
from domain.typed_values import read_decimal

_KINDS = {
    "customresponse": "is marked by a program",
    "formularesponse": "asks for a formula",
    "symbolicresponse": "asks for a formula",
    "imageresponse": "asks for a place in a picture",
    "schematicresponse": "asks for a circuit",
    "annotationresponse": "asks about an annotated text",
    "choicetextresponse": "mixes choices and numbers",
    "coderesponse": "asks for a program",
    "externalresponse": "is marked by another site",
    "jsmeresponse": "asks for a molecule",
}
_HINTS = ("choicehint", "optionhint", "compoundhint", "correcthint", "stringequalhint", "additional_hint")
_LEFT_OUT = ("script", "style", "demandhint", "responseparam", "solution", "label", "description", "hintgroup")
_INPUTS = ("textline", "formulaequationinput", "checkboxgroup", "choicegroup", "optioninput", "additional_answer")
_MENU = re.compile(r"'((?:[^'\\]|\\.)*)'|\"((?:[^\"\\]|\\.)*)\"")
_RANGE = re.compile(r"([\[(])\s*([^,\s]+)\s*,\s*([^,\s]+)\s*([\])])")


@dataclass
class ProblemReader:
    """Reads problems into a quiz, one after the other. `convert`: HTML as Markdown."""

    convert: Callable[[str], Markup]
    quiz: QuizRead
    _attempts: list[int | None] = field(default_factory=list)

    def read(self, problem: Element, name: str) -> None:
        """Add the questions of a problem."""
        title = " ".join((problem.get("display_name") or "").split())
        if any("python" in (script.get("type") or "") for script in problem.iter("script")):
            self._lose(f"The problem “{title or name}” is computed by a program: it does not come along.")
            return
        problem_text = _ProblemText(name, title)
        self._walk(problem, problem_text, 0)
        if problem_text.count == 0 and problem_text.stem_text(self):
            self._lose(f"The problem “{title or name}” asks nothing that a quiz here can ask.")
        self._settings(problem)
        if problem.find(".//demandhint") is not None or any(problem.find(f".//{tag}") is not None for tag in _HINTS):
            self._lose("Hints do not come along: a question here has one explanation.")

    def _settings(self, problem: Element) -> None:
        text = problem.get("max_attempts") or ""
        self._attempts.append(int(text) if text.isascii() and text.isdigit() and 0 < int(text[:6]) < 1_000 else None)
        self.quiz.attempts = self._attempts[0] if len({*self._attempts}) == 1 else None
        if len({*self._attempts}) > 1:
            self._lose("Its questions have different numbers of attempts: the quiz has no limit.")
        if problem.get("weight") not in (None, "", "1", "1.0"):
            self._lose("Every question counts alike here.")

    def _walk(self, element: Element, problem_text: "_ProblemText", depth: int) -> None:
        """The questions of an element in their order, with the text before each."""
        problem_text.add(element.text)
        for child in element:
            if child.tag.endswith("response"):
                self._response(child, problem_text)
            elif child.tag == "solution":
                problem_text.explain(self._text(inner_html(child)))
            elif depth < 20 and any(inner.tag.endswith("response") for inner in child.iter()):
                self._walk(child, problem_text, depth + 1)
            elif child.tag not in _LEFT_OUT:
                problem_text.stem.append(outer_html(child))
            elif child.tag in ("label", "description"):
                problem_text.stem.append(f"<p>{inner_html(child)}</p>")
            problem_text.add(child.tail)

    def _response(self, response: Element, problem_text: "_ProblemText") -> None:
        text = self._question_text(response, problem_text)
        solution = response.find(".//solution")
        explanation = "" if solution is None else self._text(inner_html(solution))
        self.quiz.total += 1
        made = list(self._made(response, problem_text.next_name(), text, named(self.quiz.total, text)))
        for question in made:
            question["explanation"] = explanation
        self.quiz.questions += made
        problem_text.latest = made or problem_text.latest

    def _question_text(self, response: Element, problem_text: "_ProblemText") -> str:
        """The text before the response and its own, with the problem's title where there is none."""
        own = [f"<p>{inner_html(part)}</p>" for part in response if part.tag in ("label", "description")]
        other = [outer_html(part) for part in response if part.tag not in (*_LEFT_OUT, *_INPUTS, *_HINTS)]
        text = self._text("".join((*problem_text.stem, *own, *other)))
        problem_text.stem.clear()
        return text or problem_text.title or "…"

    def _made(self, response: Element, name: str, text: str, what: str) -> Iterator[Json]:
        kind = response.tag
        if kind in ("multiplechoiceresponse", "choiceresponse", "truefalseresponse"):
            yield from self._choices(response, name, text, what)
        elif kind == "optionresponse":
            menus = [*response.iter("optioninput")]
            for place, menu in enumerate(menus, start=1):
                label = text if len(menus) == 1 else f"{text} ({place} of {len(menus)})"
                yield from self._menu(menu, f"{name}-{place}" if len(menus) > 1 else name, label, what)
        elif kind == "numericalresponse":
            yield from self._number(response, name, text, what)
        elif kind == "stringresponse":
            self._words(response, what)
        else:
            self._lose(f"{what} {_KINDS.get(kind, 'is of a kind that quizzes lack here')}: it does not come along.")

    def _choices(self, response: Element, name: str, text: str, what: str) -> Iterator[Json]:
        rows = [
            (choice.get("name") or f"o{place}", self._text(inner_html(choice, _HINTS)) or "…", _is_true(choice))
            for place, choice in enumerate(response.iter("choice"), start=1)
        ]
        right = sum(is_right for _, _, is_right in rows)
        if not self._can_be_asked(rows, right, what):
            return
        question = choice_question(name, text, rows)
        if response.tag == "choiceresponse":
            question["kind"] = "several"
        elif right > 1:
            self._lose(f"{what} takes any one of {right} answers; here all of them are to be chosen.")
        yield question

    def _menu(self, menu: Element, name: str, text: str, what: str) -> Iterator[Json]:
        rows = [
            (f"o{place}", self._text(inner_html(option, _HINTS)) or "…", _is_true(option))
            for place, option in enumerate(menu.iter("option"), start=1)
        ]
        if not rows:
            words = [first or second for first, second in _MENU.findall(menu.get("options") or "")]
            right = (menu.get("correct") or "").strip()
            rows = [(f"o{place}", self._text(word) or "…", word == right) for place, word in enumerate(words, start=1)]
        if self._can_be_asked(rows, sum(is_right for _, _, is_right in rows), what):
            yield choice_question(name, text, rows)

    def _can_be_asked(self, rows: list[tuple[str, str, bool]], right: int, what: str) -> bool:
        if right and 2 <= len(rows) <= MAX_OPTIONS:
            return True
        reason = f"has {len(rows)} answers, and here 2 to {MAX_OPTIONS}" if right else "names no right answer"
        self._lose(f"{what} {reason}: it does not come along.")
        return False

    def _number(self, response: Element, name: str, text: str, what: str) -> Iterator[Json]:
        answer = (response.get("answer") or "").strip()
        if response.find("additional_answer") is not None:
            self._lose(f"{what} takes other numbers too: the first one alone comes along.")
        if (match := _RANGE.fullmatch(answer)) is not None:
            low, high = _decimal(match[2]), _decimal(match[3])
            if low is not None and high is not None and low <= high:
                if "(" in match[1] or ")" in match[4]:
                    self._lose(f"{what} takes the ends of {answer} here as well.")
                middle = (low + high) / 2
                yield number_question(name, text, _plain(middle), _plain(high - middle))
                return
        value = _decimal(answer)
        if value is None:
            self._lose(f"{what} has “{answer[:40]}” as its answer, which is no plain number: it does not come along.")
            return
        given = next((row.get("default") or "" for row in response.iter("responseparam")), "").strip()
        tolerance = _tolerance(given, value)
        if tolerance is None:
            self._lose(f"{what} has the tolerance “{given[:40]}”, which is no number: the exact number is asked for.")
        yield number_question(name, text, _plain(value), _plain(tolerance or Decimal(0)))

    def _words(self, response: Element, what: str) -> None:
        rows = [response.get("answer") or "", *(row.get("answer") or "" for row in response.iter("additional_answer"))]
        kinds = (response.get("type") or "").split()
        case = "in any case" if "ci" in kinds else "case counts"
        pattern = "patterns: " if "regexp" in kinds else ""
        answers = ", ".join(f"“{row[:60]}”" for row in rows[:5] if row)
        self._lose(f"{what} asks for typed words ({pattern}{answers}, {case}): it does not come along.")

    def _text(self, html: str) -> str:
        found = self.convert(html)
        self.quiz.attachments += found.attachments
        self.quiz.lost += found.lost
        return found.text

    def _lose(self, sentence: str) -> None:
        if sentence not in self.quiz.lost:
            self.quiz.lost.append(sentence)


@dataclass
class _ProblemText:
    """Where the reading of a problem is: `stem` is the HTML since the last question, `latest` that question."""

    name: str
    title: str
    stem: list[str] = field(default_factory=list)
    latest: list[Json] = field(default_factory=list)
    count: int = 0

    def add(self, text: str | None) -> None:
        if text and text.strip():
            self.stem.append(f"<p>{_escaped(text)}</p>")

    def next_name(self) -> str:
        self.count += 1
        return self.name if self.count == 1 else f"{self.name[:36]}-{self.count}"

    def explain(self, text: str) -> None:
        """The solution that follows a question is its own."""
        for question in self.latest[-1:]:
            question["explanation"] = question["explanation"] or text

    def stem_text(self, reader: ProblemReader) -> str:
        return reader.convert("".join(self.stem)).text


def inner_html(element: Element, without: tuple[str, ...] = ()) -> str:
    """The contents of an element."""
    if without and any(child.tag in without for child in element):
        element = deepcopy(element)
        for child in [child for child in element if child.tag in without]:
            element.remove(child)
    return _escaped(element.text or "") + "".join(_html(child) for child in element)


def outer_html(element: Element) -> str:
    """An element without what follows it."""
    copy = deepcopy(element)
    copy.tail = None
    return _html(copy)


def _html(element: Element) -> str:
    return tostring(element, encoding="unicode", method="html")


def _escaped(text: str) -> str:
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


def _is_true(element: Element) -> bool:
    return (element.get("correct") or "").casefold() == "true"


def _decimal(text: str) -> Decimal | None:
    try:
        return read_decimal(text)
    except ValueError:
        return None


def _tolerance(text: str, value: Decimal) -> Decimal | None:
    """None for what is no number; a percentage is one of the value."""
    if not text:
        return Decimal(0)
    number = _decimal(text.removesuffix("%"))
    if number is None:
        return None
    return abs(value * number / 100) if text.endswith("%") else abs(number)


def _plain(value: Decimal) -> str:
    """Digits without an exponent, as many decimals as a number of a quiz may have."""
    text = f"{round(value, 9):f}"
    return text.rstrip("0").rstrip(".") if "." in text else text
