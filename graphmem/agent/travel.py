"""Going to places, taking things along, and looking for what is not in sight."""

from __future__ import annotations

from collections.abc import Iterator

from graphmem.agent.body import Body

_KNOWN, _UNKNOWN = 3, 8  # places looked into where such a thing was seen, and where it may be


def go(body: Body, place: str) -> bool:
    """Take the known way to a place; True when there."""
    for _ in range(3):
        if body.view.place == place:
            return True
        way = body.atlas.route(body.view.place, place)
        if way is None:
            return False
        for action in way:
            before = body.view.place
            if body.act(action, f"on the way to: {place}") is None or body.view.place == before:
                break
    return body.view.place == place


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
    body.missed.add(phrase)
    return False


def take(body: Body, thing: str) -> None:
    """Take a thing along, if there is a known way to."""
    action = body.atlas.take(thing)
    if action:
        body.act(action, "to have it at hand elsewhere")


def _hopes(body: Body, phrase: frozenset[str], wanted: bool) -> Iterator[tuple[str, str]]:
    known = body.atlas.where(phrase)
    yield from ((sighting.place, sighting.reveal) for sighting in known[:_KNOWN])
    if wanted and not phrase & body.vital <= body.met:
        unseen = [place for place in body.atlas.places() if place not in body.visited]
        unseen.sort(key=lambda place: (len(body.atlas.route(body.view.place, place) or [0] * 99), place))
        for place in unseen[:_UNKNOWN]:
            yield place, ""
            yield from ((place, reveal) for reveal in body.atlas.reveals(place)[:3])
