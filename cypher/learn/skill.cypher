// name: learn/skill
// mode: write
// params: scope, group, members, skill, worker, by, now
// returns: id, created
//
// Write a version of a group's skill, or add its lessons to the version that is there; with or without a skill the group
// is done. Nothing is written unless this worker leads; the statement before this one locks the queue.
CYPHER 25
MATCH (q:Job {scope: $scope, id: 'queue'}) WHERE q.lead = $worker
OPTIONAL MATCH (kept:Store {id: 'graphmem'})
OPTIONAL MATCH (first:Memory {scope: $scope, id: $group})
FOREACH (_ IN CASE WHEN first.awaits = 'distilling' THEN [1] ELSE [] END | REMOVE first.awaits)
REMOVE first.claimed_until, first.tries
WITH first, kept
CALL (first, kept) {
  WITH * WHERE $skill IS NOT NULL AND first IS NOT NULL
  WITH kept, CASE WHEN EXISTS {
      MATCH (x:Memory {scope: $scope, id: $skill.id}) WHERE x.kind <> 'skill' OR x.expires_at <= $now OR x.secure <> $skill.properties.secure
    } THEN $skill.id + '-' + $skill.properties.write_id ELSE $skill.id END AS id
  MERGE (s:Memory {scope: $scope, id: id})
  ON CREATE SET s:Skill, s += $skill.properties
  WITH s, kept, s.write_id = $skill.properties.write_id AS created
  FOREACH (_ IN CASE WHEN created AND s.embedding_model <> kept.embedding_model THEN [1] ELSE [] END |
    REMOVE s.embedding, s.embedding_model, s.embedded)
  CALL (s) {
    UNWIND $members AS id
    MATCH (m:Memory {scope: $scope, id: id}) WHERE m.kind = 'reflection'
    MERGE (m)-[g:GENERALIZES]->(s) ON CREATE SET g.at = $now, g.by = $by
    RETURN count(*) AS linked
  }
  RETURN max(created) AS created
}
RETURN $group AS id, coalesce(created, false) AS created
