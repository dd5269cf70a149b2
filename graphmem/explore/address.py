"""The address of Neo4j Browser, with as much in it as Browser takes from one."""

from __future__ import annotations

from urllib.parse import quote, urlencode, urlsplit

from graphmem.errors import ConfigurationError
from graphmem.explore.saved import command
from graphmem.scope import Scope
from graphmem.settings import Connection


def address(at: Connection, scope: Scope) -> str:
    """Where the server's own Browser opens with server, account, database and parameters filled in.

    Browser takes no password from an address, and none belongs there: it would stay in the history. The parameters
    are in its editor, to be run once. Raises ConfigurationError where no address of a Browser is known.
    """
    if at.browser is None:
        raise ConfigurationError(
            f"nobody said where a Browser for {at.uri} is: 'graphmem explore' without --print brings its own, or open "
            "the one of that server by hand"
        )
    verb, _, value = command(scope)[1:].partition(" ")
    given = {**_server(at), "cmd": verb, "arg": value}
    return f"{at.browser.partition('?')[0]}?{urlencode(given, quote_via=quote)}"


def query(at: Connection) -> str:
    """What Browser must be told although it knows the account: the database, or that there is no password."""
    given = _server(at) if at.database or at.password is None else {}
    return f"?{urlencode(given, quote_via=quote)}" if given else ""


def _server(at: Connection) -> dict[str, str]:
    parts = urlsplit(at.uri)
    given = {"dbms": f"{parts.scheme}://{quote(at.user, safe='')}@{parts.netloc.rpartition('@')[2]}"}
    if at.database:
        given["db"] = at.database
    if at.password is None:
        given["preselectAuthMethod"] = "NO_AUTH"
    return given
