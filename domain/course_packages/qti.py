"""Quizzes of Common Cartridge (QTI 1.2) as questions of this shop: those of one choice, of several, and of a number."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from xml.etree.ElementTree import Element

from domain import html_markdown
from domain.course_packages import markup
from domain.course_packages.lesson_parts import QuizRead, named
from domain.course_packages.markup import Markup
from domain.course_packages.package import choice_question, number_question
from domain.learning.lesson_bodies import MAX_OPTIONS
from domain.publishing.records import Json
from domain.typed_values import read_decimal

Convert = Callable[[str], Markup]
_PROFILES = {
    "essay": "asks for a text that a person reads",
    "fib": "asks for typed words",
    "pattern_match": "asks for typed words",
    "matching": "asks to match pairs",
    "ordering": "asks for an order",
    "numerical": "asks for a calculation",
    "calculated": "asks for a calculation",
}


def read_quiz(root: Element, convert: Convert) -> QuizRead:
    """An `assessment`. `convert`: HTML as Markdown."""
    assessment = root.find(".//assessment")
    about = root if assessment is None else assessment
    quiz = QuizRead(title=about.get("title") or "", attempts=_attempts(about))
    for material in about.findall("./presentation_material//material") + about.findall("./rubric//material"):
        quiz.text = "\n\n".join(filter(None, (quiz.text, _text(material, convert, quiz))))
    if metadata(about, "qmd_timelimit"):
        quiz.lost.append("Its time limit does not come along: a quiz here has none.")
    for number, item in enumerate(about.iter("item"), start=1):
        quiz.total = number
        question = _question(item, number, convert, quiz)
        if question is not None:
            quiz.questions.append(question)
    return quiz


def metadata(element: Element, label: str) -> str:
    """A field of its own `qtimetadata`, "" without one."""
    for field_ in element.findall("./qtimetadata/qtimetadatafield") + element.findall(
        "./itemmetadata/qtimetadata/qtimetadatafield"
    ):
        if field_.findtext("fieldlabel", "").strip() == label:
            return field_.findtext("fieldentry", "").strip()
    return ""


def _attempts(assessment: Element) -> int | None:
    text = metadata(assessment, "cc_maxattempts")
    return int(text) if text.isascii() and text.isdigit() and 0 < int(text[:6]) < 1_000 else None


def _question(item: Element, number: int, convert: Convert, quiz: QuizRead) -> Json | None:
    """None for what a quiz here cannot ask, which `lost` then says."""
    profile = metadata(item, "cc_profile") or metadata(item, "question_type")
    name = item.get("ident") or f"q{number}"
    presentation = item.find("presentation")
    if presentation is None:
        quiz.lost.append(f"Question {number} asks nothing.")
        return None
    text = _materials(presentation, convert, quiz)
    explanation = _feedback(item, convert, quiz)
    choices = presentation.findall(".//response_lid")
    typed = presentation.findall(".//response_str") + presentation.findall(".//response_num")
    if len(choices) == 1 and not typed and choices[0].find(".//response_label") is not None:
        return _choice(_Question(item, number, name, text, explanation), choices[0], convert, quiz)
    if len(typed) == 1 and not choices:
        return _typed(_Question(item, number, name, text, explanation), profile, quiz)
    kind = next((words for part, words in _PROFILES.items() if part in profile), "is of a kind that quizzes lack here")
    quiz.lost.append(f"{named(number, text)} {kind}: it does not come along.")
    return None


@dataclass(frozen=True)
class _Question:
    item: Element
    number: int
    name: str
    text: str
    explanation: str


def _choice(question: _Question, choices: Element, convert: Convert, quiz: QuizRead) -> Json | None:
    labels = [*choices.iter("response_label")]
    right, is_any = _right_choices(question.item, {label.get("ident") or "" for label in labels})
    options = [
        (ident := label.get("ident") or "", _materials(label, convert, quiz) or "…", ident in right) for label in labels
    ]
    what = named(question.number, question.text)
    if not 2 <= len(options) <= MAX_OPTIONS:
        quiz.lost.append(f"{what} has {len(options)} answers, and here 2 to {MAX_OPTIONS}: it does not come along.")
        return None
    if not right:
        quiz.lost.append(f"{what} names no right answer: it does not come along.")
        return None
    if len(right) > 1 and is_any:
        quiz.lost.append(f"{what} takes any one of {len(right)} answers; here all of them are to be chosen.")
    return choice_question(question.name, question.text or "…", options, question.explanation)


def _right_choices(item: Element, known: set[str]) -> tuple[set[str], bool]:
    """The right answers, and whether each alone gives all points: those of the conditions with the most points, or of
    all that add some."""
    added, best, right, ways = set[str](), 0.0, set[str](), 0
    for condition in item.iter("respcondition"):
        score = _score(condition)
        chosen = {value.strip() for value in _positive(condition) if value.strip() in known}
        if score <= 0 or not chosen:
            continue
        if any(setvar.get("action") == "Add" for setvar in condition.iter("setvar")):
            added |= chosen
        elif score >= best:
            is_better = score > best
            right, ways = (chosen, 0) if is_better else (right | chosen, ways)
            ways += len(chosen) if condition.find("conditionvar/or") is not None else 1
            best = score
    return (added, False) if added else (right, ways > 1)


def _score(condition: Element) -> float:
    values = [setvar.text or "" for setvar in condition.iter("setvar")]
    try:
        return max((float(value) for value in values), default=0.0)
    except ValueError:
        return 0.0


def _positive(element: Element) -> Iterator[str]:
    """The values that a condition wants, without those that it forbids."""
    for child in element:
        if child.tag == "varequal":
            yield child.text or ""
        elif child.tag != "not":
            yield from _positive(child)


def _typed(question: _Question, profile: str, quiz: QuizRead) -> Json | None:
    """A number where the only answer is one; typed words do not come along."""
    equal = [value for condition in question.item.iter("respcondition") for value in condition.iter("varequal")]
    answers = list(dict.fromkeys((value.text or "").strip() for value in equal if (value.text or "").strip()))
    numbers = list(dict.fromkeys(number for number in map(_decimal, answers) if number is not None))
    if "pattern_match" not in profile and len(numbers) == 1 and all(map(_decimal, answers)):
        return number_question(question.name, question.text or "…", numbers[0], "0", question.explanation)
    what = named(question.number, question.text)
    if not answers or "essay" in profile:
        quiz.lost.append(f"{what} {_PROFILES['essay']}: it does not come along.")
        return None
    case = "case counts" if any(value.get("case", "No").casefold() == "yes" for value in equal) else "in any case"
    words = ", ".join(f"“{answer[:60]}”" for answer in answers[:5])
    quiz.lost.append(f"{what} asks for typed words ({words}, {case}): it does not come along.")
    return None


def _decimal(text: str) -> str | None:
    try:
        value = read_decimal(text)
    except ValueError:
        return None
    return text if value.is_finite() and len(text) <= 40 else None


def _materials(element: Element, convert: Convert, quiz: QuizRead) -> str:
    """The texts of an element before what is to be answered."""
    parts = []
    for child in element:
        if child.tag == "material":
            parts.append(_text(child, convert, quiz))
        elif child.tag in ("flow", "flow_mat", "flow_label"):
            parts.append(_materials(child, convert, quiz))
    return "\n\n".join(part for part in parts if part)


def _text(material: Element, convert: Convert, quiz: QuizRead) -> str:
    parts: list[str] = []
    for child in material.iter():
        if child.tag == "mattext" and (child.text or "").strip():
            text = child.text or ""
            if child.get("texttype", "text/plain") != "text/html" and not markup.has_html(text):
                parts.append(html_markdown.plain_markdown(text))
                continue
            found = convert(text)
            parts.append(found.text)
            quiz.attachments += found.attachments
            quiz.lost += found.lost
        elif child.tag == "matimage" and child.get("uri"):
            found = convert(f'<img src="{child.get("uri")}">')
            parts.append(found.text)
            quiz.lost += found.lost
    return "\n\n".join(part for part in parts if part)


def _feedback(item: Element, convert: Convert, quiz: QuizRead) -> str:
    """What is said to everybody, or to whoever is right; what is said of one answer does not come along."""
    texts: dict[str, str] = {}
    for feedback in item.findall("itemfeedback"):
        materials = [_text(material, convert, quiz) for material in feedback.iter("material")]
        texts[feedback.get("ident") or ""] = "\n\n".join(part for part in materials if part)
    general = {name: text for name, text in texts.items() if text and name in ("general_fb", "correct_fb", "solution")}
    if any(text for name, text in texts.items() if name not in general and text):
        lost = "What it says of single answers does not come along: a question here has one explanation."
        if lost not in quiz.lost:
            quiz.lost.append(lost)
    return "\n\n".join(dict.fromkeys(general.values()))
