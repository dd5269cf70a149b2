// name: erase/groups
// mode: write
// params: scope, worker, rows, keys
// returns: scope, id
//
// Dissolve the groups that these memories began: their other lessons are grouped anew, and the versions of the group's
// skill are named after the first of those, or after one of themselves. Nothing is done unless this worker leads.
CYPHER 25
MATCH (q:Job {scope: $scope, id: 'queue'}) WHERE q.lead = $worker
UNWIND $rows AS row
CALL (row) {
  MATCH (r:Memory {scope: row.scope, group: row.id}) WHERE NOT r.scope + ' ' + r.id IN $keys
  WITH r ORDER BY r.created_at, r.id
  WITH collect(r) AS rest
  FOREACH (r IN rest | SET r.awaits = 'grouping' REMOVE r.group)
  RETURN rest
}
CALL (row, rest) {
  MATCH (s:Memory {scope: row.scope, family: row.id}) WHERE NOT s.scope + ' ' + s.id IN $keys
  WITH rest, s ORDER BY s.id
  WITH rest, collect(s) AS versions
  WITH versions, coalesce(head([r IN rest WHERE NOT EXISTS { MATCH (:Memory {scope: r.scope, family: r.id}) } | r.id]), head(versions).id) AS family
  FOREACH (s IN versions | SET s.family = family)
  RETURN size(versions) AS renamed
}
UNWIND rest AS r
RETURN r.scope AS scope, r.id AS id
