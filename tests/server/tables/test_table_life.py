"""Whatever people do at a table, in any order: each request is answered or refused with a reason,
and no game ends by a vote against which somebody voted."""

import os
import random
from typing import Any

import pytest

from powderkeg.games import diplomacy, risk_europe, versailles
from powderkeg.server.settings import Settings
from tests.server.visiting import Clock, Person, Running, running, until

pytestmark = pytest.mark.slow

GAMES = {game.name: game for game in (diplomacy, versailles, risk_europe)}
LIVES = int(os.environ.get("POWDERKEG_EXAMPLES", "12")) // 6
STEPS = 150
REFUSALS = {403, 404, 409, 422}
LEAPS = (30, 300, 700, 4000, 90000)  # seconds: past a bank, a turn, a grace, a day
KINDS = ("draw", "concede", "pause", "resume", "extend", "replace", "deal")


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def site(tmp_path, clock):
    with running(Settings(data=str(tmp_path), limits=False), games=GAMES, clock=clock) as found:
        yield found


def test_an_absent_player_has_no_vote_until_they_are_back(site, clock):
    ann, ben, cleo = (site.guest(name) for name in ("Ann", "Ben", "Cleo"))
    late = {"clock": {"kind": "turn", "length": 600}, "missed": {"autopilot": 1, "open": 9}}
    table = site.table(ann, ben, cleo, game="risk_europe", settings=late)
    for person in (ann, cleo):
        now = person.get(f"/tables/{table}?raw=1")
        person.act(table, now["legal"][0], now["question"]["id"])
    clock.now += 700
    until(lambda: ann.get(f"/tables/{table}")["seats"][1]["autopilot"])
    draw = ann.post(f"/tables/{table}/proposals", {"kind": "draw"})
    path = f"/tables/{table}/proposals/{draw['id']}/vote"
    assert ben.post(path, {"agree": False}, 403)["code"] == "server.cannot_vote"
    ben.post(f"/tables/{table}/back")
    ben.post(path, {"agree": False})
    assert ann.get(f"/tables/{table}")["status"] == "live"
    [ballot] = ann.get(f"/tables/{table}/proposals")["proposals"]
    assert ballot["status"] == "declined"


class Life:
    """Three people at one table, some with bots, and the dice that say what they do next."""

    def __init__(self, site: Running, clock: Clock, game: str, seed: int) -> None:
        self.clock, self.rng = clock, random.Random(seed)
        self.people = [site.guest(name) for name in ("Ann", "Ben", "Cleo")]
        players = self.rng.choice([count for count in GAMES[game].players if count > 1])
        self.seats = list(GAMES[game].seats(players, GAMES[game].Options()))
        self.made = self.people[0].post("/tables", self.wish(game, players))
        self.path = f"/tables/{self.made['id']}"
        for person in self.people[1:]:
            person.post(f"{self.path}/join", {"invite": self.made["invite"]}, None)
        self.people[0].post(f"{self.path}/start")

    def wish(self, game: str, players: int) -> dict[str, Any]:
        choose = self.rng.choice
        bots = [{"seat": seat, "kind": "bot", "level": "random"} for seat in self.seats[3:]]
        clocks = [{"kind": "turn", "length": 600}, {"kind": "bank", "bank": 1800, "gain": 60}]
        settings = {
            "press": choose(["all", "public", "none"]),
            "anonymous": choose([True, False]),
            "draws": choose(["survivors", "named", "none"]),
            "votes": choose(["open", "secret"]),
            "clock": choose([{"kind": "none"}, *clocks]),
            "missed": {"grace": choose([0, 60]), "autopilot": 1, "open": 2},
        }
        seats = [{"seat": self.seats[0], "kind": "me"}, *bots]
        return {"game": game, "players": players, "seats": seats, "settings": settings}

    def step(self, person: Person) -> Any:
        """What one person does next; the answer, if it was a request."""
        now = person.get(f"{self.path}?raw=1&text=0")
        names = list(self.DEEDS)
        [deed] = self.rng.choices(names, [self.DEEDS[name] for name in names])
        return getattr(self, deed)(person, now)

    def act(self, person: Person, now: Any) -> Any:
        if not now["legal"]:  # asked nothing, or only whether to offer a deal
            return None
        seat = {"seat": now["seat"]} if now["seat"] else {}
        question = now["seq"] - self.rng.choice([0, 0, 0, 1])
        return person.act(
            self.made["id"], self.rng.choice(now["legal"]), max(0, question), None, **seat
        )

    def undo(self, person: Person, now: Any) -> Any:
        return person.post(f"{self.path}/undo", {"command": f"u{self.rng.random()}"}, None)

    def propose(self, person: Person, now: Any) -> Any:
        kind, seat = self.rng.choice(KINDS), self.rng.choice(self.seats)
        args = {"concede": {"winner": seat}, "replace": {"who": seat}, "deal": {"text": "peace"}}
        wish = {"kind": kind, "args": args.get(kind, {}), "to": [seat] if kind == "deal" else []}
        return person.post(f"{self.path}/proposals", wish, None)

    def vote(self, person: Person, now: Any) -> Any:
        found = person.get(f"{self.path}/proposals")["proposals"]
        if not found:
            return None
        wish = {"agree": self.rng.choice([True, True, False])}
        number = self.rng.choice(found)["id"]
        return person.post(f"{self.path}/proposals/{number}/vote", wish, None)

    def leave(self, person: Person, now: Any) -> Any:
        return person.post(f"{self.path}/leave", {}, None)

    def join(self, person: Person, now: Any) -> Any:
        wish = {"seat": self.rng.choice(self.seats), "invite": self.made["invite"]}
        return person.post(f"{self.path}/join", wish, None)

    def write(self, person: Person, now: Any) -> Any:
        wish = {
            "to": self.rng.choice([[], [self.rng.choice(self.seats)]]),
            "text": "Shall we talk?",
        }
        return person.post(f"{self.path}/press", wish, None)

    def look_back(self, person: Person, now: Any) -> Any:
        return person.get(f"{self.path}/at/{self.rng.randrange(now['seq'] + 1)}", None)

    def wait(self, person: Person, now: Any) -> None:
        self.clock.now += self.rng.choice(LEAPS)

    DEEDS = {"act": 30, "undo": 5, "propose": 4, "vote": 8, "leave": 1, "join": 4, "write": 3} | {
        "look_back": 4,
        "wait": 2,
    }


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("seed", range(LIVES))
def test_nothing_that_people_do_breaks_a_table(site, clock, game, seed):
    life = Life(site, clock, game, seed)
    ann = life.people[0]
    for _ in range(STEPS):
        answer = life.step(life.rng.choice(life.people))
        if answer is not None and answer.status_code != 200:
            assert answer.status_code in REFUSALS, answer.text
            assert answer.json()["code"].count(".") >= 1, answer.text
            assert answer.json()["text"], answer.text
        if ann.get(f"{life.path}?text=0")["status"] == "over":
            break
    end = ann.get(f"{life.path}?text=0")
    assert end["status"] in ("live", "paused", "over")
    agreed = [p for p in ann.get(f"{life.path}/proposals")["proposals"] if p["status"] == "agreed"]
    for ballot in agreed:
        if ballot["kind"] in ("draw", "concede", "deal"):  # the others need a majority
            assert False not in ballot["votes"].values()
