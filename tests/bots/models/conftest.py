import pytest

from tests.bots.models.fake_endpoint import running_endpoint


@pytest.fixture
def server():
    with running_endpoint() as made:
        yield made


@pytest.fixture
def named(monkeypatch, server):
    """The environment names the fake endpoint's model."""
    monkeypatch.setenv("POWDERKEG_LLM_URL", server.url)
    monkeypatch.setenv("POWDERKEG_LLM_MODEL", "tiny")
    monkeypatch.setenv("POWDERKEG_LLM_KEY", "secret-key")
    monkeypatch.setenv("POWDERKEG_LLM_MANNER", '{"retries": 0, "temperature": 0.5}')
    return monkeypatch
