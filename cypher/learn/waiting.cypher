// name: learn/waiting
// mode: read
// params: scope, now, most
// returns: task
//
// The tasks of the episodes that wait longest to be reflected, at most so many episodes.
CYPHER 25
MATCH (m:Memory {scope: $scope, awaits: 'reflection'})
WHERE m.status = 'active' AND m.expires_at > $now
WITH m ORDER BY m.created_at, m.id LIMIT $most
RETURN DISTINCT m.task_key AS task
