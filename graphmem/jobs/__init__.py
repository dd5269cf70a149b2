"""Long work that a scheduler runs: one job a module, each leaving one Job node that says what it did."""

from graphmem.jobs.centrality import centrality
from graphmem.jobs.models import CentralityJob, JobState
from graphmem.jobs.owners import owners
from graphmem.steps import Progress

__all__ = ["CentralityJob", "JobState", "Progress", "centrality", "owners"]
