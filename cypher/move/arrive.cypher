// name: move/arrive
// mode: write
// params: rows, support
// returns: scope, id, waits
//
// Let memories be there for good, one after the other, now that all that came with them is. Each row names a memory (scope,
// id), whether it was active elsewhere, and whether a person vouches for it. A lesson is active here if no source of it has
// an unknown outcome, a skill if so many distinct attempts behind it succeeded, either if a person vouches for it; and no
// skill beside another version of it. What is linked to nothing that would explain it has outlived that.
CYPHER 25
UNWIND range(0, size($rows) - 1) AS place
WITH place, $rows[place] AS row ORDER BY place
CALL (row) {
  MATCH (m:Memory {scope: row.scope, id: row.id}) WHERE m.arriving
  REMOVE m.arriving
  WITH m, row,
    size(coalesce(m.sources, [])) > 0 AND NOT EXISTS { (m)<-[:DERIVES|GENERALIZES]-(:Memory) }
    OR m.kind = 'episode' AND m.reflected_at IS NOT NULL AND coalesce(m.problem = '', true) AND NOT EXISTS { (m)-[:DERIVES]->(:Memory) }
    OR m.kind = 'skill' AND m.status = 'superseded' AND NOT EXISTS {
      MATCH (m)<-[:CORRECTS]-(o:Memory)
      WHERE o.kind = 'skill' AND (m.family IS NULL OR o.family IS NULL OR o.family <> m.family OR o.version > m.version)
    } AS outlived,
    row.active AND m.status = 'candidate' AND NOT EXISTS {
      MATCH (o:Memory {scope: m.scope, family: m.family}) WHERE o.status = 'active' AND o.id <> m.id
    } AND (row.vouched OR CASE m.kind
      WHEN 'reflection' THEN NOT EXISTS { (e:Memory {outcome: 'unknown'})-[:DERIVES]->(m) }
      ELSE COUNT {
        MATCH (e:Memory {outcome: 'success'})-[:DERIVES]->(:Memory)-[:GENERALIZES]->(m)
        RETURN DISTINCT coalesce(e.attempt_key, e.id)
      } >= $support
    END) AS active
  FOREACH (_ IN CASE WHEN outlived THEN [1] ELSE [] END | SET m.outlived = true)
  FOREACH (_ IN CASE WHEN active THEN [1] ELSE [] END |
    SET m.status = 'active', m.recallable = NOT m.secure,
        m.recall_key = CASE WHEN m.secure THEN 'secure' + m.scope ELSE m.scope END)
  RETURN m.scope AS scope, m.id AS id, row.active AND NOT active AS waits
}
RETURN scope, id, waits
