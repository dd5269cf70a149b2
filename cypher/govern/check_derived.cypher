// name: govern/check_derived
// mode: read
// params: scopes, most
// returns: rule, user, id, found
//
// Memories that lack what they came from, or what should have come of them, and skills with several versions in use: at
// most so many. What has outlived a memory that expired is excused.
CYPHER 25
MATCH (m:Memory) WHERE m.scope IN $scopes AND m.id IS NOT NULL
WITH m, [
  CASE WHEN m.kind IN ['reflection', 'skill'] AND size(coalesce(m.sources, [])) > 0 AND m.outlived IS NULL
      AND NOT EXISTS { (m)<-[:DERIVES|GENERALIZES]-(:Memory) }
    THEN ['source', 'it names ' + toString(size(m.sources)) + ' sources and is linked to none'] END,
  CASE WHEN m.kind = 'episode' AND m.reflected_at IS NOT NULL AND m.outlived IS NULL AND coalesce(m.problem = '', true)
      AND NOT EXISTS { (m)-[:DERIVES]->(:Memory) }
    THEN ['reflected', 'it was reflected, nothing came of it, and nothing says why'] END,
  CASE WHEN m.kind = 'skill' AND m.status = 'superseded' AND m.outlived IS NULL AND NOT EXISTS {
      MATCH (m)<-[:CORRECTS]-(o:Memory)
      WHERE o.kind = 'skill' AND (m.family IS NULL OR o.family IS NULL OR o.family <> m.family OR o.version > m.version)
    }
    THEN ['superseded', 'no newer skill corrects it'] END,
  CASE WHEN m.kind = 'skill' AND m.status = 'active' AND EXISTS {
      MATCH (o:Memory {scope: m.scope, family: m.family})
      WHERE o.status = 'active' AND (o.version > m.version OR o.version = m.version AND o.id > m.id)
    }
    THEN ['versions', 'version ' + coalesce(toStringOrNull(m.version), 'absent') + ' is active beside a newer one'] END
] AS faults
UNWIND faults AS fault
WITH m, fault WHERE fault IS NOT NULL
RETURN fault[0] AS rule, toStringOrNull(m.user) AS user, m.id AS id, fault[1] AS found
ORDER BY id, rule LIMIT $most
