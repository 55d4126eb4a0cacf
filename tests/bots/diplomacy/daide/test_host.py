"""The host of a DAIDE game answers every request as the language says."""

import pytest

from powderkeg.bots.diplomacy.daide import game_host
from powderkeg.bots.diplomacy.daide.game_host import GameHost, HostSettings
from powderkeg.bots.diplomacy.daide.requests import MOST_LETTERS, answer_request
from powderkeg.bots.diplomacy.daide.seats import MOST_CODES_IN_ALL, MOST_WRONG_CODES
from powderkeg.bots.diplomacy.daide.tokens import decode_tokens, encode_tokens
from powderkeg.bots.diplomacy.press.daide import POWER_TOKENS
from powderkeg.core.record import make_record, read_record, replay_record, write_record
from powderkeg.games import diplomacy


class Program:
    """A program at the other end of a line that carries texts."""

    def __init__(self, host: GameHost, origin: str = "home") -> None:
        self.host, self.origin = host, origin
        self.heard: list[str] = []

    def send(self, text: str) -> None:
        assert decode_tokens(encode_tokens(text)) == text
        self.heard.append(text)

    def say(self, text: str) -> list[str]:
        """What the host answers."""
        self.heard = []
        answer_request(self.host, self, text)
        return self.heard

    @property
    def power(self) -> str:
        seat = self.host.seat_of(self)
        assert seat is not None
        return seat.power


def started(programs: int = 1, **settings: object) -> tuple[GameHost, list[Program]]:
    host = GameHost(HostSettings(programs, bots="random", **settings))  # type: ignore[arg-type]  # any of its settings
    players = [Program(host) for _ in range(programs)]
    for number, each in enumerate(players):
        each.say(f"NME ( 'Bot {number}' ) ( '1' )")
        each.say("YES ( MAP ( 'standard' ) )")
    return host, players


def seated(power: str, **settings: object) -> tuple[GameHost, Program]:
    """A game in which the one program plays `power`."""
    for seed in range(100):
        host, (program,) = started(1, seed=seed, **settings)
        if program.power == power:
            return host, program
    raise AssertionError


# Joining


def test_a_program_joins_and_the_game_begins():
    host = GameHost(HostSettings(2, seconds=60))
    first, second = Program(host), Program(host)
    answer = first.say("NME ( 'DumbBot' ) ( '7' )")
    assert answer == ["YES ( NME ( 'DumbBot' ) ( '7' ) )", "MAP ( 'standard' )"]
    assert first.say("MDF")[0].startswith("MDF ( AUS ENG")
    assert first.say("NOW") == ["REJ ( NOW )"]
    first.say("YES ( MAP ( 'standard' ) )")
    assert not host.started
    second.say("NME ( 'Albert' ) ( '6' )")
    assert second.say("NME ( 'Albert' ) ( '6' )")[0].startswith("REJ")
    heard = second.say("YES ( MAP ( 'standard' ) )")
    token = POWER_TOKENS[second.power]
    assert heard[0].startswith(f"HLO ( {token} ) ( ")
    assert heard[0].endswith("( ( LVL 0 ) ( MTL 60 ) ( RTL 60 ) ( BTL 60 ) )")
    assert [text.split()[0] for text in heard] == ["HLO", "SCO", "NOW", "TME"]
    late = Program(host)
    assert late.say("NME ( 'Late' ) ( '1' )")[0].startswith("REJ")


def test_watchers_see_everything_public():
    host = GameHost(HostSettings(1, bots="random"))
    watcher, player = Program(host), Program(host)
    assert watcher.say("OBS") == ["YES ( OBS )", "MAP ( 'standard' )"]
    assert watcher.say("OBS") == ["REJ ( OBS )"]
    assert watcher.say("NME ( 'a' ) ( '1' )")[0].startswith("REJ")
    player.say("NME ( 'a' ) ( '1' )")
    watcher.heard = []
    player.say("YES ( MAP ( 'standard' ) )")
    assert [text.split()[0] for text in watcher.heard] == ["HLO", "SCO", "NOW"]
    assert watcher.say("SUB ( ( FRA AMY PAR ) HLD )")[0].startswith("REJ")


def test_a_program_that_hangs_up_may_come_back():
    host, (one, two) = started(2)
    power, code = one.power, host.seats[one.power].passcode
    two.heard = []
    host.leave_table(one)
    assert two.heard == [f"CCD ( {POWER_TOKENS[power]} )"]
    assert two.say(f"IAM ( {POWER_TOKENS[power]} ) ( {code} )")[0].startswith("REJ")
    again = Program(host)
    assert again.say(f"IAM ( {POWER_TOKENS[power]} ) ( {code + 1} )")[0].startswith("REJ")
    two.heard = []
    assert again.say(f"IAM ( {POWER_TOKENS[power]} ) ( {code} )")[-1].startswith("YES ( IAM")
    assert two.heard == [f"NOT ( CCD ( {POWER_TOKENS[power]} ) )"]
    assert again.power == power


def tries(program: Program, power: str, codes: list[int]) -> set[str]:
    """The first words of the answers to attempts to return with these passcodes."""
    token = POWER_TOKENS[power]
    return {program.say(f"IAM ( {token} ) ( {code} )")[-1].split()[0] for code in codes}


def test_passcodes_cannot_be_found_by_trying():
    """Who tries too many can no longer return; the program itself still can, from its own address."""
    host, (one, _) = started(2)
    power, code = one.power, host.seats[one.power].passcode
    wrong = [number for number in range(1, 8192) if number != code]
    host.leave_table(one)
    stranger, again = Program(host, "elsewhere"), Program(host)
    assert tries(stranger, power, [*wrong[:MOST_WRONG_CODES], code]) == {"REJ"}
    assert tries(again, power, wrong[: MOST_WRONG_CODES - 1]) == {"REJ"}
    assert tries(again, power, [code]) == {"YES"}
    host.leave_table(again)
    for number in range(MOST_CODES_IN_ALL):
        assert tries(Program(host, f"network {number}"), power, [wrong[number]]) == {"REJ"}
    assert tries(Program(host), power, [code]) == {"REJ"}


def test_a_seed_does_not_tell_the_passcodes():
    found = {
        tuple(seat.passcode for seat in GameHost(HostSettings(seed=0)).seats.values())
        for _ in range(3)
    }
    assert len(found) == 3


# Orders


def test_orders_are_thanked_for_with_a_note():
    host, france = seated("FRANCE")
    said = france.say(
        "SUB ( ( FRA AMY PAR ) MTO BUR ) ( ( FRA AMY MAR ) MTO MUN ) ( ( GER AMY MUN ) HLD )"
        " ( ( FRA FLT PIC ) HLD ) ( ( FRA FLT BRE ) MTO MAO )"
    )
    assert [text.split()[-2] for text in said[:5]] == ["MBV", "FAR", "NYU", "NSU", "MBV"]
    assert said[0] == "THX ( ( FRA AMY PAR ) MTO BUR ) ( MBV )"
    assert said[5:] == ["MIS ( FRA AMY MAR )"]
    assert france.say("SUB ( FAL 1901 ) ( ( FRA AMY MAR ) HLD )")[0].endswith("( NRS )")
    assert not host.is_due()
    assert france.say("SUB ( SPR 1901 ) ( ( FRA AMY MAR ) SUP ( FRA AMY PAR ) MTO BUR )") == [
        "THX ( ( FRA AMY MAR ) SUP ( FRA AMY PAR ) MTO BUR ) ( MBV )"
    ]
    assert host.is_due()
    assert france.say("NOT ( GOF )") == ["YES ( NOT ( GOF ) )"]
    assert not host.is_due()
    assert france.say("GOF") == ["YES ( GOF )"]
    assert france.say("NOT ( SUB ( ( FRA AMY PAR ) MTO BUR ) )")[0].startswith("YES")
    assert france.say("MIS") == ["MIS ( FRA AMY PAR )"]
    assert france.say("NOT ( SUB )") == ["YES ( NOT ( SUB ) )"]
    assert len(france.say("MIS")[0].split("AMY")) == 3


def test_a_phase_is_judged_and_its_results_are_sent():
    host, france = seated("FRANCE")
    france.say("SUB ( ( FRA AMY PAR ) HLD ) ( ( FRA AMY MAR ) HLD ) ( ( FRA FLT BRE ) MTO MAO )")
    france.heard = []
    host.finish_phase()
    results = [text for text in france.heard if text.startswith("ORD")]
    assert len(results) == 22
    assert "ORD ( SPR 1901 ) ( ( FRA AMY PAR ) HLD ) ( SUC )" in results
    assert france.heard[-1].startswith(("NOW ( FAL 1901 )", "NOW ( SUM 1901 )"))
    history = france.say("HST ( SPR 1901 )")
    assert [text for text in history if text.startswith("ORD")] == results
    assert [text.split()[0] for text in history[-2:]] == ["SCO", "NOW"]
    assert france.say("ORD") == results
    assert france.say("HST ( SPR 1950 )")[0].startswith("REJ")


def test_the_game_ends_after_its_last_year():
    host, russia = seated("RUSSIA", last_year=1901)
    while not host.is_over:
        host.finish_phase()
    assert [text.split()[0] for text in russia.heard[-3:]] == ["DRW", "SMR", "OFF"]


def test_winter():
    host, france = seated("FRANCE")
    france.say("SUB ( ( FRA AMY MAR ) MTO SPA ) ( ( FRA FLT BRE ) HLD ) ( ( FRA AMY PAR ) HLD )")
    host.finish_phase()
    while host.state.phase[-1] == "R":
        host.finish_phase()
    france.say("SUB ( ( FRA AMY SPA ) HLD ) ( ( FRA FLT BRE ) HLD ) ( ( FRA AMY PAR ) HLD )")
    host.finish_phase()
    while host.state.phase[-1] == "R":
        host.finish_phase()
    assert (host.state.centres.get("spa"), host.state.stage) == (
        "FRANCE",
        "adjustment",
    )  # by the seed
    assert france.say("MIS") == ["MIS ( -1 )"]
    assert france.say("SUB ( ( FRA AMY PAR ) BLD )")[0].endswith("( ESC )")
    assert france.say("SUB ( ( FRA AMY BEL ) BLD )")[0].endswith("( HSC )")
    assert france.say("SUB ( ( FRA AMY MAR ) REM )")[0].endswith("( NMR )")
    assert france.say("SUB ( ( FRA FLT MAR ) BLD )") == ["THX ( ( FRA FLT MAR ) BLD ) ( MBV )"]
    assert france.say("SUB ( FRA WVE )")[0].endswith("( NMB )")
    assert france.say("NOT ( SUB ( ( FRA FLT MAR ) BLD ) )")[0].startswith("YES")
    assert france.say("SUB ( FRA WVE )") == ["THX ( FRA WVE ) ( MBV )"]
    assert host.is_due()
    france.heard = []
    host.finish_phase()
    assert "ORD ( WIN 1901 ) ( FRA WVE ) ( SUC )" in france.heard


# Time, draws, mistakes


def test_a_late_program_is_in_civil_disorder_until_it_orders_again():
    host, france = seated("FRANCE", seconds=5)
    france.heard = []
    host.finish_phase()
    assert "CCD ( FRA )" in france.heard
    units = host.state.units["FRANCE"]
    france.say(
        "SUB "
        + " ".join(
            f"( ( FRA {'AMY' if u.kind == 'A' else 'FLT'} {u.at.upper()} ) HLD )" for u in units
        )
    )
    france.heard = []
    host.finish_phase()
    assert "NOT ( CCD ( FRA ) )" in france.heard


def test_all_programs_agree_on_a_draw():
    host, players = started(7)
    for player in players[:-1]:
        assert player.say("DRW") == ["YES ( DRW )"]
    assert players[0].say("NOT ( DRW )") == ["YES ( NOT ( DRW ) )"]
    assert not host.is_over
    for player in players:
        player.heard = []
        answer_request(host, player, "DRW")
    assert host.is_over
    assert [text.split()[0] for text in players[0].heard[-3:]] == ["DRW", "SMR", "OFF"]
    assert players[0].say("GOF") == ["REJ ( GOF )"]


@pytest.mark.parametrize(
    ("text", "answer"),
    [
        ("( ( MAP", "PRN ( ( ( MAP )"),
        ("FRM ( FRA )", "HUH ( ERR FRM ( FRA ) )"),
        ("SUB", "HUH ( ERR SUB )"),
        ("SUB ( ( FRA AMY PAR ) MTO )", "HUH ( ERR SUB ( ( FRA AMY PAR ) MTO ) )"),
        ("DRW ( FRA ENG )", "REJ ( DRW ( FRA ENG ) )"),
        ("TME ( 10 )", "REJ ( TME ( 10 ) )"),
        ("NOT ( TME )", "REJ ( NOT ( TME ) )"),
        ("TME", "REJ ( TME )"),
        ("ADM ( 'Bot' ) ( 'hello' )", "ADM ( 'Bot' ) ( 'hello' )"),
    ],
)
def test_mistakes_are_answered(text, answer):
    _, france = seated("FRANCE")
    if text.startswith("("):
        france.heard = []
        with pytest.raises(AssertionError):  # the answer has no matching brackets either
            assert france.say(text) == [answer.replace("PRN", "HUH")]
        assert france.heard == [answer]
    else:
        assert france.say(text) == [answer]


# Press


def test_press_goes_to_the_powers_named():
    host, players = started(3, level=10)
    one, two, three = players
    for player in players:
        player.heard = []
    a, b = POWER_TOKENS[one.power], POWER_TOKENS[two.power]
    offer = f"PRP ( PCE ( {a} {b} ) )"
    answer_request(host, one, f"SND ( {b} ) ( {offer} )")
    assert one.heard == [f"YES ( SND ( {b} ) ( {offer} ) )"]
    assert two.heard == [f"FRM ( {a} ) ( {b} ) ( {offer} )"]
    assert three.heard == []


def test_press_above_the_level_is_not_understood():
    _, (one, two) = started(2, level=10)
    b = POWER_TOKENS[two.power]
    text = f"SND ( {b} ) ( PRP ( XDO ( ( {b} FLT LON ) HLD ) ) )"
    assert one.say(text)[0].startswith("HUH ( ERR SND")
    assert one.say(f"SND ( {b} ) ( ERR )")[0].startswith("HUH")
    _, (silent, other) = started(2)
    peace = f"SND ( {POWER_TOKENS[other.power]} ) ( PRP ( DRW ) )"
    assert silent.say(peace)[0].startswith("HUH")


def test_press_is_bounded():
    _, (one, two) = started(2, level=10)
    text = f"SND ( {POWER_TOKENS[two.power]} ) ( FCT ( DRW ) )"
    for _ in range(MOST_LETTERS):
        assert one.say(text)[0].startswith("YES")
    assert one.say(text)[0].startswith("REJ")


@pytest.mark.slow
def test_our_bots_answer_proposals(monkeypatch):
    monkeypatch.setattr(game_host, "TALK_SECONDS", 0.2)
    host = GameHost(HostSettings(1, bots="normal/loyal", level=20))
    program = Program(host)
    program.say("NME ( 'a' ) ( '1' )")
    program.say("YES ( MAP ( 'standard' ) )")
    me = POWER_TOKENS[program.power]
    other = next(token for power, token in POWER_TOKENS.items() if power != program.power)
    said = program.say(f"SND ( {other} ) ( PRP ( PCE ( {me} {other} ) ) )")
    answers = [text for text in said if text.startswith("FRM")]
    assert answers
    assert answers[0].startswith(f"FRM ( {other} ) ( {me} ) ( ")
    memories = [seat.memory for seat in host.seats.values() if seat.is_bot]
    assert {memory["character"] for memory in memories} == {"loyal"}


@pytest.mark.slow
def test_a_hosted_game_is_a_game_of_ours():
    """The log of a hosted game can be stored and replayed."""
    host, _ = seated("FRANCE", last_year=1902)
    while not host.is_over:
        host.finish_phase()
    stored = read_record(write_record(make_record(host.table)))
    assert replay_record(stored, diplomacy).state == host.state
