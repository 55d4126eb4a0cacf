"""Card packs: look at cards, correct them, check them, save and share them."""

import asyncio

from fastapi import APIRouter

from powderkeg.server.accounts.identity import Principal
from powderkeg.server.db.rows import PackRow
from powderkeg.server.http.deps import PrincipalDep, ServerDep
from powderkeg.server.lobby import saved_packs
from powderkeg.server.process import ServerProcess
from powderkeg.server.schemas.base import DoneOut
from powderkeg.server.schemas.cards import (
    PackIn,
    PackSaveIn,
    PackSheetOut,
    SavedPackOut,
    SavedPacksOut,
)
from powderkeg.server.views.pack_sheet import make_sheet

router = APIRouter(prefix="/api", tags=["cards"])


@router.post("/games/{name}/pack")
async def post_pack_check(
    name: str, wish: PackIn, server: ServerDep, who: PrincipalDep
) -> PackSheetOut:
    """A pack (TOML or the line of the option) with changes: checked, compared, ready to be shared."""
    server.limiter.check_here("typed", who.limit_key)
    return await asyncio.to_thread(make_sheet, name, wish, who.lang)


@router.get("/packs")
async def get_packs(server: ServerDep, who: PrincipalDep) -> SavedPacksOut:
    """The packs that I saved."""
    rows = await saved_packs.list_packs(server.store, who)
    return SavedPacksOut(packs=[_present_saved(server, row, who) for row in rows])


@router.post("/packs")
async def post_pack(wish: PackSaveIn, server: ServerDep, who: PrincipalDep) -> SavedPackOut:
    """Save a pack to my account."""
    server.limiter.check_here("typed", who.limit_key)
    row = await saved_packs.save_pack(server.store, who, wish, server.clock())
    return _present_saved(server, row, who)


@router.get("/packs/{pack}")
async def get_pack(pack: str, server: ServerDep, who: PrincipalDep) -> SavedPackOut:
    """A pack that somebody shared by its link."""
    return _present_saved(server, await saved_packs.find_pack(server.store, pack), who)


@router.put("/packs/{pack}")
async def put_pack(
    pack: str, wish: PackSaveIn, server: ServerDep, who: PrincipalDep
) -> SavedPackOut:
    """Save over a pack of mine."""
    server.limiter.check_here("typed", who.limit_key)
    row = await saved_packs.replace_pack(server.store, who, wish, server.clock(), pack)
    return _present_saved(server, row, who)


@router.delete("/packs/{pack}")
async def delete_pack(pack: str, server: ServerDep, who: PrincipalDep) -> DoneOut:
    """Delete a pack of mine. Tables that play with it keep their values."""
    await saved_packs.drop_pack(server.store, who, pack)
    return DoneOut()


def _present_saved(server: ServerProcess, row: PackRow, who: Principal) -> SavedPackOut:
    return SavedPackOut(
        id=row.id,
        game=row.rules,
        name=row.name,
        line=row.line,
        mine=row.user == who.id,
        link=f"{server.settings.public_url}/cards/{row.rules}?pack={row.id}",
        updated=row.updated,
    )
