// name: explore/contradictions
// mode: read
// params: scopes
// returns: one, contradiction, other
//
// Contradictions that wait for a person, oldest first, as a graph. `graphmem review ID --approve --by YOU` settles one.
CYPHER 25
MATCH (m:Memory)-[e:RELATES {kind: 'contradicts'}]->(n:Memory)
WHERE m.scope IN $scopes AND m.id IS NOT NULL AND m.expires_at > datetime() AND NOT m.secure AND n.scope IN $scopes
  AND n.expires_at > datetime() AND NOT n.secure AND e.scope IN $scopes AND properties(e).resolved_at IS NULL
  AND NOT m.status IN ['retired', 'superseded'] AND NOT n.status IN ['retired', 'superseded']
WITH m, e, n ORDER BY e.at, m.id, n.id LIMIT 50
RETURN m AS one, e AS contradiction, n AS other
