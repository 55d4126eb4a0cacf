"""The key of web push. A server without one in its settings makes its own on the first start."""

import base64

from sqlalchemy import select

from powderkeg.server.db import schema
from powderkeg.server.db.store import Store
from powderkeg.server.settings import Settings

PUSH_KEY = "push"


async def ensure_push_key(store: Store, settings: Settings) -> str:
    """The private key for web push: from the settings, or one that all processes share. Of two
    processes that start at once, the first to store its key wins."""
    if settings.vapid_key:
        return settings.vapid_key
    k = schema.server_keys.c
    query = select(k.value).where(k.name == PUSH_KEY)
    async with store.read() as tx:
        if known := await tx.one(query):
            return str(known.value)
    async with store.write() as tx:
        row = {"name": PUSH_KEY, "value": make_push_key()}
        await tx.run(tx.upsert(schema.server_keys, row, ["name"], {}))
        return str(await tx.value(query))


def make_push_key() -> str:
    """A new private key, written as py_vapid reads it."""
    from cryptography.hazmat.primitives.asymmetric import ec

    number = ec.generate_private_key(ec.SECP256R1()).private_numbers().private_value
    return base64.urlsafe_b64encode(number.to_bytes(32, "big")).rstrip(b"=").decode()
