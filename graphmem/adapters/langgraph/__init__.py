"""LangGraph: nodes that recall before the model acts and say how it ended, and a store of keyed values.

Needs ``pip install 'graphmem[langgraph]'``; importing this without it raises ConfigurationError.
"""

from graphmem.adapters.langgraph.node import Budgeted, Memories, feedback_node, recall_node
from graphmem.adapters.langgraph.store import GraphmemStore

__all__ = ["Budgeted", "GraphmemStore", "Memories", "feedback_node", "recall_node"]
