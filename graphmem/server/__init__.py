"""The private Neo4j: locked artifacts, their download, start, stop and check.

Nothing is imported here, so that a client that only needs the lock (for the embedding model) stays light.
"""
