// name: erase/agree
// mode: write
// params: scopes, rows, learnt, whole, worker, until
// returns: worker
//
// Take the lead of these scopes' queues from whoever has it, if the memories and what they are linked to are still as they
// were read, and nothing has been learnt since: what follows in this transaction is done only then. The statements before
// this one lock the queues, and the memories.
CYPHER 25
CALL () {
  UNWIND $rows AS row
  MATCH (m:Memory {scope: row.scope, id: row.id})
  WHERE coalesce(m.content_hash, '') = row.content_hash AND coalesce(m.status, '') = row.status
    AND COUNT { (m)<-[:DERIVES|GENERALIZES]-(:Memory) } = row.up
    AND (row.down IS NULL OR COUNT { (m)-[:DERIVES|GENERALIZES]->(:Memory) } = row.down)
    AND COUNT { MATCH (m)-[c:CORRECTS]->(:Memory) WHERE c.everywhere AND c.revoked_at IS NULL } = row.rights
  RETURN count(m) = size($rows) AS same
}
CALL () {
  MATCH (d:Memory) WHERE d.scope IN $whole AND d.kind IN ['reflection', 'skill'] AND d.status IS NOT NULL
  RETURN count(d) = $learnt AS known
}
MATCH (q:Job) WHERE q.scope IN $scopes AND q.id = 'queue' AND same AND known
SET q.lead = $worker, q.lead_until = $until
RETURN DISTINCT q.lead AS worker
