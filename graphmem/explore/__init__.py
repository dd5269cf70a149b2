"""Neo4j Browser: saved statements, a style, and an address at which it opens connected."""

from graphmem.explore.address import address
from graphmem.explore.colour import colour
from graphmem.explore.gate import Gate
from graphmem.explore.saved import FOLDER, Saved, called, command, rules, statements, style
from graphmem.explore.write import write

__all__ = ["FOLDER", "Gate", "Saved", "address", "called", "colour", "command", "rules", "statements", "style", "write"]
