// name: recall/hybrid
// mode: read
// params: queries, scopes, now, weights, rules
// returns: position, rank, body, id, user, kind, label, hop, replaces, score, relevance, semantic, outcome, recency, specificity, centrality, lexical, false_hit, cut
//
// All of recall for a batch of queries: nearest vectors and best words inside the scope, their neighbourhood, corrections
// that take the place of what they correct, every component of the score, the ranking. Only the first hits carry a body.
CYPHER 25
UNWIND $queries AS q
CALL (q) {
  CALL (q) {
    UNWIND q.vectors AS vector
    MATCH (m:Memory)
      SEARCH m IN (
        VECTOR INDEX memory_vector FOR vector
        WHERE m.scope IN $scopes AND m.recallable = true AND m.expires_at > $now
          AND m.kind >= q.kind[0] AND m.kind <= q.kind[1]
          AND m.domain >= q.domain[0] AND m.domain <= q.domain[1]
          AND m.task_type >= q.task_type[0] AND m.task_type <= q.task_type[1]
          AND m.toolchain >= q.toolchain[0] AND m.toolchain <= q.toolchain[1]
        LIMIT $rules.vector_candidates
      ) SCORE AS near
    RETURN m, 2 * near - 1 AS cosine, 0.0 AS bm25
    UNION ALL
    WITH q WHERE q.lucene <> ''
    CALL db.index.fulltext.queryNodes('memory_text', q.lucene, {limit: $rules.text_candidates}) YIELD node AS m, score AS bm25
    WHERE bm25 > 0 AND m.expires_at > $now
    RETURN m, null AS cosine, bm25
  }
  WITH q, m, max(cosine) AS cosine, max(bm25) AS bm25
  WITH q, m, bm25, coalesce(cosine, 2 * vector.similarity.cosine(m.embedding, q.vectors[0]) - 1) AS cosine
  ORDER BY coalesce(cosine, 0.0) + 0.01 * bm25 DESC, m.id
  WITH q, collect({m: m, cosine: cosine, bm25: bm25, hop: 0}) AS found
  CALL (q, found) {
    WITH * WHERE size(q.tags) > 0 AND size([f IN found WHERE all(tag IN q.tags WHERE tag IN f.m.tags)]) < q.limit
    MATCH (m:Memory)
    WHERE m.scope IN $scopes AND m.recallable AND m.expires_at > $now AND all(tag IN q.tags WHERE tag IN m.tags)
      AND none(f IN found WHERE f.m = m)
    WITH m, q LIMIT $rules.looked
    WITH m, 2 * vector.similarity.cosine(m.embedding, q.vectors[0]) - 1 AS cosine
    ORDER BY cosine DESC, m.id LIMIT $rules.vector_candidates
    RETURN collect({m: m, cosine: cosine, bm25: 0.0, hop: 0}) AS tagged
  }
  WITH q, found + tagged AS found
  WITH q, found, [f IN found | f.m] AS seeds

  CALL (q, seeds) {
    UNWIND seeds[..$rules.seeds] AS seed
    CALL (seed) {
      MATCH (seed)-[e:DERIVES|GENERALIZES|RELATES|CORRECTS]-(n:Memory)
      WITH e, n LIMIT $rules.looked
      WHERE n.scope IN $scopes AND coalesce(e.scope, n.scope) IN $scopes AND n.recallable AND n.expires_at > $now
      RETURN n ORDER BY coalesce(n.centrality, 0.0) DESC, n.id LIMIT $rules.fanout
    }
    WITH DISTINCT n, seeds WHERE NOT n IN seeds
    WITH n ORDER BY coalesce(n.centrality, 0.0) DESC, n.id LIMIT $rules.neighbours
    RETURN collect(n) AS first
  }
  CALL (q, seeds, first) {
    UNWIND first AS from
    CALL (from) {
      MATCH (from)-[e:DERIVES|GENERALIZES|RELATES|CORRECTS]-(n:Memory)
      WITH e, n LIMIT $rules.looked
      WHERE n.scope IN $scopes AND coalesce(e.scope, n.scope) IN $scopes AND n.recallable AND n.expires_at > $now
      RETURN n ORDER BY coalesce(n.centrality, 0.0) DESC, n.id LIMIT $rules.fanout
    }
    WITH DISTINCT n, seeds, first WHERE NOT n IN seeds AND NOT n IN first
    WITH n ORDER BY coalesce(n.centrality, 0.0) DESC, n.id LIMIT $rules.neighbours
    RETURN collect(n) AS second
  }
  WITH q, found, any(n IN seeds[..$rules.seeds] + first WHERE $rules.fanout < COUNT {
      MATCH (n)-[e:DERIVES|GENERALIZES|RELATES|CORRECTS]-(o:Memory)
      WITH e, o LIMIT $rules.looked
      WHERE o.scope IN $scopes AND coalesce(e.scope, o.scope) IN $scopes AND o.recallable AND o.expires_at > $now
      RETURN o LIMIT $rules.fanout + 1
    }) AS cut,
    [n IN first | {m: n, cosine: null, bm25: 0.0, hop: 1}] + [n IN second | {m: n, cosine: null, bm25: 0.0, hop: 2}] AS around
  UNWIND found + around AS c
  WITH q, cut, c.m AS m, c.bm25 AS bm25, c.hop AS hop,
    coalesce(c.cosine, 2 * vector.similarity.cosine(c.m.embedding, q.vectors[0]) - 1) AS cosine

  CALL (q, m) {
    WITH * WHERE m.corrected
    MATCH (right:Memory)-[c:CORRECTS]->(m)
    WHERE right.scope IN $scopes AND c.scope IN $scopes AND c.revoked_at IS NULL
      AND NOT EXISTS {
        (m)-[d:CORRECTS]->(right)
        WHERE d.scope IN $scopes AND d.revoked_at IS NULL AND d.everywhere AND d.at > c.at
      }
      AND (c.everywhere OR 0.5 <= reduce(sum = 0.0, x IN COLLECT {
        MATCH (m)<-[x:MISLED]-(r:Recall)
        WHERE r.scope IN $scopes AND r.id IN coalesce(c.receipts, []) AND r.vector IS NOT NULL AND size(q.vectors) > 0
        RETURN x.weight * (2 * vector.similarity.cosine(r.vector, q.vectors[0]) - 1 - $rules.context_floor) / (1 - $rules.context_floor)
        LIMIT 200
      } | sum + CASE WHEN x > 0 THEN x ELSE 0.0 END))
    OPTIONAL MATCH path = (last:Memory)-[:CORRECTS]->{0,20}(right)
    WHERE all(edge IN relationships(path)
        WHERE edge.everywhere AND edge.revoked_at IS NULL AND edge.scope IN $scopes)
      AND all(node IN nodes(path) WHERE node.scope IN $scopes)
      AND NOT EXISTS { (o:Memory)-[d:CORRECTS]->(last) WHERE o.scope IN $scopes AND d.scope IN $scopes AND d.everywhere AND d.revoked_at IS NULL }
    RETURN count(c) AS corrections, collect(DISTINCT coalesce(last, right)) AS rights
  }
  UNWIND CASE WHEN corrections = 0 THEN [m] ELSE rights END AS chosen
  WITH q, cut, chosen AS m, max(cosine) AS cosine, max(bm25) AS bm25, min(hop) AS hop,
    head(collect(CASE WHEN chosen <> m THEN m.id END)) AS replaces
  WHERE m.scope IN $scopes AND m.recallable AND m.expires_at > $now
    AND (q.kind[0] <> q.kind[1] OR m.kind = q.kind[0]) AND (q.domain[0] <> q.domain[1] OR m.domain = q.domain[0])
    AND (q.task_type[0] <> q.task_type[1] OR m.task_type = q.task_type[0])
    AND (q.toolchain[0] <> q.toolchain[1] OR m.toolchain = q.toolchain[0])
    AND all(tag IN q.tags WHERE tag IN m.tags)
    AND none(pair IN m.requires WHERE split(pair, '=')[0] IN q.keys
      AND none(other IN m.requires WHERE split(other, '=')[0] = split(pair, '=')[0] AND other IN q.pairs))

  WITH q, cut, m, hop, replaces,
    CASE WHEN cosine > 0 THEN cosine ELSE 0.0 END AS semantic,
    bm25 / (bm25 + $rules.lexical_half) AS lexical,
    ($rules.prior * CASE m.outcome WHEN 'success' THEN 1.0 WHEN 'mixed' THEN 0.5 WHEN 'fail' THEN 0.0 ELSE 0.5 END + m.successes)
      / ($rules.prior + m.successes + m.failures) AS outcome,
    duration.inSeconds(m.happened_at, $now).seconds / $rules.half_life AS age,
    CASE WHEN size(q.asked) = 0 THEN 0.0 ELSE toFloat(size([a IN q.asked WHERE a IN m.features])) / size(q.asked) END AS specificity,
    coalesce(m.centrality, 0.0) AS centrality,
    CASE WHEN m.misled = 0 OR size(q.vectors) = 0 THEN 0.0 ELSE reduce(sum = 0.0, x IN COLLECT {
      MATCH (m)<-[x:MISLED]-(r:Recall)
      WHERE r.scope IN $scopes AND r.vector IS NOT NULL
      RETURN x.weight * exp(-0.6931471805599453 * duration.inSeconds(x.at, $now).seconds / $rules.half_life)
        * (2 * vector.similarity.cosine(r.vector, q.vectors[0]) - 1 - $rules.context_floor) / (1 - $rules.context_floor)
      ORDER BY x.at DESC LIMIT 200
    } | sum + CASE WHEN x > 0 THEN x ELSE 0.0 END) END AS misled
  WITH q, cut, m, hop, replaces, semantic, lexical, outcome, specificity, centrality,
    CASE WHEN age <= 0 THEN 1.0 ELSE exp(-0.6931471805599453 * age) END AS recency,
    CASE WHEN misled > 1 THEN 1.0 ELSE misled END AS false_hit
  WITH *,
    CASE WHEN semantic > $weights.false_hit * false_hit THEN semantic - $weights.false_hit * false_hit ELSE 0.0 END AS relevance,
    $weights.semantic * semantic + $weights.outcome * outcome + $weights.recency * recency + $weights.specificity * specificity
      + $weights.centrality * centrality + $weights.lexical * lexical - $weights.false_hit * false_hit AS score
  ORDER BY score DESC, m.id
  WITH q, collect({m: m, hop: hop, replaces: replaces, score: score, relevance: relevance, semantic: semantic, outcome: outcome,
    recency: recency, specificity: specificity, centrality: centrality, lexical: lexical, false_hit: false_hit, cut: cut}) AS ranked
  WITH ranked, [c IN ranked WHERE c.relevance >= q.threshold AND (c.lexical > 0 OR size(q.vectors) > 0) | c.m][..q.limit] AS best, reduce(top = 0.0, c IN ranked | CASE WHEN c.relevance > top THEN c.relevance ELSE top END) AS top
  UNWIND range(0, size(ranked) - 1) AS rank
  WITH ranked[rank] AS c, rank, best, top
  WHERE rank < $rules.shown OR c.m IN best OR c.relevance = top
  RETURN c, c.m AS m, rank + 1 AS rank, c.m IN best AS chosen
}
RETURN
  q.position AS position, rank,
  CASE WHEN chosen THEN m {.*, embedding: null, text: null} END AS body,
  m.id AS id, m.user AS user, m.kind AS kind, m.label AS label, c.hop AS hop, c.replaces AS replaces, c.score AS score,
  c.relevance AS relevance, c.semantic AS semantic, c.outcome AS outcome, c.recency AS recency, c.specificity AS specificity,
  c.centrality AS centrality, c.lexical AS lexical, c.false_hit AS false_hit, c.cut AS cut
ORDER BY position, rank
