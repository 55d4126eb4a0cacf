"""The OpenAPI document is tried out: anything it allows, nothing ends in a 5xx."""

import os

import pytest
import schemathesis
from hypothesis import HealthCheck, settings
from schemathesis.checks import not_a_server_error

from powderkeg.server.app import create_app
from powderkeg.server.settings import Settings
from tests.server.visiting import GAMES, OPENED, running

pytestmark = pytest.mark.slow

EXAMPLES = int(os.environ.get("POWDERKEG_EXAMPLES", "8"))
SCHEMA = schemathesis.openapi.from_dict(create_app(Settings(data="/tmp/unused"), GAMES).openapi())
STREAMS = ("/api/lobby/stream", "/api/bot/events", "/api/bot/tables/{table}/stream")


@pytest.fixture(scope="module")
def fuzzed(tmp_path_factory):
    with running(Settings(data=str(tmp_path_factory.mktemp("fuzz")), limits=False)) as site:
        ann, ben = site.guest("Ann"), site.guest("Ben")
        table = site.table(ann, ben)
        OPENED[:] = [client for client in OPENED if client not in (ann.http, ben.http)]
        yield site, table, ann, ben
        ann.http.close()
        ben.http.close()


@SCHEMA.exclude(path=list(STREAMS)).parametrize()
@settings(
    max_examples=EXAMPLES, deadline=None, database=None, suppress_health_check=list(HealthCheck)
)
def test_nothing_that_the_document_allows_breaks_the_server(case, fuzzed):
    site, table, ann, _ = fuzzed
    if case.path_parameters and "table" in case.path_parameters:
        case.path_parameters["table"] = table  # a table that exists meets deeper code
    deletes_me = case.method == "DELETE" and case.path in ("/api/me", "/api/sessions/current")
    headers = {"X-Powderkeg": "1"} | ({} if deletes_me else {"Cookie": ann.cookie})
    answer = case.call(base_url=site.bases[0], headers=headers)
    case.validate_response(answer, checks=[not_a_server_error])
