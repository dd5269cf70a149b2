// name: learn/release
// mode: write
// params: scope, ids, worker, problem, until, tries, counts
// returns: id, dead
//
// Give back what a worker holds of these episodes (of all, without ids), to be tried again from a time on. If it counts as
// a try, what was tried too often is dead. The statement before this one locks the queue.
CYPHER 25
MATCH (e:Memory {scope: $scope, awaits: 'reflection'})
WHERE e.claimed_by = $worker AND ($ids IS NULL OR e.id IN $ids)
SET e.problem = $problem, e.claimed_until = $until, e.tries = CASE WHEN $counts THEN e.tries ELSE e.tries - 1 END,
    e.awaits = CASE WHEN $counts AND e.tries >= $tries THEN 'dead' ELSE 'reflection' END
REMOVE e.claimed_by
RETURN e.id AS id, e.awaits = 'dead' AS dead
