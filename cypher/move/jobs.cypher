// name: move/jobs
// mode: read
// params: scope, kinds, after, most
// returns: node
//
// The next jobs of a scope that have ended, in the order of their ids.
CYPHER 25
MATCH (j:Job)
USING INDEX j:Job(scope, id)
WHERE j.scope = $scope AND j.id > $after AND j.kind IN $kinds AND j.state IN ['done', 'failed', 'killed', 'skipped']
WITH j ORDER BY j.id LIMIT $most
RETURN j {.*} AS node
ORDER BY node.id
