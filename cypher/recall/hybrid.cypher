// name: recall/hybrid
// mode: read
// params: queries, scopes, keys, now, model, rules
// returns: position, by_vector, calibrated, best, agreed, surroundings, bar, cut, filtered, contradicted, duplicates, candidates
//
// All of recall for a batch of questions, one row for each: nearest vectors and best words inside the scope, their
// neighbourhood, corrections that take the place of what they correct, every component of the score, one memory for each
// group of duplicates, what the decision reads, the ranking. Keys are those of the scopes, and of their secure memories if
// these are asked for, which the index finds among what is not recalled. Only the hits carry a body. Where the database is of another
// embedding model, or on its way to one, it goes by words.
CYPHER 25
UNWIND $queries AS asked
WITH asked, size(asked.vectors) > 0 AND EXISTS { MATCH (s:Store {id: 'graphmem', embedding_model: $model}) WHERE s.moving IS NULL } AS by_vector
WITH asked {.*, by_vector: by_vector, vectors: CASE WHEN by_vector THEN asked.vectors ELSE [] END,
    threshold: CASE WHEN by_vector THEN asked.threshold ELSE 0.0 END} AS q
WITH q, head(COLLECT {
    MATCH (p:Parameters)
    WHERE $rules.calibrated AND size(q.vectors) > 0 AND p.scope IN $scopes AND p.domain IN q.domains AND p.version > 0
      AND p.active AND p.embedding_model = $model
    RETURN p {.*} ORDER BY p.scope = $scopes[0] DESC, p.domain <> '' DESC, p.version DESC LIMIT 1
  }) AS p
WITH q, p, CASE
    WHEN $rules.weighted OR p.weight_semantic IS NULL OR p.weight_outcome IS NULL OR p.weight_recency IS NULL
      OR p.weight_specificity IS NULL OR p.weight_centrality IS NULL OR p.weight_lexical IS NULL OR p.weight_false_hit IS NULL THEN $rules.weights
    ELSE {semantic: p.weight_semantic, outcome: p.weight_outcome, recency: p.weight_recency, specificity: p.weight_specificity,
      centrality: p.weight_centrality, lexical: p.weight_lexical, false_hit: p.weight_false_hit}
  END AS w
CALL (q) {
  CALL (q) {
    UNWIND CASE WHEN q.filtered THEN [] ELSE q.vectors END AS vector
    MATCH (m:Memory)
      SEARCH m IN (
        VECTOR INDEX memory_vector FOR vector
        WHERE m.scope IN $scopes AND m.recallable = true AND m.expires_at > $now
        LIMIT $rules.vector_candidates
      ) SCORE AS near
    RETURN m, 2 * near - 1 AS cosine, 0.0 AS bm25
    UNION ALL
    UNWIND CASE WHEN q.filtered THEN q.vectors ELSE [] END AS vector
    MATCH (m:Memory)
      SEARCH m IN (
        VECTOR INDEX memory_vector FOR vector
        WHERE m.scope IN $scopes AND m.recallable = true AND m.expires_at > $now
          AND m.kind >= q.kind[0] AND m.kind <= q.kind[1]
          AND m.domain >= q.domain[0] AND m.domain <= q.domain[1]
          AND m.task_type >= q.task_type[0] AND m.task_type <= q.task_type[1]
          AND m.toolchain >= q.toolchain[0] AND m.toolchain <= q.toolchain[1]
          AND m.authority >= q.authority
        LIMIT $rules.vector_candidates
      ) SCORE AS near
    RETURN m, 2 * near - 1 AS cosine, 0.0 AS bm25
    UNION ALL
    UNWIND CASE WHEN size($keys) > size($scopes) THEN q.vectors ELSE [] END AS vector
    MATCH (m:Memory)
      SEARCH m IN (
        VECTOR INDEX memory_vector FOR vector
        WHERE m.scope IN $scopes AND m.recallable = false AND m.expires_at > $now
          AND m.kind >= q.kind[0] AND m.kind <= q.kind[1]
          AND m.domain >= q.domain[0] AND m.domain <= q.domain[1]
          AND m.task_type >= q.task_type[0] AND m.task_type <= q.task_type[1]
          AND m.toolchain >= q.toolchain[0] AND m.toolchain <= q.toolchain[1]
          AND m.authority >= q.authority
        LIMIT $rules.apart
      ) SCORE AS near
    WITH m, near WHERE m.recall_key IN $keys
    WITH m, near ORDER BY near DESC, m.id LIMIT $rules.vector_candidates
    RETURN m, 2 * near - 1 AS cosine, 0.0 AS bm25
    UNION ALL
    WITH q WHERE q.lucene <> ''
    CALL db.index.fulltext.queryNodes('memory_text', q.lucene,
      {limit: CASE WHEN q.authority > 0 THEN $rules.scanned WHEN q.by_vector THEN 5 * $rules.text_candidates ELSE $rules.looked END}
    ) YIELD node AS m, score AS bm25
    WITH q, m, bm25 WHERE bm25 > 0
    WITH q, m, bm25, m {.expires_at, .kind, .domain, .task_type, .toolchain, .authority} AS f
    WHERE f.expires_at > $now AND q.kind[0] <= f.kind <= q.kind[1] AND q.domain[0] <= f.domain <= q.domain[1]
      AND q.task_type[0] <= f.task_type <= q.task_type[1] AND q.toolchain[0] <= f.toolchain <= q.toolchain[1] AND f.authority >= q.authority
    WITH m, bm25 LIMIT 2 * $rules.text_candidates
    WITH m, bm25 ORDER BY bm25 DESC, m.id LIMIT $rules.text_candidates
    RETURN m, null AS cosine, bm25
  }
  WITH m, max(cosine) AS near, max(bm25) AS bm25
  WITH m, bm25, coalesce(near, 2 * vector.similarity.cosine(m.embedding, q.vectors[0]) - 1) AS cosine,
    CASE WHEN near IS NULL THEN ['text'] WHEN bm25 > 0 THEN ['vector', 'text'] ELSE ['vector'] END AS by
  ORDER BY coalesce(cosine, 0.0) + 0.01 * bm25 DESC, m.id
  RETURN collect({m: m, cosine: cosine, bm25: bm25, hop: 0, path: by}) AS indexed
}
CALL (q, indexed) {
  UNWIND CASE WHEN q.narrow AND q.limit > size([f IN indexed
    WHERE (f.path[0] = 'vector' OR size(q.vectors) = 0) AND all(tag IN q.tags WHERE tag IN f.m.tags) AND all(technique IN q.techniques WHERE technique IN f.m.techniques)
      AND (size(q.difficulty) = 0 OR q.difficulty[0] <= f.m.difficulty <= q.difficulty[1])])
    THEN [true] ELSE [] END AS scan
  MATCH (m:Memory)
  WHERE m.scope IN $scopes AND m.id IS NOT NULL
  WITH q, indexed, m LIMIT $rules.scanned
  WITH q, indexed, collect(m) AS everything
  WITH q, [f IN indexed | f.m] AS known, everything, size(everything) = $rules.scanned AS scan_cut
  UNWIND everything + [null] AS m
  WITH q, scan_cut, CASE WHEN m.recall_key IN $keys AND m.expires_at > $now AND NOT m IN known
    AND q.kind[0] <= m.kind <= q.kind[1] AND q.domain[0] <= m.domain <= q.domain[1]
    AND q.task_type[0] <= m.task_type <= q.task_type[1] AND q.toolchain[0] <= m.toolchain <= q.toolchain[1]
    AND m.authority >= q.authority AND all(tag IN q.tags WHERE tag IN m.tags) AND all(technique IN q.techniques WHERE technique IN m.techniques)
    AND (size(q.difficulty) = 0 OR q.difficulty[0] <= m.difficulty <= q.difficulty[1]) THEN m END AS m
  WITH m, scan_cut, 2 * vector.similarity.cosine(m.embedding, q.vectors[0]) - 1 AS cosine
  ORDER BY coalesce(cosine, -2.0) DESC, m.id
  WITH collect(CASE WHEN m IS NOT NULL THEN {m: m, cosine: cosine, bm25: 0.0, hop: 0, path: ['filter']} END) AS exact, max(scan_cut) AS cut
  RETURN exact[..$rules.vector_candidates] AS scanned, coalesce(cut, false) AS scan_cut
}
WITH q, p, w, scan_cut, indexed + scanned AS found
WITH *, [f IN found | f.m] AS seeds

CALL (q, found, seeds) {
  UNWIND range(0, CASE WHEN size(found) < $rules.seeds THEN size(found) ELSE $rules.seeds END - 1) AS place
  WITH place, found[place].m AS seed, seeds
  CALL (seed) {
    MATCH (seed)-[e:DERIVES|GENERALIZES|RELATES|CORRECTS]-(n:Memory)
    WITH e, n, n {.scope, .recall_key, .expires_at, .centrality, .id} AS f
    WHERE f.scope IN $scopes AND (e.scope IS NULL OR e.scope IN $scopes)
    WITH n, f, coalesce(e.kind, toLower(type(e))) AS edge LIMIT $rules.looked
    WITH n, head(collect(f)) AS f, min(edge) AS edge, count(*) AS edges
    WITH n, f, edge, edges, f.recall_key IN $keys AND f.expires_at > $now AS open ORDER BY coalesce(f.centrality, 0.0) DESC, f.id
    WITH collect(CASE WHEN open THEN {n: n, id: f.id, centrality: coalesce(f.centrality, 0.0), edge: edge} END) AS around, sum(edges) AS looked
    RETURN around[..$rules.fanout] AS kept, size(around) > $rules.fanout OR looked = $rules.looked AS more
  }
  UNWIND kept + [null] AS step
  WITH place, seed.id AS seed, seeds, more, step ORDER BY place
  WITH seeds, max(more) AS cut, collect(CASE WHEN NOT step.n IN seeds THEN step {.*, path: [seed, step.edge]} END) AS steps
  CALL (steps) {
    UNWIND steps AS step
    WITH step.n AS n, head(collect(step)) AS step
    ORDER BY step.centrality DESC, step.id
    WITH collect({m: n, path: step.path}) AS reached
    RETURN reached[..$rules.neighbours] AS first, size(reached) > $rules.neighbours AS crowded
  }
  RETURN coalesce(max(cut OR crowded), false) AS first_cut, coalesce(head(collect(first)), []) AS first
}
WITH *, seeds + [f IN first | f.m] AS known
CALL (first, known) {
  UNWIND range(0, size(first) - 1) AS place
  WITH place, first[place].m AS from, first[place].path AS so_far, known
  CALL (from) {
    MATCH (from)-[e:DERIVES|GENERALIZES|RELATES|CORRECTS]-(n:Memory)
    WITH e, n, n {.scope, .recall_key, .expires_at, .centrality, .id} AS f
    WHERE f.scope IN $scopes AND (e.scope IS NULL OR e.scope IN $scopes)
    WITH n, f, coalesce(e.kind, toLower(type(e))) AS edge LIMIT $rules.looked
    WITH n, head(collect(f)) AS f, min(edge) AS edge, count(*) AS edges
    WITH n, f, edge, edges, f.recall_key IN $keys AND f.expires_at > $now AS open ORDER BY coalesce(f.centrality, 0.0) DESC, f.id
    WITH collect(CASE WHEN open THEN {n: n, id: f.id, centrality: coalesce(f.centrality, 0.0), edge: edge} END) AS around, sum(edges) AS looked
    RETURN around[..$rules.fanout] AS kept, size(around) > $rules.fanout OR looked = $rules.looked AS more
  }
  UNWIND kept + [null] AS step
  WITH place, so_far + [from.id] AS so_far, known, more, step ORDER BY place
  WITH known, max(more) AS cut, collect(CASE WHEN NOT step.n IN known THEN step {.*, path: so_far + [step.edge]} END) AS steps
  CALL (steps) {
    UNWIND steps AS step
    WITH step.n AS n, head(collect(step)) AS step
    ORDER BY step.centrality DESC, step.id
    WITH collect({m: n, path: step.path}) AS reached
    RETURN reached[..$rules.neighbours] AS second, size(reached) > $rules.neighbours AS crowded
  }
  RETURN coalesce(max(cut OR crowded), false) AS second_cut, coalesce(head(collect(second)), []) AS second
}
WITH q, p, w, scan_cut OR first_cut OR second_cut AS cut,
  found + [f IN first | f {.*, cosine: null, bm25: 0.0, hop: 1}] + [f IN second | f {.*, cosine: null, bm25: 0.0, hop: 2}] AS pool

CALL (q, pool) {
  UNWIND [one IN pool WHERE one.m.corrected] AS one
  WITH one, one.m AS m, coalesce(one.cosine, 2 * vector.similarity.cosine(one.m.embedding, q.vectors[0]) - 1) AS cosine
  CALL (q, m, cosine) {
    MATCH (m)(()<-[e:CORRECTS]-(o:Memory) WHERE e.scope IN $scopes AND e.revoked_at IS NULL AND o.scope IN $scopes){0,20}(wrong:Memory)
    WITH DISTINCT wrong LIMIT 200
    MATCH (right:Memory)-[c:CORRECTS]->(wrong)
    WHERE right.scope IN $scopes AND c.scope IN $scopes AND c.revoked_at IS NULL AND right.authority >= q.authority
    WITH wrong, right, c,
      CASE WHEN wrong = m THEN cosine ELSE 2 * vector.similarity.cosine(wrong.embedding, q.vectors[0]) - 1 END AS near
    LIMIT 200
    CALL (q, wrong, c, near) {
      UNWIND coalesce(c.receipts, []) AS id
      MATCH (r:Recall) WHERE r.scope IN $scopes AND r.id = id AND r.vector IS NOT NULL AND size(q.vectors) > 0
      MATCH (r)-[x:MISLED]->(wrong)
      WITH x, 2 * vector.similarity.cosine(r.vector, q.vectors[0]) - 1 AS shared,
        CASE WHEN near < $rules.context_close THEN near ELSE $rules.context_close END AS own
      WITH x, CASE WHEN shared < $rules.context_floor THEN 0.0 ELSE 1 + (shared - own) / $rules.context_margin END AS blame
      WITH sum(x.weight * CASE WHEN blame > 1 THEN 1.0 WHEN blame > 0 THEN blame ELSE 0.0 END) AS here,
        max(CASE WHEN blame > 0 THEN x.at END) AS at
      WHERE c.everywhere OR here >= 0.5
      RETURN CASE WHEN at > c.at OR NOT c.everywhere THEN at ELSE c.at END AS at
    }
    WITH {wrong: wrong, right: right, at: at, receipts: coalesce(c.receipts, [])} AS step ORDER BY at DESC, right.id
    WITH collect(step) AS said
    WITH said, [s IN said WHERE none(o IN said WHERE o.wrong = s.right AND o.right = s.wrong AND o.at > s.at)] AS steps
    WITH said, steps, reduce(reached = [m], _ IN range(1, CASE WHEN size(steps) < 20 THEN size(steps) ELSE 20 END) |
      reached + [s IN steps WHERE s.wrong IN reached AND NOT s.right IN reached | s.right]) AS reached
    WITH said, steps, reached, [n IN reached WHERE none(s IN steps WHERE s.wrong = n)] AS last
    WITH said, CASE WHEN size(last) > 0 THEN last ELSE [head([s IN steps WHERE s.wrong IN reached | s.right])] END AS rights
    RETURN rights, reduce(ids = [], s IN said | ids + CASE WHEN s.wrong IN rights THEN s.receipts ELSE [] END) AS overruled, size(said) = 200 AS deep
  }
  UNWIND rights AS right
  RETURN collect(one {.*, m: right, cosine: cosine, replaces: CASE WHEN right <> m THEN m.id END, overruled: overruled}) AS righted,
    coalesce(max(deep), false) AS deep
}
CALL (q, pool, righted) {
  UNWIND pool + righted AS c
  WITH c, c.m AS m
  WITH c, m, m {.id, .recall_key, .expires_at, .authority, .kind, .domain, .task_type, .toolchain, .tags, .techniques, .difficulty, .requires,
    .outcome, .successes, .failures, .misled, .happened_at, .features, .centrality, .twinned, .content_hash, .corrected} AS f
  WHERE (c.overruled IS NOT NULL OR coalesce(NOT f.corrected, true)) AND f.recall_key IN $keys AND f.expires_at > $now
    AND f.authority >= q.authority AND (q.kind[0] <> q.kind[1] OR f.kind = q.kind[0]) AND (q.domain[0] <> q.domain[1] OR f.domain = q.domain[0])
    AND (q.task_type[0] <> q.task_type[1] OR f.task_type = q.task_type[0])
    AND (q.toolchain[0] <> q.toolchain[1] OR f.toolchain = q.toolchain[0])
  WITH c, m, f, coalesce(c.cosine, 2 * vector.similarity.cosine(m.embedding, q.vectors[0]) - 1) AS near ORDER BY near DESC, c.hop, f.id
  WITH m, head(collect(f)) AS f, max(near) AS cosine, max(c.bm25) AS bm25, min(c.hop) AS hop, head(collect(c.path)) AS path,
    head(collect(c.replaces)) AS replaces, reduce(ids = [], o IN collect(c.overruled) | ids + o) AS overruled
  WITH *,
    NOT q.narrow OR (all(tag IN q.tags WHERE tag IN f.tags) AND all(technique IN q.techniques WHERE technique IN f.techniques)
      AND (size(q.difficulty) = 0 OR q.difficulty[0] <= f.difficulty <= q.difficulty[1])) AS fits,
    size(q.keys) = 0 OR none(pair IN f.requires WHERE split(pair, '=')[0] IN q.keys
      AND none(other IN f.requires WHERE split(other, '=')[0] = split(pair, '=')[0] AND other IN q.pairs)) AS holds
  RETURN collect(CASE WHEN fits AND holds
      THEN {m: m, f: f, cosine: cosine, bm25: bm25, hop: hop, path: path, replaces: replaces, overruled: overruled} END) AS kept,
    sum(CASE WHEN fits THEN 0 ELSE 1 END) AS filtered, sum(CASE WHEN fits AND NOT holds THEN 1 ELSE 0 END) AS contradicted
}

CALL (q, w, kept) {
  UNWIND kept AS c
  WITH q, w, c, c.m AS m, c.f AS f,
    CASE WHEN c.cosine > 0 THEN c.cosine ELSE 0.0 END AS semantic,
    duration.inSeconds(c.f.happened_at, $now).seconds / $rules.half_life AS age
  WITH *,
    c.bm25 / (c.bm25 + $rules.lexical_half) AS lexical,
    ($rules.prior * CASE f.outcome WHEN 'success' THEN 1.0 WHEN 'mixed' THEN 0.5 WHEN 'fail' THEN 0.0 ELSE 0.5 END + f.successes)
      / ($rules.prior + f.successes + f.failures) AS outcome,
    CASE WHEN age <= 0 THEN 1.0 ELSE exp(-0.6931471805599453 * age) END AS recency,
    CASE WHEN size(q.asked) = 0 THEN 0.0 ELSE toFloat(size([a IN q.asked WHERE a IN f.features])) / size(q.asked) END AS specificity,
    coalesce(f.centrality, 0.0) AS centrality,
    CASE WHEN f.misled = 0 OR size(q.vectors) = 0 THEN 0.0 ELSE reduce(sum = 0.0, x IN COLLECT {
      MATCH (m)<-[x:MISLED]-(r:Recall)
      WHERE r.scope IN $scopes AND r.vector IS NOT NULL AND NOT r.id IN c.overruled
      WITH x.weight * exp(-0.6931471805599453 * duration.inSeconds(x.at, $now).seconds / $rules.half_life) AS weight, x.at AS at,
        2 * vector.similarity.cosine(r.vector, q.vectors[0]) - 1 AS shared,
        CASE WHEN semantic < $rules.context_close THEN semantic ELSE $rules.context_close END AS own
      WITH weight, at, CASE WHEN shared < $rules.context_floor THEN 0.0 ELSE 1 + (shared - own) / $rules.context_margin END AS near
      WHERE near > 0
      RETURN weight * CASE WHEN near > 1 THEN 1.0 ELSE near END ORDER BY at DESC LIMIT 200
    } | sum + x) END AS misled
  WITH *, CASE WHEN misled > 1 THEN 1.0 ELSE misled END AS false_hit
  WITH *,
    CASE WHEN semantic > w.false_hit * false_hit THEN semantic - w.false_hit * false_hit ELSE 0.0 END AS relevance,
    w.semantic * semantic + w.outcome * outcome + w.recency * recency + w.specificity * specificity
      + w.centrality * centrality + w.lexical * lexical - w.false_hit * false_hit AS score
  ORDER BY score DESC, f.id
  WITH CASE WHEN f.twinned THEN head(COLLECT {
      MATCH (m)(()-[e:RELATES {kind: 'duplicate'}]-(other:Memory) WHERE e.scope IN $scopes AND other.scope IN $scopes){0,5}(twin)
      WITH DISTINCT twin
      RETURN twin.content_hash ORDER BY twin.content_hash LIMIT 1
    }) ELSE f.content_hash END AS twins,
    {m: m, id: f.id, hop: c.hop, path: c.path, replaces: c.replaces, score: score, relevance: relevance, semantic: semantic, outcome: outcome,
      recency: recency, specificity: specificity, centrality: centrality, lexical: lexical, false_hit: false_hit} AS c
  WITH twins, collect(c) AS members
  WITH members, reduce(near = head(members), c IN members | CASE WHEN c.relevance > near.relevance THEN c ELSE near END) AS nearest
  ORDER BY nearest.relevance DESC, nearest.id
  RETURN collect(members) AS groups, collect(nearest.relevance) AS relevances, collect(CASE WHEN nearest.hop = 0 THEN nearest END) AS indexed_ones
}
CALL (indexed_ones) {
  WITH [c IN indexed_ones[..40] | c.m.embedding] AS near
  UNWIND range(0, CASE WHEN size(near) < 3 THEN size(near) ELSE 3 END - 1) AS a
  CALL (a, near) {
    UNWIND [b IN range(0, size(near) - 1) WHERE b <> a | near[b]] AS other
    WITH 2 * vector.similarity.cosine(near[a], other) - 1 AS cosine WHERE cosine IS NOT NULL
    WITH cosine ORDER BY cosine DESC LIMIT 20
    RETURN sum(CASE WHEN cosine > 0 THEN cosine ELSE 0.0 END) / 20 AS crowd
  }
  RETURN coalesce(avg(crowd), 0.0) AS crowd
}
WITH *,
  coalesce(head(relevances), 0.0) AS best,
  reduce(sum = 0.0, r IN relevances[..3] | sum + r) / CASE WHEN size(relevances) > 3 THEN 3 WHEN size(relevances) = 0 THEN 1 ELSE size(relevances) END AS agreed,
  (reduce(sum = 0.0, c IN indexed_ones[20..40] | sum + c.relevance) / 20 + crowd) / 2 AS surroundings
WITH *, coalesce(p.threshold, q.threshold) + coalesce(p.agreement, 0.0) * (best - agreed)
  + coalesce(p.contrast, 0.0) * CASE WHEN surroundings > p.reference THEN surroundings - p.reference ELSE 0.0 END AS raised
WITH *, CASE
    WHEN raised < q.threshold AND ((p.agreement > 0 AND size(relevances) < 3) OR (p.contrast > 0 AND size(indexed_ones) < 40)) THEN q.threshold
    ELSE raised
  END AS bar
CALL (groups, bar) {
  UNWIND groups AS members
  WITH head([c IN members WHERE c.relevance >= bar] + members) AS c, size(members) - 1 AS others ORDER BY c.score DESC, c.id
  RETURN collect(c) AS ranked, coalesce(sum(others), 0) AS duplicates
}
WITH *, [c IN ranked WHERE c.relevance >= bar AND (c.lexical > 0 OR size(q.vectors) > 0) | c.m][..q.limit] AS hits
CALL (ranked, hits, best) {
  UNWIND range(0, size(ranked) - 1) AS place
  WITH place, ranked[place] AS c, ranked[place].m AS m, hits, best
  WHERE place < $rules.shown OR m IN hits OR c.relevance = best
  WITH place, c, m, hits, m {.kind, .user, .label, .centrality_at} AS f
  WITH [CASE WHEN m IN hits THEN m {.*, embedding: null, text: null, created_at: null, happened_at: null, updated_at: null, centrality_at: null,
        expires_at: CASE WHEN m.expires_at <> datetime('9999-12-31T23:59:59.999999Z') THEN m.expires_at END} END,
      c.id, f.kind, f.user, f.label, place + 1, c.score, c.relevance, c.hop, c.path, c.replaces,
      f.centrality_at.epochSeconds * 1000000 + f.centrality_at.microsecond,
      [c.semantic, c.outcome, c.recency, c.specificity, c.centrality, c.lexical, c.false_hit]] AS candidate ORDER BY place
  RETURN collect(candidate) AS candidates
}
RETURN q.position AS position, q.by_vector AS by_vector, p AS calibrated, best, agreed, surroundings, bar, cut OR deep AS cut, filtered, contradicted, duplicates, candidates
ORDER BY position
