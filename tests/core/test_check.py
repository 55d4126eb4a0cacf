"""The proof kit passes a sound game and catches every fault that is planted in it."""

import random
from dataclasses import replace
from types import ModuleType, SimpleNamespace
from typing import Any

import pytest
import sparks

from powderkeg.core.ask import Amount, Assign, One, Option, Orders, Question, Row, Share, Some
from powderkeg.core.chance import CHANCE, Seeded
from powderkeg.core.check import (
    Broken,
    _first_difference,
    _GameTrial,
    _node_messages,
    check_game,
    perft,
    write_transcript,
)
from powderkeg.core.errors import Illegal
from powderkeg.core.game import Fact, Game, Listed, Marks, Step
from powderkeg.core.reports.score_pad import ScoreLine
from powderkeg.core.table import Table
from powderkeg.core.words import Msg

GAME: Game = sparks


def with_fault(**faults: Any) -> Any:
    """Sparks, but with some of its functions replaced by faulty ones."""
    names = [name for name in dir(sparks) if not name.startswith("_")]
    sound = {name: getattr(sparks, name) for name in names}
    return SimpleNamespace(
        **{k: v for k, v in sound.items() if not isinstance(v, ModuleType)} | faults
    )


def caught(game: Any, **how: Any) -> str:
    with pytest.raises(Broken) as broken:
        check_game(game, 2, games=60, share=1.0, **how)
    return broken.value.law


@pytest.mark.slow
def test_a_sound_game_passes():
    report = check_game(GAME, 2, games=60, share=1.0)
    assert report.finished == report.games == 60
    assert report.decisions > 400


def test_the_log_comes_with_the_failure():
    with pytest.raises(Broken, match="entries") as broken:
        check_game(with_fault(broken=lambda s: ["lost"] if s.rounds else []), 2)
    assert broken.value.log[0].seat == CHANCE
    assert "lost" in broken.value.detail


def test_a_score_pad_without_words():
    pad = (ScoreLine(Msg("sparks.unheard_of"), {"red": 1}),)
    assert "said in every language" in caught(with_fault(score=lambda view: pad))


def test_a_leak_in_the_view():
    def view(state, seat):
        return {**sparks.view(state, seat), "peek": state.pile[:1]}

    assert caught(with_fault(view=view)) == "a view is JSON"  # a tuple is not

    def leaks(state, seat):
        return {**sparks.view(state, seat), "peek": list(state.pile[:1])}

    assert caught(with_fault(view=leaks)) == "deal fits the view"


def test_a_leak_of_a_secret_choice():
    def view(state, seat):
        return {**sparks.view(state, seat), "chosen": dict(state.chosen or {})}

    assert caught(with_fault(view=view)) == "a view shows only what a fact has said"


def test_a_fact_that_tells_a_secret():
    def apply(state, seat, action):
        step = sparks.apply(state, seat, action)
        card = (state.pile or ("none",))[0]
        fact = Fact(Msg("sparks.you_drew", card=card)) if isinstance(action, sparks.Card) else None
        return step._replace(facts=(*step.facts, *([fact] if fact else [])))

    assert caught(with_fault(apply=apply)) == "a secret comes out only behind a barrier"


def test_a_draw_without_a_barrier():
    def apply(state, seat, action):
        return sparks.apply(state, seat, action)._replace(barrier=False)

    assert caught(with_fault(apply=apply)) == "a secret comes out only behind a barrier"


def test_marks_that_tell_a_secret():
    def marks(state):
        return Marks(stage=",".join(state.pile))

    assert caught(with_fault(marks=marks)) == "marks are no secret"


def test_a_phase_without_words():
    faulty = with_fault(marks=lambda state: Marks(phase="dusk"))
    assert caught(faulty) == "everything can be said in every language"


def test_a_mutation():
    def apply(state, seat, action):
        state.score["red"] += 1
        return sparks.apply(state, seat, action)

    assert caught(with_fault(apply=apply)) == "apply never changes its input"


def test_a_reroll_by_undo():
    class Reroll(Table):
        def _play_chance(self, outcome, at):
            back = list(self._back)
            super()._play_chance(outcome, at)
            self._back = back

    def apply(state, seat, action):
        step = sparks.apply(state, seat, action)
        return step._replace(barrier=False) if isinstance(action, sparks.Card) else step

    with pytest.raises(Broken) as broken:
        check_game(with_fault(apply=apply), 2, games=60, share=0.0, table=Reroll)
    assert broken.value.law == "undo never crosses chance"


def test_an_undo_that_does_not_restore():
    class Forgets(Table):
        def undo(self, seat, at=None):
            entry = super().undo(seat, at)
            self.state = replace(self.state, rounds=self.state.rounds + 1)
            return entry

    assert caught(GAME, table=Forgets) == "undo restores"


def test_an_undo_of_what_others_did():
    class Anyone(Table):
        def _last_own(self, seat):
            return len(self._back) - 1 if self._back else None

    assert caught(GAME, table=Anyone) == "nobody undoes what others did"


def test_an_action_that_does_something_else_the_second_time():
    class Fickle(Table):
        def act(self, seat, action, at=None):
            again = self.log[-1].do == "undo"
            entries = super().act(seat, action, at)
            self.state = replace(self.state, rounds=self.state.rounds - again)
            return entries

    assert caught(GAME, table=Fickle) == "the same action does the same again"


def test_nothing_to_do():
    def legal(state, seat):
        stuck = state.agenda[-1:] == (sparks.MayDraw(seat),)
        return Listed() if stuck else sparks.legal(state, seat)

    with pytest.raises(Broken) as broken:
        check_game(with_fault(legal=legal), 2, games=5, share=0.0)
    assert broken.value.law == "every seat that must act has an action"


def test_no_question():
    assert caught(with_fault(ask=lambda s, seat: None)) == "every seat that must act is asked"


def test_a_question_that_leaves_something_out():
    def ask(state, seat):
        question = sparks.ask(state, seat)
        return question and replace(
            question, node=replace(question.node, options=question.node.options[:1])
        )

    assert caught(with_fault(ask=ask)) == "the question covers what is legal"


@pytest.mark.parametrize("more", [0, 50])
def test_orders_that_are_offered_and_refused(more):
    """A game that asks piece by piece offers only what is legal."""

    def ask(state, seat):
        if (question := sparks.ask(state, seat)) is None:
            return None
        wrong = replace(question.node.options[0], text="duck")
        node = replace(question.node, options=(*question.node.options, *[wrong] * more))
        return Question(question.prompt, Orders((Row("", question.prompt, node),), ()))

    if more:
        assert caught(with_fault(ask=ask)) == "orders that are offered are legal"
    else:
        assert check_game(with_fault(ask=ask), 2, games=3, share=1.0).finished == 3


def test_a_question_that_writes_nonsense():
    def ask(state, seat):
        question = sparks.ask(state, seat)
        more = replace(question.node.options[0], text="nonsense")
        return question and Question(
            question.prompt, replace(question.node, options=(*question.node.options, more))
        )

    assert caught(with_fault(ask=ask)) == "what the question writes can be read"


def test_a_notation_that_does_not_come_back():
    assert (
        caught(with_fault(parse=lambda text: sparks.Say("duck"))) == "parse is the inverse of str"
    )


def test_an_illegal_default():
    assert caught(with_fault(default=lambda s, seat: sparks.Say("duck"))) == "the default is legal"


def test_an_action_that_should_be_refused():
    def apply(state, seat, action):
        try:
            return sparks.apply(state, seat, action)
        except Illegal:
            return Step(state)

    assert caught(with_fault(apply=apply)) == "what is not legal is refused"


def test_a_state_that_json_cannot_hold():
    game = with_fault(State=SimpleNamespace)
    with pytest.raises(TypeError, match="cannot be stored"):
        check_game(game, 2)


def test_a_dealt_world_that_is_broken():
    def deal(view, rng):
        return replace(sparks.deal(view, rng), pile=("c1",) * 3)

    assert caught(with_fault(deal=deal)) == "a dealt world is sound"


def test_words_that_are_missing():
    def apply(state, seat, action):
        step = sparks.apply(state, seat, action)
        return step._replace(
            facts=(*step.facts, Fact(Msg("sparks.unheard_of", what=[Msg("sparks.card")])))
        )

    assert caught(with_fault(apply=apply)) == "everything can be said in every language"


def test_a_game_without_end():
    game = with_fault(
        apply=lambda s, seat, a: sparks.apply(s, seat, a) if seat == CHANCE else Step(s)
    )
    how: dict[str, Any] = {"cap": 200, "share": 0.0, "games": 1}
    with pytest.raises(Broken, match="were not enough"):
        check_game(game, 2, **how)
    assert check_game(game, 2, endless=True, **how).finished == 0


def test_a_replay_that_differs():
    starts = iter(range(10**6))

    def start(seats, options):
        return replace(sparks.start(seats, options), score={"red": next(starts), "blue": 0})

    with pytest.raises(Broken, match="replay gives the same state"):
        check_game(with_fault(start=start), 2, games=20, share=0.0)


def test_a_replay_that_is_refused():
    starts = iter(range(10**6))

    def start(seats, options):
        return replace(
            sparks.start(seats, options), options=sparks.Options(sparks=next(starts) % 2 == 0)
        )

    with pytest.raises(Broken, match="what was played can be replayed"):
        check_game(with_fault(start=start), 2, games=60, share=0.0)


def test_perft_counts_the_tree():
    table = Table(GAME, 2)
    counts = [perft(GAME, table.state, depth) for depth in range(6)]
    # Three cards each. With the first outcome of every roll there is no spark, so the loser (red
    # holds the low cards) has two answers; then blue chooses of two, red of two or three.
    assert counts == [1, 3, 9, 18, 18 * 2, 9 * 2 * (2 + 3)]


def test_a_transcript_is_the_same_every_time(recorded):
    text = write_transcript(GAME, 2, seed=7)
    assert text == write_transcript(GAME, 2, seed=7) != write_transcript(GAME, 2, seed=8)
    recorded("sparks-2.txt", text)


def test_a_transcript_follows_a_given_choice():
    text = write_transcript(
        GAME, 2, seed=7, choose=lambda t, seat, rng: t.game.default(t.state, seat)
    )
    assert "passes" in text
    assert "draws a card" not in text
    assert "over a million" not in text
    assert write_transcript(GAME, 2, seed=7, cap=3).count("\n") < text.count("\n")


def test_a_table_seeded_alike_plays_alike():
    import random

    one, two = (Table(GAME, 2, source=Seeded(random.Random(5))) for _ in range(2))
    assert one.log == two.log


def test_every_message_of_a_question_is_looked_at():
    def msg(n):
        return Msg(f"a.{n}")

    node = Orders(
        (
            Row("par", msg(1), One((Option("x", msg(2), then=Amount(0, 1, msg(3))),), msg(4))),
            Row("mar", msg(5), Some((Option("y", msg(6)),), 0, 1, then=Amount(1, 2, msg(7)))),
            Row("bre", msg(8), Assign((Share("z", msg(9), 1),), 0, 1, then=None)),
        ),
        (Option("ready", msg(10)),),
    )
    assert {m.code for m in _node_messages(node)} == {f"a.{n}" for n in range(1, 11)}


def test_differences_are_listed_by_place():
    assert _first_difference({"a": [1, {"b": 2}]}, {"a": [1, {"b": 3}]}) == "/a/1/b: 2 or 3"
    assert _first_difference([1], [1, 2]) == "/: [1] or [1, 2]"
    assert _first_difference({}, {}) == "/: {} or {}"
    assert _first_difference([], []) == "/: [] or []"


def test_what_others_built_on_need_not_be_undone():
    def apply(state, seat, action):
        if seat == "blue" and "red" not in state.chosen:
            raise Illegal("sparks.not_yours")
        return sparks.apply(state, seat, action)._replace(barrier=False)

    table = Table(with_fault(apply=apply), 2, source=Seeded(random.Random(1)))
    table.source = None
    for seat in ("red", "blue"):
        table.act(seat, next(iter(table.legal(seat))))
    before = list(table.log)
    _GameTrial(GAME, table, random.Random(0), 0.0).undo_keeps_others("red", "blue")
    assert (table.log, table.can_undo("red")) == (before, True)
