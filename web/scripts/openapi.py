"""Prints the server's OpenAPI document, from which src/api/schema.d.ts is made."""

import json
import sys

from powderkeg.server.app import create_app
from powderkeg.server.settings import Settings

if __name__ == "__main__":
    document = create_app(Settings(jobs=False), {}).openapi()
    document["info"]["version"] = ""  # a new version alone changes no type
    json.dump(document, sys.stdout, indent=1)
