// name: measure/stock
// mode: read
// params: scope, now
// returns: kind, status, memories
//
// How many memories a scope keeps, by kind and status.
CYPHER 25
MATCH (m:Memory {scope: $scope})
WHERE m.kind IN ['episode', 'reflection', 'skill'] AND m.status IS NOT NULL AND m.expires_at > $now
RETURN m.kind AS kind, m.status AS status, count(*) AS memories
ORDER BY kind, status
