// name: govern/outcome
// mode: write
// params: scopes, scope, id, was, properties
// returns: id
//
// Say how an episode ended that nobody knew the end of, if it still is the one that was read; the statement before this
// one holds the memory, the one after it judges it. It then waits to be reflected. What it was before is noted, so that
// whoever records that once more is told that nothing changes.
CYPHER 25
MATCH (m:Memory {scope: $scope, id: $id})
WHERE m.scope IN $scopes AND m.outcome = 'unknown' AND m.content_hash = $was
SET m.open_hash = m.content_hash
SET m += $properties, m.awaits = 'reflection', m.tries = 0
RETURN m.id AS id
