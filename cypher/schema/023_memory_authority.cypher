// name: schema/023_memory_authority
// mode: batch
// params:
// returns:
//
// Say of memories of an older graphmem whether a person vouches for them.
CYPHER 25
MATCH (m:Memory) WHERE m.authority IS NULL
CALL (m) {
  SET m.authority = CASE
      WHEN m.inherited_from IS NULL AND (m.review = 'approved' OR m.review IS NULL AND coalesce(m.approved_by, '') <> '') THEN 1
      ELSE 0
    END
} IN TRANSACTIONS OF 1000 ROWS
