// name: schema/doubled
// mode: read
// params:
// returns: key
//
// The uniqueness constraints that nodes already there would not allow.
CYPHER 25
CALL () {
  MATCH (m:Memory) WHERE m.scope IS NOT NULL AND m.id IS NOT NULL
  WITH m.scope AS scope, m.id AS id, count(*) AS nodes WHERE nodes > 1
  RETURN 'memory_key' AS key LIMIT 1
  UNION ALL
  MATCH (r:Recall) WHERE r.scope IS NOT NULL AND r.id IS NOT NULL
  WITH r.scope AS scope, r.id AS id, count(*) AS nodes WHERE nodes > 1
  RETURN 'recall_key' AS key LIMIT 1
  UNION ALL
  MATCH (s:Store) WHERE s.id IS NOT NULL
  WITH s.id AS id, count(*) AS nodes WHERE nodes > 1
  RETURN 'store_key' AS key LIMIT 1
  UNION ALL
  MATCH (a:Migration) WHERE a.number IS NOT NULL
  WITH a.number AS number, count(*) AS nodes WHERE nodes > 1
  RETURN 'migration_key' AS key LIMIT 1
  UNION ALL
  MATCH (p:Parameters) WHERE p.scope IS NOT NULL AND p.domain IS NOT NULL AND p.version IS NOT NULL
  WITH p.scope AS scope, p.domain AS domain, p.version AS version, count(*) AS nodes WHERE nodes > 1
  RETURN 'parameters_key' AS key LIMIT 1
  UNION ALL
  MATCH (j:Job) WHERE j.scope IS NOT NULL AND j.id IS NOT NULL
  WITH j.scope AS scope, j.id AS id, count(*) AS nodes WHERE nodes > 1
  RETURN 'job_key' AS key LIMIT 1
  UNION ALL
  MATCH (r:Rule) WHERE r.scope IS NOT NULL AND r.domain IS NOT NULL AND r.name IS NOT NULL AND r.version IS NOT NULL
  WITH r.scope AS scope, r.domain AS domain, r.name AS name, r.version AS version, count(*) AS nodes WHERE nodes > 1
  RETURN 'rule_key' AS key LIMIT 1
}
RETURN key AS key
