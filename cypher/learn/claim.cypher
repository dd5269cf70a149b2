// name: learn/claim
// mode: write
// params: scope, worker, now, until, latest, most, tries
// returns: id, task
//
// Claim episodes that wait to be reflected, all of a task together, until a time after which others may have them: those
// that came out of novel situations first, then the oldest. A claim that ends later than any may (`latest`) is none. What
// was tried too often waits no more: it is dead, and says why. The statement before this one locks the queue.
CYPHER 25
MATCH (m:Memory {scope: $scope, awaits: 'reflection'})
WHERE m.status = 'active' AND m.expires_at > $now AND (m.claimed_until IS NULL OR NOT $now < m.claimed_until <= $latest)
WITH m, m.trace_id <> '' AND EXISTS {
    MATCH (r:Recall {scope: $scope, trace_id: m.trace_id}) WHERE r.decision = 'novel'
  } AS novel
ORDER BY novel DESC, m.created_at, m.id LIMIT $most
CALL (m) {
  WITH m WHERE m.task_key IS NULL
  SET m.awaits = 'dead', m.problem = 'it has lost its task_key; record it again under another id'
}
WITH m, novel WHERE m.task_key IS NOT NULL
WITH m.task_key AS task, max(novel) AS novel, min(m.created_at) AS first
MATCH (e:Memory {scope: $scope, task_key: task})
WHERE e.awaits = 'reflection' AND e.status = 'active' AND e.expires_at > $now
  AND (e.claimed_until IS NULL OR NOT $now < e.claimed_until <= $latest)
WITH e, novel, first ORDER BY novel DESC, first, task, e.created_at, e.id LIMIT 10 * $most
SET e.claimed_by = $worker, e.claimed_until = $until, e.tries = coalesce(e.tries, 0) + 1,
    e.awaits = CASE WHEN e.tries > $tries THEN 'dead' ELSE e.awaits END,
    e.problem = CASE WHEN e.tries > $tries THEN coalesce(e.problem, 'its workers ended before they could reflect it') END
WITH e, novel, first WHERE e.awaits = 'reflection'
RETURN e.id AS id, e.task_key AS task ORDER BY novel DESC, first, task, id
