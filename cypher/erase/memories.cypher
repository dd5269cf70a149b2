// name: erase/memories
// mode: write
// params: scope, worker, rows, spent
// returns: episodes, reflections, skills, links
//
// Erase memories with all their links. What they corrected has outlived what would explain where it stands. Nothing is done
// unless this worker leads. Episodes of which nothing is left that was learnt say so.
CYPHER 25
MATCH (q:Job {scope: $scope, id: 'queue'}) WHERE q.lead = $worker
CALL () {
  UNWIND $rows AS row
  MATCH (m:Memory {scope: row.scope, id: row.id})
  RETURN collect(m) AS found
}
CALL (found) {
  UNWIND found AS m
  MATCH (m)-[e:DERIVES|GENERALIZES|RELATES|CORRECTS]-(:Memory)
  RETURN count(DISTINCT e) AS links
}
CALL (found) {
  UNWIND found AS m
  MATCH (m)-[:CORRECTS]->(n:Memory) WHERE NOT n IN found
  SET n.outlived = true
  RETURN count(*) AS marked
}
CALL (found) {
  UNWIND found AS m
  MATCH (e:Memory)-[:DERIVES]->(m) WHERE NOT e IN found
  WITH DISTINCT e
  WHERE e.reflected_at IS NOT NULL AND coalesce(e.problem, '') = '' AND NOT EXISTS { MATCH (e)-[:DERIVES]->(d:Memory) WHERE NOT d IN found }
  SET e.problem = $spent
  RETURN count(*) AS alone
}
WITH found, links, size([m IN found WHERE m.kind = 'reflection']) AS reflections, size([m IN found WHERE m.kind = 'skill']) AS skills
WITH found, links, reflections, skills, size(found) - reflections - skills AS episodes
FOREACH (m IN found | DETACH DELETE m)
RETURN episodes, reflections, skills, links
