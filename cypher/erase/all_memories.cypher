// name: erase/all_memories
// mode: write
// params: scopes, most
// returns: what, erased
//
// Erase memories of these scopes with all their links, at most so many.
CYPHER 25
MATCH (m:Memory) WHERE m.scope IN $scopes AND m.id IS NOT NULL
WITH m LIMIT $most
WITH collect(m) AS memories, CASE m.kind WHEN 'skill' THEN 'skills' WHEN 'reflection' THEN 'reflections' ELSE 'episodes' END AS what
FOREACH (m IN memories | DETACH DELETE m)
RETURN what, size(memories) AS erased
