"""How the options of quizzes leave the server: under names and in orders that tell nothing of their ids in the content,
whose authors tend to write the right one first."""

import hmac
from base64 import urlsafe_b64encode
from dataclasses import dataclass

from aiohttp import web

from domain.learning.quizzes.marking import Question, QuizOption

# Bytes of an option's name: 72 bits are never equal for two options of a question.
_NAME_BYTES = 9


class QuizOptions:
    """The HMAC's key is derived from `secret`, the application's, for this use alone."""

    def __init__(self, secret: str):
        self._key = hmac.digest(secret.encode(), b"coursefront: options of quizzes", "sha256")

    def of(self, learner_id: int, lesson_id: int) -> "LearnerOptions":
        return LearnerOptions(self._key, learner_id, lesson_id)


@dataclass(frozen=True)
class LearnerOptions:
    """The options of one quiz as one learner gets them: others for everybody else."""

    key: bytes
    learner_id: int
    lesson_id: int

    def name(self, question_id: str, option_id: str) -> str:
        """What an option is called, equally in every attempt: a draft of answers stays right."""
        return urlsafe_b64encode(self._digest("name", question_id, option_id)[:_NAME_BYTES]).decode()

    def order(self, question: Question, number: int) -> list[QuizOption]:
        """Another order for every attempt, and the same one after a reload."""
        return sorted(question.options, key=lambda option: self._digest(f"order {number}", question.id, option.id))

    def _digest(self, use: str, question_id: str, option_id: str) -> bytes:
        text = f"{use}:{self.learner_id}:{self.lesson_id}:{question_id}:{option_id}"
        return hmac.digest(self.key, text.encode(), "sha256")


QUIZ_OPTIONS = web.AppKey("quiz_options", QuizOptions)
