// name: explore/life_of_a_memory
// mode: read
// params: scopes, id
// returns: source, edge, target
//
// The life of a memory, as a graph: the episodes and lessons that it came from, what came of it, what corrects it and
// what it corrects, and the recalls in which it was used or misled. $id is a memory's id; empty: the newest skill,
// or the newest memory where there is no skill. Revoked corrections and the contexts of corrections are left out.
CYPHER 25
CALL () {
  MATCH (m:Memory {id: $id}) WHERE m.scope IN $scopes AND m.expires_at > datetime() AND NOT m.secure
  RETURN m ORDER BY m.scope = $scopes[0] DESC LIMIT 1
  UNION ALL
  MATCH (m:Memory)
  WHERE $id = '' AND m.scope IN $scopes AND m.id IS NOT NULL AND m.expires_at > datetime() AND NOT m.secure
  RETURN m ORDER BY m.kind = 'skill' DESC, m.created_at DESC, m.id LIMIT 1
}
CALL (m) {
  RETURN m AS source, null AS edge, m AS target
  UNION ALL
  MATCH (m)<-[e:DERIVES|GENERALIZES]-(n:Memory) WHERE n.scope IN $scopes AND n.expires_at > datetime() AND NOT n.secure
  RETURN n AS source, e AS edge, m AS target ORDER BY e.at DESC LIMIT 25
  UNION ALL
  MATCH (m)<-[:GENERALIZES]-(via:Memory)<-[e:DERIVES]-(n:Memory)
  WHERE via.scope IN $scopes AND via.expires_at > datetime() AND NOT via.secure AND n.scope IN $scopes AND n.expires_at > datetime() AND NOT n.secure
  RETURN n AS source, e AS edge, via AS target ORDER BY e.at DESC LIMIT 50
  UNION ALL
  MATCH (m)-[e:DERIVES|GENERALIZES]->(n:Memory) WHERE n.scope IN $scopes AND n.expires_at > datetime() AND NOT n.secure
  RETURN m AS source, e AS edge, n AS target ORDER BY e.at DESC LIMIT 25
  UNION ALL
  MATCH (m)-[:DERIVES]->(via:Memory)-[e:GENERALIZES]->(n:Memory)
  WHERE via.scope IN $scopes AND via.expires_at > datetime() AND NOT via.secure AND n.scope IN $scopes AND n.expires_at > datetime() AND NOT n.secure
  RETURN via AS source, e AS edge, n AS target ORDER BY e.at DESC LIMIT 25
  UNION ALL
  MATCH (m)<-[e:CORRECTS]-(n:Memory)
  WHERE e.scope IN $scopes AND e.revoked_at IS NULL AND n.scope IN $scopes AND n.expires_at > datetime() AND NOT n.secure
  RETURN n AS source, e AS edge, m AS target ORDER BY e.at DESC LIMIT 25
  UNION ALL
  MATCH (m)-[e:CORRECTS]->(n:Memory)
  WHERE e.scope IN $scopes AND e.revoked_at IS NULL AND n.scope IN $scopes AND n.expires_at > datetime() AND NOT n.secure
  RETURN m AS source, e AS edge, n AS target ORDER BY e.at DESC LIMIT 25
  UNION ALL
  MATCH (r:Recall)-[e:RETURNED|MISLED]->(m)
  WHERE r.scope IN $scopes AND r.expires_at > datetime() AND r.decision <> 'corrected' AND (type(e) = 'MISLED' OR e.used)
  RETURN r AS source, e AS edge, m AS target ORDER BY r.at DESC LIMIT 25
}
RETURN source, edge, target
