"""The demonstration: an agent without any language model does better in ScienceWorld because it remembers."""
