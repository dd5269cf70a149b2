// name: record/derived
// mode: write
// params: rows, scopes, now, usual
// returns: position, result, status
//
// Store reflections and skills, each once, with edges from their sources. The narrowest scope and the secure mark of the
// sources pass on; without one of its sources a memory is not stored; while the outcome of one is unknown it waits.
CYPHER 25
OPTIONAL MATCH (kept:Store {id: 'graphmem'})
UNWIND $rows AS row
CALL (row) {
  UNWIND row.sources AS id
  OPTIONAL MATCH (own:Memory {scope: $scopes[0], id: id}) WHERE own.expires_at > $now
  OPTIONAL MATCH (shared:Memory {scope: $scopes[-1], id: id}) WHERE shared.expires_at > $now
  WITH coalesce(own, shared) AS source
  RETURN
    collect(source) AS sources,
    coalesce(any(scope IN collect(source.scope) WHERE scope <> $scopes[-1]), false) AS narrow,
    coalesce(any(secure IN collect(source.secure) WHERE secure), false) AS secret,
    coalesce(any(status IN collect(source.status) WHERE status <> 'active'), false) AS waits
}
WITH *, size(sources) = size(row.sources) AND all(source IN sources WHERE source.kind = row.source_kind) AS complete
CALL (row, sources, narrow, secret, waits, complete, kept) {
  WITH * WHERE complete
  MERGE (m:Memory {scope: CASE WHEN narrow THEN $scopes[0] ELSE row.scope END, id: row.id})
  ON CREATE SET
    m += $usual,
    m += row.properties,
    m.user = CASE WHEN narrow THEN row.user ELSE m.user END,
    m.secure = row.properties.secure OR secret,
    m.status = CASE WHEN waits AND row.properties.status = 'active' THEN 'candidate' ELSE row.properties.status END,
    m.recallable = row.properties.recallable AND NOT waits AND NOT secret,
    m.recall_key = CASE WHEN waits OR row.properties.status <> 'active' THEN '' WHEN row.properties.secure OR secret THEN 'secure' + m.scope ELSE m.scope END
  WITH m, sources, row, kept, m.write_id = row.properties.write_id AS created
  FOREACH (_ IN CASE WHEN created AND m.embedding_model <> kept.embedding_model THEN [1] ELSE [] END |
    REMOVE m.embedding, m.embedding_model, m.embedded)
  FOREACH (_ IN CASE WHEN created AND row.properties.kind = 'reflection' THEN [1] ELSE [] END | SET m:Reflection)
  FOREACH (_ IN CASE WHEN created AND row.properties.kind = 'skill' THEN [1] ELSE [] END | SET m:Skill)
  FOREACH (source IN CASE WHEN created AND row.source_kind = 'episode' THEN sources ELSE [] END |
    MERGE (source)-[e:DERIVES]->(m) ON CREATE SET e.at = $now, e.by = row.by)
  FOREACH (source IN CASE WHEN created AND row.source_kind = 'reflection' THEN sources ELSE [] END |
    MERGE (source)-[e:GENERALIZES]->(m) ON CREATE SET e.at = $now, e.by = row.by)
  RETURN collect({created: created, same: m.content_hash = row.properties.content_hash, status: m.status}) AS written
}
RETURN
  row.position AS position,
  CASE
    WHEN NOT complete THEN 'no source'
    WHEN written[0].created THEN 'created'
    WHEN written[0].same THEN 'unchanged'
    ELSE 'conflict'
  END AS result,
  written[0].status AS status
