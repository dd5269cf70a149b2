// name: erase/came_of
// mode: read
// params: rows, scopes
// returns: scope, id, of_scope, of_id, linked
//
// What was derived of these memories: by a link, or, where somebody has taken the link away, by naming one of them as its
// source. A name means the memory of the same scope before a shared one.
CYPHER 25
CALL () {
  UNWIND $rows AS row
  MATCH (m:Memory {scope: row.scope, id: row.id})-[:DERIVES|GENERALIZES]->(d:Memory)
  RETURN DISTINCT d, m, true AS linked
  UNION ALL
  WITH [row IN $rows | row.id] AS ids
  MATCH (d:Memory)
  WHERE d.scope IN $scopes AND d.kind IN ['reflection', 'skill'] AND d.status IS NOT NULL AND any(id IN d.sources WHERE id IN ids)
  UNWIND [row IN $rows WHERE row.id IN d.sources] AS row
  MATCH (m:Memory {scope: row.scope, id: row.id})
  WHERE m.tenant = d.tenant AND m.user IN ['', d.user] AND m.kind = CASE d.kind WHEN 'skill' THEN 'reflection' ELSE 'episode' END
    AND NOT EXISTS { MATCH (d)<-[:DERIVES|GENERALIZES]-(n:Memory) WHERE n.id = row.id }
    AND (m.scope = d.scope OR NOT EXISTS { MATCH (:Memory {scope: d.scope, id: row.id}) })
  RETURN DISTINCT d, m, false AS linked
}
RETURN d.scope AS scope, d.id AS id, m.scope AS of_scope, m.id AS of_id, linked
