// name: jobs/skipped
// mode: write
// params: scope, kind, id
// returns: deleted
//
// Of the runs of a kind that were skipped, keep the latest alone.
CYPHER 25
MATCH (j:Job)
WHERE j.scope = $scope AND j.id IS NOT NULL AND j.kind = $kind AND j.id <> $id AND j.state = 'skipped'
DELETE j
RETURN count(*) AS deleted
