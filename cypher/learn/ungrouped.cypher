// name: learn/ungrouped
// mode: read
// params: scope, now, most, near
// returns: node, group, near
//
// Reflections that wait to be grouped, oldest first, each with the nearest of the same domain and task type: how near it
// is, to which group it belongs, and how near that group's first lesson is. A group whose first lesson is gone is none.
CYPHER 25
MATCH (m:Memory {scope: $scope, awaits: 'grouping'})
WHERE m.expires_at > $now AND m.status IN ['active', 'candidate']
WITH m ORDER BY m.created_at, m.id LIMIT $most
OPTIONAL MATCH (own:Memory {scope: $scope, id: m.group})
WITH m, own.id AS group
CALL (m, group) {
  WITH * WHERE m.embedding IS NOT NULL AND group IS NULL
  MATCH (n:Memory)
    SEARCH n IN (
      VECTOR INDEX memory_vector FOR m.embedding
      WHERE n.scope = $scope AND n.kind = 'reflection' AND n.domain = m.domain AND n.task_type = m.task_type
        AND n.expires_at > $now
      LIMIT $near
    ) SCORE AS score
  WITH n, 2 * score - 1 AS cosine WHERE n <> m AND n.secure = m.secure AND n.status IN ['active', 'candidate']
  OPTIONAL MATCH (first:Memory {scope: $scope, id: n.group})
  WITH n, cosine, first, 2 * vector.similarity.cosine(first.embedding, m.embedding) - 1 AS lead ORDER BY cosine DESC, n.id
  RETURN collect({node: n {.*, embedding: null, text: null}, cosine: cosine, group: first.id, lead: lead}) AS near
}
RETURN m {.*, embedding: null, text: null} AS node, group, near
ORDER BY node.created_at, node.id
