// name: jobs/begin
// mode: write
// params: scope, id, properties
// returns: state
//
// Write down that a job begins; said again, it is the same job.
CYPHER 25
MERGE (j:Job {scope: $scope, id: $id})
ON CREATE SET j += $properties
RETURN j.state AS state
