// name: keyed/namespaces
// mode: read
// params: scope, now
// returns: namespace
//
// The namespaces of a scope in which there are keyed values, reviewed or not, as their texts.
CYPHER 25
MATCH (m:Memory)
WHERE m.scope = $scope AND m.id STARTS WITH 'keyed-' AND m.source_ref STARTS WITH 'keyed:' AND m.expires_at > $now
RETURN DISTINCT m.source_ref AS namespace
