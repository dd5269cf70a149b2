// name: erase/again
// mode: write
// params: scope, worker, again
// returns: scope, id
//
// Let memories be learnt from anew, since what came of them goes: episodes are reflected, lessons grouped and distilled.
// What waits already goes on waiting. Nothing is done unless this worker leads.
CYPHER 25
MATCH (q:Job {scope: $scope, id: 'queue'}) WHERE q.lead = $worker
UNWIND $again AS row
MATCH (m:Memory {scope: row.scope, id: row.id}) WHERE m.awaits IS NULL AND coalesce(m.outcome, '') <> 'unknown'
SET m.awaits = CASE m.kind WHEN 'episode' THEN 'reflection' ELSE 'grouping' END
REMOVE m.reflected_at, m.reflected_by, m.problem, m.tries, m.claimed_by, m.claimed_until
RETURN m.scope AS scope, m.id AS id
