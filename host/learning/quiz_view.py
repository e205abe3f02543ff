"""Quizzes as JSON models: the only place where one leaves the server. Right answers are in the result alone,
and only when the quiz is passed or no attempt is left."""

from decimal import Decimal

from domain.learning.completion import is_passed
from domain.learning.quizzes import marking
from domain.learning.quizzes.attempts import QuizView
from domain.learning.quizzes.marking import Answer, Attempt, Question, ShownQuestion
from domain.learning.quizzes.number_texts import number_text
from host.learning.quiz_options import LearnerOptions
from host.learning.quiz_schemas import QuestionResult, Quiz, QuizOption, QuizQuestion, QuizResult
from host.rendering.markdown import markdown_to_html


def quiz_view(view: QuizView, names: LearnerOptions, locale: str) -> Quiz:
    """`names`: of the learner's options in this quiz."""
    status, quiz = view.status, view.quiz
    return Quiz(
        lesson=view.lesson_id,
        revision=view.revision,
        number=status.next_number,
        questions=[_question(question, view, names) for question in quiz.questions],
        passMark=view.pass_mark,
        attemptsLeft=status.left,
        waitMinutes=quiz.wait_min,
        nextAttemptAt=status.next_at,
        isPassed=status.is_passed,
        bestScore=status.best_score,
        result=None if view.last is None else _result(view, view.last, names, locale),
    )


def _question(question: Question, view: QuizView, names: LearnerOptions) -> QuizQuestion:
    return QuizQuestion(
        id=question.id,
        kind=question.kind,
        html=markdown_to_html(question.text),
        options=[
            QuizOption(id=names.name(question.id, option.id), html=markdown_to_html(option.text))
            for option in names.order(question, view.status.next_number)
        ],
        unit=question.unit,
    )


def _result(view: QuizView, last: Attempt, names: LearnerOptions, locale: str) -> QuizResult:
    """Without the questions when they are not those of the attempt: nobody has answered the new ones yet."""
    is_same = last.revision == view.revision
    shown = marking.shown_after(view.quiz, last, view.status) if is_same else []
    questions = {question.id: question for question in view.quiz.questions}
    return QuizResult(
        number=last.number,
        score=last.score,
        isPassed=is_passed(last.score, view.pass_mark),
        attemptedAt=last.attempted_at,
        questions=[_question_result(row, questions[row.id], last.number, names, locale) for row in shown],
    )


def _question_result(
    shown: ShownQuestion, question: Question, number: int, names: LearnerOptions, locale: str
) -> QuestionResult:
    def named(answer: Answer) -> Answer:
        if isinstance(answer, str):
            return number_text(Decimal(answer), locale) if answer else answer
        # In an order of the names: that of the ids would tell of them.
        return sorted(names.name(question.id, option) for option in answer)

    return QuestionResult(
        id=shown.id,
        mark=shown.mark,
        order=[names.name(question.id, option.id) for option in names.order(question, number)],
        answer=named(shown.answer),
        right=None if shown.right is None else named(shown.right),
        explanation=None if shown.explanation is None else markdown_to_html(shown.explanation),
    )
