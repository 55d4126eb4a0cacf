"""The position of the units, and the readings of the rulebook that a game can choose."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from powderkeg.games.diplomacy.board import Power, Unit


@dataclass(frozen=True, slots=True)
class Position:
    """The units of every power.

    `players` says which powers share a player, for the one rule about players instead of powers
    (D-CONV-11); a power that is not listed has its own player. No unit may enter a
    `closed` province (D-ALT-07).
    """

    units: Mapping[Power, tuple[Unit, ...]]
    players: Mapping[Power, str] = field(default_factory=dict)
    closed: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Rulebook:
    """Choices where the rulebook is silent or ambiguous; the defaults are our reading.

    The numbers are those of the issues in the DATC.
    """

    # 4.A.2: rules 21 and 22 first, or the Szykman rule alone for all convoy paradoxes.
    paradox: Literal["rules_21_22", "szykman"] = "rules_21_22"
    # 4.A.3: an army with a way over land goes by sea when its player convoys it, or only with VIA.
    convoy_intent: Literal["own_fleet", "via_only"] = "own_fleet"
    # 4.A.3: an army whose convoy is missing or broken takes the way over land, if there is one.
    land_fallback: bool = False
    # 4.A.5: a unit may retreat to where its attacker came from, if that came by convoy.
    retreat_to_convoy_origin: bool = True
    # 4.A.7: a unit dislodged by a convoyed army is without effect on that army's region (rule 11).
    convoyed_dislodger_silences: bool = False
    # 4.D.8: removals in civil disorder count the steps to home centres or to owned centres.
    removal_distance: Literal["home", "owned"] = "home"
    # The letter of the Spanish book, against the DATC: no retreat to where a convoyed attacker came
    # from, rule 11 for convoyed attackers too, removals by the Spanish (or Italian) alphabet.
    to_the_letter: Literal["no", "es", "it"] = "no"

    @property
    def bars_convoy_origin(self) -> bool:
        """Whether a unit may not retreat to where its convoyed attacker came from (D-RET-04)."""
        return self.to_the_letter != "no" or not self.retreat_to_convoy_origin

    @property
    def silences_convoyed(self) -> bool:
        """Whether rule 11 holds for attackers that come by convoy (D-STAND-06)."""
        return self.to_the_letter != "no" or self.convoyed_dislodger_silences

    @property
    def removal_alphabet(self) -> str:
        """The language whose alphabet decides removals (D-CD-05)."""
        return "en" if self.to_the_letter == "no" else self.to_the_letter


STANDARD = Rulebook()
