// name: jobs/last
// mode: read
// params: scope, kind, id
// returns: state, digest, apart
//
// The job of a kind that ended last, beside the one that asks, and whether it began after every other one had ended: only
// then all that it wrote stands. One that has not ended is the last; skipped ones wrote nothing.
CYPHER 25
MATCH (j:Job)
WHERE j.scope = $scope AND j.id IS NOT NULL AND j.kind = $kind AND j.id <> $id AND j.state <> 'skipped'
WITH j ORDER BY j.ended_at IS NULL DESC, j.ended_at DESC, j.id LIMIT 2
WITH collect(j) AS jobs
UNWIND jobs[..1] AS last
RETURN last.state AS state, last.digest AS digest, coalesce(jobs[1].ended_at < last.started_at, size(jobs) = 1) AS apart
