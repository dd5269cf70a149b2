"""Ports that are free, taken, or kept for another instance."""

from __future__ import annotations

import socket
from collections.abc import Iterator

import pytest

from graphmem.server.ports import Ports, answers, choose, is_free


@pytest.fixture
def taken() -> Iterator[int]:
    """A port that somebody listens on."""
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        listener.listen()
        yield listener.getsockname()[1]


@pytest.fixture
def unused() -> int:
    """A port that was free a moment ago."""
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return int(listener.getsockname()[1])


def test_a_free_port_is_had_as_wanted(unused: int) -> None:
    assert choose(Ports(unused, 0)).bolt == unused


def test_a_taken_port_is_replaced(taken: int, unused: int) -> None:
    chosen = choose(Ports(taken, unused))
    assert chosen.bolt != taken
    assert is_free(chosen.bolt)
    assert chosen.http == unused
    assert not Ports(taken, unused).free()
    assert answers(taken)


def test_a_port_taken_on_all_addresses_is_taken() -> None:
    with socket.socket() as listener:
        listener.bind(("0.0.0.0", 0))
        listener.listen()
        assert not is_free(listener.getsockname()[1])


def test_a_port_bound_by_somebody_who_does_not_listen_yet_is_taken() -> None:
    with socket.socket() as bound:
        bound.bind(("127.0.0.1", 0))
        assert not is_free(bound.getsockname()[1])


def test_a_port_of_another_instance_is_left_to_it(unused: int) -> None:
    assert choose(Ports(unused, unused), {unused}) != Ports(unused, unused)


def test_both_ports_differ_even_when_the_same_is_wanted(unused: int) -> None:
    chosen = choose(Ports(unused, unused))
    assert chosen.bolt == unused
    assert chosen.http != unused


def test_a_port_that_was_closed_a_moment_ago_can_be_had_again() -> None:
    with socket.socket() as listener:
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)  # as Java does
        listener.bind(("127.0.0.1", 0))
        listener.listen()
        port = int(listener.getsockname()[1])
        with socket.create_connection(("127.0.0.1", port)) as client:
            served, _ = listener.accept()
            served.close()  # the side that closes first keeps the port for a while
            assert client.recv(1) == b""
    assert is_free(port)
