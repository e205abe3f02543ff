"""Signed-in learners for tests of the calls."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from sqlalchemy import select

from domain.identity import learners, sessions
from domain.identity.learners import Identity
from domain.tables import LearnerSession
from host.auth.sessions import session_cookie_name
from tests.host.site import Site
from tests.support import factories
from tests.support.waiting import until


@dataclass(frozen=True)
class Learner:
    """A learner of a site and both halves of a sign-in."""

    site: Site
    id: int
    token: str
    cookie_secret: str

    @property
    def bearer(self) -> dict[str, str]:
        return {"Authorization": f"Bearer {self.token}"}

    @property
    def cookie(self) -> dict[str, str]:
        return {"Cookie": f"{session_cookie_name(self.site.settings)}={self.cookie_secret}"}

    @property
    def headers(self) -> dict[str, str]:
        return {**self.bearer, **self.cookie}

    async def call(self, name: str, method: str = "POST", **body: Any) -> tuple[int, Any]:
        """Status and JSON of a call made with both halves."""
        return await self.site.call(name, body, self.headers, method=method)

    async def call_once(self, name: str, key: str, **body: Any) -> tuple[int, Any]:
        """A call that acts once for each key."""
        return await self.site.call(name, body, {**self.headers, "Idempotency-Key": key})

    async def get(self, name: str) -> tuple[int, Any]:
        return await self.site.call(name, None, self.headers, method="GET")

    def choose(self, organisation_id: int) -> None:
        """The session is for this organisation."""
        with self.site.db.write_session() as session:
            own = LearnerSession.token_digest == sessions.digest(self.token)
            sessions.choose_organisation(
                session, session.scalars(select(LearnerSession.id).where(own)).one(), organisation_id
            )

    async def add(self, slug: str) -> int:
        """A product in the cart; its id."""
        product_id = self.site.id_of(slug)
        assert (await self.call("SetAAUserCourse", AAUserID=self.id, CourseID=product_id))[1]["Status"] == "success"
        return product_id

    async def code(self, course_id: int, code: str) -> dict[str, Any]:
        return (await self.call("SetCourseCoupon", AAUserID=self.id, CourseID=course_id, Code=code))[1]


def learner(
    site: Site,
    name: str = "Ada Lovelace",
    at: datetime | None = None,
    *,
    area: str = "learner",
    roles: Sequence[str] = (),
) -> Learner:
    """A fresh sign-in to `area`, begun now or at `at`, of somebody with these staff roles."""
    now = at or datetime.now(UTC)
    subject = name.casefold().replace(" ", "-")
    with site.db.write_session() as session:
        row = learners.create(session, Identity("https://id.example", subject, name), now)
        factories.staff(session, row.id, *roles)
        opened = sessions.open_session(session, row.id, now, area)
    return Learner(site, row.id, opened.token, opened.cookie_secret)


async def ended_job(person: Learner, name: str) -> dict[str, Any]:
    """The answer of the call `name` about a job, once the job has ended."""

    async def job() -> dict[str, Any] | None:
        status, answer = await person.get(name)
        assert status == 200, answer
        return None if answer["state"] in ("queued", "running") else answer

    found: dict[str, Any] = await until(job, every_s=0.05)
    return found
