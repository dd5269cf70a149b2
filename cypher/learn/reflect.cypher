// name: learn/reflect
// mode: write
// params: scope, cases, worker, by, now
// returns: position, written, known
//
// Write the lessons of cases whose episodes this worker still holds, all of a case or nothing; only attempts at the
// case's own task count as sources. A lesson that is there
// already gains evidence; where its id is taken by something else, or by what has expired, another is taken. Each episode is done with its case; one of which nothing came says so.
CYPHER 25
OPTIONAL MATCH (kept:Store {id: 'graphmem'})
UNWIND $cases AS case
CALL (case) {
  UNWIND case.new AS id
  MATCH (e:Memory {scope: $scope, id: id})
  WHERE e.awaits = 'reflection' AND e.claimed_by = $worker AND e.status = 'active' AND e.expires_at > $now
  RETURN collect(e) AS held
}
WITH kept, case, held WHERE size(held) = size(case.new)
CALL (case, kept) {
  UNWIND case.lessons AS lesson
  CALL (case, lesson) {
    UNWIND lesson.sources AS id
    MATCH (s:Memory {scope: $scope, id: id})
    WHERE s.kind = 'episode' AND s.task_key = case.task AND s.status = 'active' AND s.expires_at > $now
    RETURN collect(s) AS sources
  }
  WITH kept, lesson, sources, CASE WHEN EXISTS {
      MATCH (x:Memory {scope: $scope, id: lesson.id})
      WHERE x.kind <> 'reflection' OR x.expires_at <= $now OR x.secure <> lesson.properties.secure OR toLower(trim(x.insight)) <> toLower(trim(lesson.properties.insight))
    } THEN lesson.id + '-' + lesson.properties.write_id ELSE lesson.id END AS id
  WHERE size(sources) > 0
  MERGE (m:Memory {scope: $scope, id: id})
  ON CREATE SET m:Reflection, m += lesson.properties
  SET m.awaits = 'grouping'
  WITH kept, lesson, sources, m, m.write_id = lesson.properties.write_id AS created
  FOREACH (_ IN CASE WHEN created AND m.embedding_model <> kept.embedding_model THEN [1] ELSE [] END |
    REMOVE m.embedding, m.embedding_model, m.embedded)
  FOREACH (s IN sources | MERGE (s)-[d:DERIVES]->(m) ON CREATE SET d.at = $now, d.by = $by)
  CALL (lesson, m) {
    UNWIND lesson.ties AS tie
    MATCH (n:Memory {scope: $scope, id: tie.id}) WHERE n.kind = 'reflection' AND n <> m
    MERGE (m)-[r:RELATES {kind: tie.kind, scope: $scope}]->(n)
    ON CREATE SET r.at = $now, r.by = $by, r.weight = 1.0
    RETURN count(*) AS tied
  }
  RETURN sum(CASE WHEN created THEN 1 ELSE 0 END) AS written, sum(CASE WHEN created THEN 0 ELSE 1 END) AS known
}
CALL (held) {
  UNWIND held AS e
  SET e.reflected_at = $now, e.reflected_by = $by,
      e.problem = CASE WHEN EXISTS { (e)-[:DERIVES]->(:Memory) } THEN null ELSE 'nothing was to be learnt from it' END
  REMOVE e.awaits, e.claimed_by, e.claimed_until
  RETURN count(*) AS done
}
RETURN case.position AS position, written, known
