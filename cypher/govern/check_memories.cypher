// name: govern/check_memories
// mode: read
// params: scopes, model, dimensions, awaits, most
// returns: rule, user, id, found
//
// Memories whose own properties break a rule: at most so many, in the order of their ids.
CYPHER 25
MATCH (m:Memory) WHERE m.scope IN $scopes AND m.id IS NOT NULL
WITH m,
  [name IN ['kind', 'domain', 'task_type', 'toolchain', 'status', 'context_hash', 'content_hash', 'text', 'tenant', 'user']
    WHERE NOT m[name] IS :: STRING NOT NULL]
  + [name IN ['recallable', 'secure', 'pinned', 'corrected'] WHERE NOT m[name] IS :: BOOLEAN NOT NULL]
  + [name IN ['created_at', 'updated_at', 'happened_at'] WHERE NOT m[name] IS :: ZONED DATETIME NOT NULL] AS absent
WITH m, [
  CASE WHEN coalesce(m.recallable = (m.status = 'active' AND NOT m.secure), false) THEN null
    ELSE ['recallable', 'recallable is ' + coalesce(toStringOrNull(m.recallable), 'absent') + ', status ' + coalesce(toStringOrNull(m.status), 'absent')
      + ', secure ' + coalesce(toStringOrNull(m.secure), 'absent')] END,
  CASE WHEN coalesce(m.recall_key = CASE WHEN m.status <> 'active' THEN '' WHEN m.secure THEN 'secure' + m.scope ELSE m.scope END, false) THEN null
    ELSE ['recall_key', 'recall_key is ' + CASE WHEN m.recall_key IS NULL THEN 'absent' WHEN m.recall_key = '' THEN 'empty' WHEN m.recall_key = m.scope THEN 'set' WHEN m.recall_key = 'secure' + m.scope THEN 'secure' ELSE 'another scope' END
      + ', status ' + coalesce(toStringOrNull(m.status), 'absent') + ', secure ' + coalesce(toStringOrNull(m.secure), 'absent')] END,
  CASE WHEN m.kind = 'episode' AND coalesce(m.outcome = 'unknown', true) AND NOT coalesce(m.status IN ['audit', 'retired', 'quarantined'], false)
      OR coalesce(m.status = 'audit', false) AND NOT (m.kind = 'episode' AND coalesce(m.outcome = 'unknown', true))
    THEN ['outcome', 'status is ' + coalesce(toStringOrNull(m.status), 'absent') + ', outcome ' + coalesce(toStringOrNull(m.outcome), 'absent')] END,
  CASE WHEN coalesce(m.authority IN CASE
        WHEN m.inherited_from IS NOT NULL THEN CASE m.review WHEN 'approved' THEN [0, 1] ELSE [0] END
        WHEN coalesce(m.review, '') = 'approved' OR m.review IS NULL AND coalesce(m.approved_by, '') <> '' THEN [1]
        ELSE [0]
      END, false) THEN null
    ELSE ['authority', 'authority is ' + coalesce(toStringOrNull(m.authority), 'absent') + ', review ' + coalesce(toStringOrNull(m.review), 'absent')] END,
  CASE WHEN coalesce(m.status IN ['audit', 'candidate', 'active', 'superseded', 'retired', 'quarantined'], false) THEN null
    ELSE ['status', 'status is ' + coalesce(toStringOrNull(m.status), 'absent')] END,
  CASE WHEN m.awaits IS NOT NULL AND NOT coalesce(m.awaits IN $awaits[m.kind], false)
    THEN ['awaits', coalesce(toStringOrNull(m.kind), 'it') + ' awaits ' + coalesce(toStringOrNull(m.awaits), 'something else')] END,
  CASE WHEN m.awaits IN ['reflection', 'dead'] AND (m.reflected_at IS NOT NULL OR coalesce(m.outcome = 'unknown', true))
    THEN ['awaits', 'it awaits ' + m.awaits + ', outcome ' + coalesce(toStringOrNull(m.outcome), 'absent')
      + CASE WHEN m.reflected_at IS NULL THEN '' ELSE ', and it was reflected' END] END,
  CASE WHEN m.awaits = 'dead' AND coalesce(m.problem = '', true) THEN ['awaits', 'it is a dead letter without a problem'] END,
  CASE WHEN m.embedding IS NOT NULL AND NOT m.embedding IS :: LIST<FLOAT NOT NULL>
    THEN ['vector', 'its embedding is no list of floats'] END,
  CASE WHEN m.embedding IS :: LIST<FLOAT NOT NULL> NOT NULL AND $dimensions IS NOT NULL AND size(m.embedding) <> $dimensions
    THEN ['vector', 'its vector has ' + toString(size(m.embedding)) + ' numbers, not ' + toString($dimensions)] END,
  CASE WHEN m.embedding IS NOT NULL AND $dimensions IS NOT NULL AND NOT coalesce(m.embedding_model = $model, false)
    THEN ['vector', 'its vector is of ' + coalesce(toStringOrNull(m.embedding_model), 'no model') + ', not of ' + $model] END,
  CASE WHEN m.expires_at IS :: ZONED DATETIME NOT NULL THEN null ELSE ['expiry', 'expires_at is absent, or no time with a zone'] END,
  CASE WHEN size(absent) = 0 THEN null ELSE ['filters', 'absent or of another type: ' + substring(reduce(all = '', name IN absent | all + ', ' + name), 2)] END
] AS faults
UNWIND faults AS fault
WITH m, fault WHERE fault IS NOT NULL
RETURN fault[0] AS rule, toStringOrNull(m.user) AS user, m.id AS id, fault[1] AS found
ORDER BY id, rule, found LIMIT $most
