"""Results that are kept by identity."""

from powderkeg.core.identity_cache import KEPT_STATES, once_per_state
from powderkeg.games import diplomacy


def test_a_state_is_worked_out_once_and_equal_states_are_not_mixed_up():
    seen: list[list[int]] = []

    def add_up(state: list[int]) -> int:
        seen.append(state)
        return sum(state)

    total = once_per_state(add_up)
    one, same = [1, 2], [1, 2]
    assert [total(one), total(same), total(one), total(same)] == [3, 3, 3, 3]
    assert len(seen) == 2
    others = [[n] for n in range(KEPT_STATES)]
    assert [total(other) for other in others] == list(range(KEPT_STATES))
    assert total(one) == 3
    assert len(seen) == 3 + KEPT_STATES


def test_a_function_keeps_its_name_and_docstring():
    assert diplomacy.to_act.__name__ == "to_act"
    assert diplomacy.to_act.__doc__
