"""Kingdom Missions and packs of crown cards."""

import json
from importlib.resources import files

import pytest

import powderkeg.games.risk_europe as game
from powderkeg.core.check import check_game
from powderkeg.core.errors import Unreadable
from powderkeg.games.risk_europe import words
from powderkeg.games.risk_europe.board import TERRITORY_NUMBER
from powderkeg.games.risk_europe.cards import pack as packs
from powderkeg.games.risk_europe.cards.pack import Bonus, Mission
from powderkeg.games.risk_europe.rules import economy, missions
from powderkeg.games.risk_europe.state import Returned
from powderkeg.games.risk_europe.steps import Battles, EndRound, Reveals, Turn
from tests.games.risk_europe.scene import Scene, opening

HOMES = {"saxony": "blue 4f", "rome": "orange 4f", "turkey": "green 4f", "england": "purple 4f"}
ALL = tuple(packs.printed_pack())


def king(s, colour="blue", *after):
    """The colour turns King Me over."""
    army = s.number(colour)
    hand = tuple(card for card in s.state.armies[army].hand if card != "king")
    s.has(colour, stack=("king",), hand=hand)
    return s.next(Turn(army, 1), *after, Battles(), Reveals(), EndRound())


def holding(colour, *cards, lands=None, **more):
    s = Scene(lands or HOMES, missions=True, **more).has(colour, missions=cards)
    s.state = s.state._replace(unseen=tuple(c for c in ALL if c not in cards))
    return s


@pytest.mark.rule("R-MISSION-01")
def test_crown_cards_are_not_for_sale():
    s = holding("orange").has("blue", coins=40).turn("blue", "tax").do("blue", "order spend")
    assert s.legal("blue", "build")
    assert s.refuses("blue", "crown") == ("crowns_not_for_sale", "R-MISSION-01")


@pytest.mark.rule("R-MISSION-02")
def test_eight_cards_in_an_order_that_chance_decides():
    s = opening(missions=True)
    assert sorted(s.state.unseen) == sorted(ALL)
    s = king(holding("orange"))
    assert game.legal(s.state, "chance").count_all() == 8 * 7
    assert opening().state.unseen == ()


@pytest.mark.rule("R-MISSION-03")
def test_two_are_seen_one_is_kept_the_other_goes_to_the_bottom():
    s = king(holding("orange")).draw("treasurer", "marshal")
    assert s.marker == "blue"
    assert s.legal("blue", "keep") == ["treasurer", "marshal"]
    assert s.refuses("blue", "keep conqueror") == ("not_offered", "R-MISSION-03")
    s.do("blue", "keep marshal")
    assert s.state.armies[0].missions == ("marshal",)
    assert s.state.bottom == (Returned("treasurer", 0),)
    assert game.view(s.state, None)["reserve"]["missions"] == 7


@pytest.mark.rule("R-MISSION-03")
def test_what_went_to_the_bottom_first_comes_up_first():
    s = king(holding("orange", *ALL[:3])).draw(ALL[3], ALL[4]).do("blue", f"keep {ALL[3]}")
    s = king(s, "green").draw(ALL[5], ALL[6]).do("green", f"keep {ALL[5]}")
    assert [card.card for card in s.state.bottom] == [ALL[4], ALL[6]]
    s = king(s, "purple").draw(ALL[7])  # the last that nobody has seen, and the first put back
    assert s.legal("purple", "keep") == [ALL[7], ALL[4]]
    s.do("purple", f"keep {ALL[7]}")
    assert [card.card for card in s.state.bottom] == [ALL[6], ALL[4]]


@pytest.mark.rule("R-MISSION-04")
def test_the_kept_mission_is_its_owners_secret():
    s = king(holding("orange")).draw("treasurer", "marshal")
    for seat in ("orange", None):
        assert "treasurer" not in json.dumps(game.view(s.state, seat)["state"]["agenda"])
    s.do("blue", "keep marshal")
    twin = king(holding("orange")).draw("sea_king", "conqueror").do("blue", "keep sea_king")
    for seat in ("orange", "green", None):
        assert game.view(s.state, seat) == game.view(twin.state, seat)
        assert game.view(s.state, seat)["armies"]["blue"]["missions"] == 1
    assert game.view(s.state, "blue")["own"]["missions"][0]["card"] == "marshal"
    secret = [fact for fact in s.facts if fact.msg.code.endswith("kept_this")]
    assert [fact.to for fact in secret] == [frozenset({"blue"})]


@pytest.mark.rule("R-MISSION-05")
def test_a_completed_mission_may_be_shown_and_stays_completed():
    s = holding("blue", "treasurer").has("blue", coins=19).turn("blue", "tax")
    assert s.refuses("blue", "reveal treasurer") == ("mission_not_done", "R-MISSION-05")
    assert s.refuses("orange", "reveal treasurer") == ("not_your_mission", "R-MISSION-04")
    s.has("blue", coins=20)
    s.do("blue", "reveal treasurer")
    assert s.barrier
    s.do("blue", "order spend", "buy footman saxony 20")
    assert s.state.armies[0].completed == ("treasurer",)
    assert s.refuses("blue", "reveal treasurer") == ("not_your_mission", "R-MISSION-04")


@pytest.mark.rule("R-MISSION-05")
def test_after_the_battles_every_holder_is_asked_alike():
    s = holding("blue", "treasurer").has("blue", coins=25)
    s.state = s.state._replace(unseen=tuple(c for c in ALL if c not in ("treasurer", "marshal")))
    s.has("orange", missions=("marshal",)).battles()
    assert s.to_act == {"blue", "orange"}  # orange has completed nothing
    assert s.legal("orange") == ["pass"]
    assert s.legal("blue") == ["pass", "reveal treasurer"]
    assert game.ask(s.state, "blue").prompt.code == "risk_europe.ask.end_of_round"
    assert game.ask(s.state, "orange").prompt.code == "risk_europe.ask.no_mission_yet"
    s.do("orange", "pass").do("blue", "reveal treasurer")
    assert s.state.round == 2
    assert s.crowns("blue") == 2


@pytest.mark.rule("R-MISSION-05", "R-WIN-01")
def test_a_mission_shown_after_the_battles_counts_for_victory():
    s = holding("blue", "treasurer").has("blue", coins=25, bought=5)
    s.state = s.state._replace(crown_cards=3)
    s.battles().do("blue", "reveal treasurer")
    assert game.result(s.state).winners == ("blue",)


@pytest.mark.rule("R-MISSION-06")
def test_reward():
    s = holding("blue", "treasurer").has("blue", coins=20).turn("blue", "tax")
    before = s.crowns("blue")
    s.do("blue", "reveal treasurer", "order tax")
    assert s.crowns("blue") == before + 1
    assert s.coins("blue") == 20 + 4 + 2  # two more with each Tax


MISSIONS = [
    ("castle_lord", {}, "saxony bavaria bohemia", {"bavaria": "blue 1f", "bohemia": "blue 1f"}),
    ("sea_king", {}, "", dict.fromkeys(("england", "normandy", "lorraine", "denmark", "norway", "sweden"), "blue 1f")),
    ("treasurer", {"coins": 20}, "", {}),
    ("engineer", {}, "", {"bavaria": "blue 3s"}),
    ("marshal", {}, "", {"bavaria": "blue 8c"}),
    ("bowmaster", {}, "", {"bavaria": "blue 8a"}),
    ("great_realm", {}, "", dict.fromkeys(("bohemia", "bavaria", "denmark", "poland", "prussia", "polotsk", "smolensk", "estonia", "finland", "galicia", "hungary", "highlands", "serbia"), "blue 1f")),
    ("conqueror", {"wins": 2}, "", {}),
]  # fmt: skip


@pytest.mark.rule("R-MISSION-07")
@pytest.mark.parametrize(
    ("card", "own", "castles", "lands"), MISSIONS, ids=lambda v: v if isinstance(v, str) else ""
)
def test_each_mission_holds_exactly_when_it_should(card, own, castles, lands):
    short = Scene({"saxony": "blue 4f"}, missions=True)
    full = Scene({"saxony": "blue 4f", **lands}, missions=True, castles=castles).has("blue", **own)
    mission = packs.printed_pack()[card].mission
    assert missions.mission_holds(full.state, 0, mission)
    assert not missions.mission_holds(short.state, 0, mission)
    more = Mission(mission.type, mission.least + 1, mission.unit)
    assert not missions.mission_holds(full.state, 0, more)


@pytest.mark.rule("R-MISSION-07")
def test_only_what_a_player_owns_counts_for_a_mission():
    lands = {**HOMES, "bavaria": "blue 1f", "wales": "purple 1f", "lombardy": "orange 8a"}
    s = Scene(lands, missions=True, castles="saxony bavaria england wales sicily")
    castles, archers = (packs.printed_pack()[card].mission for card in ("castle_lord", "bowmaster"))
    assert not missions.mission_holds(s.state, 0, castles)  # two of five
    assert not missions.mission_holds(s.state, 0, archers)
    assert missions.mission_holds(s.state, 1, archers)


@pytest.mark.rule("R-MISSION-07", "R-MISSION-05")
def test_attacks_won_are_counted_in_one_round():
    """Two attacks won are a conquest; defences and attacks of an earlier round are not."""
    lands = {**HOMES, "bavaria": "orange 1f", "serbia": "green 1f", "norway": "blue 9f"}
    attacks = {"bavaria": "blue 2f", "serbia": "blue 2f", "norway": "orange 1f"}
    s = holding("blue", "conqueror", lands=lands, attacks=attacks).battles()
    s.do("blue", "fight norway").roll(1, 6, 6)
    s.do("blue", "fight bavaria").roll(6, 6, 1)
    assert s.refuses("blue", "reveal conqueror") == ("not_now", "R-ROUND-01")  # dice are owed
    s.roll(6, 6, 1)
    assert s.state.armies[0].wins == 2
    assert s.legal("blue") == ["pass", "reveal conqueror"]
    s.do("blue", "pass")
    assert s.state.armies[0].wins == 0  # a new round
    assert s.legal("blue", "reveal") == []


@pytest.mark.rule("R-MISSION-06", "R-MISSION-07")
def test_each_bonus_works():
    def done(card, lands=None, **own):
        s = Scene({**HOMES, **(lands or {})}, missions=True).has("blue", completed=(card,), **own)
        s.state = s.state._replace(unseen=tuple(c for c in ALL if c != card))
        return s

    prices = game.view(done("castle_lord").state, None)["armies"]["blue"]["prices"]
    assert prices["castle"] == 12 - 3 - 3  # with Berlin's
    assert game.view(done("engineer").state, None)["armies"]["blue"]["prices"]["siege"] == 8
    assert game.view(done("marshal").state, None)["armies"]["blue"]["prices"]["cavalry"] == 2
    s = done("bowmaster").turn("blue", "tax").do("blue", "order tax")
    assert s.units("saxony") == "4f 1a"
    s = done("great_realm").turn("blue", "fortify").do("blue", "fortify saxony")
    assert s.units("saxony") == "8f"
    line = {"bohemia": "blue 1f", "highlands": "blue 1f", "hungary": "blue 1f"}
    s = done("sea_king", line).turn("blue", "split").do("blue", "order manoeuvre", "from saxony")
    assert "hungary" in s.legal("blue", "to")
    s = Scene({**HOMES, "bavaria": "blue 3f"}, missions=True, attacks={"bavaria": "orange 1f"})
    s.has("blue", completed=("conqueror",))
    s.state = s.state._replace(unseen=tuple(c for c in ALL if c != "conqueror"))
    assert s.battles().roll(1, 6, 6).coins("blue") == 5 + 2
    s = Scene({**HOMES, "bavaria": "orange 1f"}, missions=True, attacks={"bavaria": "blue 2f"})
    s.has("blue", completed=("conqueror",))
    s.state = s.state._replace(unseen=tuple(c for c in ALL if c != "conqueror"))
    assert s.battles().roll(6, 6, 1).coins("blue") == 5 + 2  # for attacks as for defences


@pytest.mark.rule("R-MISSION-06")
def test_bonuses_of_several_cards_add_up_and_the_better_price_counts():
    def view(cards, *completed):
        s = Scene(HOMES, missions=True, cards=json.dumps(cards)).has("blue", completed=completed)
        return s, game.view(s.state, None)["armies"]["blue"]["prices"]

    price = {"type": "unit_price", "unit": "cavalry"}
    cards = {"marshal": {"bonus": {"amount": 2}}, "engineer": {"bonus": {**price, "amount": 1}}}
    for pair in (("marshal", "engineer"), ("engineer", "marshal")):
        assert view(cards, *pair)[1]["cavalry"] == 1
    cards = {"treasurer": {"bonus": {"amount": 2}}, "marshal": {"bonus": {"type": "tax_coins", "amount": 3, "unit": ""}}}  # fmt: skip
    s, _ = view(cards, "treasurer", "marshal")
    assert economy.tax_income(s.state, 0, TERRITORY_NUMBER["saxony"]) == 4 + 2 + 3
    reach = {"sea_king": {"bonus": {"amount": 3}}, "marshal": {"bonus": {"type": "manoeuvre_range", "amount": 4, "unit": ""}}}  # fmt: skip
    s, _ = view(reach, "sea_king", "marshal")
    assert missions.bonus_amount(s.state, 0, "manoeuvre_range") == 4


@pytest.mark.rule("R-MISSION-08")
def test_only_a_completed_mission_saves():
    lands = {**HOMES, "saxony": "green 4f", "bohemia": "blue 3f"}
    s = holding("blue", "treasurer", lands=lands).end()
    assert s.state.armies[0].out
    s = holding("blue", lands=lands).has("blue", completed=("treasurer", "marshal")).end()
    assert s.state.armies[0].grace
    s.end()
    assert s.state.armies[0].out


@pytest.mark.rule("R-MISSION-09")
def test_a_short_pile():
    s = holding("orange", *ALL[:7])
    s = king(s).draw(ALL[7])
    assert s.state.armies[0].missions == (ALL[7],)  # the only one is taken
    s = king(holding("orange", *ALL))
    assert "looks_at_missions" not in s.fact_codes()
    s = holding("orange", *ALL[:6])
    s.state = s.state._replace(unseen=(ALL[6],), bottom=(Returned(ALL[7], 1),))
    s = king(s).draw(ALL[6])
    assert s.legal("blue", "keep") == [ALL[6], ALL[7]]
    s = holding("orange", *ALL[:5])
    s.state = s.state._replace(unseen=(), bottom=tuple(Returned(card, 1) for card in ALL[5:]))
    assert king(s).legal("blue", "keep") == [ALL[5], ALL[6]]  # in the order they lie


@pytest.mark.rule("R-MISSION-10", "R-KING-05")
def test_several_open_missions():
    s = king(holding("blue", "conqueror")).draw("treasurer", "marshal").do("blue", "keep marshal")
    assert s.state.armies[0].missions == ("conqueror", "marshal")


@pytest.mark.slow
@pytest.mark.rule("R-MISSION-11")
@pytest.mark.parametrize("players", [2, 3])
def test_missions_with_fewer_players(players):
    report = check_game(game, players, game.Options(missions=True, rounds=6), games=1, share=0.05)
    assert report.finished == 1


# Packs


def test_a_custom_pack_is_stored_as_its_differences():
    pack = packs.printed_pack()
    assert packs.crown_changes(pack) == ""
    mine = dict(pack)
    mine["treasurer"] = packs.CrownCard(
        "treasurer", Mission("coins", 25), Bonus("unit_price", 1, "archer")
    )
    text = packs.crown_changes(mine)
    assert json.loads(text) == {
        "treasurer": {
            "mission": {"least": 25},
            "bonus": {"type": "unit_price", "amount": 1, "unit": "archer"},
        }
    }
    given = packs.crown_pack(text)
    assert given["treasurer"].mission.least == 25
    assert given["treasurer"].mission.certainty == "custom"
    assert given["marshal"] == pack["marshal"]
    assert game.seats(4, game.Options(missions=True, cards=text))


@pytest.mark.rule("R-MISSION-07")
def test_reconstructed_values_are_marked_everywhere():
    s = king(holding("orange")).draw("treasurer", "marshal")
    options = game.ask(s.state, "blue").node.options[0].then.options
    assert [str(option.label) for option in options] == [
        "Treasurer: hold 20 coins°. Then: 2 more coins with each Tax°.",
        "Marshal: have 8 cavalry on the board°. Then: cavalry costs you 2 coins°.",
    ]
    s.do("blue", "keep treasurer")
    lines = [str(line) for part in game.describe(game.view(s.state, "blue")) for line in part.lines]
    assert "Treasurer: hold 20 coins°; then 2 more coins with each Tax°" in lines
    s.has("blue", coins=20).do("blue", "reveal treasurer")
    assert "°" in str(s.facts[-1].msg)
    own = '{"treasurer":{"mission":{"least":6}}}'
    text = words.mission_text(packs.crown_pack(own)["treasurer"].mission)
    assert str(text) == "hold 6 coins"  # read from a custom card


def test_a_custom_pack_is_played():
    cards = '{"treasurer":{"mission":{"least":6}}}'
    s = Scene(HOMES, missions=True, cards=cards).has("blue", coins=6, missions=("treasurer",))
    assert missions.ready_missions(s.state, 0) == ["treasurer"]


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("{", "pack_not_json"),
        ("[]", "pack_card"),
        ('{"dragon":{}}', "pack_card"),
        ('{"treasurer":{"prize":{}}}', "pack_value"),
        ('{"treasurer":{"mission":{"least":0}}}', "pack_value"),
        ('{"treasurer":{"mission":{"least":"9"}}}', "pack_value"),
        ('{"treasurer":{"mission":{"type":"luck"}}}', "pack_value"),
        ('{"treasurer":{"mission":{"unit":"archer"}}}', "pack_value"),
        ('{"marshal":{"mission":{"unit":"dragon"}}}', "pack_value"),
        ('{"marshal":{"mission":{"speed":1}}}', "pack_value"),
    ],
)
def test_a_pack_that_cannot_be_is_refused(text, code):
    with pytest.raises(Unreadable) as error:
        game.seats(4, game.Options(cards=text))
    assert error.value.code == f"risk_europe.{code}"


def test_a_pack_in_toml():
    text = (files("powderkeg.games.risk_europe") / "data" / "crowns.toml").read_text("utf-8")
    assert packs.parse_pack(text) == packs.printed_pack()
    assert all(
        part.certainty == "reconstructed"
        for crown in packs.printed_pack().values()
        for part in (crown.mission, crown.bonus)
    )
    for bad, code in (
        ("= 3", "pack_not_toml"),
        ("", "pack_card"),
        (text + "\n[dragon]\n", "pack_card"),
    ):
        with pytest.raises(Unreadable) as error:
            packs.parse_pack(bad)
        assert error.value.code == f"risk_europe.{code}"
    assert TERRITORY_NUMBER  # the board is loaded without any pack
