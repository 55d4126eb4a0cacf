"""Bots that talk: real letters at a real server, kept and broken words, and silence where it is
wanted."""

# ruff: noqa: PT018  # two halves of one statement about a table belong together

import asyncio
from typing import Any

import pytest
import sparks
from sqlalchemy import select

from powderkeg.bots.diplomacy.press.memory import EnvoyMemory
from powderkeg.bots.envoy import EnvoyReply
from powderkeg.bots.process.guard import Guard
from powderkeg.core import plain
from powderkeg.games import find_game
from powderkeg.server.bots import envoys
from powderkeg.server.db import schema
from powderkeg.server.db.rows import JobRow
from powderkeg.server.settings import Settings
from tests.server.visiting import running, until

pytestmark = pytest.mark.slow

GAME = find_game("diplomacy")
SEATS = GAME.seats(7, GAME.Options())
PEACE = "PCE ( ENG FRA )"


@pytest.fixture
def fixed_luck(monkeypatch):
    """Bots say the same in every run."""
    monkeypatch.setattr(envoys, "talk_seed", lambda loaded, seat: f"10/{loaded.row.phase}/{seat}")


def opened(settings):
    return running(settings, games={"diplomacy": GAME, "sparks": sparks})


def sat(ann, talkers=("ENGLAND", "GERMANY"), **wish):
    """A table of Ann, who is France, bots that talk, and bots that do not."""
    seats: list[dict[str, Any]] = [{"seat": "FRANCE", "kind": "me"}]
    for seat in SEATS:
        if seat != "FRANCE":
            level = "normal" if seat in talkers else "easy"
            seats.append({"seat": seat, "kind": "bot", "level": level})
    return ann.post("/tables", {"game": "diplomacy", "seats": seats, "start": True, **wish})["id"]


def press(person, table, query=""):
    return [m for m in person.get(f"/tables/{table}/press?{query}")["messages"] if m["form"]]


def waiting_for_ann(ann, table, phase):
    def check():
        now = ann.get(f"/tables/{table}?text=0")
        return now if (now["to_act"], now["phase"]) == (["FRANCE"], phase) else None

    return until(check)


def talk_job(table: str) -> JobRow:
    return JobRow(
        id=0,
        kind="talk",
        key="",
        game=table,
        run_at=0.0,
        asked=1,
        tries=0,
        locked_until=0.0,
        error="",
    )


def memory(site, table, seat):
    """What a bot remembers."""

    async def look():
        async with site.server.store.read() as tx:
            e = schema.envoys.c
            row = await tx.one(select(schema.envoys).where((e.game == table) & (e.seat == seat)))
            return plain.load(EnvoyMemory, row.memory) if row and row.memory else None

    return site.do(look())


def orders(person, table, power, phase):
    """What a power ordered in a phase that is over."""
    view = person.get(f"/tables/{table}?text=0")["view"]
    (report,) = [each for each in view["reports"] if each["phase"] == phase]
    return [o["order"] for o in report["outcomes"] if o["power"] == power]


def play(ann, table, *texts):
    now = ann.get(f"/tables/{table}?text=0")
    body = {"command": f"{now['phase']}", "question": now["question"]["id"]}
    ann.post(f"/tables/{table}/act", {**body, "texts": [*texts, "ready"]})


def answers(ann, table, by):
    return [m for m in press(ann, table) if m["seat"] == by and m["form"][:3] in ("YES", "REJ")]


# A person and two bots


def test_a_word_is_given_kept_broken_and_remembered(settings, fixed_luck):
    with opened(settings) as site:
        ann = site.guest("Ann", "es")
        table = sat(ann)
        waiting_for_ann(ann, table, "S1901M")
        for letter in press(ann, table):
            assert letter["seat"] in ("ENGLAND", "GERMANY") and "FRANCE" in letter["to"]
        said = ann.post(
            f"/tables/{table}/press",
            {
                "to": ["ENGLAND"],
                "offer": [{"kind": "peace"}, {"kind": "zone", "places": ["eng"]}],
            },
        )
        form = f"PRP ( AND ( {PEACE} ) ( DMZ ( ENG FRA ) ( ECH ) ) )"
        assert said["form"] == form and "Canal de la Mancha" in said["text"]
        (answer,) = until(lambda: answers(ann, table, "ENGLAND"))
        assert answer["form"] == f"YES ( {form} )"
        assert answer["text"].startswith("De acuerdo:") and not answer["may_answer"]

        # Asked in plain words, it says what holds between the two.
        asked = {"to": ["ENGLAND"], "text": "¿Seguimos en paz?"}
        since = ann.post(f"/tables/{table}/press", asked)["id"]
        (holds,) = ann.get(f"/tables/{table}/press?since={since}")["messages"]
        assert holds["code"] == "bots.prose.holds"
        assert "la paz entre Inglaterra y Francia" in holds["text"]

        # England has given its orders before; it gives others now, with its word.
        play(ann, table)
        waiting_for_ann(ann, table, "F1901M")
        given = orders(ann, table, "ENGLAND", "S1901M")
        assert not [o for o in given if "- eng" in o]
        kept = memory(site, table, "ENGLAND")
        assert kept.kept["FRANCE"] == 1 and "FRANCE" in {deal.partner for deal in kept.deals}

        # France does not keep hers: England calls it off and trusts her less.
        play(ann, table, "F bre - eng")
        until(lambda: ann.get(f"/tables/{table}?text=0")["phase"] != "F1901M")
        play_to_movement(ann, table)
        waiting_for_ann(ann, table, "S1902M")
        after = memory(site, table, "ENGLAND")
        assert after.broken["FRANCE"] == 1 and after.trust("FRANCE") < kept.trust("FRANCE")
        assert "FRANCE" not in {deal.partner for deal in after.deals}
        (last,) = [m for m in press(ann, table) if (m["seat"], m["phase"]) == ("ENGLAND", "S1902M")]
        assert last["form"] == f"PRP ( NAR ( AND ( {PEACE} ) ( DMZ ( ENG FRA ) ( ECH ) ) ) )"
        assert last["text"].startswith("Esto ya no vale") and not last["may_answer"]


def test_two_that_talk_for_the_same_bots_say_everything_once(settings, fixed_luck):
    """A worker that was thought dead, and the one that took over."""
    with opened(settings) as site:
        ann = site.guest("Ann")
        table = sat(ann, talkers=[seat for seat in SEATS if seat != "FRANCE"])
        server, job = site.server, talk_job(table)

        async def both() -> None:
            talks = (envoys.talk_at_table(server.cache, server.bots, job) for _ in range(3))
            for failed in await asyncio.gather(*talks, return_exceptions=True):
                assert failed is None

        site.do(both())  # beside the worker that the server has
        waiting_for_ann(ann, table, "S1901M")
        ann.post(f"/tables/{table}/press", {"to": ["ENGLAND"], "offer": [{"kind": "peace"}]})
        site.do(both())
        until(lambda: answers(ann, table, "ENGLAND"))
        site.do(both())
        said = [(m["seat"], m["channel"], m["form"]) for m in press(ann, table)]
        assert len(said) == len(set(said))


def play_to_movement(ann, table):
    """Retreats and adjustments of nobody's interest."""

    def over():
        now = ann.get(f"/tables/{table}?text=0")
        if now["question"] and now["view"]["stage"] != "movement":
            play(ann, table)
        return now["view"]["stage"] == "movement"

    until(over)


def test_a_person_answers_what_a_bot_proposed(settings, fixed_luck):
    """Everybody talks: somebody has something to propose to France."""
    with opened(settings) as site:
        ann, eve = site.guest("Ann", "it"), site.guest("Eve")
        table = sat(ann, talkers=SEATS)
        waiting_for_ann(ann, table, "S1901M")
        asked = [m for m in press(ann, table) if m["may_answer"]]
        assert asked and all(m["text"].startswith("Propongo") for m in asked)
        for seat in SEATS:
            of_seat = [m for m in asked if m["seat"] == seat]
            assert len(of_seat) <= 1
        assert press(eve, table) == []  # letters are nobody else's business
        offer = asked[0]
        assert eve.post(
            f"/tables/{table}/press", {"answer": {"id": offer["id"], "agree": True}}, None
        ).status_code in (403, 409)
        said = ann.post(f"/tables/{table}/press", {"answer": {"id": offer["id"], "agree": True}})
        assert said["form"] == f"YES ( {offer['form']} )"
        assert said["channel"] == offer["channel"] and said["answers"] == offer["id"]
        assert said["text"].endswith(f"«{offer['text']}»")

        def agreed():
            found = memory(site, table, offer["seat"])
            return "FRANCE" in {deal.partner for deal in found.deals}

        until(agreed)
        silly = {"answer": {"id": said["id"], "agree": False}}
        assert ann.post(f"/tables/{table}/press", silly, 409)["code"] == "server.nothing_to_answer"


def test_a_bot_that_takes_a_seat_does_not_answer_what_lapsed_long_ago(tmp_path, fixed_luck):
    """As for people, an offer waits for an answer in its own phase only."""
    with opened(Settings(data=str(tmp_path), limits=False)) as site:
        ann = site.guest("Ann")
        seats = [{"seat": seat, "kind": "me" if seat == "FRANCE" else "here"} for seat in SEATS]
        table = ann.post("/tables", {"game": "diplomacy", "seats": seats, "start": True})["id"]
        offer = {"seat": "FRANCE", "to": ["ENGLAND"], "form": f"PRP ( {PEACE} )"}
        old = ann.post(f"/tables/{table}/press", offer)
        for seat in SEATS:
            now = ann.get(f"/tables/{table}?text=0&seat={seat}")
            ann.act(table, "ready", now["question"]["id"], seat=seat)
        assert ann.get(f"/tables/{table}?text=0")["phase"] == "F1901M"

        async def taken_over() -> None:
            async with site.server.cache.change(table) as change:
                change.set_seat("ENGLAND", kind="bot", level="normal", user=None, name="")

        def heard():
            site.do(envoys.talk_at_table(site.server.cache, site.server.bots, talk_job(table)))
            letters = press(ann, table, "seat=FRANCE")
            return [m for m in letters if m["form"][:3] in ("YES", "REJ") and m["id"] > old["id"]]

        site.do(taken_over())
        assert heard() == []
        ann.post(f"/tables/{table}/press", offer)
        assert len(heard()) == 1


# Silence


@pytest.mark.parametrize("wish", [{"press": "none"}, {"anonymous": True}])
def test_bots_are_silent_where_nobody_talks_or_nobody_is_known(tmp_path, wish):
    with opened(Settings(data=str(tmp_path), limits=False)) as site:
        ann = site.guest("Ann")
        table = sat(ann, talkers=SEATS, settings=wish)
        all_done(site, table)
        if "anonymous" in wish:
            ann.post(f"/tables/{table}/press", {"to": ["ENGLAND"], "offer": [{"kind": "peace"}]})
            site.do(envoys.talk_at_table(site.server.cache, site.server.bots, talk_job(table)))
            assert [m["seat"] for m in press(ann, table)] == ["FRANCE"]
        else:
            assert press(ann, table) == []
        assert memory(site, table, "ENGLAND") is None


def all_done(site, table):
    """The bots have given their orders."""

    async def look():
        async with site.server.cache.look(table) as loaded:
            return loaded.row.to_act == ["FRANCE"]

    until(lambda: site.do(look()))


def test_in_public_little_is_said_and_no_attack_is_spoken_of(tmp_path, fixed_luck):
    with opened(Settings(data=str(tmp_path), limits=False)) as site:
        ann = site.guest("Ann")
        table = sat(ann, talkers=SEATS, settings={"press": "public"})
        waiting_for_ann(ann, table, "S1901M")
        letters = press(ann, table)
        asking = [m for m in letters if m["form"].startswith("PRP")]
        assert asking and {m["channel"] for m in letters} == {"all"}
        assert all("XDO" not in m["form"] for m in letters)
        assert len({m["seat"] for m in asking}) == len(asking)
        wish = {"to": ["ENGLAND"], "offer": [{"kind": "peace"}]}
        refused = ann.post(f"/tables/{table}/press", wish, 409)
        assert refused["code"] == "server.no_private_talk"
        said = ann.post(f"/tables/{table}/press", {**wish, "public": True})
        assert said["channel"] == "all" and said["form"] == "PRP ( PCE ( ENG FRA ) )"

        until(lambda: [m for m in press(ann, table) if m["id"] > said["id"]])
        assert {m["seat"] for m in press(ann, table) if m["id"] > said["id"]} == {"ENGLAND"}


# What goes wrong


@pytest.mark.parametrize("fault", ["late", "nonsense", "died"])
def test_an_envoy_that_fails_is_silent_and_holds_up_nobody(tmp_path, monkeypatch, fault):
    monkeypatch.setattr(
        Guard, "talk", lambda self, game, view, memory, *a, **k: (EnvoyReply((), memory), fault)
    )
    with opened(Settings(data=str(tmp_path), limits=False)) as site:
        ann = site.guest("Ann")
        table = sat(ann)
        waiting_for_ann(ann, table, "S1901M")
        assert press(ann, table) == []


def to_england(**part):
    return {"to": ["ENGLAND"], "offer": [part]}


SENSELESS = [
    ({"offer": [{"kind": "peace"}]}, 422, "bots.press.nobody"),
    (to_england(kind="war"), 422, "bots.press.unreadable"),
    (to_england(kind="zone"), 422, "bots.press.where"),
    (to_england(kind="zone", places=["xxx"]), 422, "bots.press.where"),
    (to_england(kind="alliance"), 422, "bots.press.against_whom"),
    (to_england(kind="alliance", against=["ENGLAND"]), 422, "bots.press.against_whom"),
    (to_england(kind="alliance", against=["MARS"]), 422, "server.no_such_seat"),
    (to_england(kind="order", action="A mun - bur"), 422, "bots.press.not_ours"),
    (to_england(kind="order", action="A par - mos"), 422, "bots.press.no_such_order"),
    (to_england(kind="order", action="gibberish"), 422, "diplomacy.unreadable"),
    ({"to": ["MARS"], "offer": [{"kind": "peace"}]}, 422, "server.no_such_seat"),
    ({"to": ["ENGLAND"], "form": "PRP ( PCE ( QQQ ) )"}, 422, "bots.press.unreadable"),
    (
        {"to": ["ENGLAND"], "form": "YES(" * 198 + "PRP(DRW)" + ")" * 198},
        422,
        "bots.press.unreadable",
    ),
    ({"answer": {"id": 99999, "agree": True}}, 409, "server.nothing_to_answer"),
    ({"form": "PRP ( DRW )", "offer": [{"kind": "draw"}]}, 422, "server.bad_shape"),
]


def test_offers_that_make_no_sense_are_refused_with_the_reason(tmp_path):
    with opened(Settings(data=str(tmp_path), limits=False)) as site:
        ann = site.guest("Ann")
        seats = [{"seat": seat, "kind": "me" if seat == "FRANCE" else "here"} for seat in SEATS]
        table = ann.post("/tables", {"game": "diplomacy", "seats": seats, "start": True})["id"]
        for wish, status, code in SENSELESS:
            refused = ann.post(f"/tables/{table}/press", {**wish, "seat": "FRANCE"}, status)
            assert refused["code"] == code, wish
        assert press(ann, table, "seat=FRANCE") == []


def test_offers_between_people_are_read_in_the_readers_language(settings):
    with opened(settings) as site:
        ann, ben = site.guest("Ann", "it"), site.guest("Ben", "es")
        seats = [{"seat": "FRANCE", "kind": "me"}, {"seat": "ENGLAND", "kind": "open"}]
        seats += [{"seat": s, "kind": "bot", "level": "easy"} for s in SEATS[3:]]
        seats += [{"seat": "AUSTRIA", "kind": "bot", "level": "easy"}]
        made = ann.post("/tables", {"game": "diplomacy", "seats": seats})
        ben.post(f"/tables/{made['id']}/join", {"invite": made["invite"], "seat": "ENGLAND"})
        table = made["id"]
        ann.post(f"/tables/{table}/start")
        order = {"kind": "order", "action": "F lon - nth"}
        against = {"kind": "alliance", "against": ["GERMANY"]}
        wish = {"to": ["ENGLAND"], "text": "Ciao!", "offer": [against, order]}
        said = ann.post(f"/tables/{table}/press", wish)
        assert said["text"].startswith("Propongo") and said["text"].endswith("\nCiao!")
        (read,) = press(ben, table)
        assert read["text"].startswith("Propongo todo esto junto: una alianza")
        assert read["form"] == (
            "PRP ( AND ( ALY ( ENG FRA ) VSS ( GER ) ) ( XDO ( ( ENG FLT LON ) MTO NTH ) ) )"
        )
        assert read["may_answer"]
        ben.post(f"/tables/{table}/press", {"answer": {"id": read["id"], "agree": False}})
        assert press(ann, table)[-1]["text"].startswith("No, grazie:")


def test_games_without_envoys_have_no_offers(tmp_path):
    with opened(Settings(data=str(tmp_path), limits=False)) as site:
        ann, ben = site.guest("Ann"), site.guest("Ben")
        table = site.table(ann, ben)
        assert ann.get(f"/tables/{table}/offers") == {"kinds": [], "places": []}
        wish = {"to": ["blue"], "offer": [{"kind": "peace"}]}
        assert ann.post(f"/tables/{table}/press", wish, 409)["code"] == "server.no_formal_talk"
