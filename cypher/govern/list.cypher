// name: govern/list
// mode: read
// params: scopes, kind, status, outcome, domain, task_type, tags, since, until, now, skip, limit
// returns: node
//
// Memories of these scopes that have not expired, newest first.
CYPHER 25
MATCH (m:Memory)
WHERE m.scope IN $scopes AND m.happened_at IS NOT NULL AND m.expires_at > $now
  AND ($kind IS NULL OR m.kind = $kind)
  AND ($status IS NULL OR m.status = $status)
  AND ($outcome IS NULL OR m.outcome = $outcome)
  AND ($domain IS NULL OR m.domain = $domain)
  AND ($task_type IS NULL OR m.task_type = $task_type)
  AND all(tag IN $tags WHERE tag IN m.tags)
  AND ($since IS NULL OR m.happened_at >= $since)
  AND ($until IS NULL OR m.happened_at < $until)
WITH m ORDER BY m.happened_at DESC, m.id SKIP $skip LIMIT $limit
RETURN m {.*, embedding: null, text: null} AS node
ORDER BY node.happened_at DESC, node.id
