// name: keyed/put
// mode: write
// params: scope, rows
// returns: slot, stored
//
// Store the next version of keyed values, each only while its newest version is still the one that was seen, or while there
// still is none. The statement before this one locks the queue of the scope, so nobody else puts meanwhile. Where the newest
// one is of this very write, the transaction was retried after its commit. A vector of a model that the database was moved
// away from is not stored.
CYPHER 25
OPTIONAL MATCH (kept:Store {id: 'graphmem'})
UNWIND $rows AS row
CALL (row) {
  OPTIONAL MATCH (m:Memory) WHERE m.scope = $scope AND m.id STARTS WITH row.slot
  RETURN m AS newest ORDER BY m.id DESC LIMIT 1
}
CALL (row, newest, kept) {
  WITH row, kept WHERE coalesce(newest.id, '') = row.seen
  CREATE (m:Memory:Episode {scope: $scope, id: row.id})
  SET m += row.properties
  FOREACH (_ IN CASE WHEN m.embedding_model <> kept.embedding_model THEN [1] ELSE [] END |
    REMOVE m.embedding, m.embedding_model, m.embedded)
  RETURN count(m) AS created
}
RETURN row.slot AS slot, created > 0 OR coalesce(newest.write_id = row.properties.write_id, false) AS stored
