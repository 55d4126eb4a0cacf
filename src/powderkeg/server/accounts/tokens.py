"""Ids, secrets and passwords. Secrets are 256 random bits, and only their hashes are stored."""

import asyncio
import hashlib
import secrets
from collections.abc import Sequence
from functools import cache

from argon2 import PasswordHasher
from argon2.exceptions import InvalidHashError, VerificationError
from sqlalchemy import ColumnElement, delete

from powderkeg.server.db import schema
from powderkeg.server.db.prepared import prepare_lookup
from powderkeg.server.db.rows import TokenKind, TokenRow
from powderkeg.server.db.store import Tx

ID_ALPHABET = "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz"
_hasher = PasswordHasher(time_cost=2, memory_cost=19_456, parallelism=1)  # argon2id


def new_id(length: int = 12) -> str:
    return "".join(secrets.choice(ID_ALPHABET) for _ in range(length))


def new_token(kind: str) -> str:
    return f"pk_{kind}_{secrets.token_urlsafe(32)}"


def hash_token(token: str) -> str:
    return hashlib.sha256(token.encode()).hexdigest()


async def hash_password(password: str) -> str:
    return await asyncio.to_thread(_hasher.hash, password)


async def password_fits(stored: str | None, password: str) -> bool:
    """Takes equally long without a password, so that timing does not reveal which accounts exist."""
    try:
        await asyncio.to_thread(_hasher.verify, stored or _unknown_password(), password)
    except (VerificationError, InvalidHashError):
        return False
    return stored is not None


@cache
def _unknown_password() -> str:
    return _hasher.hash(secrets.token_hex(8))


async def issue_token(
    tx: Tx,
    kind: TokenKind,
    now: float,
    *,
    lasts: float | None = None,
    user: str | None = None,
    game: str | None = None,
    seat: str | None = None,
    scopes: Sequence[str] = (),
    name: str = "",
) -> tuple[str, TokenRow]:
    """Store a new secret. Returns the secret itself, which is shown once, and its row."""
    token = new_token(kind)
    row = TokenRow(
        hash=hash_token(token),
        id=new_id(),
        kind=kind,
        user=user,
        game=game,
        seat=seat,
        scopes=scopes,
        name=name,
        created=now,
        expires=None if lasts is None else now + lasts,
    )
    await tx.run(schema.tokens.insert().values(**row.values()))
    return token, row


TOKEN_LOOKUP = prepare_lookup(schema.tokens, "hash")


async def find_token(tx: Tx, token: str) -> TokenRow | None:
    """The row of a secret, even if it has expired."""
    row = await tx.look_up(TOKEN_LOOKUP, hash_token(token))
    return None if row is None else TokenRow(**row)


async def revoke_tokens(tx: Tx, which: ColumnElement[bool]) -> int:
    """Delete tokens; connections that were opened with them are dropped."""
    gone = delete(schema.tokens).where(which).returning(schema.tokens.c.id)
    rows = await tx.all(gone)
    for row in rows:
        tx.publish(f"gone:{row.id}")
    return len(rows)
