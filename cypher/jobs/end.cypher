// name: jobs/end
// mode: write
// params: scope, id, properties
// returns: state
//
// Write down how a job ended. What a job said of itself stands; that it was killed is what others found.
CYPHER 25
MATCH (j:Job {scope: $scope, id: $id}) WHERE j.state IN ['running', 'killed']
SET j += $properties
RETURN j.state AS state
