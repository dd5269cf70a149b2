// name: govern/reviewable_settle
// mode: write
// params: scopes, scope, id, verdict, by, now
// returns: id
//
// Settle the open contradictions of a memory on which a person has given this verdict; the statements before this one
// gave it, and hold the memory.
CYPHER 25
MATCH (m:Memory {scope: $scope, id: $id}) WHERE m.review = $verdict
MATCH (m)-[e:RELATES {kind: 'contradicts'}]-(o:Memory)
WHERE e.scope IN $scopes AND e.resolved_at IS NULL
SET e.resolved_at = $now, e.resolved_by = $by
RETURN DISTINCT o.id AS id
