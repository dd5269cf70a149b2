// name: learn/cases
// mode: read
// params: scope, tasks, worker, now, known, lessons
// returns: task, new, before, near
//
// What is known of tasks: the episodes that a worker claimed (without a worker: all that wait), the latest that were
// reflected before, and the lessons of the same domain and task type that are nearest.
CYPHER 25
UNWIND $tasks AS task
CALL (task) {
  MATCH (e:Memory {scope: $scope, task_key: task})
  WHERE e.awaits = 'reflection' AND e.status = 'active' AND ($worker IS NULL OR e.claimed_by = $worker) AND e.expires_at > $now
  WITH e, e.trace_id <> '' AND EXISTS {
      MATCH (r:Recall {scope: $scope, trace_id: e.trace_id}) WHERE r.decision = 'novel'
    } AS novel
  ORDER BY e.happened_at, e.id
  RETURN collect(e {.*, novel: novel, embedding: null, text: null}) AS new, head(collect(e)) AS seed
}
CALL (task) {
  MATCH (e:Memory {scope: $scope, task_key: task})
  WHERE e.reflected_at IS NOT NULL AND e.status = 'active' AND e.expires_at > $now
  WITH e ORDER BY e.happened_at DESC, e.id LIMIT $known
  WITH e ORDER BY e.happened_at, e.id
  RETURN collect(e {.*, embedding: null, text: null}) AS before
}
CALL (seed) {
  WITH * WHERE seed.embedding IS NOT NULL
  MATCH (n:Memory)
    SEARCH n IN (
      VECTOR INDEX memory_vector FOR seed.embedding
      WHERE n.scope = $scope AND n.kind = 'reflection' AND n.domain = seed.domain AND n.task_type = seed.task_type
        AND n.expires_at > $now
      LIMIT $lessons
    ) SCORE AS cosine
  WITH n ORDER BY cosine DESC, n.id WHERE n.secure = seed.secure AND n.status IN ['active', 'candidate']
  RETURN collect(n {.*, embedding: null, text: null}) AS near
}
RETURN task, new, before, near
