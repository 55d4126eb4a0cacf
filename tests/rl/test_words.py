"""Actions word by word: every legal action can be spelt, and nothing else."""

import random
from dataclasses import replace

import pytest
import sparks

from powderkeg import games
from powderkeg.core import ask
from powderkeg.core.ask import Orders
from powderkeg.core.chance import Seeded
from powderkeg.core.errors import Unreadable
from powderkeg.core.table import Table
from powderkeg.rl.lexicon import FULL_STOP, LEXICONS, ActionLexicon, game_lexicon, words_of
from powderkeg.rl.play import WordPlay, make_setting
from powderkeg.rl.spelling import Spelling, plant_tree

SHORT = {"diplomacy": {"last_year": 1902}, "risk_europe": {}, "versailles": {}}
WORDS = ActionLexicon((FULL_STOP, "a", "b", "c", "1", "2"))


def spelling_of(texts):
    return Spelling(plant_tree(WORDS, texts))


def spelt(texts):
    """Every text that can be written by choosing words."""
    found = []

    def walk(spelling):
        if spelling.text is not None:
            found.append(spelling.text)
            return
        for word in spelling.words:
            copy = spelling.copy()
            copy.write(word)
            walk(copy)

    walk(spelling_of(texts))
    return found


def test_what_can_be_spelt_is_what_is_legal():
    texts = ["a", "a b", "a b:1,c:2", "a b:2", "b 1+2", "c"]
    assert sorted(spelt(texts)) == sorted(texts)


def test_a_word_without_alternative_is_not_asked_for():
    spelling = spelling_of(["a b 1", "a b 2"])
    assert (spelling.written, spelling.words, spelling.text) == (["a", "b"], ["1", "2"], None)
    spelling.write("2")
    assert spelling.text == "a b 2"


def test_a_text_that_could_go_on_is_ended_by_a_full_stop():
    spelling = spelling_of(["a", "a b"])
    assert set(spelling.words) == {FULL_STOP, "b"}
    spelling.write(FULL_STOP)
    assert spelling.text == "a"


def test_numbers_beyond_the_lexicon_cannot_be_written():
    assert spelt(["a 1", "a 2", "a 99"]) == ["a 1", "a 2"]
    assert spelt(["a 1", "b 98", "b 99"]) == ["a 1", "b 98"], "unless nothing else can be"
    with pytest.raises(Unreadable):
        spelt(["a zebra"])


def test_words_are_written_again_as_far_as_they_can():
    spelling = spelling_of(["a 1", "a 2", "b 1", "b 2"])
    spelling.write_again(["a"])
    assert spelling.written == ["a"]
    gone = spelling_of(["b 1", "b 2"])
    gone.write_again(["a"])
    assert gone.written == ["b"]
    other = spelling_of(["c", "b 1"])
    other.write_again(["a"])
    assert other.written == []


@pytest.mark.parametrize("name", games.GAME_NAMES)
def test_every_action_of_random_games_is_in_the_lexicon(name):
    """And no two legal actions have the same words."""
    rules = games.find_game(name)
    words = game_lexicon(rules, 2, rules.Options())
    assert words.words[0] == FULL_STOP
    assert len(words) == len(set(words.words)) < 300
    for players in rules.players:
        table = Table(rules, players, source=Seeded(random.Random(players)))
        rng = random.Random(players)
        for _ in range(60):
            if not table.to_act:
                break
            seat = min(table.to_act)
            legal = [str(action) for action in table.legal(seat)]
            for text in legal:
                words.can_spell(words_of(text))
            assert len({words_of(text) for text in legal}) == len(legal)
            table.act(seat, table.legal(seat).sample(rng))


def test_a_game_without_a_lexicon_is_listened_to():
    assert "sparks" not in LEXICONS
    words = game_lexicon(sparks, 2, sparks.Options())
    assert {"card", "c1", "c9", "duck", "stand", "draw", "pass"} < set(words.words)
    assert words == game_lexicon(sparks, 2, sparks.Options())


@pytest.mark.parametrize("name", games.GAME_NAMES)
def test_games_are_played_word_by_word(name):
    play = WordPlay(make_setting(name, most_steps=250, **SHORT[name]), 1)
    rng = random.Random(1)
    while (seat := play.first_seat()) is not None and not play.cut_off:
        choices = play.mask(seat).nonzero()[0]
        assert len(choices) > 1, "nobody is asked without a choice"
        play.write(seat, int(rng.choice(choices)))
    assert play.over or play.steps == 250


def test_diplomacy_is_stepped_unit_by_unit():
    play = WordPlay(make_setting("diplomacy", last_year=1901), 1)
    words = play.setting.lexicon
    for seat in play.table.seats:
        units = []
        while play.first_seat() == seat and len(units) < 4:
            question = play.table.ask(seat)
            assert isinstance(question.node, Orders)
            spelling = play.open[seat].spelling
            if spelling.rows is None:
                break
            units.append(" ".join(spelling.written[:2]))
            while play.open.get(seat) and play.open[seat].spelling is spelling:
                play.write(seat, words.numbers[spelling.words[0]])
        own = [str(u) for u in play.table.state.units[seat]]
        assert sorted(units) == sorted(own), "every unit once"
        play.write(seat, words.numbers["ready"])
    assert play.table.view(None)["phase"] != "S1901M"


def test_a_word_that_cannot_follow_is_refused():
    play = WordPlay(make_setting(sparks), 1)
    seat = play.first_seat()
    with pytest.raises(ValueError, match="cannot write"):
        play.write(seat, play.setting.lexicon.numbers["duck"])


def test_a_decision_half_written_survives_what_others_do_unseen():
    play = WordPlay(make_setting("risk_europe", 2), 1)
    asked = play.writing_seats()
    assert len(asked) > 1, "the first bids are secret"
    first, second = asked[:2]
    before = play.mask(second)
    while first in play.writing_seats():
        play.write(first, int(play.mask(first).nonzero()[0][0]))
        if play.table.log and play.table.log[-1].seat == first:
            break
    assert (play.mask(second) == before).all()


def test_answers_cover_the_question():
    """What the words can spell for a question is what the question and the rules allow."""
    table = Table(sparks, 2, source=Seeded(random.Random(1)))
    node = table.ask("red").node
    assert sorted(ask.answer_texts(node)) == sorted(str(a) for a in table.legal("red"))


# Offers of deals


def conference(seed, next_deal=1):
    """A Versailles at which the seat that is asked can offer a deal; and a proposal of its."""
    play, rng = WordPlay(make_setting("versailles", 3), seed), random.Random(seed)
    while True:
        seat = play.first_seat()
        offers = [str(a) for a in play.table.legal(seat) if str(a).startswith("propose")]
        if offers:
            play.table.state = replace(play.table.state, next_deal=next_deal)
            return play, seat, offers[0]
        play.write(seat, int(rng.choice(play.mask(seat).nonzero()[0])))


def write(play, seat, text):
    """Spell a whole action; words without alternative are there already."""
    before = len(play.table.log)
    while len(play.table.log) == before:
        written = play.open[seat].spelling.written
        word = (*words_of(text), FULL_STOP)[len(written)]
        play.write(seat, play.setting.lexicon.numbers[word])


def can_write(play, seat):
    return {play.setting.lexicon.words[n] for n in play.mask(seat).nonzero()[0]}


@pytest.mark.parametrize("number", [1, 75])
def test_an_offer_is_answered_before_the_game_goes_on(number):
    """Even if the number of the deal is above all that can be chosen: it has no alternative."""
    play, seat, offer = conference(1, number)
    write(play, seat, offer)
    asked = play.first_seat()
    assert play.writing_seats() == (asked,) != (seat,)
    assert asked not in play.table.to_act
    assert {"accept", "refuse"} <= can_write(play, asked)
    assert can_write(play, seat) == {FULL_STOP}, "who offered waits"
    play.observe(asked)
    write(play, asked, f"accept {number}")
    assert play.table.log[-1].do == f"accept {number}"
    assert play.first_seat() == seat
    assert number not in [deal.number for deal in play.table.state.deals if not deal.made]


def test_an_offer_is_put_once():
    play, seat, offer = conference(1)
    write(play, seat, offer)
    asked = play.first_seat()
    another = next(str(a) for a in play.table.legal(asked) if str(a).startswith("propose"))
    write(play, asked, another)
    write(play, play.first_seat(), "refuse 2")
    assert play.first_seat() == seat, "the first offer stays open, and is not put again"
    assert [deal.number for deal in play.table.state.deals] == [1]
