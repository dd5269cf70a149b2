// name: erase/of_id
// mode: read
// params: scope, id
// returns: scope, id
//
// The memory of this id in a scope, expired or not.
CYPHER 25
MATCH (m:Memory {scope: $scope, id: $id})
RETURN m.scope AS scope, m.id AS id
