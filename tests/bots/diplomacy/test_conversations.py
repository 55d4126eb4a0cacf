"""The conversations in the docs are what the bots say."""

import pytest

from tools import conversations


@pytest.mark.slow
def test_the_page_shows_what_bots_say():
    assert conversations.write_page() == conversations.PAGE.read_text(encoding="utf-8")


def test_there_are_ten_in_three_languages():
    assert len(conversations.SCRIPTS) == 10
    assert {script.lang for script in conversations.SCRIPTS} == {"en", "es", "it"}
    assert {script.character for script in conversations.SCRIPTS} >= {"loyal", "cautious"}
