// name: erase/release
// mode: write
// params: scopes, worker
// returns: released
//
// Take back what runs of consolidation have claimed in these scopes: they were shown what is erased, so that nothing of what
// they make of it is written. It waits as before. Nothing is done unless this worker leads.
CYPHER 25
MATCH (q:Job) WHERE q.scope IN $scopes AND q.id = 'queue' AND q.lead = $worker
MATCH (e:Memory {scope: q.scope, awaits: 'reflection'}) WHERE e.claimed_by IS NOT NULL
SET e.tries = e.tries - 1
REMOVE e.claimed_by, e.claimed_until
RETURN count(e) AS released
