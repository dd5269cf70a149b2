// name: jobs/running
// mode: read
// params: scope, kind
// returns: id
//
// The jobs of a kind that did not say yet how they ended.
CYPHER 25
MATCH (j:Job) WHERE j.scope = $scope AND j.id IS NOT NULL AND j.kind = $kind AND j.state = 'running'
RETURN j.id AS id
