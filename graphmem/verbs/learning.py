"""Verbs by which what was lived becomes lessons and skills."""

from __future__ import annotations

from graphmem import learn as learning
from graphmem.errors import InvalidInput
from graphmem.learn import Consolidation, ModelReflector, Reflector, RuleReflector, Work
from graphmem.scope import new_id
from graphmem.steps import Progress, Stage
from graphmem.verbs.base import Base


class Learning(Base):
    """consolidate."""

    def consolidate(
        self,
        *,
        reflector: Reflector | None = None,
        dry_run: bool = False,
        progress: Progress = lambda doing, done, whole: None,
    ) -> Stage[Consolidation]:
        """Turn episodes of the client's own scope that wait into reflections and skills, and promote what is proven.

        It works until nothing is left that this run may have. Any number of runs may share a scope, and be killed at
        any moment: each episode is reflected once. `reflector` is the model of the settings, else rules; with `dry_run`
        nothing is written, no model is asked, and the answer says what rules would make of it. `progress` is told what
        is being done, and how much of how much is done (0: nobody knows).
        """
        if reflector is not None and not all(hasattr(reflector, part) for part in ("name", "reflect", "distil")):
            raise InvalidInput(f"{type(reflector).__name__} is no reflector: give it name, reflect and distil")
        if not isinstance(dry_run, bool) or not callable(progress):
            raise InvalidInput("dry_run is true or false, and progress a function of three arguments")
        yield from self._prepared()
        rules = RuleReflector()
        work = Work(
            scope=self.scope,
            reflector=reflector or (ModelReflector(self.llm, self.settings.llm.data_tokens) if self.llm else rules),
            rules=rules,
            settings=self.settings.consolidation,
            clock=self.clock,
            embedding_model=self._model,
            worker=new_id(),
            progress=progress,
            redactor=self.redactor,
            price=lambda usage: self.settings.llm.cost(usage.prompt_tokens, usage.completion_tokens),
        )
        return (yield from learning.consolidate(work, dry_run))
