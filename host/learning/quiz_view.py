"""Quizzes as JSON models: the only place where one leaves the server. Right answers are in the result alone,
and only when the quiz is passed or no attempt is left."""

from decimal import Decimal

from domain.learning.completion import is_passed
from domain.learning.quizzes import marking
from domain.learning.quizzes.attempts import QuizView
from domain.learning.quizzes.marking import Answer, Attempt, Question, ShownQuestion
from domain.learning.quizzes.number_texts import DecimalSign, number_text
from host.learning.quiz_schemas import QuestionResult, Quiz, QuizOption, QuizQuestion, QuizResult
from host.rendering.markdown import markdown_to_html


def quiz_view(view: QuizView, learner_id: int, sign: DecimalSign) -> Quiz:
    status, quiz = view.status, view.quiz
    return Quiz(
        lesson=view.lesson_id,
        revision=view.revision,
        number=status.next_number,
        questions=[_question(question, view, learner_id) for question in quiz.questions],
        passMark=view.pass_mark,
        attemptsLeft=status.left,
        waitMinutes=quiz.wait_min,
        nextAttemptAt=status.next_at,
        isPassed=status.is_passed,
        bestScore=status.best_score,
        decimalSign=sign,
        result=None if view.last is None else _result(view, view.last, learner_id, sign),
    )


def _question(question: Question, view: QuizView, learner_id: int) -> QuizQuestion:
    options = marking.option_order(question, learner_id, view.lesson_id, view.status.next_number)
    return QuizQuestion(
        id=question.id,
        kind=question.kind,
        html=markdown_to_html(question.text),
        options=[QuizOption(id=option.id, html=markdown_to_html(option.text)) for option in options],
        unit=question.unit,
    )


def _result(view: QuizView, last: Attempt, learner_id: int, sign: DecimalSign) -> QuizResult:
    """Without the questions when they are not those of the attempt: nobody has answered the new ones yet."""
    is_same = last.revision == view.revision
    shown = marking.shown_after(view.quiz, last, view.status) if is_same else []
    orders = {
        question.id: [option.id for option in marking.option_order(question, learner_id, view.lesson_id, last.number)]
        for question in view.quiz.questions
    }
    return QuizResult(
        number=last.number,
        score=last.score,
        isPassed=is_passed(last.score, view.pass_mark),
        attemptedAt=last.attempted_at,
        questions=[_question_result(question, orders[question.id], sign) for question in shown],
    )


def _question_result(shown: ShownQuestion, order: list[str], sign: DecimalSign) -> QuestionResult:
    return QuestionResult(
        id=shown.id,
        mark=shown.mark,
        order=order,
        answer=_answer(shown.answer, sign),
        right=None if shown.right is None else _answer(shown.right, sign),
        explanation=None if shown.explanation is None else markdown_to_html(shown.explanation),
    )


def _answer(answer: Answer, sign: DecimalSign) -> Answer:
    return number_text(Decimal(answer), sign) if isinstance(answer, str) and answer else answer
