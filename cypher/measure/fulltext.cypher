// name: measure/fulltext
// mode: read
// params: queries, scopes, limit
// returns: position, id, bm25
//
// What the full-text index alone ranks: the baseline against which recall is measured.
CYPHER 25
UNWIND $queries AS q
CALL (q) {
  WITH q WHERE q.lucene <> ''
  CALL db.index.fulltext.queryNodes('memory_text', q.lucene, {limit: $limit}) YIELD node AS m, score AS bm25
  WHERE m.scope IN $scopes AND bm25 > 0
  RETURN m.id AS id, bm25
}
RETURN q.position AS position, id, bm25
ORDER BY position, bm25 DESC, id
