"""What players read: real plurals, no codes, sentences that hold in three languages."""

import random
import re
from dataclasses import replace

import pytest
from babel.messages.pofile import read_po

import powderkeg.games.versailles as game
from powderkeg.core.ask import Node, One, Question
from powderkeg.core.chance import CHANCE
from powderkeg.core.errors import Illegal
from powderkeg.core.table import Table
from powderkeg.core.words import LANGS, LOCALE_FOLDERS, Msg, say
from powderkeg.games.versailles import steps
from powderkeg.games.versailles.board import NOBODY
from powderkeg.games.versailles.state import Options
from tests.games.versailles.deals.deal_scenes import table
from tests.games.versailles.scene import lay, midway, opening, unsettled

CODE = re.compile(r"\bversailles\.\w+|[{}]")


@pytest.mark.parametrize("lang", LANGS)
def test_no_sentence_leaves_the_plural_to_the_reader(lang):
    with (LOCALE_FOLDERS[0] / lang / "LC_MESSAGES" / "versailles.po").open("rb") as file:
        texts = [
            m.string if isinstance(m.string, str) else " ".join(m.string) for m in read_po(file)
        ]
    assert [text for text in texts if re.search(r"\w\(\w{1,2}\)|\w/i\b", text)] == []


@pytest.mark.parametrize(
    "line",
    [
        "uk settle hola",
        "uk place hola 2",
        "uk deploy hola europe 7",
        "uk deploy available hola 7",
        "uk demobilise middle_east",
        "uk reclaim 1 africa",
        "uk propose france uk.settle.hola",
    ],
)
def test_whatever_is_mistyped_the_refusal_shows_no_code(line):
    play = lay(opening(3), used={"uk": 3})
    who, _, text = line.partition(" ")
    with pytest.raises(Illegal) as error:
        game.apply(play.state, play.seat(who), game.parse(text))
    for lang in LANGS:
        assert not CODE.search(say(error.value.msg, lang)), say(error.value.msg, lang)


def messages(node: Node | None):
    if isinstance(node, One):
        for option in node.options:
            yield option.label
            yield from messages(option.then)
    elif node is not None:
        if prompt := getattr(node, "prompt", None):
            yield prompt
        yield from (option.label for option in getattr(node, "options", ()))
        yield from messages(getattr(node, "then", None))


def said(question: Question):
    yield question.prompt
    yield from messages(question.node)


@pytest.mark.slow
@pytest.mark.parametrize("players", [1, 2, 4])
def test_a_whole_game_shows_no_bare_code(players):
    """Every fact, question, board and result of a random game, in all three languages."""
    rng, options = random.Random(players), Options()
    state = game.start(game.seats(players, options), options)
    spoken: dict[str, Msg] = {}
    count = 0
    while acting := game.to_act(state):
        (seat,) = acting
        count += 1
        if count % 9 == 0 and seat != CHANCE:
            question = game.ask(state, seat)
            assert question is not None
            spoken.update((say(msg), msg) for msg in said(question))
            for section in game.describe(game.view(state, seat)):
                spoken.update((say(msg), msg) for msg in (section.title, *section.lines))
            captions = game.captions(game.view(state, seat)).values()
            spoken.update((say(msg), msg) for msg in captions)
        step = game.apply(state, seat, game.legal(state, seat).sample(rng))
        spoken.update((say(fact.msg), fact.msg) for fact in step.facts)
        state = step.state
    result = game.result(state)
    assert result is not None
    spoken["result"] = result.why
    wrong = [
        text for msg in spoken.values() for lang in LANGS if CODE.search(text := say(msg, lang))
    ]
    assert wrong == []


def test_numbers_agree_with_their_nouns():
    play = midway(lay(opening(3), held={"syria": "uk"}), unsettled("syria", 2))
    play("uk bid 1+0 1", "france bid 2+0 2", "usa pass", "uk bid 3+0 0")
    bids = [fact.msg for fact in play.facts if fact.msg.code == "versailles.bids"]
    assert [say(msg, "es") for msg in bids] == [
        "Reino Unido puja con fuerza 1 (1 unidad disponible) y 1 cubo.",
        "Francia puja con fuerza 2 (2 unidades disponibles) y 2 cubos.",
        "Reino Unido puja con fuerza 3 (3 unidades disponibles) y 0 cubos.",
    ]


def test_double_happiness_promises_no_points_of_its_own():
    lines = game.describe(game.view(opening(4).state, "P1"))
    trade = [say(m, "es") for s in lines for m in s.lines if "Comercio mundial:" in say(m, "es")]
    assert len(trade) == 1
    assert "+0" not in trade[0]
    assert "tus puntos de felicidad cuentan doble" in trade[0]


def test_the_board_in_words_says_which_nation_is_yours():
    for state, seat, said in (
        (opening(4).state, "P1", "You play UK."),
        (Table(game, 4).state, "P3", "You are Player 3."),
    ):
        lines = [str(m) for s in game.describe(game.view(state, seat)) for m in s.lines]
        assert said in lines
    lines = [str(m) for s in game.describe(game.view(opening(4).state, None)) for m in s.lines]
    assert not [line for line in lines if line.startswith("You ")]


def test_captions_say_what_events_do_and_what_deals_bind_to():
    play = table()("france propose usa+uk uk.modify.europe.minus,uk.later.shun.armenia")
    said = {about: say(msg) for about, msg in game.captions(game.view(play.state, None)).items()}
    assert said["uk.modify.europe.minus"] == "UK changes the die in Europe by \u22121"
    assert said["uk.later.shun.armenia"] == "later: UK does not place on Armenia"
    assert said["smuts.conference"].startswith("choose a player")
    for event in (play.state.event, *play.state.lobby):
        assert {f"{event}.crisis", f"{event}.conference"} <= said.keys()


def test_the_score_sheet_has_every_line():
    play = lay(opening(3), held={"syria": ("uk", "uk_mandate")}, over="settled", agenda=())
    play.state = replace(play.state, strategy=("isolationism", "", "", "", ""))
    result = game.result(play.state)
    assert result is not None
    sheet = [say(line) for line in result.sheet]
    assert len([line for line in sheet if line.startswith("  Stars of settled issues: ")]) == 3
    assert len([line for line in sheet if line.startswith("  Isolationism, ")]) == 4
    assert sheet[0].startswith("UK: ")
    totals = [line for line in sheet if not line.startswith(" ")]
    assert len(totals) == 3


def test_a_bid_tells_its_strength():
    play = midway(lay(opening(3), held={"syria": "uk"}), unsettled("syria", 2))
    labels = [say(msg) for msg in said(game.ask(play.state, play.seat("uk")))]
    assert "strength 2: 2 available units" in labels
    assert game.view(play.state, None)["strengths"]["1+1"] == 3


def test_an_action_that_needs_a_place_asks_for_it():
    play = midway(opening(3))
    asked = {o.text: o.then for o in game.ask(play.state, play.seat(play.decider)).node.options}
    assert asked["place"].prompt == Msg("versailles.ask.which_issue")
    assert asked["deploy"].prompt == Msg("versailles.ask.unit_deploy")
    assert asked["demobilise"].prompt == Msg("versailles.ask.unit_demobilise")
    (unit, *_) = asked["deploy"].options
    assert unit.then.prompt == Msg("versailles.ask.deploy")
    assert unit.then.options[0].then.prompt == Msg("versailles.ask.deploy")


# Questions that no click of the one who is asked has led to.
CAUSED = (
    steps.ChoosePerform,
    steps.ChooseCube,
    steps.ChooseToAdvance,
    steps.ChooseSource,
    steps.ChooseKept,
    steps.ChooseUnsettled,
    steps.Bidding,
    steps.SoloBid,
)


@pytest.mark.parametrize("players", [1, 2, 3])
def test_questions_in_the_middle_of_something_name_their_cause(players):
    """Also long after an uprising, and where an event unsettles an issue."""
    rng, play = random.Random(players), opening(players)
    asked, facts = set(), ()
    for _ in range(600):
        step = play.state.agenda[-1]
        (seat,) = game.to_act(play.state)
        prompt = "" if seat == CHANCE else say(game.ask(play.state, seat).prompt)
        if isinstance(step, CAUSED):
            asked.add(type(step))
            assert re.match(r"(Uprising|Event:|Crisis:|Settled:|Settled by) .+\. ", prompt), (
                step,
                prompt,
            )
        if isinstance(step, steps.ChooseOption):
            won = any(fact.msg.code == "versailles.wins" for fact in facts)
            assert prompt.startswith("You won the auction. ") == won, prompt
        action = max(
            (game.legal(play.state, seat).sample(rng) for _ in range(6)),
            key=lambda choice: str(choice).startswith("settle"),
        )
        play.state, facts, _ = game.apply(play.state, seat, action)
        if not game.to_act(play.state):
            break
    assert len(asked) >= 5


def test_an_event_that_unsettles_an_issue_is_named():
    play = midway(
        lay(opening(3), held={"syria": "uk"}),
        unsettled("syria", NOBODY),
        steps.DiscardEvent("hankey"),
    )
    prompt = say(game.ask(play.state, play.seat("uk")).prompt)
    assert re.match(r"Event: .+\. Syria: bid or pass\.", prompt), prompt
