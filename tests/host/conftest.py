"""Open sites on a small shop, with a render worker inside the test or the real one."""

import asyncio
import math
import shutil
import tempfile
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import AsyncExitStack, asynccontextmanager, contextmanager, suppress
from functools import cache, partial
from pathlib import Path
from types import CodeType, SimpleNamespace
from uuid import uuid4

import jinja2
import pytest
import pytest_asyncio
from aiohttp.test_utils import TestClient
from jinja2.bccache import Bucket
from sqlalchemy.exc import OperationalError

from config.settings import ROOT, Settings
from domain.database.database import Database, database_url
from domain.health import samples
from host.app import create_app
from host.jobs import inline_crawlers, inline_periodic, inline_rollups
from host.messaging import inline_jobs
from host.rate_limits import limiter
from host.rendering import assets, shell
from host.rendering.ssr_client import SSR_CLIENT
from host.rendering.templates import TemplateEnvironment
from tests.conftest import database_kind
from tests.host import small_shop
from tests.host.partners import add_partner
from tests.host.recorded_values import personal_values
from tests.host.renderer import Behaviour, Renderer, draw
from tests.host.site import ENVIRONMENT, GuardedTestServer, Site
from tests.support import databases
from tests.support.run_cache import RunCache
from tests.support.waiting import until

OpenSite = Callable[..., Awaitable[Site]]
StartRenderer = Callable[..., Awaitable[Renderer]]


@pytest.fixture(scope="session")
def shop_file(shared: RunCache, sqlite_template: Path) -> Path:
    """The small shop."""
    return databases.filled_file(shared, "shop", small_shop.fill, sqlite_template)


class CompiledTemplates(jinja2.BytecodeCache):
    """Compiled templates of this process, by their name and text."""

    def __init__(self) -> None:
        self._known: dict[tuple[str, str], CodeType] = {}

    def load_bytecode(self, bucket: Bucket) -> None:
        bucket.code = self._known.get((bucket.key, bucket.checksum))

    def dump_bytecode(self, bucket: Bucket) -> None:
        assert bucket.code is not None
        self._known[bucket.key, bucket.checksum] = bucket.code


@pytest.fixture(scope="session", autouse=True)
def _compiled_templates() -> Iterator[None]:
    """Every site compiles the same few templates and reads the same list of files of the build: once is enough."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(shell, "TemplateEnvironment", partial(TemplateEnvironment, bytecode_cache=CompiledTemplates()))
        patch.setattr(assets, "read", cache(assets.read))
        yield


@pytest.fixture(scope="session", autouse=True)
def _no_periodic_work() -> Iterator[None]:
    """Sites without a broker would publish, delete and count what tests have put into their databases, and every
    site would add its samples, which tests that compare all rows would find.
    """
    with pytest.MonkeyPatch.context() as patch:
        for module in (inline_crawlers, inline_periodic, inline_rollups, samples):
            patch.setattr(module, "EVERY_S", math.inf)
        # Whoever waits for a job waits for its result, not for the next look at the queue.
        patch.setattr(inline_jobs, "EVERY_S", 0.2)
        yield


@pytest.fixture
def jobs_by_the_test(monkeypatch: pytest.MonkeyPatch) -> None:
    """The sites of the test carry out no jobs: the test does, when it has looked at one that waits."""
    monkeypatch.setattr(inline_jobs, "EVERY_S", math.inf)


@pytest.fixture(autouse=True)
def single_rate_limit_window(monkeypatch: pytest.MonkeyPatch) -> None:
    """Freezes the clock of the rate limits, so that all calls of a slow test count in one window."""
    now = time.time()
    monkeypatch.setattr(limiter, "time", SimpleNamespace(time=lambda: now))


@contextmanager
def _short_folder() -> Iterator[Path]:
    """A folder whose name is short enough for sockets."""
    folder = Path(tempfile.mkdtemp(prefix="cf-"))
    yield folder
    shutil.rmtree(folder, ignore_errors=True)


@asynccontextmanager
async def renderers() -> AsyncIterator[StartRenderer]:
    async with AsyncExitStack() as stack:
        folder = stack.enter_context(_short_folder())

        async def start(behaviour: Behaviour = draw) -> Renderer:
            renderer = Renderer(folder / f"{uuid4().hex[:8]}.sock", behaviour)
            await renderer.start()
            stack.push_async_callback(renderer.stop)
            return renderer

        yield start


@asynccontextmanager
async def sites(folder: Path, shop_file: Path) -> AsyncIterator[OpenSite]:
    # Each once. That of the folder is there also for tests that open no site.
    databases_used = {database_url(None, folder)}
    async with AsyncExitStack() as stack:

        async def open_one(*renderers: str, **environment: str) -> Site:
            if not (folder / "coursefront.db").exists():
                shutil.copy(shop_file, folder / "coursefront.db")
            fields = {**ENVIRONMENT, "VAR_DIR": str(folder), "SSR_URL": ",".join(renderers), **environment}
            settings = Settings.from_environment(fields)
            databases_used.add(database_url(settings.database, settings.var_dir))
            app = create_app(settings)
            client = await stack.enter_async_context(TestClient(GuardedTestServer(app)))
            await until(lambda: app[SSR_CLIENT].ready == len(renderers))
            return Site(client, settings)

        yield open_one
    for url in databases_used:
        # A test that takes the records away leaves none that could be read.
        with suppress(OperationalError):
            found = await asyncio.to_thread(personal_values, url)
            assert found == [], "events of the audit have them for ever (domain/audit/changes.py)"


@pytest.fixture
def sockets() -> Iterator[Path]:
    with _short_folder() as folder:
        yield folder


@pytest.fixture
async def start_renderer() -> AsyncIterator[StartRenderer]:
    """`await start_renderer(behaviour)`: a render worker that does what the test says."""
    async with renderers() as start:
        yield start


@pytest.fixture
async def open_site(shop_file: Path, tmp_path: Path) -> AsyncIterator[OpenSite]:
    """`await open_site(*addresses, **environment)`: a site on a copy of the small shop, its render workers ready."""
    async with sites(tmp_path, shop_file) as open_one:
        yield open_one


@pytest.fixture
async def open_shop(todays_demo: Path, tmp_path: Path) -> AsyncIterator[OpenSite]:
    """`await open_shop(*render_workers, **environment)`: a site on a copy of the demo shop."""
    async with sites(tmp_path, todays_demo) as open_one:
        yield partial(open_one, LIMITS="off")


@pytest.fixture
def break_template(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[str, str, str], None]:
    """`break_template(file, old, new)`: sites opened from now on have this in their templates."""

    def change(file: str, old: str, new: str) -> None:
        if tmp_path != shell.ROOT:
            shutil.copytree(ROOT / "templates", tmp_path / "templates")
        page = tmp_path / "templates" / file
        text = page.read_text("utf-8")
        assert old in text
        page.write_text(text.replace(old, new, 1), "utf-8")
        monkeypatch.setattr(shell, "ROOT", tmp_path)

    return change


@pytest.fixture
async def own_site(open_site: OpenSite, start_renderer: StartRenderer) -> Site:
    """A site of this test's own, with one render worker that draws at once."""
    return await open_site((await start_renderer()).address)


@pytest.fixture
async def bare_site(open_site: OpenSite) -> Site:
    """A site of this test's own without render workers: for what does not need React."""
    return await open_site()


@pytest.fixture(scope="session")
def mariadb_shop(shared: RunCache, mariadb_server: str) -> Iterator[Database]:
    """The small shop on MariaDB, only to be copied."""
    db = databases.filled_schema(shared, mariadb_server, "shop", small_shop.fill)
    yield db
    db.engine.dispose()


@pytest.fixture
def mariadb_shop_url(mariadb_shop: Database, mariadb_database: Database) -> str:
    """DATABASE_URL of a copy of the small shop on MariaDB."""
    databases.copy_rows(mariadb_shop, mariadb_database)
    return mariadb_database.url.set(drivername="mysql", query={}).render_as_string(hide_password=False)


@pytest.fixture
async def each_site(request: pytest.FixtureRequest, open_site: OpenSite) -> Site:
    """A site of this test's own without render workers, on the database that the test asks for."""
    if database_kind(request) == "sqlite":
        return await open_site()
    return await open_site(DATABASE_URL=request.getfixturevalue("mariadb_shop_url"))


@pytest.fixture
def partner_site(open_site: OpenSite, start_renderer: StartRenderer) -> OpenSite:
    """`await partner_site()`: a site that keeps pages, with a partner whose contract names one course."""

    async def opened(renderer: str = "") -> Site:
        site = await open_site(renderer or (await start_renderer()).address, PAGE_CACHE="on", DEV_DELAY="")
        add_partner(site)
        return site

    return opened


@pytest_asyncio.fixture(loop_scope="session", scope="session")
async def site(shop_file: Path, tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Site]:
    """One site for all tests that only read. They run in its loop: `pytestmark = SHARED`."""
    async with renderers() as start, sites(tmp_path_factory.mktemp("site"), shop_file) as open_one:
        yield await open_one((await start()).address, LIMITS="off")


@pytest_asyncio.fixture(loop_scope="session", scope="session")
async def plain_site(shop_file: Path, tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Site]:
    """One site without a render worker for all tests that only read: the content stands in the HTML as a plain list."""
    async with sites(tmp_path_factory.mktemp("plain"), shop_file) as open_one:
        yield await open_one(LIMITS="off")
