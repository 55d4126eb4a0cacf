"""Scenes and the score pad over HTTP, in the reader's language and only as far as it may look."""

import sparks

from powderkeg.core.reports.scenes import Scene
from powderkeg.games import versailles
from tests.server.visiting import running


def seated(site, lang="en"):
    ann, ben = site.person(lang).guest("Ann"), site.guest("Ben")
    table = site.table(ann, ben, game="versailles", players=2)
    return ann, ben, table


def play_on(table, *people, until):
    """Everybody does the first thing that is legal and no deal."""
    for _ in range(200):
        for person in people:
            now = person.get(f"/tables/{table}")
            if until(now):
                return now
            if now["seat"] in now["to_act"]:
                texts = [
                    text for text in now["legal"] if text.split()[0] not in ("propose", "pass")
                ]
                settle = [text for text in texts if text.startswith("settle")]
                person.act(table, (settle or texts or now["legal"])[0], now["question"]["id"])
    raise AssertionError("it never came")


def test_a_settlement_is_reported_step_by_step_and_the_pad_is_open(settings):
    with running(settings, games={"versailles": versailles}) as site:
        ann, ben, table = seated(site, "es")
        now = play_on(table, ann, ben, until=lambda t: "settlement" in kinds(ann, t))
        scenes = ann.get(f"/tables/{table}/at/{now['seq']}/scenes")["scenes"]
        settled = next(scene for scene in scenes if scene["kind"] == "settlement")
        assert settled["title"].startswith("Resolución: ")
        assert settled["beats"][0]["rule"].startswith("V-SETTLE")
        lines = ann.get(f"/tables/{table}/at/{now['seq']}/score")["lines"]
        assert [line["label"] for line in lines][-1] == "Total"
        assert set(lines[-1]["points"]) == {"P1", "P2"}
        assert ann.get(f"/tables/{table}/at/0/score")["lines"] == []
        ann.get(f"/tables/{table}/at/{now['seq'] + 50}/scenes", 404)
        ben.get(f"/tables/{table}/at/{now['seq'] + 50}/score", 404)


def test_scenes_leave_out_what_was_undone(settings, monkeypatch):
    def each_fact(view, facts):
        return tuple(Scene("fact", "", fact.msg, (), (), over=True) for fact in facts)

    monkeypatch.setattr(sparks, "scenes", each_fact)
    with running(settings, games={"sparks": sparks}) as site:
        ann, ben = site.guest("Ann"), site.guest("Ben")
        table = site.table(ann, ben)

        def titles(now):
            found = ann.get(f"/tables/{table}/at/{now['seq']}/scenes")["scenes"]
            return [scene["title"] for scene in found]

        before = ann.get(f"/tables/{table}?raw=1")
        done = ann.act(table, before["legal"][0], before["question"]["id"])["table"]
        assert len(titles(done)) > len(titles(before))
        back = ann.post(f"/tables/{table}/undo", {"command": "u1"})["table"]
        assert titles(back) == titles(before)
        assert titles(done) != titles(before)  # that moment is still what it was


def kinds(person, table):
    scenes = person.get(f"/tables/{table['id']}/at/{table['seq']}/scenes")["scenes"]
    return {scene["kind"] for scene in scenes}
