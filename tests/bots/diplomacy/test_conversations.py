"""The conversations in the guide are what the bots say."""

import pytest

from tools import conversations


@pytest.mark.slow
def test_the_guide_shows_what_bots_say():
    assert conversations.guide_page() == conversations.GUIDE.read_text(encoding="utf-8")
    assert len(conversations.OPENERS) == 10
    assert {opener.lang for opener in conversations.OPENERS} == {"en", "es", "it"}
