// name: learn/beat
// mode: write
// params: scope, id, until, properties
// returns: id
//
// Say that a run of consolidation is alive, and what it did so far.
CYPHER 25
MATCH (j:Job {scope: $scope, id: $id}) WHERE j.state IN ['running', 'killed']
SET j += $properties, j.until = $until, j.state = 'running'
REMOVE j.ended_at
RETURN j.id AS id
