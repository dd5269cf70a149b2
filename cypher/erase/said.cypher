// name: erase/said
// mode: read
// params: scope, domain, task_type, words, keys
// returns: word
//
// Those of the words that an episode of this scope, domain and task type says which is not among the given ones.
// Each word comes as a pattern of a whole text that says it.
CYPHER 25
MATCH (e:Memory)
WHERE e.scope = $scope AND e.kind = 'episode' AND e.status IS NOT NULL AND e.domain = $domain AND e.task_type = $task_type
  AND NOT e.scope + ' ' + e.id IN $keys
UNWIND $words AS word
WITH word, e WHERE any(text IN [e.title, e.task, e.summary, e.trajectory, e.failure_reason, e.outcome_evidence, e.ground_truth, e.metadata]
  + e.techniques + e.tags WHERE text =~ word)
RETURN DISTINCT word
