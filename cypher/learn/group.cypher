// name: learn/group
// mode: write
// params: scope, rows, ties, worker, by, now
// returns: id
//
// Put reflections into groups, and link duplicates and contradictions; a group that changed waits to be distilled.
// Nothing is written unless this worker leads; the statement before this one locks the queue.
CYPHER 25
MATCH (q:Job {scope: $scope, id: 'queue'}) WHERE q.lead = $worker
CALL () {
  UNWIND $ties AS tie
  MATCH (a:Memory {scope: $scope, id: tie.start})
  MATCH (b:Memory {scope: $scope, id: tie.end})
  MERGE (a)-[r:RELATES {kind: tie.kind, scope: $scope}]->(b)
  ON CREATE SET r.at = $now, r.by = $by, r.weight = tie.weight
  FOREACH (x IN CASE WHEN tie.kind = 'duplicate' THEN [a, b] ELSE [] END | SET x.twinned = true)
  RETURN count(*) AS tied
}
UNWIND $rows AS row
MATCH (m:Memory {scope: $scope, id: row.id}) WHERE m.awaits = 'grouping'
OPTIONAL MATCH (found:Memory {scope: $scope, id: row.group})
WITH m, coalesce(found, m) AS first
SET m.group = first.id
REMOVE m.awaits
SET first.awaits = 'distilling'
RETURN m.id AS id
