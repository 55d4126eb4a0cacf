"""What the levels that look ahead look for: weights, with the run that made them in the file."""

import json
from importlib.resources import files
from typing import Final

from powderkeg.bots.diplomacy.engine import Taste


def _read() -> Taste:
    text = (files(__package__) / "data" / "taste.json").read_text(encoding="utf-8")
    found = json.loads(text)
    return Taste(tuple(found["spring"]), tuple(found["fall"]), found["mix"])


TASTE: Final = _read()
