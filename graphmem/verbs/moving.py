"""Verbs by which memories move: into a file, out of one, from one agent to another."""

from __future__ import annotations

from os import PathLike
from typing import IO

from graphmem import move
from graphmem.move import Ask, Exported, Heir, Loaded, Order
from graphmem.steps import Progress, Stage
from graphmem.verbs.base import Base


class Moving(Base):
    """export, load."""

    def export(
        self,
        path: str | PathLike[str] | IO[bytes],
        *,
        format: str = "graphmem",  # noqa: A002 - the public name
        everything: bool = False,
        include_secure: bool = False,
        progress: Progress = lambda doing, done, whole: None,
    ) -> Stage[Exported]:
        """Write all that the client's own scope keeps to a file, which appears whole or not at all, or to a stream.

        A user's client exports that user's own, a tenant's what the tenant shares, with `everything` also what all its
        users keep. Secure memories, and what links to them, leave with `include_secure` alone; what has expired does
        not. `format` is "graphmem", or "flex" for the episodes as a library in FLEX's layout. Equal content makes equal
        files. Raises InvalidInput when the file cannot be written. The file is written by whoever drives this stage: an
        event loop that must not wait lets `Memory.export` run in a thread.
        """
        ask = Ask(format=format, everything=everything, include_secure=include_secure)
        yield from self._prepared()
        return (yield from move.export(path, ask, self.scope, self.clock(), progress))

    def load(
        self,
        path: str | PathLike[str] | IO[bytes],
        *,
        format: str | None = None,  # noqa: A002
        everything: bool = False,
        share: bool = False,
        inherit: bool = False,
        lenient: bool = False,
        progress: Progress = lambda doing, done, whole: None,
    ) -> Stage[Loaded]:
        """Import a file that `export` wrote, a library in FLEX's layout, or memories as `record` takes them.

        All of it is looked at before anything is written: with any fault nothing is, unless `lenient`, which leaves out
        bad lines and what refers to them. Stopped anywhere and run again, it goes on. What is there already is skipped;
        an id that is taken by other content is a conflict, and nothing is overwritten. A file of another tenant or user
        is refused; `inherit` takes its memories and the links between them, but no rules, into the client's own scope,
        and notes from whom. `everything` is for files of a tenant with its users, `share` puts what has no owner, or is
        inherited, into what the tenant shares. The layout is recognised unless `format` says it. Raises InvalidInput,
        ScopeError or Conflict, with nothing written; Conflict also when others take an id of the file meanwhile: what
        came before stays, and the same file goes on later. The file is read by whoever drives this stage, as in
        `export`.
        """
        order = Order(format=format, everything=everything, share=share, inherit=inherit, lenient=lenient)
        yield from self._prepared()
        heir = Heir(
            scope=self.scope,
            redactor=self.redactor,
            embedding_model=self._model,
            support=self.settings.consolidation.support_min,
            clock=self.clock,
            progress=progress,
        )
        return (yield from move.load(path, order, heir))
