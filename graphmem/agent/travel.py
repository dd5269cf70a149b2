"""Going to places, taking things along, and looking for what is not in sight."""

from __future__ import annotations

from collections.abc import Iterator

from graphmem.agent.atlas import start_of
from graphmem.agent.body import Body
from graphmem.agent.ground import closest
from graphmem.agent.words import content, phrases

_LEGS = 8  # ways tried to get to one place
_KNOWN, _UNKNOWN = 3, 8  # places looked into where such a thing was seen, and where it may be


def go(body: Body, place: str) -> bool:
    """Go to a place by the known way, or look for a way where none is known; True when there."""
    for _ in range(_LEGS):
        if body.over or body.view.place == place:
            break
        way = body.atlas.route(body.view.place, place)
        if way is None and not wander(body, place):
            break
        for action in way or ():
            before = body.view.place
            if body.act(action, f"on the way to: {place}") is None or body.view.place == before:
                break
    return body.view.place == place


def wander(body: Body, place: str = "") -> bool:
    """Go where no way is known: to what sounds like the place, else to where it was not yet; False if nothing is left.

    Only what begins like an action that led from place to place before is tried, each once at a place.
    """
    here, starts = body.view.place, body.atlas.walks()
    sought = content(place) - content(here)
    best: tuple[int, bool, int, str] | None = None
    for action in body.valid_actions():
        if not phrases(action) or start_of(action) not in starts or (here, action) in body.walked:
            continue
        name = content(phrases(action)[-1])
        met = any(name <= content(visited) for visited in body.visited)
        candidate = (-len(name & sought), met, len(action), action)
        if best is None or candidate < best:
            best = candidate
    if best is None:
        return False
    body.walked.add((here, best[-1]))
    body.act(best[-1], f"looking for a way to: {place}" if place else "looking around for it")
    return True


def find(body: Body, phrase: frozenset[str], wanted: bool) -> bool:
    """Look for a thing where such a thing was seen before; True when in sight.

    A thing that is `wanted` for the task and was not met in this run is also looked for in places not visited yet. What
    was looked for in vain is not looked for again.
    """
    if phrase in body.missed:
        return False
    for place, reveal in _hopes(body, phrase, wanted):
        if body.over:
            break
        if not go(body, place):
            continue
        if not body.sees(phrase) and reveal:
            body.act(reveal, "where such a thing was seen")
        if body.sees(phrase):
            return True
    for _ in range(_UNKNOWN if wanted and not phrase & body.vital <= body.met else 0):
        if body.over or not wander(body):
            break
        if body.sees(phrase):
            return True
    body.missed.add(phrase)
    return False


def take(body: Body, thing: str) -> None:
    """Take a thing along, if there is a known way to."""
    action = body.atlas.take(thing)
    if action and body.act(action, "to have it at hand elsewhere") is None:
        chosen = closest(body, action, frozenset())
        if chosen:
            body.act(chosen, "to have it at hand elsewhere")
    if options := body.choices():
        body.act(options[0], "any of them")


def _hopes(body: Body, phrase: frozenset[str], wanted: bool) -> Iterator[tuple[str, str]]:
    spotted = body.spotted(phrase)
    if spotted:
        yield spotted, ""
    known = body.atlas.where(phrase)
    yield from ((sighting.place, sighting.reveal) for sighting in known[:_KNOWN])
    if wanted and not phrase & body.vital <= body.met:
        unseen = [place for place in body.atlas.places() if place not in body.visited]
        unseen.sort(key=lambda place: (len(body.atlas.route(body.view.place, place) or [0] * 99), place))
        for place in unseen[:_UNKNOWN]:
            yield place, ""
            yield from ((place, reveal) for reveal in body.atlas.reveals(place)[:3])
