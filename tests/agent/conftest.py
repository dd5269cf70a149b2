"""A way to the server that can be cut, as the tests of the outbox have it."""

from tests.outbox.conftest import here, relay

__all__ = ["here", "relay"]
