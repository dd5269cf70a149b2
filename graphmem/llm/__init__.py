"""Prompts become completions: what a language model is, and one behind the OpenAI protocol."""

from graphmem.llm.ask import ask
from graphmem.llm.factory import make_llm
from graphmem.llm.protocol import Completion, Llm, Prompt, check_llm

__all__ = ["Completion", "Llm", "Prompt", "ask", "check_llm", "make_llm"]
