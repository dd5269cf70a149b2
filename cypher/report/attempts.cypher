// name: report/attempts
// mode: read
// params: scopes, now, looked, most
// returns: week, attempt, outcome, episodes
//
// The newest episodes that a client sees whose outcome is known, counted by week (its Monday, in UTC), by which attempt at its task it
// was (those after the last one that is told apart together), and by how it ended. Attempts are numbered among those that are read.
CYPHER 25
MATCH (m:Memory)
USING INDEX m:Memory(scope, happened_at)
WHERE m.scope IN $scopes AND m.happened_at IS NOT NULL AND m.kind = 'episode' AND m.outcome IN ['success', 'mixed', 'fail']
  AND NOT m.secure AND m.expires_at > $now AND m.inherited_from IS NULL
WITH m ORDER BY m.happened_at DESC, m.id DESC LIMIT $looked
WITH m ORDER BY m.happened_at, m.id
WITH coalesce(m.task_key, m.id) AS task, collect(m) AS tries
UNWIND range(0, size(tries) - 1) AS place
WITH tries[place] AS m, CASE WHEN place < $most THEN place + 1 ELSE $most + 1 END AS attempt
RETURN toString(date.truncate('week', m.happened_at)) AS week, attempt, m.outcome AS outcome, count(*) AS episodes
ORDER BY week, attempt, outcome
