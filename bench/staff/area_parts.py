"""A4 to A6 of the areas: an import by job and by command, the weight of every page, and the check of a permission."""

import json
import re
import time
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory

import brotli
from sqlalchemy import select, text

from adapters.jobs import JobRunner
from bench.comparison import ResultLine, compare
from bench.import_large import write_courses
from bench.processes import ROOT
from bench.staff.areas import SETTINGS, ms_of, staff_cookie
from domain.catalogue_import import job as import_job
from domain.catalogue_import import validate as import_validate
from domain.catalogue_import import write as import_writing
from domain.catalogue_import.columns import ColumnRules
from domain.catalogue_import.job import ImportInput
from domain.catalogue_import.validate import ImportPlan, file_stamp
from domain.database.database import Database, database_url
from domain.identity.roles import area_roles
from domain.identity.sessions import by_id
from domain.jobs import job_rows
from domain.jobs.job_rows import NewJob
from domain.migrations import runner
from domain.permissions import Permission, permissions_of
from domain.tables import Job, Learner, LearnerSession, StaffRole
from tests.support.shops import USD
from tests.support.site import running

KB = 1024
CHECKS, CHECK_MS = 2_000, 0.2
PAGE_KB, CSS_KB = 112, 8
ROWS, TURNS, MAX_OF_COMMAND = 3_000, 3, 1 / 0.9


def a5() -> list[ResultLine]:
    """A5: how much the pages of areas load, of the files that the build made."""
    preloads = json.loads((ROOT / "static/dist/assets.json").read_text())["preload"]
    table = json.loads((ROOT / "contracts/routes.json").read_text())["area_pages"]
    sizes = {row["id"]: sum(map(_packed, preloads[row["id"]])) for row in table if row["served"]}
    heaviest = max(sizes, key=lambda page_id: sizes[page_id])
    styles = next((ROOT / "static/dist").glob("areas-*.css"))
    return [
        _line("A5", f"JavaScript of {heaviest}, the heaviest of {len(sizes)} pages, brotli", sizes[heaviest], PAGE_KB),
        _line("A5", "areas.css, brotli", len(brotli.compress(styles.read_bytes())), CSS_KB),
    ]


def _packed(address: str) -> int:
    path = ROOT / re.sub(r"^/", "", address)
    packed = path.with_name(f"{path.name}.br")
    return packed.stat().st_size if packed.exists() else len(brotli.compress(path.read_bytes()))


def _line(goal: str, what: str, size: int, limit_kb: int) -> ResultLine:
    return ResultLine(goal, what, f"<= {limit_kb} KB", f"{size / KB:.1f} KB", "", None, size <= limit_kb * KB)


def a6() -> list[ResultLine]:
    """The roles of a session from the database, and whether they have a permission; CPU of this process."""
    with running(**SETTINGS) as site:
        staff_cookie(site.var_dir)
        database = Database(database_url(None, site.var_dir))
        with database.read_session() as session:
            session_id = session.scalar(select(LearnerSession.id).order_by(LearnerSession.id.desc()).limit(1)) or 0
            auth = by_id(session, session_id)
        with database.read_session() as session:

            def check() -> bool:
                return Permission.REFUNDS_WRITE in permissions_of("admin", area_roles(session, auth))

            figure = _cpu_of(check)
            floor = _cpu_of(lambda: bool(session.execute(text("SELECT 1")).scalar()))
        database.engine.dispose()
    is_reached = figure <= CHECK_MS
    return [
        ResultLine(
            "A6",
            "policy check, CPU",
            f"<= {CHECK_MS} ms",
            f"{figure:.3f} ms",
            f"{floor:.3f} ms SELECT 1",
            None,
            is_reached,
        )
    ]


def _cpu_of(check: Callable[[], bool]) -> float:
    """Milliseconds a call, after a tenth as many that do not count."""
    for _ in range(CHECKS // 10):
        check()
    began = time.process_time()
    for _ in range(CHECKS):
        check()
    return (time.process_time() - began) * 1000 / CHECKS


def a4() -> list[ResultLine]:
    """CPU of a row of the same file, alternately by the command and by a job, each into an empty database."""
    with TemporaryDirectory() as folder:
        path = Path(folder) / "courses.csv"
        write_courses(path, ROWS)
        plan = import_validate.check(path, "courses", USD, ColumnRules({}, {}), lambda _done, _total: None)
        by_command, by_job = [], []
        for turn in range(TURNS):
            by_command.append(_imported(Path(folder) / f"command-{turn}", lambda database: _by_command(database, plan)))
            by_job.append(_imported(Path(folder) / f"job-{turn}", lambda database: _by_job(database, path, plan.good)))
    job, command = (figure * 1000 / ROWS for figure in (median(by_job), median(by_command)))
    about = f"import of {ROWS:,} rows by a job, CPU a row"
    return [compare("A4", about, MAX_OF_COMMAND, ms_of(job), ms_of(command, " by the command"))]


def _imported(folder: Path, run: Callable[[Database], None]) -> float:
    """CPU seconds."""
    folder.mkdir()
    database = Database(database_url(None, folder), deadline_s=600, busy_ms=60_000)
    runner.upgrade(database.engine)
    began = time.process_time()
    run(database)
    took = time.process_time() - began
    database.engine.dispose()
    return took


def _by_command(database: Database, plan: ImportPlan) -> None:
    import_writing.write_plan(plan, database.write_session, datetime.now(UTC), lambda _done, _total: None)


def _by_job(database: Database, path: Path, good: int) -> None:
    stamp = list(file_stamp(path))
    source = ImportInput(1, path.name, "courses", {}, {}, good=good, stamp=stamp)
    with database.write_session() as session:
        editor = Learner(student_number="editor", issuer="bench", subject="editor", created_at=datetime.now(UTC))
        session.add(editor)
        session.flush()
        session.add(StaffRole(learner_id=editor.id, role="administrator", granted_at=datetime.now(UTC)))
        job_rows.start(session, NewJob(import_job.KIND, source.as_json(), "bench", editor.id), datetime.now(UTC))
    kind = {import_job.KIND: lambda claim: import_job.steps(claim, path, USD, lambda: datetime.now(UTC))}
    job_runner = JobRunner(database, kind)
    while job_runner.run_slice():
        pass
    with database.read_session() as session:
        done = session.scalar(select(Job.processed).where(Job.state == "done"))
    if done != good:
        raise RuntimeError(f"the job has done {done} of {good} rows")
