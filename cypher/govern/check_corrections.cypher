// name: govern/check_corrections
// mode: read
// params: scopes, most
// returns: user, id, found
//
// Corrections whose contexts and receipts do not stand in pairs, that hold nowhere, or whose wrong memory does not say that
// it is corrected: at most so many, told of the wrong memory.
CYPHER 25
MATCH (m:Memory)<-[c:CORRECTS]-(:Memory) WHERE m.scope IN $scopes AND m.id IS NOT NULL
WITH m, [
  CASE WHEN NOT coalesce(size(c.contexts) = size(c.receipts), false) THEN 'its contexts and receipts are no pairs' END,
  CASE WHEN NOT coalesce(all(i IN range(0, size(c.receipts) - 1) WHERE NOT c.receipts[i] IN c.receipts[i + 1..]), false)
    THEN 'a receipt stands there twice' END,
  CASE WHEN c.revoked_at IS NULL AND NOT coalesce(c.everywhere OR size(c.receipts) > 0, false) THEN 'it holds nowhere, and is not revoked' END,
  CASE WHEN NOT coalesce(m.corrected, false) THEN 'the memory does not say that it is corrected' END
] AS faults
UNWIND faults AS fault
WITH DISTINCT m, fault WHERE fault IS NOT NULL
RETURN toStringOrNull(m.user) AS user, m.id AS id, 'of a correction of it: ' + fault AS found
ORDER BY id, found LIMIT $most
