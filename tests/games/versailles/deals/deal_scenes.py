"""Scenes of negotiation: positions in which deals are made, and making them."""

from powderkeg.games.versailles.events import operations
from powderkeg.games.versailles.state import StateBuilder
from powderkeg.games.versailles.steps import Do
from tests.games.versailles.scene import lay, midway, opening, unsettled


def table(**laid):
    """The UK is to act; France leads Armenia; the USA has a cube on the event (Orlando)."""
    play = lay(
        opening(3),
        cubes={"armenia": {"france": 3, "uk": 1}, "rheinland": {"uk": 2}, "ethiopia": {"usa": 1}},
        used={"uk": 4, "france": 5, "usa": 6},
        pile=("korea", "syria", "cilicia"),
        units={
            "uk": ("europe 7", "available", "exhausted"),
            "france": ("europe 5", "available", "available"),
        },
        event="smuts",
    )
    b = StateBuilder(play.state)
    b.event_cube = 2
    b.available[2] -= 1
    play.state = b.freeze()
    return lay(play, **laid)


BID_SYRIA = unsettled("syria", 2)


def deal(play, *terms, by="uk", to="france"):
    """Offer a deal and have it accepted by all."""
    number = play.state.next_deal
    play(f"{by} propose {to} {','.join(terms)}")
    return play(*(f"{other} accept {number}" for other in to.split("+")))


def settle_on(play, *more):
    """The UK settles Armenia and goes on."""
    return play("uk settle armenia", *more)


UP_TO_EVENT = ("uk settle armenia", "france option to_turkey")
UP_TO_CARDS = (*UP_TO_EVENT, "usa choose uk", "uk choose 1")
UP_TO_SOURCE = (*UP_TO_CARDS, "uk advance ethiopia", "uk advance hoover", "uk cube no")
CHECK_EUROPE = Do((operations.Check("europe"),), 0, 0, "crisis")


def optional_event():
    return table(event="hoover")


def naval_issue():
    play = lay(opening(3), table=("smyrna", "rheinland"))
    return lay(play, cubes={"smyrna": {"france": 1}})


def restless():
    return table(unrest={"europe": 4})


def bidding():
    return midway(lay(opening(3), held={"syria": "uk"}), BID_SYRIA)


def clearing():
    """The event returns the cubes of an issue in the waiting room (House)."""
    return table(event="house", cubes={"constantinople": {"usa": 1}})


def two_players():
    """The UK is to act; the USA, which both play, leads Armenia and can settle the Rhineland."""
    return lay(
        opening(2),
        cubes={"armenia": {"usa": 3}, "rheinland": {"france": 2}},
        used={"uk": 4, "france": 5},
    )


def syria():
    """The rulebook's example: the USA is to act and leads Syria; nobody has exhausted cubes."""
    play = lay(opening(3, first=3), table=("syria", "armenia"), cubes={"syria": {"usa": 4}})
    return lay(play, event="hoover")
