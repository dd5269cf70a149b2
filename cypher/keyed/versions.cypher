// name: keyed/versions
// mode: read
// params: scope, slot
// returns: id
//
// The ids of all versions of a keyed value, oldest first.
CYPHER 25
MATCH (m:Memory) WHERE m.scope = $scope AND m.id STARTS WITH $slot
RETURN m.id AS id ORDER BY id
