// name: erase/came_from
// mode: read
// params: rows, shared
// returns: scope, id, of_scope, of_id, linked
//
// The evidence of what was derived: what is linked to it, and what it names as a source while the link is gone; a name
// means the memory of the same scope before a shared one.
CYPHER 25
UNWIND $rows AS row
MATCH (d:Memory {scope: row.scope, id: row.id})
CALL (d) {
  MATCH (d)<-[:DERIVES|GENERALIZES]-(m:Memory)
  RETURN DISTINCT m, true AS linked
  UNION ALL
  UNWIND d.sources AS id
  WITH d, id WHERE d.kind IN ['reflection', 'skill'] AND NOT EXISTS { MATCH (d)<-[:DERIVES|GENERALIZES]-(n:Memory) WHERE n.id = id }
  OPTIONAL MATCH (own:Memory {scope: d.scope, id: id})
  OPTIONAL MATCH (common:Memory {scope: $shared, id: id})
  WITH d, coalesce(own, common) AS m
  WHERE m.kind = CASE d.kind WHEN 'skill' THEN 'reflection' ELSE 'episode' END
  RETURN DISTINCT m, false AS linked
}
RETURN d.scope AS scope, d.id AS id, m.scope AS of_scope, m.id AS of_id, linked
