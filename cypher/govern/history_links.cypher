// name: govern/history_links
// mode: read
// params: scopes, id, now, most
// returns: part, hop, id, kind, user, label, status, version, edge, at, by, reason, weight, everywhere, contexts, revoked_at, resolved_at, resolved_by
//
// What a memory came from (one and two steps up), what came of it (one and two down), what corrects it and what it corrects
// (with what was revoked), what else it is related to, and the other versions of a skill: of each the newest, at most so
// many. Only what these scopes see, and have said.
CYPHER 25
MATCH (m:Memory {id: $id}) WHERE m.scope IN $scopes AND m.expires_at > $now
WITH m ORDER BY m.scope = $scopes[0] DESC LIMIT 1
CALL (m) {
  MATCH (m)<-[e:DERIVES|GENERALIZES]-(n:Memory)
  WHERE n.scope IN $scopes AND n.expires_at > $now
  RETURN 'source' AS part, 1 AS hop, n, e ORDER BY e.at DESC, n.id LIMIT $most
  UNION ALL
  MATCH (m)<-[:GENERALIZES]-(via:Memory)<-[e:DERIVES]-(n:Memory)
  WHERE via.scope IN $scopes AND via.expires_at > $now AND n.scope IN $scopes AND n.expires_at > $now
  WITH n, e ORDER BY e.at DESC
  WITH n, head(collect(e)) AS e
  RETURN 'source' AS part, 2 AS hop, n, e ORDER BY e.at DESC, n.id LIMIT $most
  UNION ALL
  MATCH (m)-[e:DERIVES|GENERALIZES]->(n:Memory)
  WHERE n.scope IN $scopes AND n.expires_at > $now
  RETURN 'result' AS part, 1 AS hop, n, e ORDER BY e.at DESC, n.id LIMIT $most
  UNION ALL
  MATCH (m)-[:DERIVES]->(via:Memory)-[e:GENERALIZES]->(n:Memory)
  WHERE via.scope IN $scopes AND via.expires_at > $now AND n.scope IN $scopes AND n.expires_at > $now
  WITH n, e ORDER BY e.at DESC
  WITH n, head(collect(e)) AS e
  RETURN 'result' AS part, 2 AS hop, n, e ORDER BY e.at DESC, n.id LIMIT $most
  UNION ALL
  MATCH (m)<-[e:CORRECTS]-(n:Memory)
  WHERE e.scope IN $scopes AND n.scope IN $scopes AND n.expires_at > $now
  RETURN 'corrected by' AS part, 1 AS hop, n, e ORDER BY e.at DESC, n.id LIMIT $most
  UNION ALL
  MATCH (m)-[e:CORRECTS]->(n:Memory)
  WHERE e.scope IN $scopes AND n.scope IN $scopes AND n.expires_at > $now
  RETURN 'corrects' AS part, 1 AS hop, n, e ORDER BY e.at DESC, n.id LIMIT $most
  UNION ALL
  MATCH (m)-[e:RELATES]-(n:Memory)
  WHERE e.scope IN $scopes AND n.scope IN $scopes AND n.expires_at > $now
  RETURN 'related' AS part, 1 AS hop, n, e ORDER BY e.at DESC, n.id LIMIT $most
  UNION ALL
  MATCH (n:Memory {scope: m.scope, family: m.family}) WHERE n.id <> m.id AND n.expires_at > $now
  RETURN 'version' AS part, 1 AS hop, n, null AS e ORDER BY n.version DESC, n.id LIMIT $most
}
RETURN part, hop, n.id AS id, n.kind AS kind, n.user AS user, n.label AS label, n.status AS status, n.version AS version,
  coalesce(e.kind, toLower(type(e))) AS edge, e.at AS at, e.by AS by, e.reason AS reason, e.weight AS weight,
  e.everywhere AS everywhere, e.contexts AS contexts, e.revoked_at AS revoked_at, e.resolved_at AS resolved_at,
  e.resolved_by AS resolved_by
ORDER BY part, hop, at DESC, version DESC, id
