// name: record/hold
// mode: write
// params: scopes, ids
// returns: id
//
// Lock memories in the order of their ids, so that transactions around the same ones wait for each other instead of
// stopping each other.
CYPHER 25
MATCH (m:Memory) WHERE m.scope IN $scopes AND m.id IN $ids
WITH m ORDER BY m.id, m.scope
SET m.counted = true
REMOVE m.counted
RETURN m.id AS id
